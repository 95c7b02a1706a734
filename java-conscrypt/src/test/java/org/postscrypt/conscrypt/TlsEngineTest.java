package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.conscrypt.AllocatedBuffer;
import org.conscrypt.ApplicationProtocolSelector;
import org.conscrypt.BufferAllocator;
import org.conscrypt.Conscrypt;
import org.conscrypt.HandshakeListener;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines and Conscrypt's helpers for them. Runs over the original as well. */
class TlsEngineTest {
  private static Provider provider;
  private static SSLContext clientContext;
  private static SSLContext serverContext;

  @BeforeAll
  static void contexts() throws Exception {
    provider = Conscrypt.newProvider();
    clientContext = Pki.client(provider);
    serverContext = Pki.server(provider);
  }

  private static Engines engines() {
    return Engines.of(clientContext, serverContext);
  }

  /** Chooses {@code chosen}, whatever is offered, and keeps what was. */
  private static final class Choice extends ApplicationProtocolSelector {
    private final String chosen;
    private List<String> offered;
    private SSLEngine asked;

    Choice(String chosen) {
      this.chosen = chosen;
    }

    @Override
    public String selectApplicationProtocol(SSLEngine engine, List<String> protocols) {
      offered = protocols;
      asked = engine;
      return chosen;
    }

    @Override
    public String selectApplicationProtocol(SSLSocket socket, List<String> protocols) {
      throw new AssertionError("no socket here");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void handshakeAndData(String protocol) throws Exception {
    Engines e = engines().speaking(protocol).handshake();
    assertEquals(protocol, e.client.getSession().getProtocol());
    assertEquals(e.client.getSession().getCipherSuite(), e.server.getSession().getCipherSuite());
    assertTrue(Conscrypt.isConscrypt(e.client) && Conscrypt.isConscrypt(e.server));
    e.exchange();
    assertNull(Conscrypt.getApplicationProtocol(e.client));
    e.client.closeOutbound();
    ByteBuffer close = ByteBuffer.allocate(1 << 15);
    e.client.wrap(ByteBuffer.allocate(0), close);
    close.flip();
    e.server.unwrap(close, ByteBuffer.allocate(1 << 15));
    assertTrue(e.server.isInboundDone());
  }

  @Test
  void enginesOfOthersAreRefused() throws Exception {
    SSLContext other = SSLContext.getInstance("TLS", "SunJSSE");
    other.init(null, null, null);
    SSLEngine engine = other.createSSLEngine();
    assertFalse(Conscrypt.isConscrypt(engine));
    assertFalse(Conscrypt.isConscrypt((SSLEngine) null));
    assertFalse(Conscrypt.isConscrypt(other));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.getHostname(engine));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.maxSealOverhead(engine));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setApplicationProtocols(engine, new String[] {"h2"}));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setHandshakeListener(engine, null));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setBufferAllocator(engine, null));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.exportKeyingMaterial(engine, "l", null, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void applicationProtocols(String protocol) throws Exception {
    Engines e = engines().speaking(protocol);
    assertEquals(0, Conscrypt.getApplicationProtocols(e.client).length);
    Conscrypt.setApplicationProtocols(e.client, new String[] {"http/1.1", "h2"});
    Conscrypt.setApplicationProtocols(e.server, new String[] {"h2", "http/1.1"});
    assertArrayEquals(new String[] {"http/1.1", "h2"}, Conscrypt.getApplicationProtocols(e.client));
    assertNull(Conscrypt.getApplicationProtocol(e.client));
    e.handshake();
    assertEquals("h2", Conscrypt.getApplicationProtocol(e.client), "the server's order");
    assertEquals("h2", Conscrypt.getApplicationProtocol(e.server));
    assertEquals("h2", e.client.getApplicationProtocol());
  }

  @Test
  void applicationProtocolsAreChecked() {
    SSLEngine engine = clientContext.createSSLEngine();
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setApplicationProtocols(engine, null));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setApplicationProtocols(engine, new String[] {""}));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setApplicationProtocols(engine, new String[] {null}));
  }

  @Test
  void applicationProtocolSelector() throws Exception {
    Engines e = engines();
    Conscrypt.setApplicationProtocols(e.client, new String[] {"a", "b", "c"});
    Choice choice = new Choice("b");
    Conscrypt.setApplicationProtocolSelector(e.server, choice);
    e.handshake();
    assertEquals(Arrays.asList("a", "b", "c"), choice.offered);
    assertSame(e.server, choice.asked);
    assertEquals("b", Conscrypt.getApplicationProtocol(e.client));
    assertEquals("b", Conscrypt.getApplicationProtocol(e.server));
  }

  @Test
  void applicationProtocolSelectorWithoutAnAnswer() throws Exception {
    Engines e = engines();
    Conscrypt.setApplicationProtocols(e.client, new String[] {"a", "b"});
    Conscrypt.setApplicationProtocolSelector(e.server, new Choice(null));
    e.handshake();
    assertNull(Conscrypt.getApplicationProtocol(e.client), "the handshake goes on without");
  }

  @Test
  void hostname() throws Exception {
    Engines e = engines();
    assertEquals("example.com", Conscrypt.getHostname(e.client));
    Conscrypt.setHostname(e.client, "www.example.org");
    assertEquals("www.example.org", Conscrypt.getHostname(e.client));
    assertEquals("www.example.org", e.client.getPeerHost());
    e.handshake();
    assertEquals("www.example.org", e.client.getSession().getPeerHost());
    ExtendedSSLSession session = (ExtendedSSLSession) e.server.getSession();
    assertEquals(Collections.singletonList(new SNIHostName("www.example.org")), session.getRequestedServerNames());
  }

  @Test
  void hostnameIsWhatIsVerified() throws Exception {
    for (String host : new String[] {"www.example.org", "example.com", "example.net"}) {
      Engines e = Engines.of(clientContext, serverContext);
      SSLParameters parameters = e.client.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      e.client.setSSLParameters(parameters);
      Conscrypt.setHostname(e.client, host);
      if (host.equals("example.net")) {
        assertThrows(SSLException.class, e::handshake);
      } else {
        e.handshake();
      }
    }
  }

  @Test
  void hostnameOfEnginesWithoutOne() throws Exception {
    SSLEngine engine = clientContext.createSSLEngine();
    assertNull(Conscrypt.getHostname(engine));
    Conscrypt.setHostname(engine, "example.com");
    assertEquals("example.com", Conscrypt.getHostname(engine));
    Conscrypt.setHostname(engine, null);
    assertNull(Conscrypt.getHostname(engine));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void keyingMaterial(String protocol) throws Exception {
    Engines e = engines().speaking(protocol);
    assertNull(Conscrypt.exportKeyingMaterial(e.client, "EXPERIMENTAL label", null, 20), "before the handshake");
    e.handshake();
    byte[] context = {1, 2, 3};
    byte[] client = Conscrypt.exportKeyingMaterial(e.client, "EXPERIMENTAL label", context, 20);
    assertEquals(20, client.length);
    assertArrayEquals(client, Conscrypt.exportKeyingMaterial(e.server, "EXPERIMENTAL label", context, 20));
    assertFalse(Arrays.equals(client, Conscrypt.exportKeyingMaterial(e.server, "EXPERIMENTAL other", context, 20)));
    byte[] without = Conscrypt.exportKeyingMaterial(e.client, "EXPERIMENTAL label", null, 20);
    assertArrayEquals(without, Conscrypt.exportKeyingMaterial(e.server, "EXPERIMENTAL label", null, 20));
    assertFalse(Arrays.equals(client, without));
  }

  @Test
  void tlsUnique() throws Exception {
    Engines e = engines().speaking("TLSv1.2");
    assertNull(Conscrypt.getTlsUnique(e.client), "before the handshake");
    e.handshake();
    byte[] binding = Conscrypt.getTlsUnique(e.client);
    assertEquals(12, binding.length);
    assertArrayEquals(binding, Conscrypt.getTlsUnique(e.server));
    assertNull(Conscrypt.getTlsUnique(engines().speaking("TLSv1.3").handshake().client), "TLS 1.3 has none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void handshakeListenerIsCalledOnceWhenItIsOver(String protocol) throws Exception {
    Engines e = engines().speaking(protocol);
    Conscrypt.setApplicationProtocols(e.client, new String[] {"h2"});
    Conscrypt.setApplicationProtocols(e.server, new String[] {"h2"});
    AtomicInteger calls = new AtomicInteger();
    AtomicReference<String> seen = new AtomicReference<>();
    Conscrypt.setHandshakeListener(
        e.client,
        new HandshakeListener() {
          @Override
          public void onHandshakeFinished() {
            calls.incrementAndGet();
            seen.set(Conscrypt.getApplicationProtocol(e.client));
          }
        });
    e.handshake();
    e.exchange();
    assertEquals(1, calls.get());
    assertEquals("h2", seen.get());
  }

  @Test
  void handshakeListenerMayRefuse() throws Exception {
    Engines e = engines();
    SSLException refusal = new SSLException("refused");
    Conscrypt.setHandshakeListener(
        e.client,
        new HandshakeListener() {
          @Override
          public void onHandshakeFinished() throws SSLException {
            throw refusal;
          }
        });
    SSLException thrown = assertThrows(SSLException.class, e::handshake);
    assertTrue(thrown == refusal || thrown.getCause() == refusal, "the listener's: " + thrown);
  }

  @Test
  void handshakeListenerComesBeforeTheHandshake() throws Exception {
    Engines e = engines().handshake();
    HandshakeListener listener =
        new HandshakeListener() {
          @Override
          public void onHandshakeFinished() {}
        };
    assertThrows(IllegalStateException.class, () -> Conscrypt.setHandshakeListener(e.client, listener));
  }

  /** The original's engine wants more room than it says. */
  @Tag("facade")
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void sealOverheadIsEnough(String protocol) throws Exception {
    Engines e = engines().speaking(protocol).handshake();
    for (int length : new int[] {1, 100, 16384}) {
      ByteBuffer records = ByteBuffer.allocate(length + Conscrypt.maxSealOverhead(e.client));
      SSLEngineResult result = e.client.wrap(ByteBuffer.allocate(length), records);
      assertEquals(SSLEngineResult.Status.OK, result.getStatus());
      assertEquals(length, result.bytesConsumed());
      records.flip();
      assertEquals(length, Engines.opened(e.server, records).length);
    }
    assertTrue(e.client.getSession().getPacketBufferSize() <= Conscrypt.maxEncryptedPacketLength());
  }

  /** Cuts {@code bytes} into buffers of these lengths and a rest, with an empty one among them. */
  private static ByteBuffer[] cut(ByteBuffer bytes, boolean direct, int... lengths) {
    ByteBuffer[] parts = new ByteBuffer[lengths.length + 2];
    for (int i = 0; i <= lengths.length; i++) {
      byte[] part = new byte[i < lengths.length ? lengths[i] : bytes.remaining()];
      bytes.get(part);
      parts[i] = direct ? ByteBuffer.allocateDirect(part.length) : ByteBuffer.allocate(part.length);
      parts[i].put(part).flip();
    }
    parts[lengths.length + 1] = ByteBuffer.allocate(0);
    return parts;
  }

  private static String text(ByteBuffer... parts) {
    StringBuilder text = new StringBuilder();
    for (ByteBuffer part : parts) {
      part.flip();
      byte[] bytes = new byte[part.remaining()];
      part.get(bytes);
      text.append(new String(bytes, StandardCharsets.US_ASCII));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unwrapsWhatIsSpreadOverBuffers(boolean direct) throws Exception {
    Engines e = engines().handshake();
    e.drain();
    ByteBuffer two =
        Engines.sealed(e.client, ByteBuffer.wrap("a first message".getBytes(StandardCharsets.US_ASCII)));
    ByteBuffer second = Engines.sealed(e.client, ByteBuffer.wrap("and another".getBytes(StandardCharsets.US_ASCII)));
    ByteBuffer both = ByteBuffer.allocate(two.remaining() + second.remaining());
    both.put(two).put(second).flip();
    int all = both.remaining();
    ByteBuffer[] sources = cut(both, direct, 0, 3, 1, 10, 7);
    ByteBuffer[] destinations = {ByteBuffer.allocate(4), ByteBuffer.allocateDirect(3), ByteBuffer.allocate(1 << 15)};
    SSLEngineResult first = Conscrypt.unwrap(e.server, sources, destinations);
    assertEquals(SSLEngineResult.Status.OK, first.getStatus());
    assertEquals(15, first.bytesProduced());
    assertEquals("a first message", text(destinations));
    int left = Arrays.stream(sources).mapToInt(ByteBuffer::remaining).sum();
    assertEquals(all - first.bytesConsumed(), left, "the rest stays");
    ByteBuffer[] more = {ByteBuffer.allocate(5), ByteBuffer.allocate(1 << 15), ByteBuffer.allocate(9)};
    SSLEngineResult next = Conscrypt.unwrap(e.server, sources, 1, sources.length - 1, more, 0, 2);
    assertEquals(11, next.bytesProduced());
    assertEquals("and another", text(more[0], more[1]));
    assertEquals(0, Arrays.stream(sources).mapToInt(ByteBuffer::remaining).sum());
  }

  @Test
  void halfARecordIsAnUnderflow() throws Exception {
    Engines e = engines().handshake();
    e.drain();
    ByteBuffer record = Engines.sealed(e.client, ByteBuffer.wrap(new byte[100]));
    record.limit(record.limit() - 1);
    ByteBuffer[] sources = cut(record, false, 2, 20);
    SSLEngineResult result = Conscrypt.unwrap(e.server, sources, new ByteBuffer[] {ByteBuffer.allocate(1 << 15)});
    assertEquals(SSLEngineResult.Status.BUFFER_UNDERFLOW, result.getStatus());
    assertEquals(0, result.bytesConsumed());
    assertEquals(record.limit(), Arrays.stream(sources).mapToInt(ByteBuffer::remaining).sum());
    assertThrows(
        IllegalArgumentException.class, () -> Conscrypt.unwrap(e.server, null, new ByteBuffer[] {sources[0]}));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> Conscrypt.unwrap(e.server, sources, 1, 9, new ByteBuffer[] {ByteBuffer.allocate(9)}, 0, 1));
  }

  /** Counts its buffers. */
  private static final class Counting extends BufferAllocator {
    private final AtomicInteger allocated = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    @Override
    public AllocatedBuffer allocateDirectBuffer(int capacity) {
      allocated.incrementAndGet();
      ByteBuffer buffer = ByteBuffer.allocateDirect(capacity);
      return new AllocatedBuffer() {
        @Override
        public ByteBuffer nioBuffer() {
          return buffer;
        }

        @Override
        public AllocatedBuffer release() {
          released.incrementAndGet();
          return this;
        }
      };
    }
  }

  @Test
  void bufferAllocatorsBuffersAreUsedAndGivenBack() throws Exception {
    Engines e = engines();
    Counting allocator = new Counting();
    Conscrypt.setBufferAllocator(e.client, allocator);
    Conscrypt.setBufferAllocator(e.server, allocator);
    e.handshake();
    assertTrue(allocator.allocated.get() > 4, "in the handshake");
    assertEquals(allocator.allocated.get(), allocator.released.get());
    assertThrows(IllegalStateException.class, () -> Conscrypt.setBufferAllocator(e.client, allocator));
    e.drain();
    ByteBuffer[] data = {ByteBuffer.wrap("one ".getBytes()), ByteBuffer.wrap("record".getBytes())};
    ByteBuffer record = Engines.sealed(e.client, data);
    ByteBuffer[] destinations = {ByteBuffer.allocate(4), ByteBuffer.allocate(1 << 15)};
    Conscrypt.unwrap(e.server, cut(record, false, 9), destinations);
    assertEquals("one record", text(destinations));
    assertTrue(allocator.allocated.get() > 0, "used");
    assertEquals(allocator.allocated.get(), allocator.released.get(), "and given back");
    e.exchange();
  }

  @Test
  void defaultBufferAllocator() throws Exception {
    Counting allocator = new Counting();
    Conscrypt.setDefaultBufferAllocator(allocator);
    try {
      Engines e = engines().handshake();
      e.drain();
      ByteBuffer[] data = {ByteBuffer.wrap(new byte[5]), ByteBuffer.wrap(new byte[6])};
      assertEquals(11, Engines.opened(e.server, Engines.sealed(e.client, data)).length);
      assertTrue(allocator.allocated.get() > 0);
      assertEquals(allocator.allocated.get(), allocator.released.get());
    } finally {
      Conscrypt.setDefaultBufferAllocator(null);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void sessionsAreResumed(String protocol) throws Exception {
    SSLContext client = Pki.client(provider);
    SSLContext server = Pki.server(provider);
    long[] times = new long[2];
    for (int i = 0; i < 2; i++) {
      Engines e = Engines.of(client, server).speaking(protocol);
      Conscrypt.setUseSessionTickets(e.client, true);
      Conscrypt.setUseSessionTickets(e.server, true);
      e.handshake();
      e.exchange();
      e.drain();
      times[i] = e.client.getSession().getCreationTime();
      assertNotNull(e.client.getSession().getPeerCertificates());
      if (i == 0) {
        Thread.sleep(20);
      }
    }
    assertEquals(times[0], times[1], "the second is the first one's session");
  }

  /** Unlike what JSSE says: no word of a close_notify that is missing. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closeInboundIsQuiet(String protocol) throws Exception {
    Engines pair = engines().speaking(protocol).handshake();
    pair.drain();
    pair.client.closeInbound();
    assertTrue(pair.client.isInboundDone());
    assertFalse(pair.client.isOutboundDone());
    pair.client.closeInbound();
    SSLEngine fresh = clientContext.createSSLEngine();
    fresh.setUseClientMode(true);
    fresh.closeInbound();
    assertTrue(fresh.isInboundDone());
    assertThrows(SSLException.class, fresh::beginHandshake);
  }

  @Test
  void fallbackMayBeNamed() throws Exception {
    Engines pair = engines();
    List<String> suites = new ArrayList<>(Arrays.asList(pair.client.getEnabledCipherSuites()));
    suites.add("TLS_FALLBACK_SCSV");
    pair.client.setEnabledCipherSuites(suites.toArray(new String[0]));
    pair.handshake().exchange();
    SSLParameters parameters = pair.client.getSSLParameters();
    parameters.setCipherSuites(suites.toArray(new String[0]));
    SSLEngine other = clientContext.createSSLEngine("example.com", 443);
    other.setSSLParameters(parameters);
    assertArrayEquals(suites.toArray(new String[0]), parameters.getCipherSuites());
    new Engines(other, serverContext.createSSLEngine()).handshake().exchange();
    assertThrows(
        IllegalArgumentException.class, () -> pair.client.setEnabledCipherSuites(new String[] {"TLS_UNHEARD_OF"}));
  }

  @Test
  void suitesOfTls13AreEnabledWhereThatVersionIs() throws Exception {
    List<String> tls13 = Arrays.asList("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");
    String other = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    List<String> both = new ArrayList<>(tls13);
    both.add(other);
    for (String[] set : new String[][] {{other}, {other, tls13.get(1)}, {}, {tls13.get(2)}}) {
      boolean named = Arrays.asList(set).contains(other);
      SSLEngine engine = clientContext.createSSLEngine();
      engine.setEnabledCipherSuites(set);
      List<String> all = named ? both : tls13;
      assertEquals(all, Arrays.asList(engine.getEnabledCipherSuites()));
      assertEquals(all, Arrays.asList(engine.getSSLParameters().getCipherSuites()));
      engine.setEnabledProtocols(new String[] {"TLSv1.2"});
      List<String> older = named ? Arrays.asList(other) : new ArrayList<>();
      assertEquals(older, Arrays.asList(engine.getEnabledCipherSuites()));
      assertEquals(older, Arrays.asList(engine.getSSLParameters().getCipherSuites()));
      engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
      assertEquals(all, Arrays.asList(engine.getEnabledCipherSuites()));
    }
    Engines pair = engines();
    pair.client.setEnabledCipherSuites(new String[] {other});
    pair.handshake().exchange();
    assertEquals("TLSv1.3", pair.client.getSession().getProtocol());
    Engines old = engines();
    old.client.setEnabledProtocols(new String[] {"TLSv1.2"});
    old.client.setEnabledCipherSuites(new String[] {tls13.get(0), other});
    old.handshake().exchange();
    assertEquals(other, old.client.getSession().getCipherSuite());
    try (SSLSocket socket = (SSLSocket) clientContext.getSocketFactory().createSocket();
        SSLServerSocket server = (SSLServerSocket) serverContext.getServerSocketFactory().createServerSocket()) {
      socket.setEnabledCipherSuites(new String[] {other});
      assertEquals(both, Arrays.asList(socket.getEnabledCipherSuites()));
      server.setEnabledCipherSuites(new String[] {other});
      assertEquals(both, Arrays.asList(server.getEnabledCipherSuites()));
    }
  }

  @Test
  void olderProtocolsMayBeNamed() throws Exception {
    Engines e = engines();
    e.client.setEnabledProtocols(new String[] {"TLSv1", "TLSv1.1", "TLSv1.2"});
    SSLParameters parameters = e.server.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1", "TLSv1.2"});
    e.server.setSSLParameters(parameters);
    assertArrayEquals(new String[] {"TLSv1", "TLSv1.2"}, parameters.getProtocols());
    e.handshake();
    assertEquals("TLSv1.2", e.client.getSession().getProtocol());
    assertThrows(IllegalArgumentException.class, () -> e.client.setEnabledProtocols(new String[] {"SSLv3.5"}));
  }

  @Test
  void protocolsAreListedOldestFirst() throws Exception {
    String[] both = {"TLSv1.2", "TLSv1.3"};
    for (String name : new String[] {"SSL", "TLS", "TLSv1.3", "Default", "TLSv1", "TLSv1.1", "TLSv1.2"}) {
      SSLContext context = SSLContext.getInstance(name, provider);
      if (!name.equals("Default")) {
        context.init(null, null, null);
      }
      String[] enabled = name.startsWith("TLSv1") && !name.equals("TLSv1.3") ? new String[] {"TLSv1.2"} : both;
      assertArrayEquals(enabled, context.getDefaultSSLParameters().getProtocols(), name);
      assertArrayEquals(both, context.getSupportedSSLParameters().getProtocols(), name);
      SSLEngine engine = context.createSSLEngine();
      assertArrayEquals(enabled, engine.getEnabledProtocols(), name);
      assertArrayEquals(enabled, engine.getSSLParameters().getProtocols(), name);
      assertArrayEquals(both, engine.getSupportedProtocols(), name);
      try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
        assertArrayEquals(enabled, socket.getEnabledProtocols(), name);
        assertArrayEquals(enabled, socket.getSSLParameters().getProtocols(), name);
        assertArrayEquals(both, socket.getSupportedProtocols(), name);
      }
    }
    SSLEngine engine = clientContext.createSSLEngine();
    engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    assertArrayEquals(new String[] {"TLSv1.3", "TLSv1.2"}, engine.getEnabledProtocols(), "as set");
    assertThrows(
        java.security.NoSuchAlgorithmException.class, () -> SSLContext.getInstance("SSLv3", provider));
  }

  @Test
  void obsoleteProtocolsAloneLeaveNone() throws Exception {
    for (String[] obsolete : new String[][] {{"TLSv1"}, {"TLSv1.1", "TLSv1"}, {"SSLv3"}}) {
      SSLEngine engine = clientContext.createSSLEngine("example.com", 443);
      engine.setUseClientMode(true);
      engine.setEnabledProtocols(obsolete);
      assertEquals(0, engine.getEnabledProtocols().length);
      assertThrows(SSLHandshakeException.class, engine::beginHandshake);
      try (SSLSocket socket = (SSLSocket) clientContext.getSocketFactory().createSocket()) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(obsolete);
        socket.setSSLParameters(parameters);
        assertArrayEquals(obsolete, parameters.getProtocols());
        assertEquals(0, socket.getEnabledProtocols().length);
      }
    }
    SSLEngine engine = clientContext.createSSLEngine();
    engine.setEnabledProtocols(new String[] {"SSLv3", "TLSv1.2"});
    assertArrayEquals(new String[] {"TLSv1.2"}, engine.getEnabledProtocols());
    for (String[] wrong : new String[][] {null, {null}, {"bogus"}, {"SSLv2Hello", "TLSv1.2"}, {"tlsv1.2"}}) {
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledProtocols(wrong));
    }
  }

  @Test
  void contextsOfOlderNames() throws Exception {
    for (String name : new String[] {"TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3", "SSL", "TLS"}) {
      SSLContext server = Pki.context(provider, name, Pki.identity("example.com"), Pki.trustManager(provider));
      Engines e = new Engines(clientContext.createSSLEngine(), server.createSSLEngine()).handshake();
      boolean old = name.startsWith("TLSv1") && !name.equals("TLSv1.3");
      assertEquals(old ? "TLSv1.2" : "TLSv1.3", e.client.getSession().getProtocol(), name);
      assertArrayEquals(
          old ? new String[] {"TLSv1.2"} : new String[] {"TLSv1.2", "TLSv1.3"},
          Arrays.stream(server.getDefaultSSLParameters().getProtocols()).sorted().toArray());
    }
  }
}
