package org.postscrypt.jsse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;

/**
 * Accepts TLS sockets. They have the settings that this socket had when they were accepted; the handshake is left to
 * whoever uses them, so {@link #accept()} waits for no peer's bytes.
 */
final class TlsServerSocket extends SSLServerSocket {
  /** A change of an engine's settings. */
  private interface Setting {
    void apply(SSLEngine engine);
  }

  private final EngineSource source;

  /** Guards the rest. */
  private final ReentrantLock settings = new ReentrantLock();

  /** Holds and checks the settings, never handshakes; null while they are the defaults. */
  private SSLEngine template;

  /** Unbound. */
  TlsServerSocket(EngineSource source) throws IOException {
    this.source = source;
  }

  /** Bound to a port, to every local address if {@code local} is null. */
  TlsServerSocket(EngineSource source, int port, int backlog, InetAddress local) throws IOException {
    super(port, backlog, local);
    this.source = source;
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
      TlsSocket socket = wrap(plain);
      done = true;
      return socket;
    } finally {
      if (!done) {
        plain.close();
      }
    }
  }

  private TlsSocket wrap(Socket plain) throws IOException {
    SSLParameters parameters = null;
    boolean clientMode = false;
    boolean sessionCreation = true;
    settings.lock();
    try {
      if (template != null) {
        parameters = template.getSSLParameters();
        clientMode = template.getUseClientMode();
        sessionCreation = template.getEnableSessionCreation();
      }
    } finally {
      settings.unlock();
    }
    TlsSocket socket = TlsSocket.accepted(source, plain, clientMode);
    if (parameters != null) {
      socket.setSSLParameters(parameters);
      socket.setEnableSessionCreation(sessionCreation);
    }
    return socket;
  }

  /** The settings to look at: the template's or, while there is none, fresh defaults. */
  private SSLEngine current() {
    settings.lock();
    try {
      return template != null ? template : source.newEngine(null, -1, false, null);
    } finally {
      settings.unlock();
    }
  }

  private void change(Setting setting) {
    settings.lock();
    try {
      SSLEngine changed = current();
      setting.apply(changed);
      template = changed;
    } finally {
      settings.unlock();
    }
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return source.supportedParameters().getCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return current().getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    change(e -> e.setEnabledCipherSuites(suites));
  }

  @Override
  public String[] getSupportedProtocols() {
    return source.supportedParameters().getProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return current().getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    change(e -> e.setEnabledProtocols(protocols));
  }

  @Override
  public SSLParameters getSSLParameters() {
    return current().getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    change(e -> e.setSSLParameters(parameters));
  }

  @Override
  public boolean getUseClientMode() {
    return current().getUseClientMode();
  }

  @Override
  public void setUseClientMode(boolean clientMode) {
    change(e -> e.setUseClientMode(clientMode));
  }

  @Override
  public boolean getNeedClientAuth() {
    return current().getNeedClientAuth();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    change(e -> e.setNeedClientAuth(need));
  }

  @Override
  public boolean getWantClientAuth() {
    return current().getWantClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    change(e -> e.setWantClientAuth(want));
  }

  @Override
  public boolean getEnableSessionCreation() {
    return current().getEnableSessionCreation();
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    change(e -> e.setEnableSessionCreation(enable));
  }

  @Override
  public String toString() {
    return "TlsServerSocket[" + super.toString() + "]";
  }
}
