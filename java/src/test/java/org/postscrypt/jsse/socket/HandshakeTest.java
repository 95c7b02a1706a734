package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.OverSunEngines;

class HandshakeTest extends Loopback {
  @ParameterizedTest
  @MethodSource("pairs")
  void explicitAndAgain(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = established(client, server, protocol);
    assertEquals(protocol, pair.client.getSession().getProtocol());
    assertEquals(protocol, pair.server.getSession().getProtocol());
    assertEquals(SERVER.certificate, pair.client.getSession().getPeerCertificates()[0]);
    assertNull(pair.client.getHandshakeSession());
    if (client == Kind.OURS) {
      pair.client.startHandshake();
    }
    if (server == Kind.OURS) {
      pair.server.startHandshake();
    }
    pair.client.getOutputStream().write(1);
    assertEquals(1, pair.server.getInputStream().read());
    pair.server.getOutputStream().write(2);
    assertEquals(2, pair.client.getInputStream().read());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void bySession(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = connect(client, server, protocol);
    Future<SSLSession> other = async(pair.server::getSession);
    assertEquals(protocol, pair.client.getSession().getProtocol());
    assertEquals(protocol, get(other).getProtocol());
    assertTrue(pair.client.getSession().isValid());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void manyThreadsAtOnce(String protocol) throws Exception {
    Pair pair = connect(Kind.OURS, Kind.OURS, protocol);
    BlockingQueue<HandshakeCompletedEvent> events = new ArrayBlockingQueue<>(10);
    pair.client.addHandshakeCompletedListener(events::add);
    List<Future<Object>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      SSLSocket socket = i % 2 == 0 ? pair.client : pair.server;
      all.add(async(() -> {
        socket.startHandshake();
        return null;
      }));
    }
    for (Future<Object> each : all) {
      get(each);
    }
    assertNotNull(events.poll(5, TimeUnit.SECONDS));
    assertNull(events.poll(100, TimeUnit.MILLISECONDS), "one handshake, one event");
  }

  @Test
  void listenerMayUseTheSocket() throws Exception {
    Pair pair = connect(Kind.OURS, Kind.JDK, "TLSv1.3");
    BlockingQueue<Object> seen = new ArrayBlockingQueue<>(10);
    HandshakeCompletedListener removed = e -> seen.add("removed");
    pair.client.addHandshakeCompletedListener(removed);
    pair.client.addHandshakeCompletedListener(e -> {
      throw new IllegalStateException("of a listener, expected in the test's output");
    });
    pair.client.addHandshakeCompletedListener(e -> {
      try {
        e.getSocket().startHandshake();
        e.getSocket().getOutputStream().write(9);
        seen.add(e.getSocket().getInputStream().read());
        seen.add(e.getSession());
        seen.add(e.getSocket());
        e.getSocket().close();
      } catch (IOException x) {
        seen.add(x);
      }
    });
    pair.client.removeHandshakeCompletedListener(removed);
    assertThrows(IllegalArgumentException.class, () -> pair.client.removeHandshakeCompletedListener(removed));
    assertThrows(IllegalArgumentException.class, () -> pair.client.removeHandshakeCompletedListener(null));
    assertThrows(IllegalArgumentException.class, () -> pair.client.addHandshakeCompletedListener(null));
    Future<Integer> other = async(() -> {
      int got = pair.server.getInputStream().read();
      pair.server.getOutputStream().write(got + 1);
      return pair.server.getInputStream().read();
    });
    pair.client.startHandshake();
    assertEquals(10, seen.poll(10, TimeUnit.SECONDS));
    assertEquals("TLSv1.3", ((SSLSession) seen.poll(10, TimeUnit.SECONDS)).getProtocol());
    assertSame(pair.client, seen.poll(10, TimeUnit.SECONDS));
    assertEquals(-1, get(other));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void untrustedServer(Kind client, Kind server, String protocol) throws Exception {
    SSLContext distrustful = Identity.context(null, CLIENT);
    Pair pair = connect(client, distrustful, server, SERVER_CONTEXT, protocol);
    Future<Integer> other = async(() -> pair.server.getInputStream().read());
    SSLHandshakeException mine = assertThrows(SSLHandshakeException.class, pair.client::startHandshake);
    SSLException theirs = failure(SSLException.class, other);
    assertTrue(theirs.getMessage().contains("certificate_unknown"), theirs::toString);
    assertTrue(pair.client.isClosed());
    if (client == Kind.OURS) {
      assertRemembered(pair.client, mine);
      assertThrows(SocketException.class, pair.client::getInputStream);
    }
    if (server == Kind.OURS) {
      assertRemembered(pair.server, theirs);
      assertTrue(pair.server.isClosed());
    }
  }

  private static void assertRemembered(SSLSocket socket, SSLException first) throws Exception {
    SSLException again = assertThrows(SSLException.class, socket::startHandshake);
    assertEquals(first.getMessage(), again.getMessage());
    assertSame(first.getClass(), again.getClass());
    assertSame(first, again.getCause());
    assertInvalid(socket.getSession());
  }

  private static void assertInvalid(SSLSession session) {
    assertEquals("SSL_NULL_WITH_NULL_NULL", session.getCipherSuite());
    assertEquals("NONE", session.getProtocol());
    assertFalse(session.isValid());
    assertEquals(0, session.getId().length);
    assertThrows(SSLPeerUnverifiedException.class, session::getPeerCertificates);
    assertThrows(IllegalArgumentException.class, () -> session.putValue("name", null));
    session.putValue("name", 1);
    assertEquals(1, session.getValue("name"));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void sessionOfFailedHandshake(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = connect(client, Identity.context(null, CLIENT), server, SERVER_CONTEXT, protocol);
    Future<SSLSession> other = async(pair.server::getSession);
    SSLSession mine = pair.client.getSession();
    if (client == Kind.OURS) {
      assertInvalid(mine);
    }
    SSLSession theirs = get(other);
    if (server == Kind.OURS) {
      assertInvalid(theirs);
    }
  }

  @Test
  void sessionWithoutConnection() throws Exception {
    SSLSocket socket = (SSLSocket) closing(OverSunEngines.sockets(CLIENT_CONTEXT).createSocket());
    assertInvalid(socket.getSession());
    assertNull(socket.getHandshakeSession());
    assertEquals("Socket is not connected",
        assertThrows(SocketException.class, socket::startHandshake).getMessage());
    socket.close();
    assertEquals("Socket is closed", assertThrows(SocketException.class, socket::startHandshake).getMessage());
    assertInvalid(socket.getSession());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void missingClientCertificate(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = connect(client, Identity.context(null, SERVER), server, SERVER_CONTEXT, protocol);
    pair.server.setNeedClientAuth(true);
    Future<Integer> other = async(() -> pair.server.getInputStream().read());
    SSLException mine = assertThrows(SSLException.class, () -> {
      pair.client.startHandshake();
      pair.client.getInputStream().read();
    });
    failure(SSLHandshakeException.class, other);
    if (client == Kind.OURS) {
      // The alert, not a reset or an end of stream.
      assertTrue(mine.getMessage().contains("alert"), mine::toString);
    }
  }

  @Test
  void noCommonProtocol() throws Exception {
    for (Kind server : Kind.values()) {
      Pair pair = connect(Kind.OURS, server, "TLSv1.3");
      pair.client.setEnabledProtocols(new String[] {"TLSv1.2"});
      Future<Integer> other = async(() -> pair.server.getInputStream().read());
      SSLException mine = assertThrows(SSLException.class, pair.client::startHandshake);
      assertTrue(mine.getMessage().contains("protocol_version"), mine::toString);
      failure(SSLHandshakeException.class, other);
      assertTrue(pair.server.isClosed());
    }
  }

  @Test
  void peerThatIsNotTls() throws Exception {
    Socket[] plain = plain();
    plain[1].getOutputStream().write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    SSLSocket client = (SSLSocket) closing(
        OverSunEngines.sockets(CLIENT_CONTEXT).createSocket(plain[0], "localhost", 443, true));
    SSLException first = assertThrows(SSLException.class, client::startHandshake);
    assertRemembered(client, first);
    assertTrue(plain[0].isClosed());
  }

  @Test
  void peerThatHangsUp() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = (SSLSocket) closing(
        OverSunEngines.sockets(CLIENT_CONTEXT).createSocket(plain[0], "localhost", 443, true));
    plain[1].shutdownOutput();
    SSLHandshakeException e = assertThrows(SSLHandshakeException.class, client::startHandshake);
    assertEquals("Remote host terminated the handshake", e.getMessage());
    assertInstanceOf(EOFException.class, e.getCause());
    SSLHandshakeException again =
        assertThrows(SSLHandshakeException.class, () -> client.startHandshake());
    assertEquals(e.getMessage(), again.getMessage());
  }

  @Test
  void callbacksDuringTheHandshake() throws Exception {
    AtomicReference<SSLSocket> socket = new AtomicReference<>();
    AtomicReference<Object> seen = new AtomicReference<>();
    X509TrustManager manager = new X509TrustManager() {
      @Override
      public void checkClientTrusted(X509Certificate[] chain, String authType) {
        throw new IllegalStateException();
      }

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        try {
          assertInvalid(socket.get().getSession());
          assertNotNull(socket.get().getHandshakeSession());
          assertThrows(SSLException.class, () -> socket.get().getInputStream().read());
          assertThrows(SSLException.class, () -> socket.get().getOutputStream().write(1));
          assertThrows(SSLException.class, () -> socket.get().startHandshake());
          seen.set("all");
        } catch (Throwable e) {
          seen.set(e);
        }
      }

      @Override
      public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
      }
    };
    Pair pair = connect(Kind.OURS, Identity.context(null, SERVER, manager), Kind.JDK, SERVER_CONTEXT, "TLSv1.3");
    socket.set(pair.client);
    shake(pair);
    assertEquals("all", seen.get());
  }

  @Test
  void closeInATrustManager() throws Exception {
    AtomicReference<SSLSocket> socket = new AtomicReference<>();
    X509TrustManager manager = new X509TrustManager() {
      @Override
      public void checkClientTrusted(X509Certificate[] chain, String authType) {
        throw new IllegalStateException();
      }

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        try {
          socket.get().close();
        } catch (IOException e) {
          throw new CertificateException(e);
        }
      }

      @Override
      public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
      }
    };
    Pair pair = connect(Kind.OURS, Identity.context(null, SERVER, manager), Kind.JDK, SERVER_CONTEXT, "TLSv1.3");
    socket.set(pair.client);
    Future<Integer> other = async(() -> pair.server.getInputStream().read());
    assertThrows(SocketException.class, pair.client::startHandshake);
    failure(IOException.class, other);
  }

  @Test
  void modeIsFixedOnceBegun() throws Exception {
    Pair pair = established(Kind.OURS, Kind.OURS, "TLSv1.3");
    assertThrows(IllegalArgumentException.class, () -> pair.client.setUseClientMode(false));
    pair.client.setUseClientMode(true);
    assertThrows(IllegalArgumentException.class, () -> pair.server.setUseClientMode(true));
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void rolesSwapped(String protocol) throws Exception {
    // FTP style: who accepted is the TLS client.
    Pair pair = connect(
        Kind.OURS, Identity.context(SERVER, CLIENT), Kind.OURS, Identity.context(CLIENT, SERVER), protocol);
    pair.client.setUseClientMode(false);
    pair.server.setUseClientMode(true);
    shake(pair);
    assertEquals(SERVER.certificate, pair.server.getSession().getPeerCertificates()[0]);
  }
}
