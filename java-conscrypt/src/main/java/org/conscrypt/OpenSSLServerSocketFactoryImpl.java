package org.conscrypt;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;

/** Server sockets of one context. */
final class OpenSSLServerSocketFactoryImpl extends SSLServerSocketFactory {
  private final SSLServerSocketFactory own;
  private final OpenSSLContextImpl context;

  OpenSSLServerSocketFactoryImpl(SSLServerSocketFactory own, OpenSSLContextImpl context) {
    this.own = own;
    this.context = context;
  }

  private ServerSocket configured(ServerSocket socket) {
    return context.configured((SSLServerSocket) socket);
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
    return configured(own.createServerSocket());
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return configured(own.createServerSocket(port));
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return configured(own.createServerSocket(port, backlog));
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
    return configured(own.createServerSocket(port, backlog, address));
  }
}
