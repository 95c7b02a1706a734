package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Handshakes over sockets that fail. */
class SocketFailureTest {
  static void https(SSLSocket socket) {
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
  }

  private static void assertClientRefuses(SocketSetup setup) throws Exception {
    try (Loopback server = setup.serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      SSLHandshakeException e = assertThrows(SSLHandshakeException.class, client::startHandshake);
      Alerts.assertCause(CertificateException.class, e);
      Exception other = server.failure();
      // A client that closes with the rest of the flight unread resets the connection; the alert may be lost.
      assertInstanceOf(IOException.class, other);
      if (other instanceof SSLException) {
        Alerts.assertNames(other, "certificate_unknown", "unknown_ca", "bad_certificate", "certificate_expired");
      }
      assertThrows(IOException.class, () -> client.getInputStream().read());
      assertThrows(IOException.class, () -> client.getOutputStream().write(1));
    }
  }

  @EachVersion
  void untrustedServer(TlsCase c) throws Exception {
    assertClientRefuses(c.sockets().serverIdentity(TestPki.untrusted()));
  }

  @EachVersion
  void expiredServer(TlsCase c) throws Exception {
    assertClientRefuses(c.sockets().serverIdentity(TestPki.expired()));
  }

  @EachVersion
  void wrongName(TlsCase c) throws Exception {
    assertClientRefuses(c.sockets().serverIdentity(TestPki.wrongName()).client(SocketFailureTest::https));
  }

  @EachVersion
  void rightNameAndAddress(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().client(SocketFailureTest::https);
    try (Loopback server = setup.serve(Loopback.ECHO)) {
      for (String host : new String[] {"127.0.0.1", "localhost", TestPki.HOST}) {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port());
        try (SSLSocket client = setup.configure((SSLSocket) setup.clientContext().getSocketFactory()
            .createSocket(plain, host, server.port(), true))) {
          SocketHandshakeTest.assertEchoes(client);
        }
      }
    }
  }

  @EachVersion
  void peerHangsUpDuringTheHandshake(TlsCase c) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      listening.setSoTimeout(Loopback.TIMEOUT_MILLIS);
      FutureTask<Void> server = Loopback.async(() -> {
        try (Socket socket = listening.accept()) {
          socket.setSoTimeout(Loopback.TIMEOUT_MILLIS);
          byte[] header = socket.getInputStream().readNBytes(5);
          socket.getInputStream().readNBytes((header[3] & 0xFF) << 8 | header[4] & 0xFF);
          return null;
        }
      });
      try (SSLSocket client = c.sockets().connect(listening.getLocalPort())) {
        assertThrows(SSLException.class, client::startHandshake);
        assertThrows(IOException.class, () -> client.getInputStream().read());
      }
      Loopback.await(server);
    }
  }

  @EachVersion
  void clientHangsUpDuringTheHandshake(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        plain.getOutputStream().write(new byte[] {22, 3, 1, 0, 100, 1});
      }
      assertInstanceOf(IOException.class, server.failure());
    }
  }

  @EachVersion
  void plainHttpClient(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO);
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout(Loopback.TIMEOUT_MILLIS);
      plain.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertInstanceOf(SSLException.class, server.failure());
      assertEnds(plain.getInputStream());
    }
  }

  /** Reads to the end, or to a reset: an alert may come, but not much. */
  private static void assertEnds(InputStream in) {
    int n = 0;
    try {
      while (in.read() >= 0) {
        n++;
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the server does not hang up", e);
    } catch (IOException e) {
      assertTrue(n <= 7, "reset after an alert at most");
    }
    assertTrue(n <= 7, "an alert at most");
  }

  @EachVersion
  void plainServer(TlsCase c) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      listening.setSoTimeout(Loopback.TIMEOUT_MILLIS);
      FutureTask<Void> server = Loopback.async(() -> {
        try (Socket socket = listening.accept()) {
          socket.setSoTimeout(Loopback.TIMEOUT_MILLIS);
          socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          assertEnds(socket, socket.getInputStream());
          return null;
        }
      });
      try (SSLSocket client = c.sockets().connect(listening.getLocalPort())) {
        assertThrows(SSLException.class, client::startHandshake);
      }
      Loopback.await(server);
    }
  }

  /** Reads the hello and what follows until the end. */
  private static void assertEnds(Socket socket, InputStream in) throws IOException {
    byte[] buffer = new byte[4096];
    try {
      for (int i = 0; i < 100 && in.read(buffer) >= 0; i++) {
        assertTrue(socket.isConnected());
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the client does not hang up", e);
    }
  }

  @EachVersion
  void silentServerTimesOut(TlsCase c) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SSLSocket client = c.sockets().connect(silent.getLocalPort())) {
      client.setSoTimeout(200);
      assertThrows(SocketTimeoutException.class, client::startHandshake);
    }
  }

  @EachVersion
  void noSharedProtocol(TlsCase c) throws Exception {
    String other = c.tls().protocol().equals("TLSv1.3") ? "TLSv1.2" : "TLSv1.3";
    SocketSetup setup = c.sockets().client(s -> s.setEnabledProtocols(new String[] {other}));
    try (Loopback server = setup.serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      SSLException e = assertThrows(SSLException.class, client::startHandshake);
      Alerts.assertNames(e, "protocol_version");
      assertInstanceOf(SSLHandshakeException.class, server.failure());
    }
  }

  @EachVersion
  void serverServesOthersAfterAFailure(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (Loopback server = setup.serve(Loopback.ECHO)) {
      for (int i = 0; i < 3; i++) {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
          plain.getOutputStream().write(new byte[100]);
          assertInstanceOf(IOException.class, server.failure());
        }
        try (SSLSocket client = server.connect()) {
          SocketHandshakeTest.assertEchoes(client);
        }
        assertEquals(1L, server.result());
      }
    }
  }
}
