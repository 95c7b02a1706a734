package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Arrays;
import org.postscrypt.nat.NativeCrypto;

/** The NIST curves (SP 800-186 section 3.2.1). */
enum Curve {
  P224(
      NativeCrypto.P224, 224, "1.3.132.0.33", new String[] {"secp224r1", "P-224", "NIST P-224"},
      "ffffffffffffffffffffffffffffffff000000000000000000000001",
      "b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4",
      "b70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21",
      "bd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34",
      "ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d"),
  P256(
      NativeCrypto.P256, 256, "1.2.840.10045.3.1.7",
      new String[] {"secp256r1", "P-256", "NIST P-256", "prime256v1", "X9.62 prime256v1"},
      "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
      "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
      "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
  P384(
      NativeCrypto.P384, 384, "1.3.132.0.34", new String[] {"secp384r1", "P-384", "NIST P-384"},
      "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
      "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
      "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
      "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"),
  P521(
      NativeCrypto.P521, 521, "1.3.132.0.35", new String[] {"secp521r1", "P-521", "NIST P-521"},
      "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
          + "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1"
          + "56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
      "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dba"
          + "a14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
      "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c"
          + "97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
      "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
          + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409");

  /** The native number of a key's kind. */
  final int kind;
  final int bits;
  final String oid;
  /** The first is the usual one. */
  private final String[] names;
  final ECParameterSpec spec;

  Curve(int kind, int bits, String oid, String[] names, String p, String b, String x, String y, String n) {
    this.kind = kind;
    this.bits = bits;
    this.oid = oid;
    this.names = names;
    BigInteger prime = new BigInteger(p, 16);
    EllipticCurve curve =
        new EllipticCurve(new ECFieldFp(prime), prime.subtract(BigInteger.valueOf(3)), new BigInteger(b, 16));
    ECPoint generator = new ECPoint(new BigInteger(x, 16), new BigInteger(y, 16));
    spec = new ECParameterSpec(curve, generator, new BigInteger(n, 16), 1);
  }

  String standardName() {
    return names[0];
  }

  /** Bytes of a coordinate. */
  int bytes() {
    return (bits + 7) / 8;
  }

  /** The curve of a key's kind; null if there is none. */
  static Curve of(int kind) {
    for (Curve curve : values()) {
      if (curve.kind == kind) {
        return curve;
      }
    }
    return null;
  }

  static Curve ofBits(int bits) {
    for (Curve curve : values()) {
      if (curve.bits == bits) {
        return curve;
      }
    }
    return null;
  }

  /** The curve with this name or object identifier; null if there is none. */
  static Curve of(String name) {
    for (Curve curve : values()) {
      if (curve.oid.equals(name)) {
        return curve;
      }
      for (String known : curve.names) {
        if (known.equalsIgnoreCase(name)) {
          return curve;
        }
      }
    }
    return null;
  }

  /** The curve with this object identifier, as DER; null if there is none. */
  static Curve of(byte[] oid) {
    for (Curve curve : values()) {
      if (Arrays.equals(Asn1.oid(curve.oid), oid)) {
        return curve;
      }
    }
    return null;
  }

  /** The curve that these parameters are; null if they are none of ours, in any part. */
  static Curve of(ECParameterSpec other) {
    if (other == null) {
      return null;
    }
    for (Curve curve : values()) {
      ECParameterSpec spec = curve.spec;
      if (spec == other
          || spec.getCurve().getField().equals(other.getCurve().getField())
              && spec.getCurve().getA().equals(other.getCurve().getA())
              && spec.getCurve().getB().equals(other.getCurve().getB())
              && spec.getGenerator().equals(other.getGenerator())
              && spec.getOrder().equals(other.getOrder())
              && spec.getCofactor() == other.getCofactor()) {
        return curve;
      }
    }
    return null;
  }

  /** The uncompressed encoding (SEC 1 section 2.3.3); null if a coordinate is no field element or missing. */
  byte[] encode(ECPoint point) {
    BigInteger x = point.getAffineX();
    BigInteger y = point.getAffineY();
    if (x == null || y == null || x.signum() < 0 || y.signum() < 0 || x.bitLength() > bits || y.bitLength() > bits) {
      return null;
    }
    byte[] out = new byte[1 + 2 * bytes()];
    out[0] = 4;
    Numbers.write(x, out, 1, bytes());
    Numbers.write(y, out, 1 + bytes(), bytes());
    return out;
  }
}
