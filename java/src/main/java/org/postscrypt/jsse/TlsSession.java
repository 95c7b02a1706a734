package org.postscrypt.jsse;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;
import org.postscrypt.PostscryptSession;

/**
 * What a handshake agreed on. It fills up while the handshake lasts and does not change afterwards, except for what the
 * application stores in it; it stays readable when the connection is gone. Applications see it as
 * {@link #shown()}.
 *
 * <p>Thread-safe.
 */
final class TlsSession implements PostscryptSession {
  /** Most bytes of a record (RFC 5246 section 6.2.3: plaintext, expansion, header). */
  static final int PACKET_BUFFER_SIZE = 16384 + 2048 + 5;
  /** Most bytes of a record's content. */
  static final int APPLICATION_BUFFER_SIZE = 16384;

  /** Most bytes of keying material at once, in either version. */
  private static final int MOST_EXPORTED = 0xffff;

  private static final X509Certificate[] NO_CERTIFICATES = {};
  private static final byte[] NO_ID = {};
  private static final int[] NO_SCHEMES = {};
  private static final WeakReference<TlsEngine> NO_ENGINE = new WeakReference<>(null);

  private final TlsSessionContext context;
  private final PostscryptSession shown;
  private volatile String peerHost;
  private final int peerPort;
  private volatile long creationTime = System.currentTimeMillis();
  private volatile long lastAccessedTime = creationTime;
  private volatile boolean valid;
  private volatile byte[] id = NO_ID;
  private volatile int version;
  private volatile int cipherSuite;
  private volatile X509Certificate[] peerCertificates = NO_CERTIFICATES;
  private volatile X509Certificate[] localCertificates = NO_CERTIFICATES;
  private volatile List<?> requestedServerNames = Collections.emptyList();
  private volatile int[] peerSignatureSchemes = NO_SCHEMES;
  private volatile int[] localSignatureSchemes = SignatureSchemes.DEFAULT;
  private volatile PublicKey peerRawPublicKey;
  private volatile List<byte[]> statusResponses = Collections.emptyList();
  private volatile int namedGroup;
  private volatile String applicationProtocol;
  private volatile boolean resumed;
  private volatile boolean echAccepted;
  /** The engine whose connection can still export; weak, as kept sessions must not keep connections. */
  private volatile WeakReference<TlsEngine> engine = NO_ENGINE;
  /** What the application stores; shared with the sessions resumed from this one. Also the lock for it. */
  private volatile Map<String, Object> values = new HashMap<>();

  /** A session in the making. {@code context} may be null. */
  TlsSession(TlsSessionContext context, String peerHost, int peerPort) {
    this.context = context;
    this.peerHost = peerHost;
    this.peerPort = peerPort;
    this.valid = true;
    this.shown = JsseApi.HERE.shown(this);
  }

  /** The session of a connection that has none: {@code SSL_NULL_WITH_NULL_NULL}. */
  static TlsSession none(String peerHost, int peerPort) {
    TlsSession session = new TlsSession(null, peerHost, peerPort);
    session.valid = false;
    session.localSignatureSchemes = NO_SCHEMES;
    return session;
  }

  /** This session as applications get it: an {@code ExtendedSSLSession} where there is that type. */
  PostscryptSession shown() {
    return shown;
  }

  // --- filled by the handshake ---

  void setVersionAndCipherSuite(int version, int cipherSuite) {
    this.version = version;
    this.cipherSuite = cipherSuite;
  }

  void setId(byte[] id) {
    this.id = id;
  }

  /** This session resumes {@code earlier}: what was agreed and verified then holds. */
  void resume(TlsSession earlier) {
    creationTime = earlier.creationTime;
    peerCertificates = earlier.peerCertificates;
    localCertificates = earlier.localCertificates;
    values = earlier.values;
    peerRawPublicKey = earlier.peerRawPublicKey;
    statusResponses = earlier.statusResponses;
    resumed = true;
  }

  /** This session resumes one made at this time, in milliseconds since 1970. */
  void setCreationTime(long millis) {
    creationTime = millis;
    resumed = true;
  }

  void touch() {
    lastAccessedTime = System.currentTimeMillis();
  }

  void setPeerCertificates(X509Certificate[] chain) {
    peerCertificates = chain;
  }

  void setLocalCertificates(X509Certificate[] chain) {
    localCertificates = chain;
  }

  void setRequestedServerNames(List<?> names) {
    requestedServerNames = names;
  }

  void setPeerSignatureSchemes(int[] schemes) {
    peerSignatureSchemes = schemes;
  }

  void setLocalSignatureSchemes(int[] schemes) {
    localSignatureSchemes = schemes;
  }

  /** The handshake checks the peer under another name: a refused Encrypted Client Hello's public one. It fails in any case. */
  void setPublicName(String host) {
    peerHost = host;
    // Trust managers look at the requested name first.
    requestedServerNames = Collections.singletonList(JsseApi.HERE.serverName(host));
  }

  void setPeerRawPublicKey(PublicKey key) {
    peerRawPublicKey = key;
  }

  void setStatusResponse(byte[] response) {
    statusResponses =
        response == null || response.length == 0 ? Collections.emptyList() : Collections.singletonList(response);
  }

  void setNamedGroup(int group) {
    namedGroup = group;
  }

  void setApplicationProtocol(String protocol) {
    applicationProtocol = protocol;
  }

  void setEchAccepted(boolean accepted) {
    echAccepted = accepted;
  }

  /** From here on the engine can export. */
  void setEngine(TlsEngine engine) {
    this.engine = new WeakReference<>(engine);
  }

  /** Whether the peer authenticated, by a certificate or a raw public key. */
  boolean hasPeer() {
    return peerCertificates.length > 0 || peerRawPublicKey != null;
  }

  /** Whether the peer authenticated by a certificate. */
  boolean hasPeerCertificates() {
    return peerCertificates.length > 0;
  }

  int version() {
    return version;
  }

  int cipherSuite() {
    return cipherSuite;
  }

  int[] localSignatureSchemes() {
    return localSignatureSchemes;
  }

  int[] peerSignatureSchemes() {
    return peerSignatureSchemes;
  }

  /** What the client asks for, as {@link JsseApi} makes them. */
  List<?> requestedServerNames() {
    return requestedServerNames;
  }

  /** The OCSP responses that the server stapled. */
  List<byte[]> statusResponses() {
    List<byte[]> copies = new ArrayList<>();
    for (byte[] response : statusResponses) {
      copies.add(response.clone());
    }
    return copies;
  }

  // --- SSLSession ---

  @Override
  public byte[] getId() {
    return id.clone();
  }

  @Override
  public SSLSessionContext getSessionContext() {
    return valid ? context : null;
  }

  @Override
  public long getCreationTime() {
    return creationTime;
  }

  @Override
  public long getLastAccessedTime() {
    return lastAccessedTime;
  }

  @Override
  public void invalidate() {
    valid = false;
    if (context != null) {
      context.remove(this);
    }
  }

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public void putValue(String name, Object value) {
    if (name == null || value == null) {
      throw new IllegalArgumentException("arguments can not be null");
    }
    Object old;
    Map<String, Object> map = values;
    synchronized (map) {
      old = map.put(name, value);
    }
    // Listeners are called without the lock: they may come back.
    if (value instanceof SSLSessionBindingListener) {
      ((SSLSessionBindingListener) value).valueBound(new SSLSessionBindingEvent(shown, name));
    }
    if (old instanceof SSLSessionBindingListener) {
      ((SSLSessionBindingListener) old).valueUnbound(new SSLSessionBindingEvent(shown, name));
    }
  }

  @Override
  public Object getValue(String name) {
    if (name == null) {
      throw new IllegalArgumentException("argument can not be null");
    }
    Map<String, Object> map = values;
    synchronized (map) {
      return map.get(name);
    }
  }

  @Override
  public void removeValue(String name) {
    if (name == null) {
      throw new IllegalArgumentException("argument can not be null");
    }
    Object old;
    Map<String, Object> map = values;
    synchronized (map) {
      old = map.remove(name);
    }
    if (old instanceof SSLSessionBindingListener) {
      ((SSLSessionBindingListener) old).valueUnbound(new SSLSessionBindingEvent(shown, name));
    }
  }

  @Override
  public String[] getValueNames() {
    Map<String, Object> map = values;
    synchronized (map) {
      return map.keySet().toArray(new String[0]);
    }
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    return verifiedPeer().clone();
  }

  private X509Certificate[] verifiedPeer() throws SSLPeerUnverifiedException {
    X509Certificate[] chain = peerCertificates;
    if (chain.length == 0) {
      throw new SSLPeerUnverifiedException("peer not authenticated");
    }
    return chain;
  }

  @Override
  public Certificate[] getLocalCertificates() {
    X509Certificate[] chain = localCertificates;
    return chain.length == 0 ? null : chain.clone();
  }

  /**
   * @deprecated as in the JDK: {@link #getPeerCertificates()} has the types that are still kept up
   */
  @Override
  @Deprecated
  @SuppressWarnings({"deprecation", "removal"}) // the return type is the JDK's
  public javax.security.cert.X509Certificate[] getPeerCertificateChain() throws SSLPeerUnverifiedException {
    X509Certificate[] chain = verifiedPeer();
    javax.security.cert.X509Certificate[] old = new javax.security.cert.X509Certificate[chain.length];
    for (int i = 0; i < chain.length; i++) {
      try {
        old[i] = javax.security.cert.X509Certificate.getInstance(chain[i].getEncoded());
      } catch (java.security.cert.CertificateEncodingException | javax.security.cert.CertificateException e) {
        SSLPeerUnverifiedException unverified = new SSLPeerUnverifiedException(e.getMessage());
        unverified.initCause(e);
        throw unverified;
      }
    }
    return old;
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return verifiedPeer()[0].getSubjectX500Principal();
  }

  @Override
  public Principal getLocalPrincipal() {
    X509Certificate[] chain = localCertificates;
    return chain.length == 0 ? null : chain[0].getSubjectX500Principal();
  }

  @Override
  public String getCipherSuite() {
    return CipherSuites.name(cipherSuite);
  }

  @Override
  public String getProtocol() {
    return Protocols.name(version);
  }

  @Override
  public String getPeerHost() {
    return peerHost;
  }

  @Override
  public int getPeerPort() {
    return peerPort > 0 ? peerPort : -1;
  }

  @Override
  public int getPacketBufferSize() {
    return PACKET_BUFFER_SIZE;
  }

  @Override
  public int getApplicationBufferSize() {
    return APPLICATION_BUFFER_SIZE;
  }

  /** Keying material as a key. */
  SecretKey exportKeyingMaterialKey(String keyAlgorithm, String label, byte[] context, int length)
      throws SSLException {
    if (keyAlgorithm == null || keyAlgorithm.isEmpty()) {
      throw new IllegalArgumentException("the key's algorithm is null or empty");
    }
    byte[] material = exportKeyingMaterial(label, context, length);
    try {
      return new SecretKeySpec(material, keyAlgorithm);
    } finally {
      Arrays.fill(material, (byte) 0);
    }
  }

  // --- PostscryptSession ---

  @Override
  public String getNamedGroup() {
    return NamedGroups.name(namedGroup);
  }

  @Override
  public String getApplicationProtocol() {
    return applicationProtocol;
  }

  @Override
  public boolean isResumed() {
    return resumed;
  }

  @Override
  public boolean isEchAccepted() {
    return echAccepted;
  }

  @Override
  public PublicKey getPeerRawPublicKey() throws SSLPeerUnverifiedException {
    PublicKey key = peerRawPublicKey;
    if (key == null) {
      throw new SSLPeerUnverifiedException("the peer did not authenticate with a raw public key");
    }
    return key;
  }

  @Override
  public byte[] exportKeyingMaterial(String label, byte[] context, int length) throws SSLException {
    if (label == null || label.isEmpty()) {
      throw new IllegalArgumentException("the label is null or empty");
    }
    if (length < 1 || length > MOST_EXPORTED) {
      throw new IllegalArgumentException("length: " + length);
    }
    return connected().export(this, label.getBytes(StandardCharsets.UTF_8), context, length);
  }

  private TlsEngine connected() throws SSLException {
    TlsEngine connected = engine.get();
    if (connected == null) {
      throw new SSLException("there is no established connection");
    }
    return connected;
  }

  @Override
  public byte[] getChannelBinding(String type) throws SSLException {
    switch (type) {
      case "tls-exporter":
        // RFC 9266 section 2; without context in TLS 1.2 an empty one counts as well.
        return exportKeyingMaterial("EXPORTER-Channel-Binding", new byte[0], 32);
      case "tls-unique":
        return connected().tlsUnique(this);
      case "tls-server-end-point":
        return serverEndPoint();
      default:
        throw new IllegalArgumentException("unknown channel binding type: " + type);
    }
  }

  /** RFC 5929 section 4.1: the server's certificate, hashed as its signature was, or with SHA-256 if that was weaker. */
  private byte[] serverEndPoint() throws SSLException {
    TlsEngine connected = connected();
    X509Certificate[] chain = connected.getUseClientMode() ? peerCertificates : localCertificates;
    if (chain.length == 0) {
      return null;
    }
    String signature = chain[0].getSigAlgName().toUpperCase(Locale.ROOT);
    String digest = signature.startsWith("SHA384") ? "SHA-384" : signature.startsWith("SHA512") ? "SHA-512" : "SHA-256";
    try {
      return MessageDigest.getInstance(digest).digest(chain[0].getEncoded());
    } catch (GeneralSecurityException e) {
      throw new SSLException("the server's certificate cannot be hashed: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "Session(" + creationTime + "|" + getCipherSuite() + ")";
  }
}
