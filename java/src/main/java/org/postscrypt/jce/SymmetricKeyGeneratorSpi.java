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

/**
 * Random secret keys. Sizes are in bits, with SunJCE's defaults; a number that is none of whole bytes is rounded up.
 * Without a SecureRandom, from BoringSSL's generator.
 */
class SymmetricKeyGeneratorSpi extends KeyGeneratorSpi {
  private final String algorithm;
  private final int minBits;
  private final int maxBits;
  private int sizeBits;
  private SecureRandom random;

  SymmetricKeyGeneratorSpi(String algorithm, int defaultBits, int minBits, int maxBits) {
    this.algorithm = algorithm;
    this.minBits = minBits;
    this.maxBits = maxBits;
    sizeBits = defaultBits;
  }

  /** AES keys of 128, 192 or 256 bits; 256 unless told otherwise. */
  static SymmetricKeyGeneratorSpi aes() {
    return new SymmetricKeyGeneratorSpi("AES", 256, 128, 256) {
      @Override
      boolean isSize(int bits) {
        return bits == 128 || bits == 192 || bits == 256;
      }
    };
  }

  /** Triple DES keys of 168 bits (the default) or 112 (the first third is the last one again), with odd parity. */
  static SymmetricKeyGeneratorSpi desEde() {
    return new SymmetricKeyGeneratorSpi("DESede", 168, 112, 168) {
      @Override
      boolean isSize(int bits) {
        return bits == 112 || bits == 168;
      }

      @Override
      byte[] newKey(int bits) {
        return new byte[24];
      }

      @Override
      void adjust(byte[] key, int bits) {
        if (bits == 112) {
          System.arraycopy(key, 0, key, 16, 8);
        }
        DesEde.setOddParity(key);
      }
    };
  }

  boolean isSize(int bits) {
    return bits >= minBits && bits <= maxBits;
  }

  byte[] newKey(int bits) {
    return new byte[bits / 8 + (bits % 8 == 0 ? 0 : 1)];
  }

  void adjust(byte[] key, int bits) {}

  @Override
  protected void engineInit(SecureRandom random) {
    this.random = random;
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec params, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    throw new InvalidAlgorithmParameterException(algorithm + " key generation takes a size, no parameters");
  }

  @Override
  protected void engineInit(int sizeBits, SecureRandom random) {
    if (!isSize(sizeBits)) {
      throw new InvalidParameterException(algorithm + " keys do not have " + sizeBits + " bits");
    }
    this.sizeBits = sizeBits;
    this.random = random;
  }

  @Override
  protected SecretKey engineGenerateKey() {
    byte[] key = newKey(sizeBits);
    try {
      if (random == null) {
        NativeCrypto.randomBytes(key, 0, key.length);
      } else {
        random.nextBytes(key);
      }
      adjust(key, sizeBits);
      return new SecretKeySpec(key, algorithm);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
