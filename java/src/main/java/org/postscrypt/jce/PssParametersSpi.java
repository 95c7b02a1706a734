package org.postscrypt.jce;

import java.io.IOException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** Parameters of RSASSA-PSS (RFC 4055 section 3.1): a known digest, MGF1 with one, a salt length, trailer field 1. */
final class PssParametersSpi extends EncodedParametersSpi<PSSParameterSpec> {
  static final String NAME = "RSASSA-PSS";
  private static final int DEFAULT_SALT = 20;

  /** The digest and MGF1 with the same, and a salt as long. */
  static PSSParameterSpec usual(Hash hash) {
    return new PSSParameterSpec(
        hash.standardName, "MGF1", new MGF1ParameterSpec(hash.standardName), hash.length, 1);
  }

  /** Why these are no parameters for BoringSSL; null if they are. */
  static String fault(PSSParameterSpec spec) {
    if (Hash.of(spec.getDigestAlgorithm()) == null) {
      return "unknown digest " + spec.getDigestAlgorithm();
    }
    if (RsaParameterCodec.mgf1(spec.getMGFAlgorithm(), spec.getMGFParameters()) == null) {
      return "the mask generation function is MGF1 with MGF1ParameterSpec and a known digest";
    }
    return spec.getTrailerField() == 1 ? null : "the trailer field is 1";
  }

  static Hash digest(PSSParameterSpec checked) {
    return Hash.of(checked.getDigestAlgorithm());
  }

  static Hash mgf(PSSParameterSpec checked) {
    return RsaParameterCodec.mgf1(checked.getMGFAlgorithm(), checked.getMGFParameters());
  }

  static PSSParameterSpec decode(byte[] der) throws IOException {
    Asn1 all = new Asn1(der);
    Asn1 parameters = all.enter(Asn1.SEQUENCE);
    all.end();
    Hash hash = Hash.SHA1;
    Hash mgf = Hash.SHA1;
    int salt = DEFAULT_SALT;
    Asn1 part = RsaParameterCodec.explicit(parameters, 0);
    if (part != null) {
      hash = RsaParameterCodec.hash(part);
    }
    part = RsaParameterCodec.explicit(parameters, 1);
    if (part != null) {
      mgf = RsaParameterCodec.mgf1(part);
    }
    if (parameters.tag() == 0xa2) {
      part = parameters.enter(0xa2);
      salt = part.integer();
      part.end();
    }
    if (parameters.tag() == 0xa3) {
      part = parameters.enter(0xa3);
      if (part.integer() != 1) {
        throw new IOException("the trailer field is 1");
      }
      part.end();
    }
    parameters.end();
    return new PSSParameterSpec(hash.standardName, "MGF1", new MGF1ParameterSpec(mgf.standardName), salt, 1);
  }

  /** The DER; defaults are left out. */
  static byte[] encoded(PSSParameterSpec checked) {
    Hash hash = digest(checked);
    Hash mgf = mgf(checked);
    int salt = checked.getSaltLength();
    return Asn1.element(
        Asn1.SEQUENCE,
        hash == Hash.SHA1 ? Bytes.EMPTY : RsaParameterCodec.explicit(0, RsaParameterCodec.algorithm(hash)),
        mgf == Hash.SHA1 ? Bytes.EMPTY : RsaParameterCodec.explicit(1, RsaParameterCodec.mgf1(mgf)),
        salt == DEFAULT_SALT ? Bytes.EMPTY : RsaParameterCodec.explicit(2, Asn1.integer(salt)));
  }

  @Override
  PSSParameterSpec check(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
    if (!(given instanceof PSSParameterSpec)) {
      throw new InvalidParameterSpecException("RSASSA-PSS parameters come from a PSSParameterSpec");
    }
    String fault = fault((PSSParameterSpec) given);
    if (fault != null) {
      throw new InvalidParameterSpecException(fault);
    }
    return (PSSParameterSpec) given;
  }

  @Override
  PSSParameterSpec parse(byte[] der) throws IOException {
    return decode(der);
  }

  @Override
  byte[] encode(PSSParameterSpec checked) {
    return encoded(checked);
  }

  @Override
  AlgorithmParameterSpec as(PSSParameterSpec checked, Class<?> type) {
    return type.isAssignableFrom(PSSParameterSpec.class) ? checked : null;
  }

  @Override
  String describe(PSSParameterSpec checked) {
    return NAME + ": " + digest(checked).standardName + ", MGF1 with " + mgf(checked).standardName + ", salt "
        + checked.getSaltLength() + " bytes";
  }
}
