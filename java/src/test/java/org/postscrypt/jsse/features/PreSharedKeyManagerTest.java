package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postscrypt.PostscryptSession;
import org.postscrypt.PreSharedKeyManager;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Pre-shared keys of TLS 1.2 that a manager chooses in the middle of the handshake. */
class PreSharedKeyManagerTest {
  private static final String ECDHE = "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA";

  /** Notes what it is asked. */
  private static class Manager implements PreSharedKeyManager {
    final List<String> asked = new ArrayList<>();
    Object last;
    String hint;
    String identity = "bob";
    SecretKey key = new SecretKeySpec(new byte[] {1, 2, 3}, "RAW");

    private <T> T note(String what, Object connection, T answer) {
      asked.add(what);
      last = connection;
      return answer;
    }

    @Override
    public String chooseServerIdentityHint(Socket socket) {
      return note("hint", socket, hint);
    }

    @Override
    public String chooseServerIdentityHint(SSLEngine engine) {
      return note("hint", engine, hint);
    }

    @Override
    public String chooseClientIdentity(String hint, Socket socket) {
      return note("identity " + hint, socket, identity);
    }

    @Override
    public String chooseClientIdentity(String hint, SSLEngine engine) {
      return note("identity " + hint, engine, identity);
    }

    @Override
    public SecretKey getKey(String hint, String identity, Socket socket) {
      return note("key " + hint + " " + identity, socket, key);
    }

    @Override
    public SecretKey getKey(String hint, String identity, SSLEngine engine) {
      return note("key " + hint + " " + identity, engine, key);
    }
  }

  private final Manager client = new Manager();
  private final Manager server = new Manager();

  private static TlsCase tlsCase() {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), Tls.V12, KeyType.EC, BufferKind.HEAP);
  }

  private EngineSetup engines(String... suites) {
    return tlsCase().engines()
        .clientKeys(client)
        .serverKeys(server)
        .client(e -> e.setEnabledCipherSuites(suites))
        .server(e -> e.setEnabledCipherSuites(suites));
  }

  @Test
  void aKeyThatHandsOutTheArrayItKeepsStaysWhole() throws Exception {
    byte[] kept = {1, 2, 3};
    SecretKey key = new SecretKey() {
      @Override
      public String getAlgorithm() {
        return "PSK";
      }

      @Override
      public String getFormat() {
        return "RAW";
      }

      @Override
      public byte[] getEncoded() {
        return kept;
      }
    };
    client.key = key;
    server.key = key;
    works(engines(ECDHE).open());
    works(engines(ECDHE).open());
    assertArrayEquals(new byte[] {1, 2, 3}, kept);
  }

  private static void works(EnginePump pump) throws Exception {
    pump.handshake();
    pump.send(pump.client(), new byte[100]);
    pump.send(pump.server(), new byte[40_000]);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256", ECDHE, "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA",
    "TLS_PSK_WITH_AES_128_CBC_SHA", "TLS_PSK_WITH_AES_256_CBC_SHA"
  })
  void eachSuite(String suite) throws Exception {
    server.hint = "h\u00ednt";
    EnginePump pump = engines(suite).open();
    works(pump);
    assertEquals(suite, pump.client().engine().getSession().getCipherSuite());
    assertThrows(SSLPeerUnverifiedException.class, () -> pump.client().engine().getSession().getPeerCertificates());
    assertEquals(List.of("identity h\u00ednt", "key h\u00ednt bob"), client.asked);
    assertEquals(List.of("hint", "key h\u00ednt bob"), server.asked);
    assertSame(pump.client().engine(), client.last);
    assertSame(pump.server().engine(), server.last);
  }

  @ParameterizedTest
  @ValueSource(strings = {ECDHE, "TLS_PSK_WITH_AES_128_CBC_SHA"})
  void withoutAHint(String suite) throws Exception {
    works(engines(suite).open());
    assertEquals(List.of("identity null", "key null bob"), client.asked);
    assertEquals(List.of("hint", "key null bob"), server.asked);
    server.asked.clear();
    client.identity = "";
    server.hint = "";
    works(engines(suite).open());
    assertEquals(List.of("hint", "key null "), server.asked);
  }

  @Test
  void longest() throws Exception {
    server.hint = "\u00e9".repeat(64);
    client.identity = "i".repeat(128);
    byte[] key = new byte[256];
    Arrays.fill(key, (byte) 7);
    client.key = server.key = new SecretKeySpec(key, "RAW");
    works(engines(ECDHE).open());
  }

  private void refused(Manager refusing, Manager other, Class<? extends Throwable> cause) throws Exception {
    EnginePump pump = engines(ECDHE).open();
    pump.failHandshake();
    boolean atClient = refusing == client;
    Throwable failure = atClient ? pump.client().failure() : pump.server().failure();
    assertInstanceOf(SSLHandshakeException.class, failure);
    if (cause != null) {
      assertInstanceOf(cause, failure.getCause());
    }
    Throwable told = atClient ? pump.server().failure() : pump.client().failure();
    assertTrue(told.getMessage().startsWith("Received fatal alert: "), told.getMessage());
    assertFalse(other.asked.isEmpty());
  }

  @Test
  void clientsThatHaveNone() throws Exception {
    client.identity = null;
    refused(client, server, SSLHandshakeException.class);
    client.identity = "i".repeat(129);
    refused(client, server, SSLHandshakeException.class);
    client.identity = "a\0b";
    refused(client, server, SSLHandshakeException.class);
    client.identity = "bob";
    client.key = null;
    refused(client, server, SSLHandshakeException.class);
    client.key = new SecretKeySpec(new byte[257], "RAW");
    refused(client, server, SSLHandshakeException.class);
  }

  @Test
  void serversThatHaveNone() throws Exception {
    server.key = null;
    EnginePump pump = engines(ECDHE).open();
    pump.failHandshake();
    assertEquals("No pre-shared key for the identity bob", pump.server().failure().getMessage());
    assertEquals("Received fatal alert: unknown_psk_identity", pump.client().failure().getMessage());
    server.key = new SecretKeySpec(new byte[257], "RAW");
    refused(server, client, SSLHandshakeException.class);
  }

  @Test
  void hintsThatCannotBeSent() throws Exception {
    for (String hint : new String[] {"h".repeat(129), "a\0b"}) {
      server.hint = hint;
      EnginePump pump = engines(ECDHE).open();
      pump.failHandshake();
      assertInstanceOf(IllegalArgumentException.class, pump.server().failure().getCause());
    }
  }

  @Test
  void exceptionsOfAManagerFailTheHandshake() throws Exception {
    IllegalStateException thrown = new IllegalStateException("not today");
    Manager failing = new Manager() {
      @Override
      public SecretKey getKey(String hint, String identity, SSLEngine engine) {
        throw thrown;
      }
    };
    EnginePump pump = engines(ECDHE).serverKeys(failing).open();
    pump.failHandshake();
    assertSame(thrown, pump.server().failure().getCause());
  }

  @Test
  void differentKeys() throws Exception {
    client.key = new SecretKeySpec(new byte[] {9}, "RAW");
    EnginePump pump = engines(ECDHE).open();
    pump.failHandshake();
    assertEquals("Received fatal alert: bad_record_mac", pump.client().failure().getMessage());
  }

  @Test
  void certificatesBesideThem() throws Exception {
    EngineSetup setup = engines(ECDHE, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
        .serverKeys(server, TestPki.keyManagers(TestPki.server(KeyType.EC))[0])
        .client(e -> e.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"}));
    EnginePump pump = setup.open();
    works(pump);
    assertEquals(TestPki.server(KeyType.EC).certificate(), pump.client().engine().getSession().getPeerCertificates()[0]);
    assertEquals(List.of(), client.asked);
    EnginePump other = setup.client(e -> e.setEnabledCipherSuites(new String[] {ECDHE})).open();
    works(other);
    assertEquals(ECDHE, other.client().engine().getSession().getCipherSuite());
  }

  @Test
  void tls13HasNoUseForAManager() throws Exception {
    EnginePump pump = engines(ECDHE, "TLS_AES_128_GCM_SHA256")
        .client(e -> e.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"}))
        .server(e -> e.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"}))
        .open();
    pump.failHandshake();
    assertEquals("No available authentication scheme", pump.server().failure().getMessage());
    assertEquals("Received fatal alert: handshake_failure", pump.client().failure().getMessage());
  }

  @Test
  void resumptionNeedsNoKey() throws Exception {
    EngineSetup setup = engines(ECDHE).peer("host.example", 1);
    SSLContext clientContext = setup.clientContext();
    SSLContext serverContext = setup.serverContext();
    works(setup.open(clientContext, serverContext));
    client.asked.clear();
    server.asked.clear();
    EnginePump second = setup.open(clientContext, serverContext);
    works(second);
    assertTrue(((PostscryptSession) second.client().engine().getSession()).isResumed());
    assertEquals(List.of(), client.asked);
    assertEquals(List.of("hint"), server.asked);
  }

  /** Until the task ran, the record that waits for it is not consumed, whoever unwraps. */
  @Test
  void recordsWaitForTheKey() throws Exception {
    EngineSetup setup = engines(ECDHE);
    SSLEngine c = setup.clientContext().createSSLEngine();
    c.setUseClientMode(true);
    SSLEngine s = setup.serverContext().createSSLEngine();
    s.setUseClientMode(false);
    for (SSLEngine e : new SSLEngine[] {c, s}) {
      e.setEnabledCipherSuites(new String[] {ECDHE});
      e.setEnabledProtocols(new String[] {"TLSv1.2"});
      e.beginHandshake();
    }
    ByteBuffer[] wire = {ByteBuffer.allocate(40_000), ByteBuffer.allocate(40_000)};
    int waited = 0;
    for (int i = 0; i < 200 && !(done(c) && done(s)); i++) {
      for (int side = 0; side < 2; side++) {
        SSLEngine engine = side == 0 ? c : s;
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
          engine.wrap(ByteBuffer.allocate(0), wire[side]);
        } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
          ByteBuffer in = wire[1 - side];
          in.flip();
          SSLEngineResult result = engine.unwrap(in, ByteBuffer.allocate(20_000));
          if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK && in.hasRemaining() && result.bytesConsumed() == 0) {
            waited++;
            SSLEngineResult again = engine.unwrap(in, ByteBuffer.allocate(20_000));
            assertEquals(0, again.bytesConsumed());
            assertEquals(HandshakeStatus.NEED_TASK, again.getHandshakeStatus());
          }
          in.compact();
        } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
          engine.getDelegatedTask().run();
          assertNull(engine.getDelegatedTask());
        }
      }
    }
    assertTrue(done(c) && done(s));
    assertEquals(2, waited, "a client and a server");
  }

  private static boolean done(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
        && !engine.getSession().getCipherSuite().equals("SSL_NULL_WITH_NULL_NULL");
  }

  @Test
  void sockets() throws Exception {
    server.hint = "hint";
    SocketSetup setup = tlsCase().sockets().serverKeys(server).client(s -> s.setEnabledCipherSuites(new String[] {ECDHE}))
        .server(s -> s.setEnabledCipherSuites(new String[] {ECDHE}));
    SSLContext context = tlsCase().engines().clientKeys(client).clientContext();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (SSLServerSocket listener = setup.serverSocket()) {
      Future<Object> accepted = executor.submit(() -> {
        try (SSLSocket socket = (SSLSocket) listener.accept()) {
          socket.getOutputStream().write(socket.getInputStream().read());
          return socket;
        }
      });
      try (SSLSocket socket = setup.configure(
          (SSLSocket) context.getSocketFactory().createSocket(listener.getInetAddress(), listener.getLocalPort()))) {
        socket.getOutputStream().write(77);
        assertEquals(77, socket.getInputStream().read());
        assertSame(socket, client.last);
        assertSame(accepted.get(30, TimeUnit.SECONDS), server.last);
      }
      assertEquals(List.of("identity hint", "key hint bob"), client.asked);
    } finally {
      executor.shutdownNow();
    }
  }
}
