package org.postscrypt.x509;

import java.io.ByteArrayOutputStream;
import java.security.cert.CRLException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The certificates and CRLs of a PKCS #7 SignedData (RFC 2315 section 9); the rest of it does not matter here. */
final class Pkcs7 {
  /** How deep indefinite lengths may be nested. */
  private static final int MAX_DEPTH = 32;

  private static final String SIGNED_DATA_OID = "1.2.840.113549.1.7.2";
  private static final byte[] SIGNED_DATA = {
    0x06, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 7, 2
  };
  private static final byte[] DATA = {0x06, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 7, 1};
  private static final byte[] VERSION_1 = {Der.INTEGER, 1, 1};

  private final List<byte[]> certificates = new ArrayList<>();
  private final List<byte[]> crls = new ArrayList<>();

  /** Reads a ContentInfo; outer lengths may be indefinite. */
  Pkcs7(byte[] encoding) throws DerException {
    Der info = Der.of(definite(encoding), Der.SEQUENCE);
    String type = info.next(Der.OID).oid();
    if (!type.equals(SIGNED_DATA_OID)) {
      throw new DerException("content type " + type);
    }
    Der wrapper = info.next(Der.explicit(0));
    info.finish();
    Der signed = wrapper.next(Der.SEQUENCE);
    wrapper.finish();
    signed.next(Der.INTEGER).small();
    signed.next(Der.SET);
    signed.next(Der.SEQUENCE);
    collect(signed.optional(Der.explicit(0)), certificates);
    collect(signed.optional(Der.explicit(1)), crls);
    signed.next(Der.SET);
    signed.finish();
  }

  /** True if it can be nothing but a ContentInfo: certificates and CRLs do not begin with an object identifier. */
  static boolean is(byte[] encoding) {
    int first = encoding.length < 2 ? 0 : encoding[1] & 0xff;
    int contents = first <= 0x80 ? 2 : first - 0x80 + 2;
    return encoding.length > contents && encoding[0] == Der.SEQUENCE && encoding[contents] == Der.OID;
  }

  private static void collect(Der set, List<byte[]> to) throws DerException {
    while (set != null && set.more()) {
      Der choice = set.next();
      // Other choices are attribute certificates and the like.
      if (choice.tag == Der.SEQUENCE) {
        to.add(choice.encoded());
      }
    }
  }

  List<X509Certificate> certificates() throws CertificateParsingException {
    List<X509Certificate> list = new ArrayList<>(certificates.size());
    for (byte[] encoding : certificates) {
      list.add(new EncodedCertificate(encoding));
    }
    return list;
  }

  List<X509CRL> crls() throws CRLException {
    List<X509CRL> list = new ArrayList<>(crls.size());
    for (byte[] encoding : crls) {
      list.add(new EncodedCrl(encoding));
    }
    return list;
  }

  /** A SignedData without signatures that holds these, in this order. */
  static byte[] encode(List<? extends X509Certificate> certificates) throws CertificateEncodingException {
    byte[][] encodings = new byte[certificates.size()][];
    for (int i = 0; i < encodings.length; i++) {
      encodings[i] = certificates.get(i).getEncoded();
    }
    byte[] none = DerWriter.element(Der.SET);
    byte[] held = encodings.length == 0 ? new byte[0] : DerWriter.element(Der.explicit(0), encodings);
    byte[] signed = DerWriter.element(
        Der.SEQUENCE, VERSION_1, none, DerWriter.element(Der.SEQUENCE, DATA), held, none);
    return DerWriter.element(Der.SEQUENCE, SIGNED_DATA, DerWriter.element(Der.explicit(0), signed));
  }

  // --- indefinite lengths ---

  private static byte[] definite(byte[] encoding) throws DerException {
    if (encoding.length < 2 || (encoding[1] & 0xff) != 0x80) {
      return encoding;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(encoding.length);
    int end = convert(encoding, 0, out, 0);
    if (end != encoding.length) {
      throw new DerException("trailing data");
    }
    return out.toByteArray();
  }

  /** Converts the element at {@code at} and answers where it ends. Elements of definite length stay as they are. */
  private static int convert(byte[] in, int at, ByteArrayOutputStream out, int depth) throws DerException {
    if (in.length - at < 2) {
      throw new DerException("truncated element");
    }
    if ((in[at + 1] & 0xff) != 0x80) {
      Der element = Der.from(in, at).next();
      byte[] copy = element.encoded();
      out.write(copy, 0, copy.length);
      return at + copy.length;
    }
    if ((in[at] & 0x20) == 0 || depth == MAX_DEPTH) {
      throw new DerException("indefinite length of a primitive, or too deeply nested");
    }
    ByteArrayOutputStream contents = new ByteArrayOutputStream();
    int next = at + 2;
    while (in.length - next >= 2 && (in[next] != 0 || in[next + 1] != 0)) {
      next = convert(in, next, contents, depth + 1);
    }
    if (in.length - next < 2) {
      throw new DerException("no end of contents");
    }
    byte[] element = DerWriter.element(in[at] & 0xff, contents.toByteArray());
    out.write(element, 0, element.length);
    return next + 2;
  }
}
