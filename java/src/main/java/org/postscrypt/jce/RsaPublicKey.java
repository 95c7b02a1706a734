package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import org.postscrypt.nat.NativeRef;

/** An RSA public key. */
final class RsaPublicKey extends NativePublicKey implements RSAPublicKey {
  private static final long serialVersionUID = 1;

  private final transient BigInteger modulus;
  private final transient BigInteger exponent;
  private final transient RsaParameters parameters;

  RsaPublicKey(NativeRef ref, int kind) {
    super(ref, kind);
    byte[][] numbers = numbers();
    modulus = Numbers.number(numbers[0]);
    exponent = Numbers.number(numbers[1]);
    parameters = RsaParameters.of(this);
  }

  @Override
  public BigInteger getModulus() {
    return modulus;
  }

  @Override
  public BigInteger getPublicExponent() {
    return exponent;
  }

  /** The parameters that the key is restricted to; null if it is not. (An override on Java 11 and later.) */
  public AlgorithmParameterSpec getParams() {
    return parameters.spec;
  }

  @Override
  String describe() {
    return getAlgorithm() + " " + modulus.bitLength() + " bits";
  }
}
