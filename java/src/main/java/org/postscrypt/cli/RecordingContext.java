package org.postscrypt.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** A client's context that speaks one protocol version and remembers the last connection made with it. */
final class RecordingContext extends SSLContext {
  private final Spi spi;

  RecordingContext(SSLContext context, String protocol) {
    this(new Spi(context, protocol), context);
  }

  private RecordingContext(Spi spi, SSLContext context) {
    super(spi, context.getProvider(), context.getProtocol());
    this.spi = spi;
  }

  /** The last connection's session; null if there was none. */
  SSLSession session() {
    return spi.engine != null ? spi.engine.getSession() : spi.socket != null ? spi.socket.getSession() : null;
  }

  /** What ALPN chose on the last connection; empty if nothing. */
  String applicationProtocol() {
    String name = spi.engine != null ? spi.engine.getApplicationProtocol()
        : spi.socket != null ? spi.socket.getApplicationProtocol()
        : null;
    return name == null ? "" : name;
  }

  private static final class Spi extends SSLContextSpi {
    private final SSLContext context;
    private final String protocol;
    private volatile SSLEngine engine;
    private volatile SSLSocket socket;

    Spi(SSLContext context, String protocol) {
      this.context = context;
      this.protocol = protocol;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
      throw new IllegalStateException("initialised already");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return new Factory(this, context.getSocketFactory());
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return context.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      engine = context.createSSLEngine();
      return engine;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      engine = context.createSSLEngine(host, port);
      return engine;
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      SSLParameters parameters = context.getDefaultSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      return parameters;
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }

    private Socket record(Socket made) {
      socket = (SSLSocket) made;
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setApplicationProtocols(new String[] {"http/1.1"});
      socket.setSSLParameters(parameters);
      return made;
    }
  }

  private static final class Factory extends SSLSocketFactory {
    private final Spi spi;
    private final SSLSocketFactory factory;

    Factory(Spi spi, SSLSocketFactory factory) {
      this.spi = spi;
      this.factory = factory;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket() throws IOException {
      return spi.record(factory.createSocket());
    }

    @Override
    public Socket createSocket(Socket lower, String host, int port, boolean autoClose) throws IOException {
      return spi.record(factory.createSocket(lower, host, port, autoClose));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return spi.record(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
      return spi.record(factory.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return spi.record(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
      return spi.record(factory.createSocket(host, port, local, localPort));
    }
  }
}
