package org.conscrypt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLParameters;

/**
 * Protocol versions as Conscrypt takes and names them: SSL 3.0, TLS 1.0 and 1.1 may be named, and are not spoken; the
 * oldest comes first, unless somebody gave them an order. One for each engine, socket or server socket, with what was
 * set there and the provider does not know.
 */
final class Versions {
  private static final List<String> OBSOLETE = Arrays.asList("SSLv3", "TLSv1", "TLSv1.1");

  private volatile boolean protocolsSet;
  private volatile boolean suitesOrder;

  /** The provider's own list, which has the newest first, in Conscrypt's order. */
  static String[] listed(String[] protocols) {
    String[] listed = protocols.clone();
    Arrays.sort(listed);
    return listed;
  }

  /** From now on the order of the protocols is somebody's. */
  void protocolsWereSet() {
    protocolsSet = true;
  }

  /** The enabled protocols, as they are shown. */
  String[] enabled(String[] protocols) {
    return protocolsSet ? protocols : listed(protocols);
  }

  /**
   * The provider's parameters as Conscrypt shows them: with {@link #enabled} protocols, {@link Suites#listed} suites,
   * and the order of suites as was set, which Conscrypt does not heed: servers go by their own.
   */
  SSLParameters shown(SSLParameters parameters) {
    parameters.setCipherSuites(Suites.listed(parameters.getCipherSuites(), parameters.getProtocols()));
    parameters.setProtocols(enabled(parameters.getProtocols()));
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
  void set(SSLParameters parameters, Setter setter) {
    String[] protocols = parameters.getProtocols();
    String[] suites = parameters.getCipherSuites();
    boolean order = parameters.getUseCipherSuitesOrder();
    parameters.setProtocols(spoken(protocols));
    parameters.setCipherSuites(Suites.real(suites));
    parameters.setUseCipherSuitesOrder(true);
    try {
      setter.set(parameters);
    } finally {
      parameters.setProtocols(protocols);
      parameters.setCipherSuites(suites);
      parameters.setUseCipherSuitesOrder(order);
    }
    protocolsSet |= protocols != null;
    suitesOrder = order;
  }
}
