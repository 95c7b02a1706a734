package org.conscrypt;

import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLParameters;

/** Protocol versions as Conscrypt takes them: TLS 1.0 and 1.1 may be named, and are not spoken. */
final class Versions {
  private Versions() {}

  /** A setter of parameters. */
  interface Setter {
    void set(SSLParameters parameters);
  }

  /**
   * Without TLS 1.0 and 1.1.
   *
   * @throws IllegalArgumentException if nothing else is there
   */
  static String[] spoken(String[] protocols) {
    if (protocols == null) {
      return null;
    }
    List<String> spoken = new ArrayList<>();
    for (String protocol : protocols) {
      if (!"TLSv1".equals(protocol) && !"TLSv1.1".equals(protocol)) {
        spoken.add(protocol);
      }
    }
    if (spoken.isEmpty() && protocols.length > 0) {
      throw new IllegalArgumentException("TLS 1.0 and 1.1 are not offered (RFC 8996)");
    }
    return spoken.toArray(new String[0]);
  }

  /**
   * Hands {@code parameters} on without TLS 1.0 and 1.1 and what is no {@link Suites#real} suite; they are the
   * caller's and stay as they are.
   */
  static void set(SSLParameters parameters, Setter setter) {
    String[] protocols = parameters.getProtocols();
    String[] spoken = spoken(protocols);
    String[] suites = parameters.getCipherSuites();
    String[] real = Suites.real(suites);
    if ((protocols == null || spoken.length == protocols.length) && (suites == null || real.length == suites.length)) {
      setter.set(parameters);
      return;
    }
    parameters.setProtocols(spoken);
    parameters.setCipherSuites(real);
    try {
      setter.set(parameters);
    } finally {
      parameters.setProtocols(protocols);
      parameters.setCipherSuites(suites);
    }
  }
}
