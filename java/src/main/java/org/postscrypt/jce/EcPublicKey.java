package org.postscrypt.jce;

import java.security.interfaces.ECPublicKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import org.postscrypt.nat.NativeRef;

/** A public key on a NIST curve. */
final class EcPublicKey extends NativePublicKey implements ECPublicKey {
  private static final long serialVersionUID = 1;

  private transient volatile ECPoint point;

  EcPublicKey(NativeRef ref, int kind) {
    super(ref, kind);
  }

  @Override
  public ECPoint getW() {
    ECPoint w = point;
    if (w == null) {
      byte[][] numbers = numbers();
      w = new ECPoint(Numbers.number(numbers[0]), Numbers.number(numbers[1]));
      point = w;
    }
    return w;
  }

  @Override
  public ECParameterSpec getParams() {
    return curve().spec;
  }
}
