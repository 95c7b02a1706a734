package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.OverSunEngines;

class CloseTest extends Loopback {
  private final SSLSocketFactory clients = OverSunEngines.sockets(CLIENT_CONTEXT);

  @ParameterizedTest
  @MethodSource("pairs")
  void closeNotifyIsTheEnd(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = established(client, server, protocol);
    InputStream in = pair.server.getInputStream();
    pair.client.getOutputStream().write(bytes(50_000));
    pair.client.close();
    assertArrayEquals(bytes(50_000), in.readAllBytes());
    assertEquals(-1, in.read());
    assertEquals(0, in.available());
    assertTrue(pair.client.isClosed());
    pair.server.close();
    pair.client.close();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void closeByTheServer(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = established(client, server, protocol);
    pair.server.getOutputStream().write(5);
    pair.server.close();
    assertEquals(5, pair.client.getInputStream().read());
    assertEquals(-1, pair.client.getInputStream().read());
  }

  @Test
  void closedSocket() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    InputStream in = pair.client.getInputStream();
    OutputStream out = pair.client.getOutputStream();
    pair.server.getOutputStream().write(bytes(100));
    in.read();
    in.close();
    assertTrue(pair.client.isClosed());
    assertTrue(pair.client.isInputShutdown());
    assertTrue(pair.client.isOutputShutdown());
    assertTrue(pair.client.isConnected());
    for (Callable<?> use : new Callable<?>[] {in::read, pair.client::getInputStream, pair.client::getOutputStream}) {
      assertEquals("Socket is closed", assertThrows(SocketException.class, use::call).getMessage());
    }
    assertEquals("Socket is closed", assertThrows(SocketException.class, () -> out.write(1)).getMessage());
    assertEquals("Socket is closed", assertThrows(SocketException.class, pair.client::startHandshake).getMessage());
    assertEquals(0, in.available());
    assertEquals("TLSv1.3", pair.client.getSession().getProtocol(), "the session outlives the connection");
    out.close();
    pair.client.shutdownInput();
    pair.client.shutdownOutput();
  }

  @Test
  void closeWithoutHandshake() throws Exception {
    Pair pair = connect(Kind.OURS, Kind.OURS, "TLSv1.3");
    pair.client.close();
    assertThrows(SSLException.class, pair.server::startHandshake);
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void truncationIsAnError(String protocol) throws Exception {
    for (int cut : new int[] {0, 1, 5, 20}) {
      Socket[] plain = plain();
      SSLSocket client = layered(plain[0], protocol);
      SSLSocket server = jdkServer(plain[1]);
      shake(new Pair(client, server));
      server.getOutputStream().write(bytes(10));
      // The start of another record, then the end of the stream.
      byte[] record = new byte[5 + 100];
      System.arraycopy(new byte[] {23, 3, 3, 0, 100}, 0, record, 0, 5);
      plain[1].getOutputStream().write(record, 0, cut);
      plain[1].shutdownOutput();
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      assertArrayEquals(bytes(10), in.readNBytes(10));
      SSLException e = assertThrows(SSLException.class, in::read);
      assertTrue(e.getMessage().contains("without close_notify"), e::toString);
      assertInstanceOf(EOFException.class, e.getCause());
      for (Callable<?> again : new Callable<?>[] {in::read, in::available, () -> in.read(new byte[9])}) {
        SSLException second = assertThrows(SSLException.class, again::call);
        assertEquals(e.getMessage(), second.getMessage());
        assertSame(e.getClass(), second.getClass());
      }
      assertEquals(e.getMessage(), assertThrows(SSLException.class, () -> out.write(1)).getMessage());
      assertTrue(client.isClosed());
      assertTrue(plain[0].isClosed());
    }
  }

  @Test
  void forgedRecord() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = layered(plain[0], "TLSv1.3");
    SSLSocket server = jdkServer(plain[1]);
    shake(new Pair(client, server));
    server.getOutputStream().write(bytes(100));
    byte[] forged = new byte[5 + 40];
    System.arraycopy(new byte[] {23, 3, 3, 0, 40}, 0, forged, 0, 5);
    plain[1].getOutputStream().write(forged);
    InputStream in = client.getInputStream();
    assertEquals(bytes(1)[0] & 0xff, in.read());
    SSLException e = assertThrows(SSLException.class, () -> in.readAllBytes());
    assertThrows(e.getClass(), in::read);
    // The alert reached the peer.
    SSLException theirs = assertThrows(SSLException.class, () -> server.getInputStream().read());
    assertTrue(theirs.getMessage().contains("bad_record_mac"), theirs::toString);
  }

  @Test
  void dataBeforeAnErrorIsDelivered() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = layered(plain[0], "TLSv1.3");
    SSLSocket server = jdkServer(plain[1]);
    shake(new Pair(client, server));
    server.getOutputStream().write(bytes(1000));
    InputStream in = client.getInputStream();
    in.read(); // decrypts the record
    byte[] forged = new byte[5 + 20];
    System.arraycopy(new byte[] {23, 3, 3, 0, 20}, 0, forged, 0, 5);
    plain[1].getOutputStream().write(forged);
    assertEquals(999, in.readNBytes(999).length);
    assertThrows(SSLException.class, in::read);
  }

  private SSLSocket layered(Socket plain, String protocol) throws IOException {
    SSLSocket client = (SSLSocket) closing(clients.createSocket(plain, "localhost", 443, true));
    client.setEnabledProtocols(new String[] {protocol});
    return client;
  }

  private SSLSocket jdkServer(Socket plain) throws IOException {
    return (SSLSocket) closing(SERVER_CONTEXT.getSocketFactory().createSocket(plain, null, true));
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void closeEndsABlockedRead(String protocol) throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, protocol);
    Future<Integer> reader = async(() -> pair.client.getInputStream().read());
    Thread.sleep(100);
    long start = System.nanoTime();
    pair.client.close();
    assertEquals("Socket is closed", failure(SocketException.class, reader).getMessage());
    assertTrue(millisSince(start) < 1000);
    assertEquals(-1, pair.server.getInputStream().read());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void closeEndsABlockedWriteAndRead(String protocol) throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, protocol);
    Future<Void> writer = async(() -> fill(pair.client.getOutputStream()));
    Future<Integer> reader = async(() -> pair.client.getInputStream().read());
    Thread.sleep(500);
    assertFalse(writer.isDone());
    long start = System.nanoTime();
    pair.client.close();
    failure(SocketException.class, writer);
    failure(SocketException.class, reader);
    assertTrue(millisSince(start) < 1000, () -> millisSince(start) + " ms");
  }

  private static Void fill(OutputStream out) throws IOException {
    for (byte[] b = bytes(100_000); ; ) {
      out.write(b);
    }
  }

  @Test
  void lingerSaysHowLongToWait() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    pair.client.setSoLinger(true, 0);
    Future<Void> writer = async(() -> fill(pair.client.getOutputStream()));
    Thread.sleep(300);
    long start = System.nanoTime();
    pair.client.close();
    assertTrue(millisSince(start) < 400, () -> millisSince(start) + " ms");
    failure(SocketException.class, writer);
  }

  @Test
  void closeEndsABlockedHandshake() throws Exception {
    Pair pair = connect(Kind.OURS, Kind.JDK, "TLSv1.3");
    Future<Void> shaking = async(() -> {
      pair.client.startHandshake();
      return null;
    });
    Future<Integer> waiting = async(() -> pair.client.getInputStream().read());
    Thread.sleep(100);
    long start = System.nanoTime();
    pair.client.close();
    assertEquals("Socket is closed", failure(SocketException.class, shaking).getMessage());
    failure(SocketException.class, waiting);
    assertTrue(millisSince(start) < 1000);
  }

  @Test
  void closeDoesNotWaitForAPeerThatDoesNotRead() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1); Clogged transport = new Clogged()) {
      transport.connect(new InetSocketAddress("127.0.0.1", listener.getLocalPort()));
      SSLSocket server = jdkServer(closing(listener.accept()));
      SSLSocket client = layered(transport, "TLSv1.3");
      shake(new Pair(client, server));
      transport.clog();
      long start = System.nanoTime();
      client.close();
      assertTrue(millisSince(start) < 1000, () -> millisSince(start) + " ms");
      assertTrue(transport.isClosed());
      assertThrows(IOException.class, () -> client.getOutputStream().write(1));
    }
  }

  @Test
  void interruptedCloser() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    Future<Boolean> closer = async(() -> {
      Thread.currentThread().interrupt();
      pair.client.close();
      return Thread.interrupted();
    });
    assertTrue(get(closer), "the interrupt stays pending");
    assertEquals(-1, pair.server.getInputStream().read(), "close_notify was sent all the same");
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void halfCloseOutput(String protocol) throws Exception {
    Pair pair = established(Kind.OURS, Kind.OURS, protocol);
    OutputStream out = pair.client.getOutputStream();
    out.write(1);
    pair.client.shutdownOutput();
    pair.client.shutdownOutput();
    assertTrue(pair.client.isOutputShutdown());
    assertFalse(pair.client.isInputShutdown());
    assertFalse(pair.client.isClosed());
    assertThrows(SocketException.class, () -> out.write(2));
    assertEquals("Socket output is already shutdown",
        assertThrows(SocketException.class, pair.client::getOutputStream).getMessage());
    assertEquals(1, pair.server.getInputStream().read());
    assertEquals(-1, pair.server.getInputStream().read());
    if (protocol.equals("TLSv1.3")) {
      pair.server.getOutputStream().write(bytes(20_000));
    } else {
      // The answer is a close_notify at once, after which nothing may be written.
      assertThrows(SocketException.class, () -> pair.server.getOutputStream().write(3));
    }
    pair.server.close();
    assertEquals(protocol.equals("TLSv1.3") ? 20_000 : 0, pair.client.getInputStream().readAllBytes().length);
    pair.client.shutdownInput(); // after close_notify: fine
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void halfCloseInput(String protocol) throws Exception {
    Pair pair = established(Kind.OURS, Kind.OURS, protocol);
    InputStream in = pair.client.getInputStream();
    Future<Integer> reader = async(in::read);
    Thread.sleep(100);
    SSLException e = assertThrows(SSLException.class, pair.client::shutdownInput);
    assertTrue(e.getMessage().contains("close_notify"), e::toString);
    assertEquals(-1, get(reader));
    assertEquals(-1, in.read());
    assertEquals(0, in.available());
    assertTrue(pair.client.isInputShutdown());
    pair.client.shutdownInput();
    assertEquals("Socket input is already shutdown",
        assertThrows(SocketException.class, pair.client::getInputStream).getMessage());
    if (protocol.equals("TLSv1.3")) {
      pair.client.getOutputStream().write(6);
      assertEquals(6, pair.server.getInputStream().read());
    }
    pair.client.close();
  }

  @Test
  void resetByThePeer() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = layered(plain[0], "TLSv1.3");
    shake(new Pair(client, jdkServer(plain[1])));
    plain[1].setSoLinger(true, 0);
    plain[1].close();
    InputStream in = client.getInputStream();
    SocketException first = assertThrows(SocketException.class, in::read);
    assertEquals(first.getMessage(), assertThrows(SocketException.class, in::read).getMessage());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void races(String protocol) throws Exception {
    try (ServerSocket listener = OverSunEngines.serverSockets(SERVER_CONTEXT).createServerSocket(0)) {
      for (int round = 0; round < 500; round++) {
        SSLSocket c = (SSLSocket) clients.createSocket("localhost", listener.getLocalPort());
        SSLSocket s = (SSLSocket) listener.accept();
        c.setEnabledProtocols(new String[] {protocol});
        c.setTcpNoDelay(true);
        s.setTcpNoDelay(true);
        if (round % 4 != 0) { // else the handshake takes part in the race
          shake(new Pair(c, s));
        }
        InputStream in = c.getInputStream();
        OutputStream out = c.getOutputStream();
        CountDownLatch go = new CountDownLatch(1);
        Future<?>[] all = {
            async(racing(go, () -> in.read(new byte[100]))),
            async(racing(go, () -> {
              for (int i = 0; i < 20; i++) {
                out.write(bytes(1 + i * 5000));
              }
              return null;
            })),
            async(racing(go, () -> {
              s.getInputStream().readAllBytes();
              return null;
            })),
            async(racing(go, () -> {
              s.getOutputStream().write(bytes(100_000));
              return null;
            })),
            async(racing(go, () -> {
              out.close();
              return null;
            })),
            async(racing(go, () -> {
              in.close();
              return null;
            })),
            async(racing(go, () -> {
              c.shutdownOutput();
              return null;
            })),
            async(racing(go, () -> {
              s.close();
              return null;
            })),
        };
        go.countDown();
        for (Future<?> each : all) {
          get(each);
        }
        assertTrue(c.isClosed() && s.isClosed());
      }
    }
  }

  /** I/O may fail in any way once the other side has closed; only IOExceptions, and none that hangs. */
  private static Callable<Object> racing(CountDownLatch go, Callable<?> work) {
    return () -> {
      go.await();
      int pause = ThreadLocalRandom.current().nextInt(4);
      if (pause > 0) {
        Thread.sleep(pause);
      }
      try {
        return work.call();
      } catch (IOException e) {
        return e;
      }
    };
  }
}
