package org.postscrypt.jce;

import java.util.Collections;
import java.util.List;
import org.postscrypt.service.Row;
import org.postscrypt.x509.X509;

/** The certificate services. */
final class CertificateServices {
  private CertificateServices() {}

  static List<Row> rows() {
    return Collections.singletonList(
        Row.of("CertificateFactory", "X.509", X509::factory).alias("X509").attribute("ImplementedIn", "Software"));
  }
}
