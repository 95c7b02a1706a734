package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.conscrypt.ApplicationProtocolSelector;
import org.conscrypt.BufferAllocator;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets and Conscrypt's helpers for them. Runs over the original as well. */
class TlsSocketTest {
  private static final int MILLIS = 30_000;

  private static SSLContext clientContext;
  private static SSLContext serverContext;

  @BeforeAll
  static void contexts() throws Exception {
    Provider provider = Conscrypt.newProvider();
    clientContext = Pki.client(provider);
    serverContext = Pki.server(provider);
  }

  private interface Setup {
    void apply(SSLSocket socket) throws Exception;
  }

  /** A connected pair, both handshakes done. */
  private static final class Pair implements AutoCloseable {
    final SSLSocket client;
    final SSLSocket server;

    Pair(Setup clientSetup, Setup serverSetup) throws Exception {
      this(clientSetup, serverSetup, address -> clientContext.getSocketFactory().createSocket());
    }

    Pair(Setup clientSetup, Setup serverSetup, Maker maker) throws Exception {
      ExecutorService executor = Executors.newSingleThreadExecutor();
      try (SSLServerSocket listener =
          (SSLServerSocket)
              serverContext.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        listener.setSoTimeout(MILLIS);
        Callable<SSLSocket> accept =
            () -> {
              SSLSocket accepted = (SSLSocket) listener.accept();
              accepted.setSoTimeout(MILLIS);
              serverSetup.apply(accepted);
              accepted.startHandshake();
              return accepted;
            };
        Future<SSLSocket> accepted = executor.submit(accept);
        client = (SSLSocket) maker.make(listener);
        clientSetup.apply(client);
        if (!client.isConnected()) {
          client.connect(listener.getLocalSocketAddress(), MILLIS);
        }
        client.setSoTimeout(MILLIS);
        client.startHandshake();
        server = accepted.get(MILLIS, TimeUnit.MILLISECONDS);
      } finally {
        executor.shutdownNow();
      }
    }

    void exchange() throws IOException {
      byte[] data = new byte[5000];
      for (int i = 0; i < 2; i++) {
        SSLSocket from = i == 0 ? client : server;
        SSLSocket to = i == 0 ? server : client;
        data[0] = (byte) (i + 1);
        from.getOutputStream().write(data);
        from.getOutputStream().flush();
        byte[] read = new byte[data.length];
        new DataInputStream(to.getInputStream()).readFully(read);
        assertArrayEquals(data, read);
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private interface Maker {
    Socket make(SSLServerSocket listener) throws Exception;
  }

  private static Setup speaking(String protocol) {
    return s -> s.setEnabledProtocols(new String[] {protocol});
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void handshakeDataKeyingMaterialAndEnd(String protocol) throws Exception {
    try (Pair pair = new Pair(speaking(protocol), speaking(protocol))) {
      assertTrue(Conscrypt.isConscrypt(pair.client) && Conscrypt.isConscrypt(pair.server));
      assertEquals(protocol, pair.client.getSession().getProtocol());
      pair.exchange();
      byte[] material = Conscrypt.exportKeyingMaterial(pair.client, "EXPERIMENTAL x", new byte[] {1}, 33);
      assertEquals(33, material.length);
      assertArrayEquals(material, Conscrypt.exportKeyingMaterial(pair.server, "EXPERIMENTAL x", new byte[] {1}, 33));
      if (protocol.equals("TLSv1.2")) {
        assertArrayEquals(Conscrypt.getTlsUnique(pair.client), Conscrypt.getTlsUnique(pair.server));
        assertEquals(12, Conscrypt.getTlsUnique(pair.client).length);
      } else {
        assertNull(Conscrypt.getTlsUnique(pair.client));
      }
      pair.client.close();
      assertEquals(-1, pair.server.getInputStream().read());
    }
  }

  @Test
  void beforeTheHandshakeThereIsNothing() throws Exception {
    try (SSLSocket socket = (SSLSocket) clientContext.getSocketFactory().createSocket()) {
      assertNull(Conscrypt.getApplicationProtocol(socket));
      assertNull(Conscrypt.getTlsUnique(socket));
      assertNull(Conscrypt.exportKeyingMaterial(socket, "EXPERIMENTAL x", null, 1));
      assertNull(Conscrypt.getHostname(socket));
      assertNull(Conscrypt.getHostnameOrIP(socket));
      assertEquals(0, Conscrypt.getApplicationProtocols(socket).length);
      Conscrypt.setBufferAllocator(socket, BufferAllocator.unpooled());
    }
  }

  @Test
  void applicationProtocols() throws Exception {
    try (Pair pair =
        new Pair(
            s -> Conscrypt.setApplicationProtocols(s, new String[] {"http/1.1", "h2"}),
            s -> Conscrypt.setApplicationProtocols(s, new String[] {"h2"}))) {
      assertArrayEquals(new String[] {"http/1.1", "h2"}, Conscrypt.getApplicationProtocols(pair.client));
      assertEquals("h2", Conscrypt.getApplicationProtocol(pair.client));
      assertEquals("h2", Conscrypt.getApplicationProtocol(pair.server));
    }
    try (Pair pair = new Pair(s -> {}, s -> {})) {
      assertNull(Conscrypt.getApplicationProtocol(pair.client));
    }
  }

  @Test
  void applicationProtocolSelector() throws Exception {
    AtomicReference<SSLSocket> asked = new AtomicReference<>();
    ApplicationProtocolSelector selector =
        new ApplicationProtocolSelector() {
          @Override
          public String selectApplicationProtocol(SSLEngine engine, List<String> protocols) {
            throw new AssertionError("no engine here");
          }

          @Override
          public String selectApplicationProtocol(SSLSocket socket, List<String> protocols) {
            asked.set(socket);
            return protocols.get(1);
          }
        };
    try (Pair pair =
        new Pair(
            s -> Conscrypt.setApplicationProtocols(s, new String[] {"a", "b"}),
            s -> Conscrypt.setApplicationProtocolSelector(s, selector))) {
      assertEquals("b", Conscrypt.getApplicationProtocol(pair.client));
      assertSame(pair.server, asked.get());
    }
  }

  @Test
  void hostnames() throws Exception {
    try (Pair pair =
        new Pair(
            s -> {
              Conscrypt.setHostname(s, "www.example.org");
              javax.net.ssl.SSLParameters parameters = s.getSSLParameters();
              parameters.setEndpointIdentificationAlgorithm("HTTPS");
              s.setSSLParameters(parameters);
            },
            s -> {})) {
      assertEquals("www.example.org", Conscrypt.getHostname(pair.client));
      assertEquals("www.example.org", Conscrypt.getHostnameOrIP(pair.client));
      assertEquals("www.example.org", pair.client.getSession().getPeerHost());
      ExtendedSSLSession session = (ExtendedSSLSession) pair.server.getSession();
      assertEquals(List.of(new SNIHostName("www.example.org")), session.getRequestedServerNames());
    }
    try (Pair pair =
        new Pair(
            s -> {},
            s -> {},
            l -> {
              Socket plain = new Socket(InetAddress.getLoopbackAddress(), l.getLocalPort());
              return clientContext.getSocketFactory().createSocket(plain, "example.com", l.getLocalPort(), true);
            })) {
      assertEquals("example.com", Conscrypt.getHostname(pair.client));
      pair.exchange();
    }
  }

  /** The original answers the empty text. */
  @Tag("facade")
  @Test
  void addressesAreNoHostnames() throws Exception {
    try (Pair pair =
        new Pair(
            s -> {},
            s -> {},
            l ->
                clientContext
                    .getSocketFactory()
                    .createSocket(InetAddress.getByName("127.0.0.1"), l.getLocalPort()))) {
      assertNull(Conscrypt.getHostname(pair.client));
      assertEquals("127.0.0.1", Conscrypt.getHostnameOrIP(pair.client));
    }
  }

  @Test
  void namedGroups() throws Exception {
    try (Pair pair =
        new Pair(
            s -> Conscrypt.setNamedGroups(s, new String[] {"P-384", "X25519"}), s -> {})) {
      pair.exchange();
    }
    SSLSocketFactory factory = clientContext.getSocketFactory();
    Conscrypt.setNamedGroups(factory, new String[] {"P-256"});
    try (Pair pair = new Pair(s -> {}, s -> {}, l -> factory.createSocket("127.0.0.1", l.getLocalPort()))) {
      pair.exchange();
    }
    Conscrypt.setNamedGroups(factory, null);
  }

  @Test
  void factoriesAndEngineSockets() throws Exception {
    SSLSocketFactory factory = clientContext.getSocketFactory();
    assertTrue(Conscrypt.isConscrypt(factory));
    assertTrue(Conscrypt.isConscrypt(serverContext.getServerSocketFactory()));
    Conscrypt.setUseEngineSocketByDefault(true);
    Conscrypt.setUseEngineSocket(factory, true);
    Conscrypt.setUseEngineSocket(serverContext.getServerSocketFactory(), true);
    SSLContext other = SSLContext.getInstance("TLS", "SunJSSE");
    other.init(null, null, null);
    assertFalse(Conscrypt.isConscrypt(other.getSocketFactory()));
    assertFalse(Conscrypt.isConscrypt(other.getServerSocketFactory()));
    assertThrows(
        IllegalArgumentException.class, () -> Conscrypt.setUseEngineSocket(other.getSocketFactory(), true));
    assertThrows(
        IllegalArgumentException.class, () -> Conscrypt.setUseEngineSocket(other.getServerSocketFactory(), true));
    assertThrows(
        IllegalArgumentException.class, () -> Conscrypt.setNamedGroups(other.getSocketFactory(), new String[0]));
    try (SSLSocket socket = (SSLSocket) other.getSocketFactory().createSocket()) {
      assertFalse(Conscrypt.isConscrypt(socket));
      assertFalse(Conscrypt.isConscrypt((SSLSocket) null));
      assertThrows(IllegalArgumentException.class, () -> Conscrypt.getHostname(socket));
      assertThrows(IllegalArgumentException.class, () -> Conscrypt.setUseSessionTickets(socket, true));
      assertThrows(IllegalArgumentException.class, () -> Conscrypt.setBufferAllocator(socket, null));
    }
  }

  @Test
  void handshakeCompletedListenersSeeTheSocket() throws Exception {
    AtomicReference<SSLSocket> seen = new AtomicReference<>();
    AtomicReference<SSLSession> session = new AtomicReference<>();
    CountDownLatch called = new CountDownLatch(1);
    try (Pair pair =
        new Pair(
            s ->
                s.addHandshakeCompletedListener(
                    event -> {
                      seen.set(event.getSocket());
                      session.set(event.getSession());
                      called.countDown();
                    }),
            s -> {})) {
      assertTrue(called.await(MILLIS, TimeUnit.MILLISECONDS));
      assertSame(pair.client, seen.get());
      assertArrayEquals(pair.client.getSession().getId(), session.get().getId());
      assertThrows(
          IllegalArgumentException.class, () -> pair.client.removeHandshakeCompletedListener(event -> {}));
    }
  }

  /** Called on the thread that handshakes and before that returns; what they throw is their thread's. */
  @Test
  void handshakeCompletedListenersAreCalledByStartHandshake() throws Exception {
    Thread here = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = here.getUncaughtExceptionHandler();
    AtomicReference<Throwable> uncaught = new AtomicReference<>();
    List<Object> calls = new ArrayList<>();
    IllegalStateException thrown = new IllegalStateException("of a listener");
    here.setUncaughtExceptionHandler((thread, e) -> uncaught.set(e));
    try (Pair pair =
        new Pair(
            s -> {
              s.addHandshakeCompletedListener(
                  event -> {
                    calls.add(Thread.currentThread());
                    throw thrown;
                  });
              s.addHandshakeCompletedListener(event -> calls.add(event.getSocket()));
            },
            s -> {})) {
      assertEquals(List.of(here, pair.client), calls);
      assertSame(thrown, uncaught.get());
      pair.client.addHandshakeCompletedListener(event -> calls.add("late"));
      pair.client.startHandshake();
      pair.exchange();
      assertEquals(2, calls.size());
    } finally {
      here.setUncaughtExceptionHandler(before);
    }
  }

  /** Nobody calls startHandshake. */
  @Test
  void handshakeCompletedListenersOfReadersAreCalled() throws Exception {
    CountDownLatch called = new CountDownLatch(2);
    try (SSLServerSocket listener =
            (SSLServerSocket)
                serverContext.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SSLSocket client =
            (SSLSocket)
                clientContext.getSocketFactory().createSocket(listener.getInetAddress(), listener.getLocalPort());
        SSLSocket server = (SSLSocket) listener.accept()) {
      for (SSLSocket socket : new SSLSocket[] {client, server}) {
        socket.setSoTimeout(MILLIS);
        socket.addHandshakeCompletedListener(event -> called.countDown());
      }
      Thread reader = new Thread(() -> {
        try {
          server.getOutputStream().write(server.getInputStream().read());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      reader.start();
      client.getOutputStream().write(9);
      assertEquals(9, client.getInputStream().read());
      reader.join(MILLIS);
      assertTrue(called.await(MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  @Test
  void optionsAreTheTransports() throws Exception {
    try (Pair pair = new Pair(s -> {}, s -> {})) {
      pair.client.setTcpNoDelay(true);
      assertTrue(pair.client.getTcpNoDelay());
      pair.client.setKeepAlive(true);
      assertTrue(pair.client.getKeepAlive());
      assertEquals(MILLIS, pair.client.getSoTimeout());
      assertEquals(pair.server.getLocalPort(), pair.client.getPort());
      assertEquals(pair.server.getRemoteSocketAddress(), pair.client.getLocalSocketAddress());
      assertTrue(pair.client.isConnected() && pair.client.isBound() && !pair.client.isClosed());
      pair.exchange();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void inputIsShutDownOnce(String protocol) throws Exception {
    try (Pair pair = new Pair(speaking(protocol), speaking(protocol))) {
      for (SSLSocket socket : new SSLSocket[] {pair.client, pair.server}) {
        InputStream in = socket.getInputStream();
        socket.shutdownInput();
        assertTrue(socket.isInputShutdown());
        assertFalse(socket.isClosed());
        assertEquals(-1, in.read());
        assertThrows(SocketException.class, socket::shutdownInput);
      }
    }
  }

  @Test
  void outputIsShutDownOnce() throws Exception {
    try (Pair pair = new Pair(s -> {}, s -> {})) {
      pair.client.shutdownOutput();
      assertTrue(pair.client.isOutputShutdown());
      assertFalse(pair.client.isClosed());
      assertThrows(SocketException.class, pair.client::shutdownOutput);
      pair.client.close();
      assertThrows(SocketException.class, pair.client::shutdownOutput);
      assertThrows(SocketException.class, pair.client::shutdownInput);
    }
  }

  /** What a server socket is told, and what its sockets are. */
  @Test
  void serverSockets() throws Exception {
    SSLServerSocketFactory factory = serverContext.getServerSocketFactory();
    for (int i = 0; i < 4; i++) {
      ServerSocket made = i == 0 ? factory.createServerSocket() : i == 1 ? factory.createServerSocket(0)
          : i == 2 ? factory.createServerSocket(0, 3) : factory.createServerSocket(0, 3, InetAddress.getLoopbackAddress());
      SSLServerSocket listener = (SSLServerSocket) made;
      try {
        assertEquals(i > 0, listener.isBound());
        if (i == 0) {
          assertThrows(SocketException.class, listener::accept);
          listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }
        listener.setSoTimeout(MILLIS);
        listener.setEnabledProtocols(new String[] {"TLSv1.1", "TLSv1.2"});
        List<String> suites = new ArrayList<>(List.of(listener.getEnabledCipherSuites()));
        suites.add("TLS_FALLBACK_SCSV");
        listener.setEnabledCipherSuites(suites.toArray(new String[0]));
        listener.setNeedClientAuth(false);
        listener.setWantClientAuth(true);
        listener.setEnableSessionCreation(true);
        assertFalse(listener.getUseClientMode());
        assertThrows(IllegalArgumentException.class, () -> listener.setEnabledProtocols(new String[] {"TLSv9"}));
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
            SSLSocket accepted = (SSLSocket) listener.accept();
            SSLSocket client =
                (SSLSocket) clientContext.getSocketFactory().createSocket(plain, "localhost", 1, true)) {
          assertTrue(Conscrypt.isConscrypt(accepted));
          assertEquals("org.conscrypt", accepted.getClass().getPackageName());
          assertFalse(accepted.getUseClientMode());
          assertTrue(accepted.getWantClientAuth());
          Thread handshake = new Thread(() -> shake(accepted));
          handshake.start();
          client.setSoTimeout(MILLIS);
          client.startHandshake();
          handshake.join(MILLIS);
          assertEquals("TLSv1.2", client.getSession().getProtocol());
          accepted.getOutputStream().write(5);
          assertEquals(5, client.getInputStream().read());
        }
      } finally {
        listener.close();
      }
      assertTrue(listener.isClosed());
      assertThrows(SocketException.class, listener::accept);
    }
  }

  private static void shake(SSLSocket socket) {
    try {
      socket.setSoTimeout(MILLIS);
      socket.startHandshake();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
