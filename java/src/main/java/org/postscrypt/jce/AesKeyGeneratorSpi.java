package org.postscrypt.jce;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.NativeCrypto;

/** AES keys of 128, 192 or 256 bits; 256 unless told otherwise. Without a SecureRandom, from BoringSSL's generator. */
final class AesKeyGeneratorSpi extends KeyGeneratorSpi {
  private int sizeBits = 256;
  private SecureRandom random;

  @Override
  protected void engineInit(SecureRandom random) {
    this.random = random;
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec params, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    throw new InvalidAlgorithmParameterException("AES key generation takes a size, no parameters");
  }

  @Override
  protected void engineInit(int sizeBits, SecureRandom random) {
    if (sizeBits != 128 && sizeBits != 192 && sizeBits != 256) {
      throw new InvalidParameterException("AES keys have 128, 192 or 256 bits, not " + sizeBits);
    }
    this.sizeBits = sizeBits;
    this.random = random;
  }

  @Override
  protected SecretKey engineGenerateKey() {
    byte[] key = new byte[sizeBits / 8];
    try {
      if (random == null) {
        NativeCrypto.randomBytes(key, 0, key.length);
      } else {
        random.nextBytes(key);
      }
      return new SecretKeySpec(key, "AES");
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
