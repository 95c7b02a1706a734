package org.postscrypt.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.conscrypt.Conscrypt;

/** Pairs of connected TLS sockets of one provider, over loopback: TLS 1.3, AES-128-GCM. */
final class Sockets {
  private final Engines engines;
  private final SSLSocketFactory clients;
  private final SSLSocketFactory layers;
  private final SSLServerSocketFactory servers;

  /** @throws UnsupportedOperationException if the provider has no sockets */
  Sockets(String provider) throws Exception {
    if (provider.equals("netty")) {
      throw new UnsupportedOperationException("no SSLSocket");
    }
    engines = new Engines(provider, "TLSv1.3", "EC", "x25519", false);
    clients = engines.contexts[0].getSocketFactory();
    layers = engines.contexts[1].getSocketFactory();
    servers = engines.contexts[1].getServerSocketFactory();
    if (provider.equals("conscrypt")) {
      Conscrypt.setUseEngineSocket(clients, true);
      Conscrypt.setUseEngineSocket(layers, true);
      Conscrypt.setUseEngineSocket(servers, true);
    }
  }

  /**
   * Connects two sockets and completes their handshake.
   *
   * @param channel {@code none}: sockets that the provider's factories connect and accept; {@code no-channel}: layered over plain
   *     sockets; {@code channel}: layered over the sockets of socket channels
   * @return the client's and the server's
   */
  SSLSocket[] connect(String channel) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    SSLSocket[] ends = switch (channel) {
      case "none" -> {
        try (ServerSocket listener = servers.createServerSocket(0, 1, loopback)) {
          SSLSocket client = (SSLSocket) clients.createSocket(loopback, listener.getLocalPort());
          yield new SSLSocket[] {client, (SSLSocket) listener.accept()};
        }
      }
      case "no-channel" -> {
        try (ServerSocket listener = new ServerSocket(0, 1, loopback)) {
          Socket client = new Socket(loopback, listener.getLocalPort());
          yield layered(client, listener.accept());
        }
      }
      case "channel" -> {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
          SocketChannel client = SocketChannel.open(listener.getLocalAddress());
          yield layered(client.socket(), listener.accept().socket());
        }
      }
      default -> throw new IllegalArgumentException(channel);
    };
    ends[1].setUseClientMode(false);
    for (SSLSocket end : ends) {
      // Else small writes wait for the other end's acknowledgement.
      end.setTcpNoDelay(true);
      end.setSSLParameters(engines.parameters);
    }
    Callable<Void> handshake = () -> {
      ends[1].startHandshake();
      // Tickets and the like are on their way with this.
      ends[1].getOutputStream().write(1);
      return null;
    };
    FutureTask<Void> server = new FutureTask<>(handshake);
    Thread thread = new Thread(server, "server's handshake");
    thread.start();
    ends[0].startHandshake();
    if (ends[0].getInputStream().read() != 1) {
      throw new IOException("the first byte did not come");
    }
    server.get();
    if (!ends[0].getSession().getCipherSuite().equals("TLS_AES_128_GCM_SHA256")) {
      throw new UnsupportedOperationException(ends[0].getSession().getCipherSuite());
    }
    return ends;
  }

  private SSLSocket[] layered(Socket client, Socket server) throws IOException {
    return new SSLSocket[] {
      (SSLSocket) clients.createSocket(client, Pki.HOST, client.getPort(), true),
      (SSLSocket) layers.createSocket(server, Pki.HOST, server.getPort(), true)
    };
  }
}
