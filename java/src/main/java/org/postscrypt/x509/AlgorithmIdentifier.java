package org.postscrypt.x509;

import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** An AlgorithmIdentifier (RFC 5280 section 4.1.1.2). Immutable, thread-safe. */
final class AlgorithmIdentifier {
  private static final String MGF1 = "1.2.840.113549.1.1.8";

  final String oid;
  private final Der encoding;
  private final Der parameters;

  /** Reads the next element. */
  AlgorithmIdentifier(Der in) throws DerException {
    encoding = in.next(Der.SEQUENCE);
    oid = encoding.next(Der.OID).oid();
    parameters = encoding.more() ? encoding.next() : null;
    encoding.finish();
    if (parameters != null && parameters.tag == Der.NULL && parameters.length() != 0) {
      throw new DerException("NULL with contents");
    }
  }

  /** True if both are the same bytes. */
  boolean sameAs(AlgorithmIdentifier other) {
    return encoding.sameAs(other.encoding);
  }

  /** The signature algorithm's JCA name; the identifier if there is none. */
  String signatureName() {
    return AlgorithmNames.signature(oid);
  }

  /** The parameters' encoding, the caller's own; null if there are none or NULL. */
  byte[] encodedParameters() {
    return parameters == null || parameters.tag == Der.NULL ? null : parameters.encoded();
  }

  /**
   * What {@code Signature.setParameter} needs: null for algorithms that take none.
   *
   * @throws InvalidAlgorithmParameterException if the encoded parameters are not right for the algorithm
   */
  AlgorithmParameterSpec signatureParameters() throws InvalidAlgorithmParameterException {
    if (!oid.equals(AlgorithmNames.RSASSA_PSS)) {
      return null;
    }
    try {
      return pss();
    } catch (DerException e) {
      throw new InvalidAlgorithmParameterException("RSASSA-PSS parameters: " + e.getMessage(), e);
    }
  }

  /** RSASSA-PSS-params (RFC 8017 appendix A.2.3). A signature must have them (RFC 4055 section 3.1). */
  private PSSParameterSpec pss() throws DerException {
    if (parameters == null || parameters.tag != Der.SEQUENCE) {
      throw new DerException("missing");
    }
    Der fields = parameters.again();
    Der hash = fields.optional(Der.explicit(0));
    String digest = hash == null ? "SHA-1" : digest(hash);
    Der mask = fields.optional(Der.explicit(1));
    String maskDigest = "SHA-1";
    if (mask != null) {
      AlgorithmIdentifier generator = new AlgorithmIdentifier(mask);
      mask.finish();
      if (!generator.oid.equals(MGF1) || generator.parameters == null) {
        throw new DerException("mask generation function " + generator.oid);
      }
      maskDigest = digest(Der.of(generator.parameters.encoded()));
    }
    int saltBytes = explicit(fields.optional(Der.explicit(2)), 20);
    int trailer = explicit(fields.optional(Der.explicit(3)), 1);
    fields.finish();
    if (trailer != 1) {
      throw new DerException("trailer field " + trailer);
    }
    return new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(maskDigest), saltBytes, trailer);
  }

  private static int explicit(Der field, int absent) throws DerException {
    if (field == null) {
      return absent;
    }
    int value = field.next(Der.INTEGER).small();
    field.finish();
    return value;
  }

  private static String digest(Der in) throws DerException {
    AlgorithmIdentifier algorithm = new AlgorithmIdentifier(in);
    in.finish();
    String name = AlgorithmNames.digest(algorithm.oid);
    if (name == null || algorithm.encodedParameters() != null) {
      throw new DerException("digest " + algorithm.oid);
    }
    return name;
  }
}
