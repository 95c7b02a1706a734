package org.conscrypt;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Sockets of one context. */
final class OpenSSLSocketFactoryImpl extends SSLSocketFactory {
  private final SSLSocketFactory own;
  private final OpenSSLContextImpl context;
  /** For sockets made from now on; null for the default. */
  private volatile String[] namedGroups;

  OpenSSLSocketFactoryImpl(SSLSocketFactory own, OpenSSLContextImpl context) {
    this.own = own;
    this.context = context;
  }

  void setNamedGroups(String[] names) {
    namedGroups = names == null ? null : names.clone();
  }

  private Socket facade(Socket made, String host) {
    OpenSSLSocketImpl socket = new OpenSSLSocketImpl(context.configured((SSLSocket) made), host);
    String[] groups = namedGroups;
    if (groups != null) {
      socket.setNamedGroups(groups);
    }
    return socket;
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
  public Socket createSocket() throws IOException {
    return facade(own.createSocket(), null);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return facade(own.createSocket(host, port), host);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localAddress, int localPort) throws IOException {
    return facade(own.createSocket(host, port, localAddress, localPort), host);
  }

  @Override
  public Socket createSocket(InetAddress address, int port) throws IOException {
    return facade(own.createSocket(address, port), null);
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return facade(own.createSocket(address, port, localAddress, localPort), null);
  }

  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
    return facade(own.createSocket(socket, host, port, autoClose), host);
  }

  /** A server over a connected socket; {@code consumed}: bytes already read from it, or null. */
  @Override
  public Socket createSocket(Socket socket, InputStream consumed, boolean autoClose) throws IOException {
    return facade(own.createSocket(socket, consumed, autoClose), null);
  }
}
