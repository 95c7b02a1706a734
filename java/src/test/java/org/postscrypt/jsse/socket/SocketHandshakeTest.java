package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.postscrypt.jsse.support.EachKeyOfAll;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Socket handshakes that succeed. */
class SocketHandshakeTest {
  /** Writes one byte and waits for it to come back. */
  static void assertEchoes(SSLSocket socket) throws IOException {
    socket.getOutputStream().write(42);
    assertEquals(42, socket.getInputStream().read());
  }

  @EachKeyOfAll
  void explicitHandshake(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.startHandshake();
      SSLSession session = client.getSession();
      assertTrue(session.isValid());
      assertEquals(c.tls().protocol(), session.getProtocol());
      assertEquals(TestPki.server(c.key()).certificate(), session.getPeerCertificates()[0]);
      assertNull(client.getHandshakeSession());
      assertEchoes(client);
    }
  }

  @EachVersion
  void firstWriteHandshakes(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      assertEchoes(client);
    }
  }

  @EachVersion
  void firstReadHandshakes(TlsCase c) throws Exception {
    Loopback.Handler greeting = socket -> {
      socket.getOutputStream().write(7);
      return socket.getInputStream().read();
    };
    try (Loopback server = c.sockets().serve(greeting); SSLSocket client = server.connect()) {
      assertEquals(7, client.getInputStream().read());
      client.getOutputStream().write(8);
      assertEquals(8, server.result());
    }
  }

  @EachVersion
  void getSessionHandshakes(TlsCase c) throws Exception {
    Loopback.Handler handler = socket -> {
      SSLSession session = socket.getSession();
      socket.getInputStream().read();
      return session;
    };
    try (Loopback server = c.sockets().serve(handler); SSLSocket client = server.connect()) {
      SSLSession session = client.getSession();
      assertEquals(c.tls().protocol(), session.getProtocol());
      assertNotNull(session.getPeerCertificates());
      client.shutdownOutput();
      SSLSession other = (SSLSession) server.result();
      assertEquals(session.getCipherSuite(), other.getCipherSuite());
      assertThrows(SSLPeerUnverifiedException.class, other::getPeerCertificates);
      assertEquals(TestPki.server(c.key()).certificate(), other.getLocalCertificates()[0]);
    }
  }

  /** SSLSocket.getSession: no exception, but an invalid session with cipher suite SSL_NULL_WITH_NULL_NULL. */
  @EachVersion
  void getSessionAfterAFailedHandshakeIsTheNullSession(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().serverIdentity(TestPki.untrusted());
    try (Loopback server = setup.serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      SSLSession session = client.getSession();
      assertEquals("SSL_NULL_WITH_NULL_NULL", session.getCipherSuite());
      assertFalse(session.isValid());
      assertNotNull(server.failure());
    }
  }

  @EachVersion
  void sessionBeforeConnecting(TlsCase c) throws Exception {
    try (SSLSocket socket = (SSLSocket) c.sockets().clientContext().getSocketFactory().createSocket()) {
      assertEquals("SSL_NULL_WITH_NULL_NULL", socket.getSession().getCipherSuite());
      assertFalse(socket.isConnected());
      assertThrows(IOException.class, socket::getInputStream);
      assertThrows(IOException.class, socket::getOutputStream);
      assertThrows(IOException.class, socket::startHandshake);
    }
  }

  @EachVersion
  void unconnectedSocketConnectsLater(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (Loopback server = setup.serve(Loopback.ECHO);
        SSLSocket client = setup.configure((SSLSocket) setup.clientContext().getSocketFactory().createSocket())) {
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), Loopback.TIMEOUT_MILLIS);
      assertEchoes(client);
      assertEquals(server.port(), client.getPort());
    }
  }

  @EachVersion
  void everyFactoryMethod(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    SSLSocketFactory factory = setup.clientContext().getSocketFactory();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Loopback server = setup.serve(Loopback.ECHO)) {
      try (SSLSocket s = setup.configure((SSLSocket) factory.createSocket("127.0.0.1", server.port()))) {
        assertEchoes(s);
      }
      try (SSLSocket s = setup.configure((SSLSocket) factory.createSocket("127.0.0.1", server.port(), loopback, 0))) {
        assertEchoes(s);
      }
      try (SSLSocket s = setup.configure((SSLSocket) factory.createSocket(loopback, server.port()))) {
        assertEchoes(s);
      }
      try (SSLSocket s = setup.configure((SSLSocket) factory.createSocket(loopback, server.port(), loopback, 0))) {
        assertEchoes(s);
        assertTrue(s.isConnected());
        assertTrue(s.isBound());
        assertEquals(loopback, s.getInetAddress());
        assertEquals(loopback, s.getLocalAddress());
      }
    }
  }

  @EachVersion
  void factoryLists(TlsCase c) throws Exception {
    SSLSocketFactory factory = c.sockets().clientContext().getSocketFactory();
    String[] supported = factory.getSupportedCipherSuites();
    assertTrue(supported.length > 0);
    assertTrue(Set.of(supported).containsAll(Set.of(factory.getDefaultCipherSuites())));
    factory.getDefaultCipherSuites()[0] = "changed";
    factory.getSupportedCipherSuites()[0] = "changed";
    assertFalse(Set.of(factory.getDefaultCipherSuites()).contains("changed"));
    assertArrayEquals(supported, factory.getSupportedCipherSuites());
  }

  @EachVersion
  void listenersAreToldOnce(TlsCase c) throws Exception {
    BlockingQueue<HandshakeCompletedEvent> events = new LinkedBlockingQueue<>();
    BlockingQueue<HandshakeCompletedEvent> removed = new LinkedBlockingQueue<>();
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      HandshakeCompletedListener unwanted = removed::add;
      client.addHandshakeCompletedListener(events::add);
      client.addHandshakeCompletedListener(unwanted);
      client.removeHandshakeCompletedListener(unwanted);
      assertThrows(IllegalArgumentException.class, () -> client.addHandshakeCompletedListener(null));
      assertThrows(IllegalArgumentException.class, () -> client.removeHandshakeCompletedListener(null));
      assertThrows(IllegalArgumentException.class, () -> client.removeHandshakeCompletedListener(e -> { }));
      client.startHandshake();
      assertEchoes(client);
      HandshakeCompletedEvent event = events.poll(Loopback.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      assertNotNull(event);
      assertSame(client, event.getSocket());
      assertEquals(client.getSession().getCipherSuite(), event.getCipherSuite());
      assertEquals(c.tls().protocol(), event.getSession().getProtocol());
      assertEquals(TestPki.server(c.key()).certificate(), event.getPeerCertificates()[0]);
      assertEquals(TestPki.server(c.key()).certificate().getSubjectX500Principal(), event.getPeerPrincipal());
      assertNull(event.getLocalCertificates());
      assertTrue(removed.isEmpty());
    }
  }

  /** In TLS 1.3; in TLS 1.2 a socket may renegotiate or refuse. */
  @EachPairing
  void secondStartHandshakeDoesNotDisturb(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.startHandshake();
      client.startHandshake();
      assertEchoes(client);
    }
  }

  @EachVersion
  void socketOptionsReachTheConnection(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.setTcpNoDelay(true);
      client.setKeepAlive(true);
      client.setSoTimeout(4321);
      client.setReuseAddress(true);
      assertTrue(client.getTcpNoDelay());
      assertTrue(client.getKeepAlive());
      assertEquals(4321, client.getSoTimeout());
      assertTrue(client.getReuseAddress());
      assertThrows(SocketException.class, () -> client.sendUrgentData(1));
      assertThrows(SocketException.class, () -> client.setOOBInline(true));
      assertEchoes(client);
      assertTrue(client.getUseClientMode());
      assertThrows(IllegalArgumentException.class, () -> client.setUseClientMode(false));
      assertNotNull(client.toString());
    }
  }
}
