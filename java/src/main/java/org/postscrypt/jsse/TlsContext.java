package org.postscrypt.jsse;

import java.security.InvalidKeyException;
import java.security.KeyManagementException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.PreSharedKeyManager;

/** An SSLContext: key and trust managers, and the native contexts and credentials made for them, each made once. */
class TlsContext extends SSLContextSpi implements EngineSource {
  /** More than any sane application configures; beyond it the oldest way is to start anew. */
  private static final int MOST_CACHED = 256;

  private static final byte[][] NO_NAMES = {};

  private final TlsConfig clientDefaults;
  private final TlsConfig serverDefaults;
  private final ConcurrentMap<NativeContext.Key, NativeContext> nativeContexts = new ConcurrentHashMap<>();
  private final Map<TlsCredential.Key, TlsCredential> credentials = new ConcurrentHashMap<>();
  /** Making a name from a host takes as long as a tenth of a hello. */
  private final Map<String, List<?>> serverNames = new ConcurrentHashMap<>();
  private final TlsSessionContext clientSessions = new TlsSessionContext();
  private final TlsSessionContext serverSessions = new TlsSessionContext();
  /** The configurations that a native context was looked up for last: the next one is mostly alike. */
  private volatile TlsConfig recentClient;
  private volatile TlsConfig recentServer;
  private volatile X509KeyManager keyManager;
  private volatile PreSharedKeyManager preSharedKeyManager;
  private volatile X509TrustManager trustManager;

  /** {@code clientProtocols}: enabled for clients when nobody says otherwise; servers enable all. */
  TlsContext(List<String> clientProtocols) {
    clientDefaults = new TlsConfig(clientProtocols, true);
    serverDefaults = new TlsConfig(SystemDefaults.protocols(false, Protocols.SUPPORTED), false);
  }

  /** {@code TLS}: what the system property {@code jdk.tls.client.protocols} says, else all. */
  static TlsContext tls() {
    return new TlsContext(SystemDefaults.protocols(true, Protocols.SUPPORTED));
  }

  /** {@code TLSv1.3}: all protocols. */
  static TlsContext tls13() {
    return new TlsContext(Protocols.SUPPORTED);
  }

  /** {@code TLSv1.2}: a client that speaks TLS 1.2 alone. */
  static TlsContext tls12() {
    return new TlsContext(Collections.singletonList(Protocols.TLS12));
  }

  /** {@code Default}: ready for use, with the key and trust stores of the JSSE system properties. */
  static TlsContext defaultContext() throws Exception {
    TlsContext context = tls();
    context.engineInit(DefaultKeyManager.fromSystemProperties(), null, null);
    return context;
  }

  @Override
  protected void engineInit(KeyManager[] keyManagers, TrustManager[] trustManagers, SecureRandom random)
      throws KeyManagementException {
    X509KeyManager key = null;
    PreSharedKeyManager preShared = null;
    for (KeyManager manager : keyManagers == null ? new KeyManager[0] : keyManagers) {
      if (key == null && manager instanceof X509KeyManager) {
        key = (X509KeyManager) manager;
      }
      if (preShared == null && manager instanceof PreSharedKeyManager) {
        preShared = (PreSharedKeyManager) manager;
      }
    }
    X509TrustManager trust = null;
    for (TrustManager manager : trustManagers == null ? defaultTrustManagers() : trustManagers) {
      if (trust == null && manager instanceof X509TrustManager) {
        trust = (X509TrustManager) manager;
      }
    }
    keyManager = key;
    preSharedKeyManager = preShared;
    trustManager = trust != null ? trust : RejectingTrustManager.INSTANCE;
    nativeContexts.clear();
    clientDefaults.forgetNativeContexts();
    serverDefaults.forgetNativeContexts();
    recentClient = null;
    recentServer = null;
    credentials.clear();
  }

  /** The platform's; our own where it has none. */
  private static TrustManager[] defaultTrustManagers() throws KeyManagementException {
    try {
      TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      return factory.getTrustManagers();
    } catch (NoSuchAlgorithmException e) {
      try {
        PkixTrustManagerFactory own = new PkixTrustManagerFactory();
        own.engineInit((KeyStore) null);
        return own.engineGetTrustManagers();
      } catch (KeyStoreException ownFailure) {
        throw new KeyManagementException("no default trust: " + ownFailure.getMessage(), ownFailure);
      }
    } catch (KeyStoreException e) {
      throw new KeyManagementException("no default trust: " + e.getMessage(), e);
    }
  }

  /** Null if there is none: then no certificate is ever chosen. */
  X509KeyManager keyManager() {
    return keyManager;
  }

  /** Null if there is none. */
  PreSharedKeyManager preSharedKeyManager() {
    return preSharedKeyManager;
  }

  X509TrustManager trustManager() {
    return trustManager;
  }

  TlsSessionContext sessions(boolean client) {
    return client ? clientSessions : serverSessions;
  }

  TlsConfig defaults(boolean client) {
    return client ? clientDefaults : serverDefaults;
  }

  /** What a client sends as the server's name when nobody set one: the peer's host, if it is a name that SNI allows. */
  List<?> serverNames(String host) {
    // As SunJSSE: no address, no bare name, no trailing dot.
    if (host == null || host.indexOf('.') <= 0 || host.endsWith(".") || HostnameChecker.isIpLiteral(host)) {
      return Collections.emptyList();
    }
    List<?> names = serverNames.get(host);
    if (names == null) {
      try {
        names = Collections.singletonList(JsseApi.HERE.serverName(host));
      } catch (IllegalArgumentException e) {
        // Not a name that can be sent: the handshake goes on without, as the peer need not know it.
        names = Collections.emptyList();
      }
      if (serverNames.size() >= MOST_CACHED) {
        serverNames.clear();
      }
      serverNames.put(host, names);
    }
    return names;
  }

  /** The native context for a configuration, made at its first use. */
  NativeContext nativeContext(TlsConfig config, boolean client) throws SSLException {
    NativeContext context = config.nativeContext();
    if (context != null && context.serves(this, client)) {
      return context;
    }
    TlsConfig recent = client ? recentClient : recentServer;
    context = recent != null && recent.sharesNativeContext(config) ? recent.nativeContext() : null;
    if (context != null && context.serves(this, client)) {
      config.setNativeContext(context);
      return context;
    }
    NativeContext.Key key =
        new NativeContext.Key(config, client, sessions(client), preSharedKeyManager != null);
    context = nativeContexts.get(key);
    if (context == null) {
      context = new NativeContext(this, key, client ? NO_NAMES : acceptedIssuers(config));
      if (nativeContexts.size() >= MOST_CACHED) {
        nativeContexts.clear();
      }
      NativeContext other = nativeContexts.putIfAbsent(key, context);
      context = other != null ? other : context;
    }
    config.setNativeContext(context);
    if (client) {
      recentClient = config;
    } else {
      recentServer = config;
    }
    return context;
  }

  private byte[][] acceptedIssuers(TlsConfig config) {
    X509Certificate[] issuers =
        config.clientAuth() == TlsConfig.CLIENT_AUTH_NONE ? null : trustManager.getAcceptedIssuers();
    if (issuers == null) {
      return NO_NAMES;
    }
    byte[][] names = new byte[issuers.length][];
    for (int i = 0; i < names.length; i++) {
      names[i] = issuers[i].getSubjectX500Principal().getEncoded();
    }
    return names;
  }

  /** The native credential for what a key manager gave, made at its first use. */
  TlsCredential credential(PrivateKey key, X509Certificate[] chain, TlsConfig config)
      throws InvalidKeyException, CertificateException {
    TlsCredential.Key lookup = new TlsCredential.Key(key, chain, config);
    TlsCredential credential = credentials.get(lookup);
    return credential != null ? credential : keep(lookup, new TlsCredential(key, chain, config));
  }

  /** The native credential for a raw key pair, made at its first use. */
  TlsCredential rawPublicKey(KeyPair pair, TlsConfig config) throws InvalidKeyException {
    TlsCredential.Key lookup = new TlsCredential.Key(pair.getPrivate(), TlsCredential.NO_CHAIN, config);
    TlsCredential credential = credentials.get(lookup);
    return credential != null ? credential : keep(lookup, new TlsCredential(pair.getPrivate()));
  }

  private TlsCredential keep(TlsCredential.Key lookup, TlsCredential credential) {
    if (credentials.size() >= MOST_CACHED) {
      credentials.clear();
    }
    credentials.put(lookup, credential);
    return credential;
  }

  private void requireInitialised() {
    if (trustManager == null) {
      throw new IllegalStateException("SSLContext is not initialized");
    }
  }

  @Override
  public SSLEngine newEngine(String peerHost, int peerPort, boolean clientMode, SSLSocket owner) {
    TlsEngine engine = new TlsEngine(this, peerHost, peerPort, owner);
    engine.setUseClientMode(clientMode);
    return engine;
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return engineCreateSSLEngine(null, -1);
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    requireInitialised();
    return new TlsEngine(this, host, port, null);
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    requireInitialised();
    return new TlsSocketFactory(this);
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    requireInitialised();
    return new TlsServerSocketFactory(this);
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return serverSessions;
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return clientSessions;
  }

  @Override
  public SSLParameters defaultParameters(boolean clientMode) {
    return defaults(clientMode).toParameters(Collections.emptyList());
  }

  @Override
  public SSLParameters supportedParameters() {
    List<String> suites = CipherSuites.supported();
    return serverDefaults.withCipherSuites(suites).toParameters(Collections.emptyList());
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    return defaultParameters(true);
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return supportedParameters();
  }

  @Override
  public String toString() {
    return "Postscrypt TLS context " + Arrays.asList(clientDefaults.protocols());
  }

  /** Trusts nobody: what remains when trust managers were given and none of them is for X.509. */
  static final class RejectingTrustManager implements X509TrustManager {
    static final RejectingTrustManager INSTANCE = new RejectingTrustManager();

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      throw new CertificateException("no X509TrustManager is configured");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      throw new CertificateException("no X509TrustManager is configured");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
