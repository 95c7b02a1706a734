package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.interfaces.RSAPrivateCrtKey;
import org.postscrypt.nat.NativeRef;

/** An RSA private key with its primes. */
final class RsaPrivateCrtKey extends RsaPrivateKey implements RSAPrivateCrtKey {
  private static final long serialVersionUID = 1;

  RsaPrivateCrtKey(NativeRef ref, int kind) {
    super(ref, kind);
  }

  @Override
  public BigInteger getPublicExponent() {
    return number(1);
  }

  @Override
  public BigInteger getPrimeP() {
    return number(3);
  }

  @Override
  public BigInteger getPrimeQ() {
    return number(4);
  }

  @Override
  public BigInteger getPrimeExponentP() {
    return number(5);
  }

  @Override
  public BigInteger getPrimeExponentQ() {
    return number(6);
  }

  @Override
  public BigInteger getCrtCoefficient() {
    return number(7);
  }
}
