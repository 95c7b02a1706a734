package org.postscrypt.x509;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactorySpi;
import java.security.cert.X509Certificate;

/**
 * The door of this package: X.509 certificates, CRLs and paths (RFC 5280) parsed strictly, in Java. What does not
 * follow DER, a known extension's syntax or the rules of the version is refused as a whole; unknown extensions,
 * attributes and algorithms are kept. Thread-safe.
 */
public final class X509 {
  private static final CertificateCache CACHE = new CertificateCache();

  private X509() {}

  /**
   * The certificate that these bytes are, all of them. May be an object that an earlier call answered.
   *
   * @param encoding DER; it is not copied and must not change afterwards
   * @throws CertificateException if they are not an X.509 certificate
   */
  public static X509Certificate certificate(byte[] encoding) throws CertificateException {
    return CACHE.get(encoding);
  }

  /**
   * The bytes of Base64 text, as in PEM.
   *
   * @throws IOException if it is anything else
   */
  public static byte[] base64(byte[] text) throws IOException {
    return Base64Decoder.decode(text);
  }

  /** A new implementation of the certificate factory {@code X.509}. */
  public static CertificateFactorySpi factory() {
    return new X509FactorySpi();
  }
}
