package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;

/** RSA specs for Java 11 and later; the version in {@code src/main/java} documents the seam. */
final class RsaSpecs {
  private RsaSpecs() {}

  static AlgorithmParameterSpec parameters(KeySpec spec) {
    if (spec instanceof RSAPublicKeySpec) {
      return ((RSAPublicKeySpec) spec).getParams();
    }
    return spec instanceof RSAPrivateKeySpec ? ((RSAPrivateKeySpec) spec).getParams() : null;
  }

  static AlgorithmParameterSpec parameters(RSAKeyGenParameterSpec spec) {
    return spec.getKeyParams();
  }

  static RSAPublicKeySpec publicSpec(BigInteger n, BigInteger e, AlgorithmParameterSpec parameters) {
    return new RSAPublicKeySpec(n, e, parameters);
  }

  static RSAPrivateKeySpec privateSpec(BigInteger n, BigInteger d, AlgorithmParameterSpec parameters) {
    return new RSAPrivateKeySpec(n, d, parameters);
  }

  static RSAPrivateCrtKeySpec crtSpec(BigInteger[] n, AlgorithmParameterSpec parameters) {
    return new RSAPrivateCrtKeySpec(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], parameters);
  }
}
