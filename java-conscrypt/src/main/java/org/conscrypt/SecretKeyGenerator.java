package org.conscrypt;

import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyGenerator;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;

/** A key generator of the provider whose keys have Conscrypt's size unless another one is asked for. */
final class SecretKeyGenerator extends KeyGeneratorSpi {
  private final KeyGenerator own;
  private final int defaultBits;

  private SecretKeyGenerator(String algorithm, int defaultBits) throws NoSuchAlgorithmException {
    own = KeyGenerator.getInstance(algorithm, Own.provider());
    own.init(defaultBits);
    this.defaultBits = defaultBits;
  }

  /** Null if the provider's own has the same size. */
  static SecretKeyGenerator of(String algorithm) throws NoSuchAlgorithmException {
    switch (algorithm) {
      case "AES":
      case "HmacMD5":
        return new SecretKeyGenerator(algorithm, 128);
      case "HmacSHA1":
        return new SecretKeyGenerator(algorithm, 160);
      default:
        return null;
    }
  }

  @Override
  protected void engineInit(SecureRandom random) {
    own.init(defaultBits, random);
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    own.init(parameters, random);
  }

  @Override
  protected void engineInit(int keySizeBits, SecureRandom random) {
    own.init(keySizeBits, random);
  }

  @Override
  protected SecretKey engineGenerateKey() {
    return own.generateKey();
  }
}
