package org.postscrypt.x509;

import java.io.IOException;
import java.io.InputStream;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactorySpi;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * The certificate factory {@code X.509}. Streams hold DER or PEM, with any text around PEM blocks; a call for one
 * object leaves the stream right behind it. Stateless, thread-safe.
 */
final class X509FactorySpi extends CertificateFactorySpi {
  @Override
  public Certificate engineGenerateCertificate(InputStream in) throws CertificateException {
    return new EncodedCertificate(one(in));
  }

  @Override
  public CertPath engineGenerateCertPath(InputStream in) throws CertificateException {
    return engineGenerateCertPath(in, EncodedCertPath.PKI_PATH);
  }

  @Override
  public CertPath engineGenerateCertPath(InputStream in, String encoding) throws CertificateException {
    return EncodedCertPath.of(one(in), encoding);
  }

  @Override
  public CertPath engineGenerateCertPath(List<? extends Certificate> certificates) throws CertificateException {
    return EncodedCertPath.of(certificates);
  }

  @Override
  public Iterator<String> engineGetCertPathEncodings() {
    return EncodedCertPath.ENCODINGS.iterator();
  }

  private static byte[] one(InputStream in) throws CertificateException {
    if (in == null) {
      throw new CertificateException("Missing input stream");
    }
    try {
      byte[] encoding = new EncodingReader(in).next();
      if (encoding == null) {
        throw new CertificateException("No certificate data found");
      }
      return encoding;
    } catch (IOException e) {
      throw new CertificateException("Unable to read: " + e.getMessage(), e);
    }
  }

  /** The certificates of a PKCS #7 bundle, or all that follow each other; none if the stream is empty. */
  @Override
  public Collection<? extends Certificate> engineGenerateCertificates(InputStream in) throws CertificateException {
    if (in == null) {
      throw new CertificateException("Missing input stream");
    }
    try {
      List<byte[]> encodings = all(in);
      if (encodings == null) {
        throw new CertificateException("No certificate data found");
      }
      List<Certificate> certificates = new ArrayList<>();
      for (byte[] encoding : encodings) {
        if (Pkcs7.is(encoding)) {
          certificates.addAll(new Pkcs7(encoding).certificates());
        } else {
          certificates.add(new EncodedCertificate(encoding));
        }
      }
      return certificates;
    } catch (IOException e) {
      throw new CertificateException("Unable to read: " + e.getMessage(), e);
    } catch (DerException e) {
      throw new CertificateException("PKCS #7: " + e.getMessage(), e);
    }
  }

  @Override
  public CRL engineGenerateCRL(InputStream in) throws CRLException {
    if (in == null) {
      throw new CRLException("Missing input stream");
    }
    byte[] encoding;
    try {
      encoding = new EncodingReader(in).next();
    } catch (IOException e) {
      throw new CRLException("Unable to read: " + e.getMessage(), e);
    }
    if (encoding == null) {
      throw new CRLException("No CRL data found");
    }
    return new EncodedCrl(encoding);
  }

  /** The CRLs of a PKCS #7 bundle, or all that follow each other; none if the stream is empty. */
  @Override
  public Collection<? extends CRL> engineGenerateCRLs(InputStream in) throws CRLException {
    if (in == null) {
      throw new CRLException("Missing input stream");
    }
    try {
      List<byte[]> encodings = all(in);
      if (encodings == null) {
        throw new CRLException("No CRL data found");
      }
      List<CRL> crls = new ArrayList<>();
      for (byte[] encoding : encodings) {
        if (Pkcs7.is(encoding)) {
          crls.addAll(new Pkcs7(encoding).crls());
        } else {
          crls.add(new EncodedCrl(encoding));
        }
      }
      return crls;
    } catch (IOException e) {
      throw new CRLException("Unable to read: " + e.getMessage(), e);
    } catch (DerException e) {
      throw new CRLException("PKCS #7: " + e.getMessage(), e);
    }
  }

  /** All encodings of a stream; null if it has something in it, but none. */
  private static List<byte[]> all(InputStream in) throws IOException {
    EncodingReader reader = new EncodingReader(in);
    List<byte[]> encodings = new ArrayList<>();
    for (byte[] next; (next = reader.next()) != null; ) {
      encodings.add(next);
    }
    return encodings.isEmpty() && !reader.wasEmpty() ? null : encodings;
  }
}
