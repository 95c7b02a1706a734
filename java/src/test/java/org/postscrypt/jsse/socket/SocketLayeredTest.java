package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** TLS over an existing connection: createSocket(Socket, host, port, autoClose). */
class SocketLayeredTest {
  private static SSLSocket layer(SocketSetup setup, Socket plain, boolean autoClose) throws IOException {
    plain.setSoTimeout(Loopback.TIMEOUT_MILLIS);
    return setup.configure((SSLSocket) setup.clientContext().getSocketFactory()
        .createSocket(plain, TestPki.HOST, plain.getPort(), autoClose));
  }

  @EachVersion
  void autoCloseClosesTheConnection(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (Loopback server = setup.serve(Loopback.ECHO);
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      SSLSocket client = layer(setup, plain, true);
      SocketHandshakeTest.assertEchoes(client);
      client.close();
      assertTrue(client.isClosed());
      assertTrue(plain.isClosed());
      assertEquals(1L, server.result());
    }
  }

  @EachVersion
  void withoutAutoCloseTheConnectionStaysOpen(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    Loopback.Handler answersWithCloseNotify = socket -> {
      long n = (Long) Loopback.ECHO.handle(socket);
      return n;
    };
    try (Loopback server = setup.serve(answersWithCloseNotify);
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      SSLSocket client = layer(setup, plain, false);
      SocketHandshakeTest.assertEchoes(client);
      client.close();
      assertTrue(client.isClosed());
      assertFalse(plain.isClosed());
      assertEquals(1L, server.result());
    }
  }

  @EachVersion
  void hostBecomesSniAndPeerHost(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    Loopback.Handler names = socket -> {
      List<?> requested = ((ExtendedSSLSession) socket.getSession()).getRequestedServerNames();
      socket.getInputStream().read();
      return requested;
    };
    try (Loopback server = setup.serve(names);
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SSLSocket client = layer(setup, plain, true)) {
      client.startHandshake();
      assertEquals(TestPki.HOST, client.getSession().getPeerHost());
      assertEquals(server.port(), client.getSession().getPeerPort());
      assertEquals(server.port(), client.getPort());
      assertEquals(plain.getLocalPort(), client.getLocalPort());
      client.shutdownOutput();
      assertEquals(List.of(new SNIHostName(TestPki.HOST)), server.result());
    }
  }

  @EachVersion
  void startTls(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      listening.setSoTimeout(Loopback.TIMEOUT_MILLIS);
      FutureTask<Integer> server = Loopback.async(() -> {
        Socket plain = listening.accept();
        plain.setSoTimeout(Loopback.TIMEOUT_MILLIS);
        assertEquals('S', plain.getInputStream().read());
        plain.getOutputStream().write('G');
        try (SSLSocket upgraded = (SSLSocket) setup.serverContext().getSocketFactory()
            .createSocket(plain, null, plain.getPort(), true)) {
          upgraded.setUseClientMode(false);
          upgraded.setEnabledProtocols(new String[] {c.tls().protocol()});
          int b = upgraded.getInputStream().read();
          upgraded.getOutputStream().write(b + 1);
          return b;
        }
      });
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
        plain.setSoTimeout(Loopback.TIMEOUT_MILLIS);
        plain.getOutputStream().write('S');
        assertEquals('G', plain.getInputStream().read());
        try (SSLSocket client = layer(setup, plain, true)) {
          client.getOutputStream().write(10);
          assertEquals(11, client.getInputStream().read());
        }
      }
      assertEquals(10, Loopback.await(server));
    }
  }

  @EachVersion
  void unconnectedAndNullSocketsAreRefused(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (Socket unconnected = new Socket()) {
      assertThrows(
          IOException.class,
          () -> setup.clientContext().getSocketFactory().createSocket(unconnected, "localhost", 1, true));
    }
    assertThrows(
        NullPointerException.class,
        () -> setup.clientContext().getSocketFactory().createSocket((Socket) null, "localhost", 1, true));
  }

  /** TLS in TLS: any connected socket will do, also one without a file descriptor of its own. */
  @EachVersion
  void overAnotherTlsSocket(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    Loopback.Handler inner = outer -> {
      SSLSocket socket = (SSLSocket) setup.serverContext().getSocketFactory().createSocket(outer, null, 0, true);
      socket.setUseClientMode(false);
      socket.setEnabledProtocols(new String[] {c.tls().protocol()});
      return Loopback.ECHO.handle(socket);
    };
    try (Loopback server = setup.serve(inner); SSLSocket outer = server.connect()) {
      SSLSocket client = layer(setup, outer, true);
      SocketHandshakeTest.assertEchoes(client);
      client.close();
      assertTrue(outer.isClosed());
    }
  }
}
