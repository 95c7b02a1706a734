package org.conscrypt;

import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** A context of the provider, whose engines and sockets are classes of this package. */
final class OpenSSLContextImpl extends SSLContextSpi {
  private static final String[] TLS12 = {"TLSv1.2"};

  private static final Map<String, OpenSSLContextImpl> DEFAULTS = new HashMap<>();

  private final SSLContext own;
  private final boolean isDefault;
  /** What its engines and sockets speak; null for all. */
  private final String[] protocols;
  private final ClientSessions clientSessions;
  private final ServerSessions serverSessions;

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
    clientSessions = new ClientSessions(own.getClientSessionContext());
    serverSessions = new ServerSessions(own.getServerSessionContext());
  }

  @Override
  protected void engineInit(KeyManager[] keyManagers, TrustManager[] trustManagers, SecureRandom random)
      throws KeyManagementException {
    if (isDefault) {
      throw new KeyManagementException("Do not init() the default SSLContext");
    }
    own.init(keyManagers, trustManagers, random);
  }

  /** The parameters that differ from the provider's own defaults; null if none does. */
  private SSLParameters changed(SSLParameters parameters) {
    boolean change = clientSessions.applyTo(parameters);
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

  /** The protocols of its server sockets; null for all. */
  String[] protocols() {
    return protocols == null ? null : protocols.clone();
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
    return serverSessions;
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return clientSessions;
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    SSLParameters parameters = own.getDefaultSSLParameters();
    if (protocols != null) {
      parameters.setProtocols(protocols.clone());
    }
    return parameters;
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return own.getSupportedSSLParameters();
  }
}
