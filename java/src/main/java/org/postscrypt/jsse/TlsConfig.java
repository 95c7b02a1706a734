package org.postscrypt.jsse;

import java.security.AlgorithmConstraints;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import org.postscrypt.EchKey;
import org.postscrypt.KeyLog;
import org.postscrypt.PreSharedKey;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;

/** How an engine or a socket is to behave: an immutable snapshot. Each {@code with…} answers a changed copy. */
final class TlsConfig implements Cloneable {
  static final int CLIENT_AUTH_NONE = 0;
  static final int CLIENT_AUTH_WANT = 1;
  static final int CLIENT_AUTH_NEED = 2;

  private static final AtomicBoolean WARNED_OF_KEY_LOG = new AtomicBoolean();

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
  private int[] namedGroups;
  private int[] signatureSchemes;

  // What only TlsParameters has. No reference here is null but the optional ones.
  private List<PreSharedKey> preSharedKeys = Collections.emptyList();
  private KeyPair rawKeyPair; // optional
  private List<PublicKey> trustedRawPublicKeys = Collections.emptyList();
  private byte[] echConfigList = {};
  private List<EchKey> echKeys = Collections.emptyList();
  private boolean echGrease;
  private KeyLog keyLog; // optional
  private byte[] ocspResponse = {};
  private byte[] signedCertificateTimestamps = {};
  private List<byte[]> sessionTicketKeys = Collections.emptyList();
  private boolean certificateCompression = true;
  private boolean grease;
  private boolean extensionPermutation;
  private String peerHost = "";
  private boolean sessionTickets = true;
  private SessionStore sessionStore; // optional

  /** The native context made for this very configuration, so that it is found without a look-up. */
  private volatile NativeContext nativeContext;

  /** The defaults of a side: these protocols, the rest by system properties or our own. */
  TlsConfig(List<String> protocols, boolean client) {
    this.protocols = protocols;
    this.cipherSuites = SystemDefaults.cipherSuites(client);
    this.namedGroups = SystemDefaults.namedGroups();
    this.signatureSchemes = SystemDefaults.signatureSchemes(client);
  }

  private TlsConfig copy() {
    try {
      TlsConfig copy = (TlsConfig) clone();
      copy.nativeContext = null;
      return copy;
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

  int[] namedGroups() {
    return namedGroups;
  }

  int[] signatureSchemes() {
    return signatureSchemes;
  }

  List<PreSharedKey> preSharedKeys() {
    return preSharedKeys;
  }

  /** Null if there is none. */
  KeyPair rawKeyPair() {
    return rawKeyPair;
  }

  List<PublicKey> trustedRawPublicKeys() {
    return trustedRawPublicKeys;
  }

  byte[] echConfigList() {
    return echConfigList;
  }

  List<EchKey> echKeys() {
    return echKeys;
  }

  boolean echGrease() {
    return echGrease;
  }

  /** Null if there is none. */
  KeyLog keyLog() {
    return keyLog;
  }

  byte[] ocspResponse() {
    return ocspResponse;
  }

  byte[] signedCertificateTimestamps() {
    return signedCertificateTimestamps;
  }

  List<byte[]> sessionTicketKeys() {
    return sessionTicketKeys;
  }

  boolean certificateCompression() {
    return certificateCompression;
  }

  boolean grease() {
    return grease;
  }

  boolean extensionPermutation() {
    return extensionPermutation;
  }

  /** Empty if the host is the one that the engine was made with. */
  String peerHost() {
    return peerHost;
  }

  boolean sessionTickets() {
    return sessionTickets;
  }

  /** Null if there is none. */
  SessionStore sessionStore() {
    return sessionStore;
  }

  NativeContext nativeContext() {
    return nativeContext;
  }

  void setNativeContext(NativeContext context) {
    nativeContext = context;
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
    String[] alpn = parameters.getApplicationProtocols();
    c.applicationProtocols = Collections.unmodifiableList(Arrays.asList(alpn.clone()));
    String[] groups = Platform.getNamedGroups(parameters);
    if (groups != null) {
      c.namedGroups = NamedGroups.ids(groups);
    }
    String[] schemes = Platform.getSignatureSchemes(parameters);
    if (schemes != null) {
      c.signatureSchemes = SignatureSchemes.ids(schemes);
    }
    if (parameters instanceof TlsParameters) {
      c.take((TlsParameters) parameters);
    }
    return c;
  }

  private void take(TlsParameters p) {
    preSharedKeys = orElse(p.getPreSharedKeys(), preSharedKeys);
    rawKeyPair = orElse(p.getRawKeyPair(), rawKeyPair);
    trustedRawPublicKeys = orElse(p.getTrustedRawPublicKeys(), trustedRawPublicKeys);
    echConfigList = orElse(p.getEchConfigList(), echConfigList);
    echKeys = orElse(p.getEchKeys(), echKeys);
    echGrease = orElse(p.getEchGrease(), echGrease);
    keyLog = orElse(p.getKeyLog(), keyLog);
    if (keyLog != null && WARNED_OF_KEY_LOG.compareAndSet(false, true)) {
      Logger.getLogger("org.postscrypt")
          .warning("A key log is set: whoever reads it can read the traffic. This warning comes once.");
    }
    ocspResponse = orElse(p.getOcspResponse(), ocspResponse);
    signedCertificateTimestamps = orElse(p.getSignedCertificateTimestamps(), signedCertificateTimestamps);
    sessionTicketKeys = orElse(p.getSessionTicketKeys(), sessionTicketKeys);
    certificateCompression = orElse(p.getCertificateCompression(), certificateCompression);
    grease = orElse(p.getGrease(), grease);
    extensionPermutation = orElse(p.getExtensionPermutation(), extensionPermutation);
    peerHost = orElse(p.getPeerHost(), peerHost);
    sessionTickets = orElse(p.getSessionTickets(), sessionTickets);
    sessionStore = orElse(p.getSessionStore(), sessionStore);
  }

  private static <T> T orElse(T value, T otherwise) {
    return value != null ? value : otherwise;
  }

  /** All of this as parameters; {@code names}: what a client will send. */
  SSLParameters toParameters(List<SNIServerName> names) {
    TlsParameters parameters = new TlsParameters(cipherSuites.toArray(new String[0]), protocols.toArray(new String[0]));
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
    parameters.setNamedGroups(NamedGroups.names(namedGroups));
    parameters.setSignatureSchemes(SignatureSchemes.tlsNames(signatureSchemes));
    parameters.setPreSharedKeys(preSharedKeys);
    parameters.setRawKeyPair(rawKeyPair);
    parameters.setTrustedRawPublicKeys(trustedRawPublicKeys);
    parameters.setEchConfigList(echConfigList);
    parameters.setEchKeys(echKeys);
    parameters.setEchGrease(echGrease);
    parameters.setKeyLog(keyLog);
    parameters.setOcspResponse(ocspResponse);
    parameters.setSignedCertificateTimestamps(signedCertificateTimestamps);
    parameters.setSessionTicketKeys(sessionTicketKeys);
    parameters.setCertificateCompression(certificateCompression);
    parameters.setGrease(grease);
    parameters.setExtensionPermutation(extensionPermutation);
    parameters.setPeerHost(peerHost);
    parameters.setSessionTickets(sessionTickets);
    parameters.setSessionStore(sessionStore);
    return parameters;
  }
}
