package org.postscrypt.jce;

import java.security.spec.AlgorithmParameterSpec;

/** The seam to {@code java.security.spec.NamedParameterSpec}, which Java 11 brought; this is what older ones see. */
final class NamedParameters {
  private NamedParameters() {}

  /** The name in a NamedParameterSpec; null if it is none. */
  static String nameOf(AlgorithmParameterSpec params) {
    return null;
  }
}
