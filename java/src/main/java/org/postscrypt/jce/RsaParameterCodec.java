package org.postscrypt.jce;

import java.io.IOException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;

/** What the parameters of RSASSA-PSS and RSAES-OAEP share (RFC 8017 appendix A.2): a digest and MGF1 with a digest. */
final class RsaParameterCodec {
  private static final String MGF1_OID = "1.2.840.113549.1.1.8";

  private RsaParameterCodec() {}

  static byte[] algorithm(Hash hash) {
    return Asn1.element(
        Asn1.SEQUENCE, Asn1.element(Asn1.OBJECT, Asn1.oid(hash.oid)), Asn1.element(Asn1.NULL));
  }

  static byte[] mgf1(Hash hash) {
    return Asn1.element(Asn1.SEQUENCE, Asn1.element(Asn1.OBJECT, Asn1.oid(MGF1_OID)), algorithm(hash));
  }

  /** A digest's AlgorithmIdentifier, with NULL or without parameters. */
  static Hash hash(Asn1 identifier) throws IOException {
    Hash hash = Hash.of(identifier.take(Asn1.OBJECT));
    if (identifier.tag() == Asn1.NULL) {
      identifier.enter(Asn1.NULL).end();
    }
    identifier.end();
    if (hash == null) {
      throw new IOException("unknown digest in RSA parameters");
    }
    return hash;
  }

  static Hash mgf1(Asn1 identifier) throws IOException {
    if (!java.util.Arrays.equals(identifier.take(Asn1.OBJECT), Asn1.oid(MGF1_OID))) {
      throw new IOException("mask generation function is not MGF1");
    }
    Hash hash = hash(identifier.enter(Asn1.SEQUENCE));
    identifier.end();
    return hash;
  }

  /** The digest of these MGF1 parameters; null if there is none. */
  static Hash mgf1(String name, AlgorithmParameterSpec spec) {
    return "MGF1".equalsIgnoreCase(name) && spec instanceof MGF1ParameterSpec
        ? Hash.of(((MGF1ParameterSpec) spec).getDigestAlgorithm())
        : null;
  }

  /** The DER element with an explicit context tag. */
  static byte[] explicit(int number, byte[] content) {
    return Asn1.element(0xa0 | number, content);
  }

  /** The inside of the sequence in an explicit context tag; null if the next element has not that tag. */
  static Asn1 explicit(Asn1 from, int number) throws IOException {
    if (from.tag() != (0xa0 | number)) {
      return null;
    }
    Asn1 outer = from.enter(0xa0 | number);
    Asn1 inner = outer.enter(Asn1.SEQUENCE);
    outer.end();
    return inner;
  }
}
