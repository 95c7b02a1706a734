package org.postscrypt.jce;

import java.security.spec.AlgorithmParameterSpec;

/**
 * {@code javax.crypto.spec.ChaCha20ParameterSpec}, which Java 8 lacks: this version knows none, the one for Java 11
 * does.
 */
final class ChaCha20Specs {
  private ChaCha20Specs() {}

  /** Whether this is one. */
  static boolean isSpec(AlgorithmParameterSpec spec) {
    return false;
  }

  /** Its nonce; 12 bytes. */
  static byte[] nonce(AlgorithmParameterSpec spec) {
    throw new IllegalArgumentException();
  }

  /** Its counter, unsigned. */
  static int counter(AlgorithmParameterSpec spec) {
    throw new IllegalArgumentException();
  }
}
