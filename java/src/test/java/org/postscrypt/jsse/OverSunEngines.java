package org.postscrypt.jsse;

import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Our socket factories over the engines of another provider's context, so that sockets are tested apart from our
 * engine.
 */
public final class OverSunEngines implements EngineSource {
  private final SSLContext context;
  private final UnaryOperator<SSLEngine> engines;

  private OverSunEngines(SSLContext context, UnaryOperator<SSLEngine> engines) {
    this.context = context;
    this.engines = engines;
  }

  public static SSLSocketFactory sockets(SSLContext context) {
    return sockets(context, e -> e);
  }

  /** As {@link #sockets(SSLContext)}, with each engine passed through {@code engines}. */
  public static SSLSocketFactory sockets(SSLContext context, UnaryOperator<SSLEngine> engines) {
    return new TlsSocketFactory(new OverSunEngines(context, engines));
  }

  public static SSLServerSocketFactory serverSockets(SSLContext context) {
    return serverSockets(context, e -> e);
  }

  /** As {@link #serverSockets(SSLContext)}, with each engine passed through {@code engines}. */
  public static SSLServerSocketFactory serverSockets(SSLContext context, UnaryOperator<SSLEngine> engines) {
    return new TlsServerSocketFactory(new OverSunEngines(context, engines));
  }

  @Override
  public SSLEngine newEngine(String peerHost, int peerPort, boolean clientMode, SSLSocket owner) {
    SSLEngine engine = context.createSSLEngine(peerHost, peerPort);
    engine.setUseClientMode(clientMode);
    return engines.apply(engine);
  }

  @Override
  public SSLParameters defaultParameters(boolean clientMode) {
    return context.getDefaultSSLParameters();
  }

  @Override
  public SSLParameters supportedParameters() {
    return context.getSupportedSSLParameters();
  }
}
