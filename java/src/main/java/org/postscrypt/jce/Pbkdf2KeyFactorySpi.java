package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.interfaces.PBEKey;
import javax.crypto.spec.PBEKeySpec;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;

/**
 * PBKDF2 with HMAC (RFC 8018 section 5.2): from a PBEKeySpec with salt, iteration count and key length (bits; a rest of
 * less than 8 is cut off, as SunJCE does) a key that is a {@link PBEKey}, in format {@code RAW}. The password is taken
 * in UTF-8.
 */
final class Pbkdf2KeyFactorySpi extends SecretKeyFactorySpi {
  private final String name;
  private final int algorithm;

  Pbkdf2KeyFactorySpi(String name, int algorithm) {
    this.name = name;
    this.algorithm = algorithm;
  }

  @Override
  protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
    if (!(spec instanceof PBEKeySpec)) {
      throw new InvalidKeySpecException("PBKDF2 takes a PBEKeySpec");
    }
    PBEKeySpec pbe = (PBEKeySpec) spec;
    byte[] salt = pbe.getSalt();
    if (salt == null) {
      throw new InvalidKeySpecException("no salt");
    }
    if (pbe.getKeyLength() <= 0) {
      throw new InvalidKeySpecException("no key length");
    }
    char[] password = pbe.getPassword();
    byte[] bytes = Passwords.utf8(password);
    byte[] derived = Bytes.EMPTY;
    try {
      derived = NativeCrypto.pbkdf2(algorithm, bytes, salt, pbe.getIterationCount(), pbe.getKeyLength() / 8);
      return new Pbkdf2Key(name, password, salt, pbe.getIterationCount(), derived);
    } finally {
      Arrays.fill(bytes, (byte) 0);
      Arrays.fill(password, '\0');
      Arrays.fill(derived, (byte) 0);
    }
  }

  @Override
  protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
    if (!(key instanceof PBEKey) || !name.equalsIgnoreCase(key.getAlgorithm())) {
      throw new InvalidKeySpecException("no " + name + " key");
    }
    if (type == null || !type.isAssignableFrom(PBEKeySpec.class)) {
      throw new InvalidKeySpecException(name + " keys are a PBEKeySpec, not " + type);
    }
    PBEKey pbe = (PBEKey) key;
    char[] password = pbe.getPassword();
    byte[] encoded = KeyEncoding.copy(pbe);
    try {
      return new PBEKeySpec(password, pbe.getSalt(), pbe.getIterationCount(), encoded.length * 8);
    } catch (RuntimeException e) {
      throw new InvalidKeySpecException("the key has no salt, iteration count or length", e);
    } finally {
      Arrays.fill(password, '\0');
      Arrays.fill(encoded, (byte) 0);
    }
  }

  @Override
  protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
    if (key == null) {
      throw new InvalidKeyException("key is null");
    }
    if (key instanceof Pbkdf2Key && name.equalsIgnoreCase(key.getAlgorithm())) {
      return key;
    }
    try {
      PBEKeySpec spec = (PBEKeySpec) engineGetKeySpec(key, PBEKeySpec.class);
      SecretKey own = engineGenerateSecret(spec);
      byte[] theirs = KeyEncoding.copy(key);
      byte[] ours = own.getEncoded();
      boolean equal = MessageDigest.isEqual(theirs, ours);
      Arrays.fill(theirs, (byte) 0);
      Arrays.fill(ours, (byte) 0);
      spec.clearPassword();
      if (!equal) {
        throw new InvalidKeyException("the key is not what its password gives");
      }
      return own;
    } catch (InvalidKeySpecException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }
}
