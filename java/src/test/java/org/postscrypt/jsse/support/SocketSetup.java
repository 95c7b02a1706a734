package org.postscrypt.jsse.support;

import java.io.IOException;
import java.net.InetAddress;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** How a server socket and clients of it are made; defaults as for {@link EngineSetup}, on the loopback interface. */
public final class SocketSetup {
  private final TlsCase which;
  private final ContextSetup contexts;
  private SSLContext clientContext;
  private SSLContext serverContext;
  private Consumer<SSLServerSocket> server = s -> {};
  private Consumer<SSLSocket> client = s -> {};

  SocketSetup(TlsCase which) {
    this.which = which;
    this.contexts = new ContextSetup(which);
  }

  /** The server's certificate. */
  public SocketSetup serverIdentity(TestPki.Identity identity) {
    contexts.serverIdentity(identity);
    return this;
  }

  /** The server's key managers. */
  public SocketSetup serverKeys(KeyManager... managers) {
    contexts.serverKeys(managers);
    return this;
  }

  /** The client's key managers. */
  public SocketSetup clientKeys(KeyManager... managers) {
    contexts.clientKeys(managers);
    return this;
  }

  /** The client's certificate. */
  public SocketSetup clientIdentity(TestPki.Identity identity) {
    contexts.clientIdentity(identity);
    return this;
  }

  /** The client's trust managers. */
  public SocketSetup clientTrust(TrustManager... managers) {
    contexts.clientTrust(managers);
    return this;
  }

  /** Further settings of the server socket. */
  public SocketSetup server(Consumer<SSLServerSocket> settings) {
    server = server.andThen(settings);
    return this;
  }

  /** Further settings of each client socket. */
  public SocketSetup client(Consumer<SSLSocket> settings) {
    client = client.andThen(settings);
    return this;
  }

  /** The clients' context, always the same. */
  public SSLContext clientContext() {
    if (clientContext == null) {
      clientContext = contexts.client();
    }
    return clientContext;
  }

  /** The server's context, always the same. */
  public SSLContext serverContext() {
    if (serverContext == null) {
      serverContext = contexts.server();
    }
    return serverContext;
  }

  /** A bound server socket at a port of the system's choice. */
  public SSLServerSocket serverSocket() throws IOException {
    SSLServerSocket socket = (SSLServerSocket) serverContext().getServerSocketFactory()
        .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setSoTimeout(Loopback.TIMEOUT_MILLIS);
    socket.setEnabledProtocols(new String[] {which.tls().protocol()});
    server.accept(socket);
    return socket;
  }

  /** A connected client, handshake not begun. */
  public SSLSocket connect(int port) throws IOException {
    return configure(
        (SSLSocket) clientContext().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
  }

  /** Applies time-out, protocol version and the further settings to a client socket. */
  public SSLSocket configure(SSLSocket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(Loopback.TIMEOUT_MILLIS);
    socket.setEnabledProtocols(new String[] {which.tls().protocol()});
    client.accept(socket);
    return socket;
  }

  /** Starts a server that handles each connection by {@code handler} in a thread of its own. */
  public Loopback serve(Loopback.Handler handler) throws IOException {
    return new Loopback(this, serverSocket(), handler);
  }
}
