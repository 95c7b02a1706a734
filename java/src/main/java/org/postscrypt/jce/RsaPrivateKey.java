package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.AlgorithmParameterSpec;
import org.postscrypt.nat.NativeRef;

/** An RSA private key; by itself one whose primes are unknown. */
class RsaPrivateKey extends NativePrivateKey implements RSAPrivateKey {
  private static final long serialVersionUID = 1;

  /** Not secret; computed when first asked for. */
  private transient volatile BigInteger modulus;
  private final transient RsaParameters parameters;

  RsaPrivateKey(NativeRef ref, int kind) {
    super(ref, kind);
    parameters = RsaParameters.of(this);
  }

  /** One of the key's numbers. */
  final BigInteger number(int index) {
    byte[][] numbers = numbers();
    BigInteger number = Numbers.number(numbers[index]);
    Numbers.clear(numbers);
    return number;
  }

  @Override
  public final BigInteger getModulus() {
    BigInteger n = modulus;
    if (n == null) {
      n = number(0);
      modulus = n;
    }
    return n;
  }

  @Override
  public final BigInteger getPrivateExponent() {
    return number(2);
  }

  /** The parameters that the key is restricted to; null if it is not. (An override on Java 11 and later.) */
  public final AlgorithmParameterSpec getParams() {
    return parameters.spec;
  }

  @Override
  final int publicHash() {
    return getModulus().hashCode();
  }

  @Override
  final String describe() {
    return getAlgorithm() + " " + getModulus().bitLength() + " bits";
  }
}
