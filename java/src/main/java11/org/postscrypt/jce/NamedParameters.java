package org.postscrypt.jce;

import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;

/** The seam to {@code java.security.spec.NamedParameterSpec} as Java 11 has it. */
final class NamedParameters {
  private NamedParameters() {}

  /** The name in a NamedParameterSpec; null if it is none. */
  static String nameOf(AlgorithmParameterSpec params) {
    return params instanceof NamedParameterSpec ? ((NamedParameterSpec) params).getName() : null;
  }
}
