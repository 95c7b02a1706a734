package org.postscrypt.jce;

import java.io.IOException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/** Parameters of RSAES-OAEP (RFC 4055 section 4.1): a known digest, MGF1 with one, and a label. */
final class OaepParametersSpi extends EncodedParametersSpi<OAEPParameterSpec> {
  private static final String P_SPECIFIED_OID = "1.2.840.113549.1.1.9";

  /** Why these are no parameters for BoringSSL; null if they are. */
  static String fault(OAEPParameterSpec spec) {
    if (Hash.of(spec.getDigestAlgorithm()) == null) {
      return "unknown digest " + spec.getDigestAlgorithm();
    }
    if (RsaParameterCodec.mgf1(spec.getMGFAlgorithm(), spec.getMGFParameters()) == null) {
      return "the mask generation function is MGF1 with MGF1ParameterSpec and a known digest";
    }
    return spec.getPSource() instanceof PSource.PSpecified ? null : "the label is a PSource.PSpecified";
  }

  static Hash digest(OAEPParameterSpec checked) {
    return Hash.of(checked.getDigestAlgorithm());
  }

  static Hash mgf(OAEPParameterSpec checked) {
    return RsaParameterCodec.mgf1(checked.getMGFAlgorithm(), checked.getMGFParameters());
  }

  static byte[] label(OAEPParameterSpec checked) {
    return ((PSource.PSpecified) checked.getPSource()).getValue();
  }

  @Override
  OAEPParameterSpec check(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
    if (!(given instanceof OAEPParameterSpec)) {
      throw new InvalidParameterSpecException("OAEP parameters come from an OAEPParameterSpec");
    }
    String fault = fault((OAEPParameterSpec) given);
    if (fault != null) {
      throw new InvalidParameterSpecException(fault);
    }
    return (OAEPParameterSpec) given;
  }

  @Override
  OAEPParameterSpec parse(byte[] der) throws IOException {
    Asn1 all = new Asn1(der);
    Asn1 parameters = all.enter(Asn1.SEQUENCE);
    all.end();
    Hash hash = Hash.SHA1;
    Hash mgf = Hash.SHA1;
    byte[] label = Bytes.EMPTY;
    Asn1 part = RsaParameterCodec.explicit(parameters, 0);
    if (part != null) {
      hash = RsaParameterCodec.hash(part);
    }
    part = RsaParameterCodec.explicit(parameters, 1);
    if (part != null) {
      mgf = RsaParameterCodec.mgf1(part);
    }
    part = RsaParameterCodec.explicit(parameters, 2);
    if (part != null) {
      if (!Arrays.equals(part.take(Asn1.OBJECT), Asn1.oid(P_SPECIFIED_OID))) {
        throw new IOException("the source of the label is not pSpecified");
      }
      label = part.take(Asn1.OCTET_STRING);
      part.end();
    }
    parameters.end();
    return new OAEPParameterSpec(
        hash.standardName, "MGF1", new MGF1ParameterSpec(mgf.standardName), new PSource.PSpecified(label));
  }

  @Override
  byte[] encode(OAEPParameterSpec checked) {
    Hash hash = digest(checked);
    Hash mgf = mgf(checked);
    byte[] label = label(checked);
    byte[] source = Asn1.element(
        Asn1.SEQUENCE,
        Asn1.element(Asn1.OBJECT, Asn1.oid(P_SPECIFIED_OID)),
        Asn1.element(Asn1.OCTET_STRING, label));
    return Asn1.element(
        Asn1.SEQUENCE,
        hash == Hash.SHA1 ? Bytes.EMPTY : RsaParameterCodec.explicit(0, RsaParameterCodec.algorithm(hash)),
        mgf == Hash.SHA1 ? Bytes.EMPTY : RsaParameterCodec.explicit(1, RsaParameterCodec.mgf1(mgf)),
        label.length == 0 ? Bytes.EMPTY : RsaParameterCodec.explicit(2, source));
  }

  @Override
  AlgorithmParameterSpec as(OAEPParameterSpec checked, Class<?> type) {
    return type.isAssignableFrom(OAEPParameterSpec.class) ? checked : null;
  }

  @Override
  String describe(OAEPParameterSpec checked) {
    return "OAEP: " + digest(checked).standardName + ", MGF1 with " + mgf(checked).standardName + ", label "
        + label(checked).length + " bytes";
  }
}
