package org.postscrypt.jce;

import java.util.Collections;
import java.util.List;
import org.postscrypt.jce.Maker.Spi;
import org.postscrypt.service.Row;

/** The certificate services. */
final class CertificateServices {
  private CertificateServices() {}

  static List<Row> rows() {
    return Collections.singletonList(
        Row.of("CertificateFactory", "X.509", Maker.of(Spi.CERTIFICATE_FACTORY)).alias("X509").attribute("ImplementedIn", "Software"));
  }
}
