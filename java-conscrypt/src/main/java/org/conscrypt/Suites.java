package org.conscrypt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cipher suites as Conscrypt takes them. Those of TLS 1.3 are enabled wherever that version is, whatever is set. {@code
 * TLS_FALLBACK_SCSV} (RFC 7507) may be named: it says that the client spoke a newer version before and was not
 * understood, and is not sent with TLS 1.2 and newer.
 */
final class Suites {
  private static final String FALLBACK = "TLS_FALLBACK_SCSV";
  private static final List<String> TLS13 =
      Arrays.asList("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  private Suites() {}

  /** What the provider is told: those of TLS 1.3, and the real ones of these; null if there are none. */
  static String[] real(String[] suites) {
    if (suites == null) {
      return null;
    }
    List<String> real = new ArrayList<>(TLS13);
    for (String suite : suites) {
      if (!FALLBACK.equals(suite) && !TLS13.contains(suite)) {
        real.add(suite);
      }
    }
    return real.toArray(new String[0]);
  }

  /** What is shown: without those of TLS 1.3 if that is not among the enabled protocols. */
  static String[] listed(String[] suites, String[] protocols) {
    if (Arrays.asList(protocols).contains("TLSv1.3")) {
      return suites;
    }
    List<String> listed = new ArrayList<>(Arrays.asList(suites));
    listed.removeAll(TLS13);
    return listed.toArray(new String[0]);
  }
}
