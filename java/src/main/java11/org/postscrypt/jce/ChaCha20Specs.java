package org.postscrypt.jce;

import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.spec.ChaCha20ParameterSpec;

/** {@link ChaCha20ParameterSpec}. */
final class ChaCha20Specs {
  private ChaCha20Specs() {}

  /** Whether this is one. */
  static boolean isSpec(AlgorithmParameterSpec spec) {
    return spec instanceof ChaCha20ParameterSpec;
  }

  /** Its nonce; 12 bytes. */
  static byte[] nonce(AlgorithmParameterSpec spec) {
    return ((ChaCha20ParameterSpec) spec).getNonce();
  }

  /** Its counter, unsigned. */
  static int counter(AlgorithmParameterSpec spec) {
    return ((ChaCha20ParameterSpec) spec).getCounter();
  }
}
