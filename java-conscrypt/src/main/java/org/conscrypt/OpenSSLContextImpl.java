package org.conscrypt;

import java.lang.ref.WeakReference;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.TlsParameters;

/** A context of the provider, whose engines and sockets are classes of this package. */
final class OpenSSLContextImpl extends SSLContextSpi {
  private static final String[] TLS12 = {"TLSv1.2"};
  private static final int CLIENT_CACHE_SIZE = 10;
  private static final int SERVER_CACHE_SIZE = 100;
  private static final int SESSION_TIMEOUT_SECONDS = 8 * 60 * 60;

  /**
   * By the provider's client session contexts, all that an {@code SSLContext} shows of us. Weak at both ends, as an
   * application's cache may have sessions, and these their context.
   */
  private static final Map<SSLSessionContext, WeakReference<OpenSSLContextImpl>> CONTEXTS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static final List<String> PSK_SUITES =
      Arrays.asList(
          "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA",
          "TLS_PSK_WITH_AES_128_CBC_SHA",
          "TLS_PSK_WITH_AES_256_CBC_SHA");

  private static final Map<String, OpenSSLContextImpl> DEFAULTS = new HashMap<>();

  private final SSLContext own;
  private final boolean isDefault;
  /** What its engines and sockets speak; null for all. */
  private final String[] protocols;
  /** Whether there are keys to ask for, and whether certificates can authenticate anybody. */
  private volatile boolean preSharedKeys;
  private volatile boolean certificates = true;
  private final ClientSessions clientSessions = new ClientSessions();
  private final ServerSessions serverSessions = new ServerSessions();

  /** The default context, one for each {@code protocol}: whoever asks for it shares its sessions. */
  static OpenSSLContextImpl ofDefault(String protocol) throws NoSuchAlgorithmException {
    synchronized (DEFAULTS) {
      OpenSSLContextImpl context = DEFAULTS.get(protocol);
      if (context == null) {
        context = new OpenSSLContextImpl(protocol, true);
        DEFAULTS.put(protocol, context);
      }
      return context;
    }
  }

  /** {@code protocol}: {@code TLSv1.3}, which speaks TLS 1.2 as well, or {@code TLSv1.2}. */
  OpenSSLContextImpl(String protocol, boolean isDefault) throws NoSuchAlgorithmException {
    this.isDefault = isDefault;
    protocols = protocol.equals("TLSv1.2") ? TLS12 : null;
    own = SSLContext.getInstance(isDefault ? "Default" : protocol.equals("TLSv1.2") ? protocol : "TLS", Own.provider());
    // Sessions say that they are of these contexts, so they are handed out as they are.
    SSLSessionContext client = own.getClientSessionContext();
    client.setSessionCacheSize(CLIENT_CACHE_SIZE);
    client.setSessionTimeout(SESSION_TIMEOUT_SECONDS);
    SSLSessionContext server = own.getServerSessionContext();
    server.setSessionCacheSize(SERVER_CACHE_SIZE);
    server.setSessionTimeout(SESSION_TIMEOUT_SECONDS);
    CONTEXTS.put(client, new WeakReference<>(this));
  }

  /** What {@code context} is made of; null if it is not one of these. */
  private static OpenSSLContextImpl of(SSLContext context) {
    WeakReference<OpenSSLContextImpl> found = CONTEXTS.get(context.getClientSessionContext());
    return found == null ? null : found.get();
  }

  /** The cache beside the client sessions of a context; null if the context is not one of these. */
  static ClientSessions clientSessions(SSLContext context) {
    OpenSSLContextImpl found = of(context);
    return found == null ? null : found.clientSessions;
  }

  /** The cache beside the server sessions of a context; null if the context is not one of these. */
  static ServerSessions serverSessions(SSLContext context) {
    OpenSSLContextImpl found = of(context);
    return found == null ? null : found.serverSessions;
  }

  @Override
  protected void engineInit(KeyManager[] keyManagers, TrustManager[] trustManagers, SecureRandom random)
      throws KeyManagementException {
    if (isDefault) {
      throw new KeyManagementException("Do not init() the default SSLContext");
    }
    PreSharedKeys found = PreSharedKeys.among(keyManagers);
    KeyManager[] managers = keyManagers;
    if (found != null) {
      managers = Arrays.copyOf(keyManagers, keyManagers.length + 1);
      managers[keyManagers.length] = found;
    }
    own.init(managers, trustManagers, random);
    preSharedKeys = found != null;
    certificates =
        keyManagers == null || trustManagers == null || has(X509KeyManager.class, keyManagers)
            || has(X509TrustManager.class, trustManagers);
  }

  private static boolean has(Class<?> type, Object[] managers) {
    for (Object manager : managers) {
      if (type.isInstance(manager)) {
        return true;
      }
    }
    return false;
  }

  /** The cipher suites that are enabled, of the provider's defaults: those with pre-shared keys before those with certificates. */
  String[] cipherSuites(String[] defaults) {
    List<String> suites = new ArrayList<>();
    for (String suite : defaults) {
      if (!suite.contains("_WITH_")) {
        suites.add(suite);
      }
    }
    if (preSharedKeys) {
      suites.addAll(PSK_SUITES);
    }
    for (String suite : defaults) {
      if (certificates && suite.contains("_WITH_")) {
        suites.add(suite);
      }
    }
    return suites.toArray(new String[0]);
  }

  /** Whether {@link #cipherSuites} are others than the provider's. */
  private boolean hasOtherSuites() {
    return preSharedKeys || !certificates;
  }

  /** The parameters that differ from the provider's own defaults; null if none does. */
  private SSLParameters changed(SSLParameters parameters) {
    boolean change = clientSessions.applyTo(parameters) | serverSessions.applyTo(parameters);
    BufferAllocator allocator = Staging.defaultAllocator();
    if (allocator != null) {
      Staging.applyTo((TlsParameters) parameters, allocator);
      change = true;
    }
    if (hasOtherSuites()) {
      parameters.setCipherSuites(cipherSuites(parameters.getCipherSuites()));
      change = true;
    }
    if (protocols != null) {
      parameters.setProtocols(protocols.clone());
      change = true;
    }
    return change ? parameters : null;
  }

  /** An engine of the provider as this context's become. */
  SSLEngine configured(SSLEngine engine) {
    SSLParameters changed = changed(engine.getSSLParameters());
    if (changed != null) {
      engine.setSSLParameters(changed);
    }
    return engine;
  }

  /** A socket of the provider as this context's become. */
  <S extends javax.net.ssl.SSLSocket> S configured(S socket) {
    SSLParameters changed = changed(socket.getSSLParameters());
    if (changed != null) {
      socket.setSSLParameters(changed);
    }
    return socket;
  }

  /** A server socket of the provider as this context's become. */
  SSLServerSocket configured(SSLServerSocket socket) {
    SSLParameters changed = changed(socket.getSSLParameters());
    if (changed != null) {
      socket.setSSLParameters(changed);
    }
    return socket;
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return new ConscryptEngine(configured(own.createSSLEngine()));
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return new ConscryptEngine(configured(own.createSSLEngine(host, port)));
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    return new OpenSSLSocketFactoryImpl(own.getSocketFactory(), this);
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    return new OpenSSLServerSocketFactoryImpl(
        own.getServerSocketFactory(), new OpenSSLSocketFactoryImpl(own.getSocketFactory(), this), this);
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return own.getServerSessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return own.getClientSessionContext();
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    SSLParameters parameters = own.getDefaultSSLParameters();
    if (protocols != null) {
      parameters.setProtocols(protocols.clone());
    }
    parameters.setCipherSuites(cipherSuites(parameters.getCipherSuites()));
    return new Versions().shown(parameters);
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return new Versions().shown(own.getSupportedSSLParameters());
  }
}
