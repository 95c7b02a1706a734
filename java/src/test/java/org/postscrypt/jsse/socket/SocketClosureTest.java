package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Ends of streams and sockets. */
class SocketClosureTest {
  /** How long a blocked call may take to end after close(), in milliseconds. */
  private static final int PROMPT = 3000;

  @EachVersion
  void readIsMinusOneAfterThePeersClose(TlsCase c) throws Exception {
    Loopback.Handler sendAndClose = socket -> {
      socket.getOutputStream().write(Bytes.pattern(20_000));
      return null;
    };
    try (Loopback server = c.sockets().serve(sendAndClose); SSLSocket client = server.connect()) {
      InputStream in = client.getInputStream();
      assertArrayEquals(Bytes.pattern(20_000), in.readAllBytes());
      assertEquals(-1, in.read());
      assertEquals(-1, in.read(new byte[10]));
      assertEquals(0, in.available());
    }
  }

  @EachVersion
  void closeIsIdempotentAndFinal(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      SSLSocket client = server.connect();
      SocketHandshakeTest.assertEchoes(client);
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      assertFalse(client.isClosed());
      client.close();
      client.close();
      assertTrue(client.isClosed());
      assertNoMoreData(in);
      assertThrows(IOException.class, () -> out.write(1));
      assertThrows(IOException.class, client::startHandshake);
      assertThrows(IOException.class, client::getInputStream);
      assertThrows(IOException.class, client::getOutputStream);
      assertThrows(IOException.class, () -> client.setSoTimeout(1));
      assertEquals(1L, server.result());
    }
  }

  /** After close() read may throw; SunJSSE gives the end of the stream. */
  private static void assertNoMoreData(InputStream in) {
    try {
      assertEquals(-1, in.read());
    } catch (IOException e) {
      assertFalse(e instanceof SocketTimeoutException, e::toString);
    }
  }

  @EachVersion
  void sessionIsReadableAfterClose(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      SSLSocket client = server.connect();
      SocketHandshakeTest.assertEchoes(client);
      client.close();
      assertEquals(c.tls().protocol(), client.getSession().getProtocol());
      assertEquals(TestPki.server(c.key()).certificate(), client.getSession().getPeerCertificates()[0]);
    }
  }

  @EachVersion
  void closingAStreamClosesTheSocket(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      SSLSocket byInput = server.connect();
      SocketHandshakeTest.assertEchoes(byInput);
      byInput.getInputStream().close();
      assertTrue(byInput.isClosed());
      SSLSocket byOutput = server.connect();
      SocketHandshakeTest.assertEchoes(byOutput);
      byOutput.getOutputStream().close();
      assertTrue(byOutput.isClosed());
      assertEquals(1L, server.result());
      assertEquals(1L, server.result());
    }
  }

  @EachVersion
  void closeWithoutHandshake(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      SSLSocket client = server.connect();
      client.close();
      assertTrue(client.isClosed());
      assertInstanceOf(IOException.class, server.failure());
    }
  }

  /** In TLS 1.3 what the peer still sends arrives after shutdownOutput(); TLS 1.2 has no half-close. */
  @EachPairing
  void halfClose(TlsCase c) throws Exception {
    Loopback.Handler readAllThenAnswer = socket -> {
      byte[] all = socket.getInputStream().readAllBytes();
      socket.getOutputStream().write(Bytes.pattern(30_000));
      return all;
    };
    try (Loopback server = c.sockets().serve(readAllThenAnswer); SSLSocket client = server.connect()) {
      client.getOutputStream().write(Bytes.pattern(1000));
      client.shutdownOutput();
      assertTrue(client.isOutputShutdown());
      assertFalse(client.isInputShutdown());
      assertThrows(IOException.class, () -> client.getOutputStream().write(1));
      assertArrayEquals(Bytes.pattern(30_000), client.getInputStream().readAllBytes());
      assertArrayEquals(Bytes.pattern(1000), (byte[]) server.result());
    }
  }

  @EachVersion
  void shutdownOutputEndsThePeersStream(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      SocketHandshakeTest.assertEchoes(client);
      client.shutdownOutput();
      assertEquals(1L, server.result());
      assertEquals(-1, client.getInputStream().read());
    }
  }

  /** TCP ends without close_notify: not to be taken for the end of the stream (RFC 8446 section 6.1). */
  @EachVersion
  void truncationIsAnException(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    CountDownLatch cut = new CountDownLatch(1);
    try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      listening.setSoTimeout(Loopback.TIMEOUT_MILLIS);
      FutureTask<Void> server = Loopback.async(() -> {
        try (Socket plain = listening.accept()) {
          SSLSocket socket = (SSLSocket) setup.serverContext().getSocketFactory()
              .createSocket(plain, null, plain.getPort(), false);
          socket.setSoTimeout(Loopback.TIMEOUT_MILLIS);
          socket.setUseClientMode(false);
          socket.setEnabledProtocols(new String[] {c.tls().protocol()});
          socket.getOutputStream().write(Bytes.pattern(100));
          assertEquals(5, socket.getInputStream().read());
          plain.shutdownOutput();
          cut.countDown();
          return null;
        }
      });
      try (SSLSocket client = setup.connect(listening.getLocalPort())) {
        InputStream in = client.getInputStream();
        assertArrayEquals(Bytes.pattern(100), in.readNBytes(100));
        client.getOutputStream().write(5);
        assertTrue(cut.await(Loopback.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
        if (c.pairing().client() == Peer.JDK) {
          // SunJSSE takes it for an orderly end, unless a system property says otherwise.
          assertEquals(-1, in.read());
        } else {
          assertThrows(SSLException.class, () -> in.read());
        }
      }
      Loopback.await(server);
    }
  }

  /** Runs {@code blocked} in another thread, closes the socket meanwhile, and returns what it threw. */
  private static Exception closedWhile(SSLSocket socket, Callable<Object> blocked) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    FutureTask<Exception> task = Loopback.async(() -> {
      started.countDown();
      try {
        blocked.call();
        return null;
      } catch (Exception e) {
        return e;
      }
    });
    assertTrue(started.await(PROMPT, TimeUnit.MILLISECONDS));
    Thread.sleep(200); // to be in the blocking call; if it is not yet, the test is weaker but still right
    FutureTask<Void> close = Loopback.async(() -> {
      socket.close();
      return null;
    });
    Exception thrown = Loopback.await(task, PROMPT);
    Loopback.await(close, PROMPT);
    assertTrue(socket.isClosed());
    return thrown;
  }

  @EachVersion
  void closeEndsABlockedRead(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      SSLSocket client = server.connect();
      client.setSoTimeout(0);
      SocketHandshakeTest.assertEchoes(client);
      InputStream in = client.getInputStream();
      int[] result = {0};
      Exception thrown = closedWhile(client, () -> result[0] = in.read());
      assertTrue(thrown instanceof IOException || thrown == null && result[0] == -1, () -> "" + thrown);
    }
  }

  @EachVersion
  void closeEndsABlockedWrite(TlsCase c) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Loopback.Handler neverReads = socket -> {
      socket.startHandshake();
      return done.await(Loopback.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    };
    try (Loopback server = c.sockets().serve(neverReads)) {
      SSLSocket client = server.connect();
      client.setSoTimeout(0);
      client.startHandshake();
      if (c.pairing().client() == Peer.JDK) {
        // SunJSSE's close() waits for the writer in order to send close_notify, unless it is told for how long.
        client.setSoLinger(true, 1);
      }
      OutputStream out = client.getOutputStream();
      Exception thrown = closedWhile(client, () -> {
        for (int i = 0; i < 1000; i++) {
          out.write(Bytes.pattern(65_536));
        }
        return null;
      });
      assertInstanceOf(IOException.class, thrown);
      done.countDown();
    }
  }

  @EachVersion
  void closeEndsABlockedHandshake(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      SSLSocket client = setup.connect(silent.getLocalPort());
      client.setSoTimeout(0);
      Exception thrown = closedWhile(client, () -> {
        client.startHandshake();
        return null;
      });
      assertInstanceOf(IOException.class, thrown);
    }
  }

  @EachVersion
  void closeEndsABlockedAccept(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      SocketHandshakeTest.assertEchoes(client);
      // Loopback.close() asserts it.
    }
  }

  @EachVersion
  void writesAfterThePeerHasGoneFailInTheEnd(TlsCase c) throws Exception {
    Loopback.Handler hangsUp = socket -> socket.getInputStream().read();
    try (Loopback server = c.sockets().serve(hangsUp); SSLSocket client = server.connect()) {
      client.getOutputStream().write(1);
      assertEquals(1, server.result());
      assertEquals(-1, client.getInputStream().read());
      assertThrows(IOException.class, () -> {
        for (int i = 0; i < 2000; i++) {
          client.getOutputStream().write(Bytes.pattern(16_000));
          Thread.sleep(i < 100 ? 1 : 10);
        }
      });
    }
  }
}
