package org.postscrypt.jsse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Objects;
import javax.net.ssl.SSLServerSocketFactory;

/** Server sockets of one context. */
final class TlsServerSocketFactory extends SSLServerSocketFactory {
  private final EngineSource source;

  TlsServerSocketFactory(EngineSource source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return source.defaultParameters(false).getCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return source.supportedParameters().getCipherSuites();
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new TlsServerSocket(source);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new TlsServerSocket(source, port, 0, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return new TlsServerSocket(source, port, backlog, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress local) throws IOException {
    return new TlsServerSocket(source, port, backlog, local);
  }
}
