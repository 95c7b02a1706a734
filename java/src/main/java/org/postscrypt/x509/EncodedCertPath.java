package org.postscrypt.x509;

import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** A path of X.509 certificates, target first, in the encodings PkiPath (X.509 section 8.1.1) and PKCS7. Immutable. */
final class EncodedCertPath extends CertPath {
  static final String PKI_PATH = "PkiPath";
  static final String PKCS7 = "PKCS7";

  /** The default first; unmodifiable. */
  static final List<String> ENCODINGS = Collections.unmodifiableList(Arrays.asList(PKI_PATH, PKCS7));

  private static final long serialVersionUID = 1;

  // Transient: the superclass writes an encoding in its place.
  private final transient List<X509Certificate> certificates;

  private EncodedCertPath(List<X509Certificate> certificates) {
    super("X.509");
    this.certificates = Collections.unmodifiableList(certificates);
  }

  /** A path of these, which must be X.509 certificates of any provider. */
  static EncodedCertPath of(List<? extends Certificate> certificates) throws CertificateException {
    List<X509Certificate> copy = new ArrayList<>(certificates.size());
    for (Object certificate : certificates) {
      if (!(certificate instanceof X509Certificate)) {
        throw new CertificateException("not an X.509 certificate in the list: "
            + (certificate == null ? "null" : certificate.getClass().getName()));
      }
      copy.add((X509Certificate) certificate);
    }
    return new EncodedCertPath(copy);
  }

  /** The path that these bytes are. */
  static EncodedCertPath of(byte[] encoding, String format) throws CertificateException {
    try {
      if (PKI_PATH.equals(format)) {
        return new EncodedCertPath(pkiPath(Der.of(encoding, Der.SEQUENCE)));
      }
      if (PKCS7.equals(format)) {
        return new EncodedCertPath(new Pkcs7(encoding).certificates());
      }
    } catch (DerException e) {
      throw new CertificateException(format + ": " + e.getMessage(), e);
    }
    throw new CertificateException("unsupported encoding: " + format);
  }

  /** The target comes last there. */
  private static List<X509Certificate> pkiPath(Der sequence) throws DerException, CertificateParsingException {
    List<X509Certificate> list = new ArrayList<>();
    while (sequence.more()) {
      list.add(new EncodedCertificate(sequence.next(Der.SEQUENCE).encoded()));
    }
    Collections.reverse(list);
    return list;
  }

  @Override
  public Iterator<String> getEncodings() {
    return ENCODINGS.iterator();
  }

  /** Unmodifiable. */
  @Override
  public List<? extends Certificate> getCertificates() {
    return certificates;
  }

  /** The PkiPath. */
  @Override
  public byte[] getEncoded() throws CertificateEncodingException {
    return getEncoded(PKI_PATH);
  }

  /** PKCS7 keeps the path's order, though readers need not. */
  @Override
  public byte[] getEncoded(String encoding) throws CertificateEncodingException {
    if (PKCS7.equals(encoding)) {
      return Pkcs7.encode(certificates);
    }
    if (!PKI_PATH.equals(encoding)) {
      throw new CertificateEncodingException("unsupported encoding: " + encoding);
    }
    byte[][] encodings = new byte[certificates.size()][];
    for (int i = 0; i < encodings.length; i++) {
      encodings[encodings.length - 1 - i] = certificates.get(i).getEncoded();
    }
    return DerWriter.element(Der.SEQUENCE, encodings);
  }
}
