package org.postscrypt.jsse;

import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.net.ssl.SSLParameters;
import org.postscrypt.BufferAllocator;
import org.postscrypt.EchKey;
import org.postscrypt.KeyLog;
import org.postscrypt.Postscrypt;
import org.postscrypt.PreSharedKey;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;
import org.postscrypt.nat.Guarded;

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
  private Object algorithmConstraints;
  private List<?> serverNames = Collections.emptyList();
  /** Whether the server names were set, so that none is derived from the peer's host. */
  private boolean serverNamesSet;
  private Collection<?> sniMatchers = Collections.emptyList();
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
  private BufferAllocator bufferAllocator; // optional
  private String peerHost = "";
  private boolean sessionTickets = true;
  private SessionStore sessionStore; // optional
  private ServerSessionStore serverSessionStore; // optional
  private PrivateKey channelIdKey; // optional

  /** The native context made for this very configuration, so that it is found without a look-up. */
  private volatile NativeContext nativeContext;

  /**
   * Whether these are a context's defaults: they remember what the parameters that were used last made of them, as most applications
   * give the same ones to every engine. Others would be remembered in chains.
   */
  private boolean remembers = true;
  private volatile Remembered remembered;

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
      copy.remembers = false;
      copy.remembered = null;
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

  /** An {@code AlgorithmConstraints}; null if there are none. */
  Object algorithmConstraints() {
    return algorithmConstraints;
  }

  /** As {@link JsseApi} has them. */
  List<?> serverNames() {
    return serverNames;
  }

  boolean serverNamesSet() {
    return serverNamesSet;
  }

  /** As {@link JsseApi} has them. */
  Collection<?> sniMatchers() {
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

  /** Null if engines keep buffers of their own. */
  BufferAllocator bufferAllocator() {
    return bufferAllocator != null ? bufferAllocator : Postscrypt.getDefaultBufferAllocator();
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

  /** Null if there is none. */
  ServerSessionStore serverSessionStore() {
    return serverSessionStore;
  }

  /** Client: null if there is none. */
  PrivateKey channelIdKey() {
    return channelIdKey;
  }

  NativeContext nativeContext() {
    return nativeContext;
  }

  void setNativeContext(NativeContext context) {
    nativeContext = context;
  }

  /** A context that is initialised anew makes new native contexts too. */
  void forgetNativeContexts() {
    nativeContext = null;
    remembered = null;
  }

  /** What parameters said, and what that made. */
  private static final class Remembered {
    private final Object[] said;
    private final TlsConfig config;

    Remembered(Object[] said, TlsConfig config) {
      this.said = said;
      this.config = config;
    }
  }

  /**
   * All that {@code parameters} say, to be compared with {@link Arrays#deepEquals}; null if they have something in them whose own idea
   * of equality, or whose answers, may change.
   */
  private static Object[] said(SSLParameters parameters) {
    JsseApi api = JsseApi.HERE;
    if (api.algorithmConstraints(parameters) != null || isSet(api.sniMatchers(parameters))) {
      return null;
    }
    Object[] standard = {
      parameters.getCipherSuites(),
      parameters.getProtocols(),
      parameters.getNeedClientAuth(),
      parameters.getWantClientAuth(),
      api.endpointIdentification(parameters),
      api.serverNames(parameters),
      api.cipherSuitesOrder(parameters),
      applicationProtocols(parameters),
      Platform.getNamedGroups(parameters),
      Platform.getSignatureSchemes(parameters),
      null,
    };
    if (parameters instanceof TlsParameters) {
      TlsParameters p = (TlsParameters) parameters;
      if (p.getKeyLog() != null
          || p.getBufferAllocator() != null
          || p.getSessionStore() != null
          || p.getServerSessionStore() != null
          || p.getChannelIdKey() != null
          || p.getRawKeyPair() != null
          || isSet(p.getTrustedRawPublicKeys())
          || isSet(p.getPreSharedKeys())
          || isSet(p.getEchKeys())
          || isSet(p.getSessionTicketKeys())) {
        return null;
      }
      standard[standard.length - 1] =
          new Object[] {
            p.getEchConfigList(),
            p.getEchGrease(),
            p.getOcspResponse(),
            p.getSignedCertificateTimestamps(),
            p.getCertificateCompression(),
            p.getGrease(),
            p.getExtensionPermutation(),
            p.getPeerHost(),
            p.getSessionTickets(),
          };
    }
    return standard;
  }

  /** The defaults have none of these, so that null and none are the same to them. */
  private static boolean isSet(Collection<?> elements) {
    return elements != null && !elements.isEmpty();
  }

  private static boolean same(Collection<?> one, Collection<?> other) {
    return one == other || one.isEmpty() && other.isEmpty();
  }

  /**
   * With what {@code parameters} say; what is null there stays.
   *
   * @throws IllegalArgumentException for a protocol or cipher suite that is unknown
   */
  TlsConfig with(SSLParameters parameters) {
    if (!remembers) {
      return apply(parameters);
    }
    Object[] said = said(parameters);
    Remembered last = remembered;
    if (said != null && last != null && Arrays.deepEquals(said, last.said)) {
      return last.config;
    }
    TlsConfig config = apply(parameters);
    if (said != null) {
      remembered = new Remembered(said, config);
    }
    return config;
  }

  /**
   * Whether the native context made for {@code other}, of the same side, serves this one too. Cheap, and false when in doubt: a false
   * answer costs a look-up.
   */
  boolean sharesNativeContext(TlsConfig other) {
    return algorithmConstraints == null
        && other.algorithmConstraints == null
        && clientAuth == other.clientAuth
        && cipherSuitesOrder == other.cipherSuitesOrder
        && certificateCompression == other.certificateCompression
        && grease == other.grease
        && extensionPermutation == other.extensionPermutation
        && sessionTickets == other.sessionTickets
        && (sessionStore == null) == (other.sessionStore == null)
        && (serverSessionStore == null) == (other.serverSessionStore == null)
        && echGrease == other.echGrease
        && (keyLog == null) == (other.keyLog == null)
        && rawKeyPair == other.rawKeyPair
        && same(preSharedKeys, other.preSharedKeys)
        && same(trustedRawPublicKeys, other.trustedRawPublicKeys)
        && same(echKeys, other.echKeys)
        && same(sniMatchers, other.sniMatchers)
        && same(sessionTicketKeys, other.sessionTicketKeys)
        && Objects.equals(endpointIdentification, other.endpointIdentification)
        && protocols.equals(other.protocols)
        && cipherSuites.equals(other.cipherSuites)
        && applicationProtocols.equals(other.applicationProtocols)
        && Arrays.equals(namedGroups, other.namedGroups)
        && Arrays.equals(signatureSchemes, other.signatureSchemes)
        && Arrays.equals(echConfigList, other.echConfigList);
  }

  private TlsConfig apply(SSLParameters parameters) {
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
    JsseApi api = JsseApi.HERE;
    c.endpointIdentification = orElse(api.endpointIdentification(parameters), endpointIdentification);
    c.algorithmConstraints = orElse(api.algorithmConstraints(parameters), algorithmConstraints);
    List<?> names = api.serverNames(parameters);
    if (names != null) {
      c.serverNames = Collections.unmodifiableList(new ArrayList<>(names));
      c.serverNamesSet = true;
    }
    Collection<?> matchers = api.sniMatchers(parameters);
    if (matchers != null) {
      c.sniMatchers = Collections.unmodifiableList(new ArrayList<>(matchers));
    }
    c.cipherSuitesOrder = api.cipherSuitesOrder(parameters);
    String[] alpn = applicationProtocols(parameters);
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

  /** None where SSLParameters cannot say: before Java 8u251 and Android 29 they have to be {@link TlsParameters}. */
  private static String[] applicationProtocols(SSLParameters parameters) {
    return parameters instanceof TlsParameters
        ? ((TlsParameters) parameters).getApplicationProtocols()
        : standardApplicationProtocols(parameters);
  }

  @Guarded("copes where it is missing")
  private static String[] standardApplicationProtocols(SSLParameters parameters) {
    try {
      return parameters.getApplicationProtocols();
    } catch (NoSuchMethodError e) {
      return new String[0];
    }
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
    bufferAllocator = orElse(p.getBufferAllocator(), bufferAllocator);
    peerHost = orElse(p.getPeerHost(), peerHost);
    sessionTickets = orElse(p.getSessionTickets(), sessionTickets);
    sessionStore = orElse(p.getSessionStore(), sessionStore);
    serverSessionStore = orElse(p.getServerSessionStore(), serverSessionStore);
    channelIdKey = p.getChannelIdKey();
  }

  private static <T> T orElse(T value, T otherwise) {
    return value != null ? value : otherwise;
  }

  /** All of this as parameters; {@code names}: what a client will send. */
  SSLParameters toParameters(List<?> names) {
    TlsParameters parameters = new TlsParameters(cipherSuites.toArray(new String[0]), protocols.toArray(new String[0]));
    if (clientAuth == CLIENT_AUTH_NEED) {
      parameters.setNeedClientAuth(true);
    } else if (clientAuth == CLIENT_AUTH_WANT) {
      parameters.setWantClientAuth(true);
    }
    parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
    JsseApi.HERE.write(this, serverNamesSet || !names.isEmpty() ? names : null, parameters);
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
    parameters.setBufferAllocator(bufferAllocator);
    parameters.setPeerHost(peerHost);
    parameters.setSessionTickets(sessionTickets);
    parameters.setSessionStore(sessionStore);
    parameters.setServerSessionStore(serverSessionStore);
    parameters.setChannelIdKey(channelIdKey);
    return parameters;
  }
}
