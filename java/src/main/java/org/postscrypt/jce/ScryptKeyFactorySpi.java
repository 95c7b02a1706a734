package org.postscrypt.jce;

import java.lang.reflect.InvocationTargetException;
import java.security.InvalidKeyException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.ScryptKeySpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * scrypt (RFC 7914), from a {@link ScryptKeySpec} or, as Conscrypt does, from any KeySpec of that simple name with the
 * same public getters (Bouncy Castle's and Android's are). The password is taken in UTF-8.
 */
final class ScryptKeyFactorySpi extends SecretKeyFactorySpi {
  @Override
  protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
    ScryptKeySpec own = own(spec);
    char[] password = own.getPassword();
    byte[] bytes = Passwords.utf8(password);
    byte[] derived = Bytes.EMPTY;
    try {
      derived = NativeCrypto.scrypt(bytes, own.getSalt(), own.getCostParameter(), own.getBlockSize(),
          own.getParallelizationParameter(), own.getKeyLength() / 8);
      return new SecretKeySpec(derived, "SCRYPT");
    } finally {
      Arrays.fill(bytes, (byte) 0);
      Arrays.fill(password, '\0');
      Arrays.fill(derived, (byte) 0);
    }
  }

  private static ScryptKeySpec own(KeySpec spec) throws InvalidKeySpecException {
    if (spec instanceof ScryptKeySpec) {
      return (ScryptKeySpec) spec;
    }
    if (spec == null || !spec.getClass().getSimpleName().equals("ScryptKeySpec")) {
      throw new InvalidKeySpecException("scrypt takes a ScryptKeySpec");
    }
    try {
      return new ScryptKeySpec(
          (char[]) get(spec, "getPassword"),
          (byte[]) get(spec, "getSalt"),
          (int) get(spec, "getCostParameter"),
          (int) get(spec, "getBlockSize"),
          (int) get(spec, "getParallelizationParameter"),
          (int) get(spec, "getKeyLength"));
    } catch (IllegalAccessException | NoSuchMethodException | InvocationTargetException | RuntimeException e) {
      throw new InvalidKeySpecException("no usable ScryptKeySpec: " + e.getMessage(), e);
    }
  }

  private static Object get(KeySpec spec, String getter)
      throws IllegalAccessException, NoSuchMethodException, InvocationTargetException {
    return spec.getClass().getMethod(getter).invoke(spec);
  }

  @Override
  protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
    throw new InvalidKeySpecException("a derived key does not tell what it was derived from");
  }

  @Override
  protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
    throw new InvalidKeyException("scrypt translates no keys");
  }
}
