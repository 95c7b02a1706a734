package org.postscrypt.jce;

import java.security.SecureRandomSpi;
import org.postscrypt.nat.NativeCrypto;

/**
 * BoringSSL's generator, which seeds and reseeds itself from the operating system (SP 800-90A). Thread-safe, without
 * state.
 *
 * <p>Its state belongs to BoringSSL and takes no seed from outside: {@code setSeed} adds nothing and, as the JCA
 * demands, takes nothing away. In particular no seed ever makes its output predictable, under the name SHA1PRNG neither
 * (the JDK's generator of that name repeats itself when it is seeded first).
 */
final class RandomSpi extends SecureRandomSpi {
  private static final long serialVersionUID = 1;

  @Override
  protected void engineSetSeed(byte[] seed) {
    if (seed == null) {
      throw new NullPointerException("seed");
    }
  }

  @Override
  protected void engineNextBytes(byte[] bytes) {
    NativeCrypto.randomBytes(bytes, 0, bytes.length);
  }

  @Override
  protected byte[] engineGenerateSeed(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("a negative number of bytes");
    }
    byte[] seed = new byte[count];
    NativeCrypto.randomBytes(seed, 0, count);
    return seed;
  }
}
