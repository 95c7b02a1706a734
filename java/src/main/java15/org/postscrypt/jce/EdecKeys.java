package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.EdDSAParameterSpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Optional;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** Ed25519 keys in the JDK's terms, for Java 15 and later; the version in {@code src/main/java} documents the seam. */
final class EdecKeys {
  private EdecKeys() {}

  static NativePublicKey publicKey(NativeRef ref) {
    return new Public(ref);
  }

  static NativePrivateKey privateKey(NativeRef ref) {
    return new Private(ref);
  }

  static byte[] publicBytes(KeySpec spec) throws InvalidKeyException {
    if (!(spec instanceof EdECPublicKeySpec)) {
      return null;
    }
    EdECPublicKeySpec edec = (EdECPublicKeySpec) spec;
    checkCurve(edec.getParams());
    BigInteger y = edec.getPoint().getY();
    if (y.signum() < 0 || y.bitLength() > 255) {
      throw new InvalidKeyException("not a point of Ed25519");
    }
    byte[] bigEndian = new byte[32];
    Numbers.write(y, bigEndian, 0, 32);
    byte[] bytes = Bytes.reversed(bigEndian);
    if (edec.getPoint().isXOdd()) {
      bytes[31] |= (byte) 0x80;
    }
    return bytes;
  }

  static byte[] privateBytes(KeySpec spec) throws InvalidKeyException {
    if (!(spec instanceof EdECPrivateKeySpec)) {
      return null;
    }
    EdECPrivateKeySpec edec = (EdECPrivateKeySpec) spec;
    checkCurve(edec.getParams());
    return edec.getBytes();
  }

  static KeySpec publicSpec(Class<?> type, byte[] bytes) {
    return type == EdECPublicKeySpec.class ? new EdECPublicKeySpec(NamedParameterSpec.ED25519, point(bytes)) : null;
  }

  static KeySpec privateSpec(Class<?> type, byte[] bytes) {
    return type == EdECPrivateKeySpec.class ? new EdECPrivateKeySpec(NamedParameterSpec.ED25519, bytes) : null;
  }

  static boolean isPlain(AlgorithmParameterSpec spec) {
    return spec instanceof EdDSAParameterSpec
        && !((EdDSAParameterSpec) spec).isPrehash()
        && !((EdDSAParameterSpec) spec).getContext().isPresent();
  }

  private static void checkCurve(NamedParameterSpec spec) throws InvalidKeyException {
    if (!"Ed25519".equalsIgnoreCase(spec.getName())) {
      throw new InvalidKeyException("not Ed25519");
    }
  }

  private static EdECPoint point(byte[] bytes) {
    byte[] bigEndian = Bytes.reversed(bytes);
    boolean xOdd = bigEndian[0] < 0;
    bigEndian[0] &= 0x7f;
    return new EdECPoint(xOdd, new BigInteger(1, bigEndian));
  }

  private static final class Public extends RawPublicKey implements EdECPublicKey {
    private static final long serialVersionUID = 1;

    Public(NativeRef ref) {
      super(ref, NativeCrypto.ED25519);
    }

    @Override
    public NamedParameterSpec getParams() {
      return NamedParameterSpec.ED25519;
    }

    @Override
    public EdECPoint getPoint() {
      return point(numbers()[0]);
    }
  }

  private static final class Private extends RawPrivateKey implements EdECPrivateKey {
    private static final long serialVersionUID = 1;

    Private(NativeRef ref) {
      super(ref, NativeCrypto.ED25519);
    }

    @Override
    public NamedParameterSpec getParams() {
      return NamedParameterSpec.ED25519;
    }

    @Override
    public Optional<byte[]> getBytes() {
      return isDestroyed() ? Optional.empty() : Optional.of(numbers()[0]);
    }
  }
}
