package org.conscrypt;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** A server socket whose sockets are of this package, and that takes what they take. */
final class OpenSSLServerSocketImpl extends SSLServerSocket {
  private final SSLSocketFactory sockets;
  /** The provider's, never bound: what the sockets begin with. */
  private final SSLServerSocket own;
  private final Versions versions = new Versions();

  /** Unbound. */
  OpenSSLServerSocketImpl(SSLSocketFactory sockets, SSLServerSocket own) throws IOException {
    this.sockets = sockets;
    this.own = own;
  }

  /** Bound to a port, to every local address if {@code local} is null. */
  OpenSSLServerSocketImpl(SSLSocketFactory sockets, SSLServerSocket own, int port, int backlog, InetAddress local)
      throws IOException {
    super(port, backlog, local);
    this.sockets = sockets;
    this.own = own;
  }

  @Override
  public Socket accept() throws IOException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
    if (!isBound()) {
      throw new SocketException("Socket is not bound yet");
    }
    Socket plain = new Socket();
    implAccept(plain);
    boolean done = false;
    try {
      SSLSocket socket = (SSLSocket) sockets.createSocket(plain, (InputStream) null, true);
      socket.setUseClientMode(own.getUseClientMode());
      socket.setSSLParameters(getSSLParameters());
      socket.setEnableSessionCreation(own.getEnableSessionCreation());
      done = true;
      return socket;
    } finally {
      if (!done) {
        plain.close();
      }
    }
  }

  // --- what its sockets begin with ---

  @Override
  public String[] getSupportedCipherSuites() {
    return own.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return Suites.listed(own.getEnabledCipherSuites(), own.getEnabledProtocols());
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    own.setEnabledCipherSuites(Suites.real(suites));
  }

  @Override
  public String[] getSupportedProtocols() {
    return Versions.listed(own.getSupportedProtocols());
  }

  @Override
  public String[] getEnabledProtocols() {
    return versions.enabled(own.getEnabledProtocols());
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    own.setEnabledProtocols(Versions.spoken(protocols));
    versions.protocolsWereSet();
  }

  @Override
  public void setUseClientMode(boolean clientMode) {
    own.setUseClientMode(clientMode);
  }

  @Override
  public boolean getUseClientMode() {
    return own.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    own.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return own.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    own.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return own.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    own.setEnableSessionCreation(enable);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return own.getEnableSessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    return versions.shown(own.getSSLParameters());
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    versions.set(parameters, own::setSSLParameters);
  }

  @Override
  public String toString() {
    return "[SSL: " + super.toString() + "]";
  }
}
