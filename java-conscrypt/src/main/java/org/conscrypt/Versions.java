package org.conscrypt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLParameters;

/**
 * Protocol versions as Conscrypt takes and names them: SSL 3.0, TLS 1.0 and 1.1 may be named, and are not spoken; the
 * oldest comes first.
 */
final class Versions {
  private static final List<String> OBSOLETE = Arrays.asList("SSLv3", "TLSv1", "TLSv1.1");

  private Versions() {}

  /** The provider's own list, which has the newest first, in Conscrypt's order. */
  static String[] listed(String[] protocols) {
    String[] listed = protocols.clone();
    Arrays.sort(listed);
    return listed;
  }

  /**
   * The provider's parameters as Conscrypt shows them: with {@link #listed} protocols unless these were set, {@link
   * Suites#listed} suites, and the order of suites as was set, which Conscrypt does not heed: servers go by their own.
   */
  static SSLParameters shown(SSLParameters parameters, boolean protocolsSet, boolean suitesOrder) {
    parameters.setCipherSuites(Suites.listed(parameters.getCipherSuites(), parameters.getProtocols()));
    if (!protocolsSet) {
      parameters.setProtocols(listed(parameters.getProtocols()));
    }
    parameters.setUseCipherSuitesOrder(suitesOrder);
    return parameters;
  }

  /** A setter of parameters. */
  interface Setter {
    void set(SSLParameters parameters);
  }

  /** Without those that are not spoken; if nothing else was there, the handshake will say so. */
  static String[] spoken(String[] protocols) {
    if (protocols == null) {
      return null;
    }
    List<String> spoken = new ArrayList<>();
    for (String protocol : protocols) {
      if (!OBSOLETE.contains(protocol)) {
        spoken.add(protocol);
      }
    }
    return spoken.toArray(new String[0]);
  }

  /**
   * Hands {@code parameters} on without what is not spoken, with {@link Suites#real} suites, and with servers' own
   * order of suites; they are the caller's and stay as they are.
   */
  static void set(SSLParameters parameters, Setter setter) {
    String[] protocols = parameters.getProtocols();
    String[] suites = parameters.getCipherSuites();
    boolean suitesOrder = parameters.getUseCipherSuitesOrder();
    parameters.setProtocols(spoken(protocols));
    parameters.setCipherSuites(Suites.real(suites));
    parameters.setUseCipherSuitesOrder(true);
    try {
      setter.set(parameters);
    } finally {
      parameters.setProtocols(protocols);
      parameters.setCipherSuites(suites);
      parameters.setUseCipherSuitesOrder(suitesOrder);
    }
  }
}
