package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.DESedeKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Triple DES keys from and to DESedeKeySpec and SecretKeySpec; their parity is made odd, as SunJCE does. */
final class DesEdeKeyFactorySpi extends SecretKeyFactorySpi {
  private static final String NAME = "DESede";
  private static final int BYTES = 24;

  @Override
  protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
    byte[] key;
    if (spec instanceof DESedeKeySpec) {
      key = ((DESedeKeySpec) spec).getKey();
    } else if (spec instanceof SecretKeySpec) {
      key = ((SecretKeySpec) spec).getEncoded();
    } else {
      throw new InvalidKeySpecException("DESede keys come from a DESedeKeySpec or a SecretKeySpec");
    }
    try {
      return of(key);
    } catch (InvalidKeyException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    }
  }

  /** Zeroes what it is given. */
  private static SecretKey of(byte[] key) throws InvalidKeyException {
    try {
      if (key.length != BYTES) {
        throw new InvalidKeyException("DESede keys have 24 bytes, not " + key.length);
      }
      DesEde.setOddParity(key);
      return new SecretKeySpec(key, NAME);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  private static byte[] encoded(SecretKey key) throws InvalidKeyException {
    byte[] encoded = Keys.encoded(key);
    String name = key.getAlgorithm();
    boolean ours = NAME.equalsIgnoreCase(name) || "TripleDES".equalsIgnoreCase(name) || "TDEA".equalsIgnoreCase(name);
    if (!ours || encoded.length != BYTES) {
      Arrays.fill(encoded, (byte) 0);
      throw new InvalidKeyException("no DESede key");
    }
    return encoded;
  }

  @Override
  protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
    byte[] encoded = Bytes.EMPTY;
    try {
      encoded = encoded(key);
      if (type != null && type.isAssignableFrom(DESedeKeySpec.class)) {
        return new DESedeKeySpec(encoded);
      }
      if (type == SecretKeySpec.class) {
        return new SecretKeySpec(encoded, NAME);
      }
    } catch (InvalidKeyException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
    throw new InvalidKeySpecException("DESede keys are a DESedeKeySpec, not " + type);
  }

  @Override
  protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
    return of(encoded(key));
  }
}
