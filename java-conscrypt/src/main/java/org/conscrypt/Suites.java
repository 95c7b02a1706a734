package org.conscrypt;

import java.util.Arrays;

/**
 * Cipher suites as Conscrypt takes them: {@code TLS_FALLBACK_SCSV} (RFC 7507) may be named. It says that the client
 * spoke a newer version before and was not understood, and is not sent with TLS 1.2 and newer.
 */
final class Suites {
  private static final String FALLBACK = "TLS_FALLBACK_SCSV";

  private Suites() {}

  /** Without {@code TLS_FALLBACK_SCSV}; null if there are none. */
  static String[] real(String[] suites) {
    return suites == null || !Arrays.asList(suites).contains(FALLBACK)
        ? suites
        : Arrays.stream(suites).filter(suite -> !FALLBACK.equals(suite)).toArray(String[]::new);
  }
}
