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
        Row.of("SSLContext", "TLS", new Maker(Maker.TLS)).alias("SSL"),
        Row.of("SSLContext", "TLSv1.3", new Maker(Maker.TLS_1_3)),
        Row.of("SSLContext", "TLSv1.2", new Maker(Maker.TLS_1_2)),
        Row.of("SSLContext", "Default", new Maker(Maker.DEFAULT)),
        // Under names of their own, so that being the first provider does not change who is trusted.
        Row.of("TrustManagerFactory", "PostscryptPKIX", new Maker(Maker.PKIX)),
        Row.of("KeyManagerFactory", "PostscryptX509", new Maker(Maker.X509)));
  }

  /** Makes a row's object. One class with a switch, not a lambda for each row: those are made when the provider is. */
  private static final class Maker implements Row.Factory {
    static final int TLS = 0;
    static final int TLS_1_3 = 1;
    static final int TLS_1_2 = 2;
    static final int DEFAULT = 3;
    static final int PKIX = 4;
    static final int X509 = 5;

    private final int what;

    Maker(int what) {
      this.what = what;
    }

    @Override
    public Object newInstance() throws Exception {
      switch (what) {
        case TLS:
          return TlsContext.tls();
        case TLS_1_3:
          return TlsContext.tls13();
        case TLS_1_2:
          return TlsContext.tls12();
        case DEFAULT:
          return TlsContext.defaultContext();
        case PKIX:
          return new PkixTrustManagerFactory();
        case X509:
          return new KeyStoreKeyManagerFactory();
        default:
          throw new AssertionError(what);
      }
    }
  }
}
