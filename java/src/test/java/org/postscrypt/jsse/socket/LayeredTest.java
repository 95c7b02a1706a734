package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postscrypt.jsse.OverSunEngines;

class LayeredTest extends Loopback {
  private final SSLSocketFactory clients = OverSunEngines.sockets(CLIENT_CONTEXT);
  private final SSLSocketFactory servers = OverSunEngines.sockets(SERVER_CONTEXT);

  @Test
  void delegatesTheSocketMethods() throws Exception {
    Socket[] plain = plain();
    Socket under = plain[0];
    SSLSocket s = (SSLSocket) closing(clients.createSocket(under, "localhost", 443, true));
    assertEquals(under.getLocalSocketAddress(), s.getLocalSocketAddress());
    assertEquals(under.getRemoteSocketAddress(), s.getRemoteSocketAddress());
    assertEquals(under.getInetAddress(), s.getInetAddress());
    assertEquals(under.getLocalAddress(), s.getLocalAddress());
    assertEquals(under.getPort(), s.getPort());
    assertEquals(under.getLocalPort(), s.getLocalPort());
    assertTrue(s.isConnected() && s.isBound());
    assertFalse(s.isClosed() || s.isInputShutdown() || s.isOutputShutdown());
    assertNull(s.getChannel());
    s.setTcpNoDelay(true);
    assertTrue(under.getTcpNoDelay() && s.getTcpNoDelay());
    s.setKeepAlive(true);
    assertTrue(under.getKeepAlive() && s.getKeepAlive());
    s.setReuseAddress(true);
    assertEquals(under.getReuseAddress(), s.getReuseAddress());
    s.setSoLinger(true, 3);
    assertEquals(3, under.getSoLinger());
    assertEquals(3, s.getSoLinger());
    s.setSoTimeout(1234);
    assertEquals(1234, under.getSoTimeout());
    assertEquals(1234, s.getSoTimeout());
    s.setSendBufferSize(20_000);
    assertEquals(under.getSendBufferSize(), s.getSendBufferSize());
    s.setReceiveBufferSize(20_000);
    assertEquals(under.getReceiveBufferSize(), s.getReceiveBufferSize());
    s.setTrafficClass(8);
    assertEquals(under.getTrafficClass(), s.getTrafficClass());
    s.setPerformancePreferences(1, 2, 3);
    assertThrows(SocketException.class, () -> s.sendUrgentData(1));
    assertThrows(SocketException.class, () -> s.setOOBInline(true));
    assertThrows(SocketException.class, s::getOOBInline);
    assertThrows(IOException.class, () -> s.bind(null));
    assertThrows(SocketException.class, () -> s.connect(new InetSocketAddress("localhost", 1)));
    assertTrue(s.toString().contains("localhost"));
    under.close();
    assertTrue(s.isClosed());
  }

  @Test
  void optionsByName() throws Exception {
    Socket[] plain = plain();
    try (Socket s = clients.createSocket(plain[0], "localhost", 443, true)) {
      assertEquals(7, s.supportedOptions().size());
      for (SocketOption<?> option : s.supportedOptions()) {
        roundTrip(s, plain[0], option);
      }
      assertSame(s, s.setOption(StandardSocketOptions.SO_LINGER, 5));
      assertEquals(5, plain[0].getSoLinger());
      s.setOption(StandardSocketOptions.SO_LINGER, -1);
      assertEquals(-1, plain[0].getSoLinger());
      assertThrows(UnsupportedOperationException.class, () -> s.setOption(StandardSocketOptions.SO_BROADCAST, true));
      assertThrows(UnsupportedOperationException.class, () -> s.getOption(StandardSocketOptions.SO_BROADCAST));
      assertThrows(NullPointerException.class, () -> s.getOption(null));
      assertThrows(IllegalArgumentException.class, () -> s.setOption(StandardSocketOptions.TCP_NODELAY, null));
    }
  }

  private static <T> void roundTrip(Socket s, Socket under, SocketOption<T> option) throws IOException {
    s.setOption(option, s.getOption(option));
    assertEquals(under.getOption(option), s.getOption(option));
  }

  @Test
  void notConnected() {
    assertThrows(SocketException.class, () -> clients.createSocket(new Socket(), "localhost", 1, true));
    assertThrows(SocketException.class, () -> clients.createSocket(new Socket(), (InputStream) null, true));
    assertThrows(NullPointerException.class, () -> clients.createSocket(null, "localhost", 1, true));
    assertThrows(NullPointerException.class, () -> clients.createSocket(null, (InputStream) null, true));
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void consumedInputIsReadFirst(String protocol) throws Exception {
    for (boolean autoClose : new boolean[] {true, false}) {
      Socket[] plain = plain();
      SSLSocket client = (SSLSocket) closing(
          CLIENT_CONTEXT.getSocketFactory().createSocket(plain[0], "localhost", 443, true));
      client.setEnabledProtocols(new String[] {protocol});
      Future<Void> other = async(() -> {
        client.startHandshake();
        client.getOutputStream().write(bytes(1000));
        return null;
      });
      byte[] peeked = new byte[60];
      new DataInputStream(plain[1].getInputStream()).readFully(peeked);
      SSLSocket server =
          (SSLSocket) closing(servers.createSocket(plain[1], new ByteArrayInputStream(peeked), autoClose));
      assertFalse(server.getUseClientMode());
      server.startHandshake();
      assertArrayEquals(bytes(1000), server.getInputStream().readNBytes(1000));
      get(other);
    }
  }

  /** Without the JDK's socket and TLS 1.3: there it takes what follows its last record when it closes. */
  static Stream<Arguments> pairsThatStopInTime() {
    return pairs().filter(a -> a.get()[2].equals("TLSv1.2") || a.get()[0] == a.get()[1]);
  }

  /** TLS ends in the middle of the stream, both sides talk plain after it; twice. */
  @ParameterizedTest
  @MethodSource("pairsThatStopInTime")
  void transportLivesOnWithoutAutoClose(Kind clientKind, Kind serverKind, String protocol) throws Exception {
    Socket[] plain = plain();
    plain[0].setSoTimeout(9000);
    for (int round = 0; round < 2; round++) {
      SSLSocket client =
          (SSLSocket) clientKind.sockets(CLIENT_CONTEXT).createSocket(plain[0], "localhost", 443, false);
      SSLSocket server = (SSLSocket) serverKind.sockets(SERVER_CONTEXT).createSocket(plain[1], null, false);
      client.setEnabledProtocols(new String[] {protocol});
      Pair pair = shake(new Pair(client, server));
      client.getOutputStream().write(bytes(30_000));
      Future<Void> other = async(() -> {
        assertArrayEquals(bytes(30_000), pair.server.getInputStream().readAllBytes());
        pair.server.close();
        plain[1].getOutputStream().write(bytes(100));
        return null;
      });
      pair.client.close();
      assertTrue(pair.client.isClosed());
      assertFalse(plain[0].isClosed());
      assertArrayEquals(bytes(100), plain[0].getInputStream().readNBytes(100));
      get(other);
      assertEquals(9000, plain[0].getSoTimeout(), "as before");
      plain[0].getOutputStream().write(1);
      assertEquals(1, plain[1].getInputStream().read());
    }
  }

  /** Who lends its socket may go on setting the time-out there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timeoutsOfTheTransport(boolean autoClose) throws Exception {
    Socket[] plain = plain();
    SSLSocket client = (SSLSocket) clients.createSocket(plain[0], "localhost", 443, autoClose);
    SSLSocket server = (SSLSocket) servers.createSocket(plain[1], null, true);
    plain[0].setSoTimeout(20);
    assertEquals(20, client.getSoTimeout());
    assertThrows(SocketTimeoutException.class, () -> client.getInputStream().read());
    plain[0].setSoTimeout(0);
    shake(new Pair(client, server));
    client.setSoTimeout(21);
    assertThrows(SocketTimeoutException.class, () -> client.getInputStream().read());
    plain[0].setSoTimeout(19);
    assertEquals(19, client.getSoTimeout());
    assertThrows(SocketTimeoutException.class, () -> client.getInputStream().read());
    plain[0].setSoTimeout(0);
    Future<Integer> reader = async(() -> client.getInputStream().read());
    Thread.sleep(300);
    server.getOutputStream().write(7);
    assertEquals(7, get(reader));
    client.setSoTimeout(8765);
    assertEquals(8765, client.getSoTimeout());
    client.close();
  }

  @Test
  void closeWithoutAutoCloseEndsAReader() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = (SSLSocket) clients.createSocket(plain[0], "localhost", 443, false);
    SSLSocket server = (SSLSocket) servers.createSocket(plain[1], null, false);
    shake(new Pair(client, server));
    Future<Integer> reader = async(() -> client.getInputStream().read());
    Thread.sleep(100);
    long start = System.nanoTime();
    client.close(); // the peer does not answer
    failure(SocketException.class, reader);
    assertTrue(millisSince(start) < 1300, () -> millisSince(start) + " ms");
    assertFalse(plain[0].isClosed());
    assertEquals(-1, server.getInputStream().read());
  }

  @Test
  void closeWithoutAutoCloseSaysThatTheTransportIsLost() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = (SSLSocket) clients.createSocket(plain[0], "localhost", 443, false);
    shake(new Pair(client, (SSLSocket) servers.createSocket(plain[1], null, true)));
    Future<Void> writer = async(() -> {
      for (byte[] b = bytes(100_000); ; ) {
        client.getOutputStream().write(b);
      }
    });
    Thread.sleep(500);
    assertThrows(IOException.class, client::close);
    failure(IOException.class, writer);
    assertFalse(plain[0].isClosed());
  }

  @Test
  void tlsInTls() throws Exception {
    Socket[] plain = plain();
    Pair outer = shake(new Pair((SSLSocket) clients.createSocket(plain[0], "localhost", 443, true),
        (SSLSocket) servers.createSocket(plain[1], null, true)));
    Pair inner = shake(new Pair((SSLSocket) closing(clients.createSocket(outer.client, "localhost", 443, true)),
        (SSLSocket) closing(servers.createSocket(outer.server, null, true))));
    Future<byte[]> got = async(() -> inner.server.getInputStream().readAllBytes());
    inner.client.getOutputStream().write(bytes(200_000));
    inner.client.close();
    assertArrayEquals(bytes(200_000), get(got));
    assertTrue(plain[0].isClosed());
  }

  @Test
  void channels() throws Exception {
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    try (ServerSocketChannel listener = ServerSocketChannel.open().bind(loopback);
        SocketChannel channel = SocketChannel.open(listener.getLocalAddress());
        SocketChannel accepted = listener.accept()) {
      SSLSocket client = (SSLSocket) clients.createSocket(channel.socket(), "localhost", 443, true);
      SSLSocket server = (SSLSocket) servers.createSocket(accepted.socket(), null, true);
      assertSame(channel, client.getChannel());
      assertEquals(channel.supportedOptions(), client.supportedOptions());
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));
      InputStream in = client.getInputStream();
      channel.configureBlocking(false);
      assertThrows(IllegalBlockingModeException.class, client::startHandshake);
      assertEquals("SSL_NULL_WITH_NULL_NULL", client.getSession().getCipherSuite());
      channel.configureBlocking(true);
      shake(new Pair(client, server));
      channel.configureBlocking(false);
      assertThrows(IllegalBlockingModeException.class, in::read);
      assertThrows(IllegalBlockingModeException.class, () -> client.getOutputStream().write(1));
      channel.configureBlocking(true);
      Future<byte[]> got = async(() -> server.getInputStream().readNBytes(100_000));
      client.getOutputStream().write(bytes(100_000));
      assertArrayEquals(bytes(100_000), get(got));
      server.getOutputStream().write(3);
      assertEquals(3, in.read());
      client.setSoTimeout(30);
      assertThrows(IOException.class, in::read);
      client.setSoTimeout(0);
      Future<Integer> reader = async(in::read);
      Thread.sleep(100);
      client.close();
      failure(SocketException.class, reader);
      assertFalse(channel.isOpen());
      assertEquals(-1, server.getInputStream().read());
    }
  }
}
