package org.conscrypt;

import java.math.BigInteger;
import java.security.spec.KeySpec;
import java.security.spec.RSAPrivateCrtKeySpec;

/** What Conscrypt serialises most RSA private keys as. */
final class OpenSSLRSAPrivateCrtKey extends OpenSSLRSAPrivateKey {
  private static final long serialVersionUID = 3785291944868707197L;

  private BigInteger publicExponent;
  private BigInteger primeP;
  private BigInteger primeQ;
  private BigInteger primeExponentP;
  private BigInteger primeExponentQ;
  private BigInteger crtCoefficient;

  private OpenSSLRSAPrivateCrtKey() {}

  @Override
  KeySpec spec() {
    return new RSAPrivateCrtKeySpec(
        modulus, publicExponent, privateExponent, primeP, primeQ, primeExponentP, primeExponentQ, crtCoefficient);
  }
}
