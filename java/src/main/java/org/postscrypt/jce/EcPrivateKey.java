package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECParameterSpec;
import org.postscrypt.nat.NativeRef;

/** A private key on a NIST curve. */
final class EcPrivateKey extends NativePrivateKey implements ECPrivateKey {
  private static final long serialVersionUID = 1;

  EcPrivateKey(NativeRef ref, int kind) {
    super(ref, kind);
  }

  @Override
  public BigInteger getS() {
    byte[][] numbers = numbers();
    BigInteger s = Numbers.number(numbers[0]);
    Numbers.clear(numbers);
    return s;
  }

  @Override
  public ECParameterSpec getParams() {
    return curve().spec;
  }
}
