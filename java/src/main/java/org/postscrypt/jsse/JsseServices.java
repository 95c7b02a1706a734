package org.postscrypt.jsse;

import java.util.Arrays;
import java.util.List;
import org.postscrypt.service.Row;

/** The JSSE's rows of the service table: the one door of this package. */
public final class JsseServices {
  private JsseServices() {}

  /** All of them. */
  public static List<Row> rows() {
    return Arrays.asList(
        Row.of("SSLContext", "TLS", TlsContext::tls).alias("SSL"),
        Row.of("SSLContext", "TLSv1.3", TlsContext::tls13),
        Row.of("SSLContext", "TLSv1.2", TlsContext::tls12),
        Row.of("SSLContext", "Default", TlsContext::defaultContext),
        // Under names of their own, so that being the first provider does not change who is trusted.
        Row.of("TrustManagerFactory", "PostscryptPKIX", PkixTrustManagerFactory::new),
        Row.of("KeyManagerFactory", "PostscryptX509", KeyStoreKeyManagerFactory::new));
  }
}
