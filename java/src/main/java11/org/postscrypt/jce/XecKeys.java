package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Optional;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** X25519 keys in the JDK's terms, for Java 11 and later; the version in {@code src/main/java} documents the seam. */
final class XecKeys {
  /** 2^255 - 19. */
  private static final BigInteger P = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));

  private XecKeys() {}

  static NativePublicKey publicKey(NativeRef ref) {
    return new Public(ref);
  }

  static NativePrivateKey privateKey(NativeRef ref) {
    return new Private(ref);
  }

  static byte[] publicBytes(KeySpec spec) throws InvalidKeyException {
    if (!(spec instanceof XECPublicKeySpec)) {
      return null;
    }
    XECPublicKeySpec xec = (XECPublicKeySpec) spec;
    checkCurve(xec.getParams());
    return littleEndian(xec.getU().mod(P));
  }

  static byte[] privateBytes(KeySpec spec) throws InvalidKeyException {
    if (!(spec instanceof XECPrivateKeySpec)) {
      return null;
    }
    XECPrivateKeySpec xec = (XECPrivateKeySpec) spec;
    checkCurve(xec.getParams());
    return xec.getScalar();
  }

  static KeySpec publicSpec(Class<?> type, byte[] bytes) {
    return type == XECPublicKeySpec.class ? new XECPublicKeySpec(NamedParameterSpec.X25519, u(bytes)) : null;
  }

  static KeySpec privateSpec(Class<?> type, byte[] bytes) {
    return type == XECPrivateKeySpec.class ? new XECPrivateKeySpec(NamedParameterSpec.X25519, bytes) : null;
  }

  static String name(AlgorithmParameterSpec spec) {
    return spec instanceof NamedParameterSpec ? ((NamedParameterSpec) spec).getName() : null;
  }

  private static void checkCurve(AlgorithmParameterSpec spec) throws InvalidKeyException {
    if (!"X25519".equalsIgnoreCase(name(spec))) {
      throw new InvalidKeyException("not X25519");
    }
  }

  /** The u-coordinate that 32 bytes mean: the highest bit does not count (RFC 7748 section 5). */
  private static BigInteger u(byte[] bytes) {
    byte[] bigEndian = Bytes.reversed(bytes);
    bigEndian[0] &= 0x7f;
    return new BigInteger(1, bigEndian);
  }

  private static byte[] littleEndian(BigInteger u) {
    byte[] bigEndian = new byte[32];
    Numbers.write(u, bigEndian, 0, 32);
    return Bytes.reversed(bigEndian);
  }

  private static final class Public extends RawPublicKey implements XECPublicKey {
    private static final long serialVersionUID = 1;

    Public(NativeRef ref) {
      super(ref, NativeCrypto.X25519);
    }

    @Override
    public AlgorithmParameterSpec getParams() {
      return NamedParameterSpec.X25519;
    }

    @Override
    public BigInteger getU() {
      return u(numbers()[0]);
    }
  }

  private static final class Private extends RawPrivateKey implements XECPrivateKey {
    private static final long serialVersionUID = 1;

    Private(NativeRef ref) {
      super(ref, NativeCrypto.X25519);
    }

    @Override
    public AlgorithmParameterSpec getParams() {
      return NamedParameterSpec.X25519;
    }

    @Override
    public Optional<byte[]> getScalar() {
      return isDestroyed() ? Optional.empty() : Optional.of(numbers()[0]);
    }
  }
}
