package org.conscrypt;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.SecretKeyFactorySpi;

/** scrypt, of either package's {@code ScryptKeySpec}. */
final class ScryptKeyFactory extends SecretKeyFactorySpi {
  private final SecretKeyFactory own;

  ScryptKeyFactory() throws NoSuchAlgorithmException {
    own = SecretKeyFactory.getInstance("SCRYPT", Own.provider());
  }

  @Override
  protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
    if (!(spec instanceof ScryptKeySpec)) {
      return own.generateSecret(spec);
    }
    ScryptKeySpec scrypt = (ScryptKeySpec) spec;
    org.postscrypt.ScryptKeySpec checked;
    try {
      checked =
          new org.postscrypt.ScryptKeySpec(
              scrypt.getPassword(),
              scrypt.getSalt(),
              scrypt.getCostParameter(),
              scrypt.getBlockSize(),
              scrypt.getParallelizationParameter(),
              scrypt.getKeyLength());
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    }
    return own.generateSecret(checked);
  }

  @Override
  protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
    return own.getKeySpec(key, type);
  }

  @Override
  protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
    return own.translateKey(key);
  }
}
