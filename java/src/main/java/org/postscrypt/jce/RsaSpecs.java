package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;

/**
 * RSA specs and the key parameters that they have on Java 11 and later. This is the version for platforms without them;
 * {@code src/main/java11} has the other.
 */
final class RsaSpecs {
  private RsaSpecs() {}

  /** The key parameters in an RSA key's spec; null if there are none. */
  static AlgorithmParameterSpec parameters(KeySpec spec) {
    return null;
  }

  /** The key parameters that keys are to be made with; null if there are none. */
  static AlgorithmParameterSpec parameters(RSAKeyGenParameterSpec spec) {
    return null;
  }

  static RSAPublicKeySpec publicSpec(BigInteger n, BigInteger e, AlgorithmParameterSpec parameters) {
    return new RSAPublicKeySpec(n, e);
  }

  static RSAPrivateKeySpec privateSpec(BigInteger n, BigInteger d, AlgorithmParameterSpec parameters) {
    return new RSAPrivateKeySpec(n, d);
  }

  /** From n, e, d, p, q, dp, dq, qinv. */
  static RSAPrivateCrtKeySpec crtSpec(BigInteger[] n, AlgorithmParameterSpec parameters) {
    return new RSAPrivateCrtKeySpec(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
  }
}
