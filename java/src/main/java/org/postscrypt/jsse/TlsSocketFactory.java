package org.postscrypt.jsse;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Objects;
import javax.net.ssl.SSLSocketFactory;

/** Client sockets, and servers over existing sockets, of one context. */
final class TlsSocketFactory extends SSLSocketFactory {
  private final EngineSource source;

  TlsSocketFactory(EngineSource source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return source.defaultParameters(true).getCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return source.supportedParameters().getCipherSuites();
  }

  @Override
  public Socket createSocket() {
    return TlsSocket.unconnected(source);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connect(resolve(host, port), host, null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localAddress, int localPort) throws IOException {
    return connect(resolve(host, port), host, new InetSocketAddress(localAddress, localPort));
  }

  @Override
  public Socket createSocket(InetAddress address, int port) throws IOException {
    return connect(new InetSocketAddress(Objects.requireNonNull(address, "address"), port), null, null);
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    InetSocketAddress peer = new InetSocketAddress(Objects.requireNonNull(address, "address"), port);
    return connect(peer, null, new InetSocketAddress(localAddress, localPort));
  }

  @Override
  public Socket createSocket(Socket s, String host, int port, boolean autoClose) throws IOException {
    return TlsSocket.layeredClient(source, s, host, port, autoClose);
  }

  @Override
  public Socket createSocket(Socket s, InputStream consumed, boolean autoClose) throws IOException {
    return TlsSocket.layeredServer(source, s, consumed, autoClose);
  }

  /** A null host is the loopback address, as for {@link Socket}. */
  private static InetSocketAddress resolve(String host, int port) throws UnknownHostException {
    return host == null
        ? new InetSocketAddress(InetAddress.getByName(null), port)
        : new InetSocketAddress(host, port);
  }

  private Socket connect(InetSocketAddress peer, String host, InetSocketAddress local) throws IOException {
    TlsSocket socket = TlsSocket.unconnected(source);
    boolean connected = false;
    try {
      if (local != null) {
        socket.bind(local);
      }
      socket.connect(peer, 0, host == null ? peer.getHostString() : host);
      connected = true;
      return socket;
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }
}
