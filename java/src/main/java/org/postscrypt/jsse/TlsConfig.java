package org.postscrypt.jsse;

import java.security.AlgorithmConstraints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;

/** How an engine or a socket is to behave: an immutable snapshot. Each {@code with…} answers a changed copy. */
final class TlsConfig implements Cloneable {
  static final int CLIENT_AUTH_NONE = 0;
  static final int CLIENT_AUTH_WANT = 1;
  static final int CLIENT_AUTH_NEED = 2;

  private List<String> protocols;
  private List<String> cipherSuites;
  private boolean cipherSuitesOrder = true;
  private int clientAuth;
  private boolean sessionCreation = true;
  private String endpointIdentification;
  private AlgorithmConstraints algorithmConstraints;
  private List<SNIServerName> serverNames = Collections.emptyList();
  /** Whether the server names were set, so that none is derived from the peer's host. */
  private boolean serverNamesSet;
  private Collection<SNIMatcher> sniMatchers = Collections.emptyList();
  private List<String> applicationProtocols = Collections.emptyList();

  /** With these protocols and the default cipher suites. */
  TlsConfig(List<String> protocols) {
    this.protocols = protocols;
    this.cipherSuites = CipherSuites.defaults();
  }

  private TlsConfig copy() {
    try {
      return (TlsConfig) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  List<String> protocols() {
    return protocols;
  }

  TlsConfig withProtocols(List<String> value) {
    TlsConfig c = copy();
    c.protocols = value;
    return c;
  }

  List<String> cipherSuites() {
    return cipherSuites;
  }

  TlsConfig withCipherSuites(List<String> value) {
    TlsConfig c = copy();
    c.cipherSuites = value;
    return c;
  }

  boolean cipherSuitesOrder() {
    return cipherSuitesOrder;
  }

  int clientAuth() {
    return clientAuth;
  }

  TlsConfig withClientAuth(int value) {
    TlsConfig c = copy();
    c.clientAuth = value;
    return c;
  }

  boolean sessionCreation() {
    return sessionCreation;
  }

  TlsConfig withSessionCreation(boolean value) {
    TlsConfig c = copy();
    c.sessionCreation = value;
    return c;
  }

  /** {@code HTTPS}, {@code LDAPS} or null. */
  String endpointIdentification() {
    return endpointIdentification;
  }

  AlgorithmConstraints algorithmConstraints() {
    return algorithmConstraints;
  }

  List<SNIServerName> serverNames() {
    return serverNames;
  }

  boolean serverNamesSet() {
    return serverNamesSet;
  }

  Collection<SNIMatcher> sniMatchers() {
    return sniMatchers;
  }

  List<String> applicationProtocols() {
    return applicationProtocols;
  }

  /**
   * With what {@code parameters} say; what is null there stays.
   *
   * @throws IllegalArgumentException for a protocol or cipher suite that is unknown
   */
  TlsConfig with(SSLParameters parameters) {
    TlsConfig c = copy();
    String[] suites = parameters.getCipherSuites();
    if (suites != null) {
      c.cipherSuites = CipherSuites.checked(suites);
    }
    String[] versions = parameters.getProtocols();
    if (versions != null) {
      c.protocols = Protocols.checked(versions);
    }
    c.clientAuth =
        parameters.getNeedClientAuth()
            ? CLIENT_AUTH_NEED
            : parameters.getWantClientAuth() ? CLIENT_AUTH_WANT : CLIENT_AUTH_NONE;
    if (parameters.getEndpointIdentificationAlgorithm() != null) {
      c.endpointIdentification = parameters.getEndpointIdentificationAlgorithm();
    }
    if (parameters.getAlgorithmConstraints() != null) {
      c.algorithmConstraints = parameters.getAlgorithmConstraints();
    }
    List<SNIServerName> names = parameters.getServerNames();
    if (names != null) {
      c.serverNames = Collections.unmodifiableList(new ArrayList<>(names));
      c.serverNamesSet = true;
    }
    Collection<SNIMatcher> matchers = parameters.getSNIMatchers();
    if (matchers != null) {
      c.sniMatchers = Collections.unmodifiableList(new ArrayList<>(matchers));
    }
    c.cipherSuitesOrder = parameters.getUseCipherSuitesOrder();
    String[] names13 = parameters.getApplicationProtocols();
    c.applicationProtocols = Collections.unmodifiableList(Arrays.asList(names13.clone()));
    return c;
  }

  /** All of this as parameters; {@code names}: what a client will send. */
  SSLParameters toParameters(List<SNIServerName> names) {
    SSLParameters parameters = new SSLParameters(cipherSuites.toArray(new String[0]), protocols.toArray(new String[0]));
    if (clientAuth == CLIENT_AUTH_NEED) {
      parameters.setNeedClientAuth(true);
    } else if (clientAuth == CLIENT_AUTH_WANT) {
      parameters.setWantClientAuth(true);
    }
    parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
    parameters.setAlgorithmConstraints(algorithmConstraints);
    if (serverNamesSet || !names.isEmpty()) {
      parameters.setServerNames(names);
    }
    if (!sniMatchers.isEmpty()) {
      parameters.setSNIMatchers(sniMatchers);
    }
    parameters.setUseCipherSuitesOrder(cipherSuitesOrder);
    parameters.setApplicationProtocols(applicationProtocols.toArray(new String[0]));
    return parameters;
  }
}
