package org.conscrypt;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;

/** Server sockets of one context. */
final class OpenSSLServerSocketFactoryImpl extends SSLServerSocketFactory {
  private final SSLServerSocketFactory own;
  private final OpenSSLSocketFactoryImpl sockets;
  private final OpenSSLContextImpl context;

  /** {@code sockets}: of the same context. */
  OpenSSLServerSocketFactoryImpl(
      SSLServerSocketFactory own, OpenSSLSocketFactoryImpl sockets, OpenSSLContextImpl context) {
    this.own = own;
    this.sockets = sockets;
    this.context = context;
  }

  private SSLServerSocket settings() throws IOException {
    return context.configured((SSLServerSocket) own.createServerSocket());
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return context.cipherSuites(own.getDefaultCipherSuites());
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return own.getSupportedCipherSuites();
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new OpenSSLServerSocketImpl(sockets, settings());
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return createServerSocket(port, 50, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return createServerSocket(port, backlog, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
    return new OpenSSLServerSocketImpl(sockets, settings(), port, backlog, address);
  }
}
