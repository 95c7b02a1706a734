package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.conscrypt.BufferAllocator;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Nulls, wrong moments, wrong sides, and what is so by default. Runs over the original as well. */
class ArgumentsTest {
  private static Provider provider;
  private static SSLContext context;

  @BeforeAll
  static void make() throws Exception {
    provider = Conscrypt.newProvider();
    context = Pki.client(provider);
  }

  private static SSLEngine engine(boolean client) {
    SSLEngine engine = context.createSSLEngine("example.com", 443);
    engine.setUseClientMode(client);
    return engine;
  }

  private static SSLSocket socket() throws Exception {
    return (SSLSocket) context.getSocketFactory().createSocket();
  }

  private static void allThrow(Class<? extends Throwable> type, Executable... calls) {
    for (int i = 0; i < calls.length; i++) {
      assertThrows(type, calls[i], "call " + i);
    }
  }

  @Test
  void nullIsNobodys() {
    assertFalse(Conscrypt.isConscrypt((Provider) null));
    assertFalse(Conscrypt.isConscrypt((SSLSocketFactory) null));
    assertFalse(Conscrypt.isConscrypt((SSLServerSocketFactory) null));
    assertFalse(Conscrypt.isConscrypt((SSLSocket) null));
    assertFalse(Conscrypt.isConscrypt((SSLEngine) null));
    assertFalse(Conscrypt.isConscrypt((TrustManager) null));
  }

  @Test
  void nullSockets() {
    SSLSocket none = null;
    allThrow(
        NullPointerException.class,
        () -> Conscrypt.setHostname(none, "a"),
        () -> Conscrypt.getHostname(none),
        () -> Conscrypt.getHostnameOrIP(none),
        () -> Conscrypt.setUseSessionTickets(none, true),
        () -> Conscrypt.setChannelIdEnabled(none, false),
        () -> Conscrypt.getChannelId(none),
        () -> Conscrypt.setChannelIdPrivateKey(none, null),
        () -> Conscrypt.getApplicationProtocol(none),
        () -> Conscrypt.getApplicationProtocols(none),
        () -> Conscrypt.setApplicationProtocols(none, new String[] {"h2"}),
        () -> Conscrypt.setApplicationProtocolSelector(none, null),
        () -> Conscrypt.getTlsUnique(none),
        () -> Conscrypt.exportKeyingMaterial(none, "l", null, 1),
        () -> Conscrypt.setNamedGroups(none, new String[] {"X25519"}),
        () -> Conscrypt.setBufferAllocator(none, BufferAllocator.unpooled()));
  }

  @Test
  void nullEngines() {
    SSLEngine none = null;
    ByteBuffer[] some = {ByteBuffer.allocate(1)};
    allThrow(
        NullPointerException.class,
        () -> Conscrypt.setHostname(none, "a"),
        () -> Conscrypt.getHostname(none),
        () -> Conscrypt.setUseSessionTickets(none, true),
        () -> Conscrypt.setChannelIdEnabled(none, false),
        () -> Conscrypt.getChannelId(none),
        () -> Conscrypt.setChannelIdPrivateKey(none, null),
        () -> Conscrypt.getApplicationProtocol(none),
        () -> Conscrypt.getApplicationProtocols(none),
        () -> Conscrypt.setApplicationProtocols(none, new String[] {"h2"}),
        () -> Conscrypt.setApplicationProtocolSelector(none, null),
        () -> Conscrypt.getTlsUnique(none),
        () -> Conscrypt.exportKeyingMaterial(none, "l", null, 1),
        () -> Conscrypt.setBufferAllocator(none, BufferAllocator.unpooled()),
        () -> Conscrypt.setHandshakeListener(none, null),
        () -> Conscrypt.maxSealOverhead(none),
        () -> Conscrypt.unwrap(none, some, some),
        () -> Conscrypt.unwrap(none, null, null),
        () -> Conscrypt.unwrap(none, some, 0, 1, some, 0, 1));
  }

  @Test
  void nullFactoriesContextsAndManagers() {
    allThrow(
        NullPointerException.class,
        () -> Conscrypt.setUseEngineSocket((SSLSocketFactory) null, true),
        () -> Conscrypt.setUseEngineSocket((SSLServerSocketFactory) null, true),
        () -> Conscrypt.setNamedGroups((SSLSocketFactory) null, new String[] {"X25519"}),
        () -> Conscrypt.setClientSessionCache(null, null),
        () -> Conscrypt.setServerSessionCache(null, null),
        () -> Conscrypt.setHostnameVerifier(null, null),
        () -> Conscrypt.getHostnameVerifier(null));
    assertNull(Conscrypt.getDefaultHostnameVerifier(null));
    assertNotNull(Conscrypt.wrapHostnameVerifier(null));
  }

  @Test
  void channelIdOfEngines() throws Exception {
    SSLEngine client = engine(true);
    allThrow(
        IllegalStateException.class,
        () -> Conscrypt.setChannelIdEnabled(client, true),
        () -> Conscrypt.setChannelIdEnabled(client, false),
        () -> Conscrypt.getChannelId(client));
    SSLEngine server = engine(false);
    Conscrypt.setChannelIdEnabled(server, true);
    Conscrypt.setChannelIdEnabled(server, false);
    assertNull(Conscrypt.getChannelId(server));
    assertThrows(IllegalStateException.class, () -> Conscrypt.setChannelIdPrivateKey(server, null));
    assertThrows(
        IllegalStateException.class, () -> Conscrypt.setChannelIdPrivateKey(server, Pki.ecKey().getPrivate()));
    Engines e = Engines.of(context, Pki.server(provider));
    Conscrypt.setChannelIdEnabled(e.server, true);
    e.handshake();
    allThrow(
        IllegalStateException.class,
        () -> Conscrypt.getChannelId(e.client),
        () -> Conscrypt.getChannelId(e.server),
        () -> Conscrypt.setChannelIdEnabled(e.server, false),
        () -> Conscrypt.setChannelIdPrivateKey(e.client, null));
  }

  @Test
  void channelIdKeys() throws Exception {
    SSLContext servers = Pki.server(provider);
    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      Engines e = Engines.of(context, servers).speaking(protocol);
      Conscrypt.setChannelIdPrivateKey(e.client, Pki.ecKey().getPrivate());
      Conscrypt.setChannelIdEnabled(e.server, true);
      e.handshake().exchange();
    }
    KeyPair other = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Engines e = Engines.of(context, servers);
    Conscrypt.setChannelIdPrivateKey(e.client, other.getPrivate());
    assertThrows(SSLException.class, e::handshake);
    Engines cleared = Engines.of(context, servers);
    Conscrypt.setChannelIdPrivateKey(cleared.client, other.getPrivate());
    Conscrypt.setChannelIdPrivateKey(cleared.client, null);
    cleared.handshake().exchange();
  }

  @Test
  void channelIdOfSockets() throws Exception {
    try (SSLSocket client = socket(); SSLSocket server = socket()) {
      server.setUseClientMode(false);
      allThrow(
          IllegalStateException.class,
          () -> Conscrypt.setChannelIdEnabled(client, true),
          () -> Conscrypt.setChannelIdEnabled(client, false),
          () -> Conscrypt.getChannelId(client),
          () -> Conscrypt.setChannelIdPrivateKey(server, null));
      Conscrypt.setChannelIdPrivateKey(client, null);
      Conscrypt.setChannelIdEnabled(server, true);
      assertNull(Conscrypt.getChannelId(server));
    }
  }

  @Test
  void applicationProtocolsThatCannotBeSent() throws Exception {
    SSLEngine engine = engine(true);
    try (SSLSocket socket = socket()) {
      for (String[] wrong : new String[][] {null, {null}, {""}, {"h2", ""}, {"x".repeat(256)}, {"\u20ac"}, {"\u00e4"}}) {
        assertThrows(IllegalArgumentException.class, () -> Conscrypt.setApplicationProtocols(engine, wrong));
        assertThrows(IllegalArgumentException.class, () -> Conscrypt.setApplicationProtocols(socket, wrong));
      }
      String[] longest = {"x".repeat(255), "h2"};
      Conscrypt.setApplicationProtocols(engine, longest);
      Conscrypt.setApplicationProtocols(socket, longest);
      assertArrayEquals(longest, Conscrypt.getApplicationProtocols(engine));
      assertArrayEquals(longest, Conscrypt.getApplicationProtocols(socket));
      Conscrypt.setApplicationProtocols(engine, new String[0]);
      assertEquals(0, Conscrypt.getApplicationProtocols(engine).length);
    }
  }

  @Test
  void namedGroupsThatAreNone() throws Exception {
    try (SSLSocket socket = socket()) {
      for (String[] groups : new String[][] {null, {}, {"bogus"}, {null}, {"X25519", null, "X25519"}}) {
        Conscrypt.setNamedGroups(socket, groups);
      }
    }
    SSLSocketFactory factory = context.getSocketFactory();
    Conscrypt.setNamedGroups(factory, new String[] {null, "P-256"});
    factory.createSocket().close();
    Conscrypt.setNamedGroups(factory, null);
    factory.createSocket().close();
  }

  @Test
  void beforeTheHandshake() throws Exception {
    SSLEngine engine = engine(true);
    assertNull(Conscrypt.getApplicationProtocol(engine));
    assertNull(Conscrypt.getTlsUnique(engine));
    assertNull(Conscrypt.exportKeyingMaterial(engine, "label", null, 1));
    assertNull(engine.getHandshakeSession());
    SSLSession none = engine.getSession();
    assertEquals("SSL_NULL_WITH_NULL_NULL", none.getCipherSuite());
    assertEquals("NONE", none.getProtocol());
    assertFalse(none.isValid());
    assertEquals(0, none.getId().length);
    assertNull(none.getSessionContext());
    assertNull(none.getLocalCertificates());
    assertNull(none.getLocalPrincipal());
    assertEquals(0, none.getValueNames().length);
    assertTrue(none.getCreationTime() > 0);
    assertTrue(none.getPacketBufferSize() > 16384 && none.getApplicationBufferSize() == 16384);
    assertThrows(javax.net.ssl.SSLPeerUnverifiedException.class, none::getPeerCertificates);
    assertThrows(javax.net.ssl.SSLPeerUnverifiedException.class, none::getPeerPrincipal);
    try (SSLSocket socket = socket()) {
      assertNull(Conscrypt.getApplicationProtocol(socket));
      assertNull(Conscrypt.getTlsUnique(socket));
      assertNull(Conscrypt.exportKeyingMaterial(socket, "label", null, 1));
      assertFalse(socket.getSession().isValid());
      assertNull(socket.getHandshakeSession());
    }
  }

  @Test
  void afterTheHandshake() throws Exception {
    SSLContext server = Pki.server(provider);
    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      Engines e = Engines.of(context, server).speaking(protocol).handshake();
      e.exchange();
      SSLSession session = e.client.getSession();
      assertTrue(session.isValid());
      assertEquals("example.com", session.getPeerHost());
      assertEquals(443, session.getPeerPort());
      assertSame(context.getClientSessionContext(), session.getSessionContext());
      assertSame(server.getServerSessionContext(), e.server.getSession().getSessionContext());
      allThrow(
          IllegalArgumentException.class,
          () -> session.putValue(null, "x"),
          () -> session.putValue("x", null),
          () -> session.getValue(null),
          () -> session.removeValue(null));
      session.putValue("x", "y");
      assertArrayEquals(new String[] {"x"}, session.getValueNames());
      session.removeValue("x");
      assertNull(session.getValue("x"));
      for (SSLEngine engine : new SSLEngine[] {e.client, e.server}) {
        assertEquals(0, Conscrypt.exportKeyingMaterial(engine, "label", new byte[0], 0).length);
        assertThrows(
            NullPointerException.class, () -> Conscrypt.exportKeyingMaterial(engine, null, null, 3));
        byte[] unique = Conscrypt.getTlsUnique(engine);
        assertEquals(protocol.equals("TLSv1.2"), unique != null);
        assertNull(Conscrypt.getApplicationProtocol(engine));
        assertNull(engine.getHandshakeSession());
        engine.beginHandshake();
        assertEquals(javax.net.ssl.SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING, engine.getHandshakeStatus());
        assertThrows(
            IllegalArgumentException.class, () -> engine.setUseClientMode(!engine.getUseClientMode()));
        engine.setEnabledProtocols(new String[] {"TLSv1.2"});
        engine.setNeedClientAuth(true);
        Conscrypt.setUseSessionTickets(engine, true);
      }
      e.exchange();
      session.invalidate();
      assertFalse(session.isValid());
    }
  }

  @Test
  void withoutAMode() {
    SSLEngine engine = context.createSSLEngine();
    allThrow(
        IllegalStateException.class,
        engine::beginHandshake,
        () -> engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000)),
        () -> engine.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000)));
    assertFalse(engine.getUseClientMode());
  }

  @Test
  void modeAfterTheHandshakeBegan() throws Exception {
    SSLEngine engine = engine(true);
    engine.beginHandshake();
    assertThrows(IllegalArgumentException.class, () -> engine.setUseClientMode(false));
    allThrow(
        IllegalStateException.class,
        () -> Conscrypt.setHandshakeListener(engine, null),
        () -> Conscrypt.setBufferAllocator(engine, BufferAllocator.unpooled()));
  }

  @Test
  void buffersThatAreNone() {
    SSLEngine engine = engine(true);
    ByteBuffer[] one = {ByteBuffer.allocate(1)};
    ByteBuffer[] none = {null};
    allThrow(
        IllegalArgumentException.class,
        () -> Conscrypt.unwrap(engine, null, one),
        () -> Conscrypt.unwrap(engine, one, null),
        () -> Conscrypt.unwrap(engine, none, one),
        () -> Conscrypt.unwrap(engine, one, none));
    assertThrows(
        java.nio.ReadOnlyBufferException.class,
        () -> Conscrypt.unwrap(engine, one, new ByteBuffer[] {ByteBuffer.allocate(1).asReadOnlyBuffer()}));
    allThrow(
        IndexOutOfBoundsException.class,
        () -> Conscrypt.unwrap(engine, one, 0, 2, one, 0, 1),
        () -> Conscrypt.unwrap(engine, one, 0, 1, one, 1, 1));
  }

  @Test
  void defaultsOfContexts() throws Exception {
    SSLContext fresh = Pki.client(provider);
    assertEquals(10, fresh.getClientSessionContext().getSessionCacheSize());
    assertEquals(100, fresh.getServerSessionContext().getSessionCacheSize());
    assertEquals(28_800, fresh.getClientSessionContext().getSessionTimeout());
    assertEquals(28_800, fresh.getServerSessionContext().getSessionTimeout());
    allThrow(
        IllegalArgumentException.class,
        () -> fresh.getClientSessionContext().setSessionCacheSize(-1),
        () -> fresh.getServerSessionContext().setSessionTimeout(-1));
    assertThrows(NullPointerException.class, () -> fresh.getClientSessionContext().getSession(null));
    List<SSLParameters> all = new ArrayList<>(Collections.singletonList(fresh.getDefaultSSLParameters()));
    all.add(fresh.createSSLEngine().getSSLParameters());
    try (SSLSocket socket = socket()) {
      all.add(socket.getSSLParameters());
    }
    for (SSLParameters parameters : all) {
      assertFalse(parameters.getUseCipherSuitesOrder());
      assertNull(parameters.getEndpointIdentificationAlgorithm());
      assertNull(parameters.getAlgorithmConstraints());
      assertFalse(parameters.getNeedClientAuth() || parameters.getWantClientAuth());
      assertEquals(0, parameters.getApplicationProtocols().length);
    }
    SSLEngine engine = fresh.createSSLEngine();
    assertTrue(engine.getEnableSessionCreation());
    assertFalse(engine.getNeedClientAuth() || engine.getWantClientAuth());
  }

  @Test
  void theServersOrderOfSuitesCountsWhateverIsSaid() throws Exception {
    String[] one = {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"};
    String[] other = {one[1], one[0]};
    for (boolean serverOrder : new boolean[] {false, true}) {
      Engines e = Engines.of(context, Pki.server(provider)).speaking("TLSv1.2");
      e.client.setEnabledCipherSuites(one);
      e.server.setEnabledCipherSuites(other);
      if (serverOrder) {
        SSLParameters parameters = e.server.getSSLParameters();
        parameters.setUseCipherSuitesOrder(true);
        e.server.setSSLParameters(parameters);
        assertTrue(parameters.getUseCipherSuitesOrder());
      }
      assertEquals(serverOrder, e.server.getSSLParameters().getUseCipherSuitesOrder());
      e.handshake();
      assertEquals(other[0], e.client.getSession().getCipherSuite());
    }
  }

  /** Sends back what comes, until the end. */
  private static void echo(SSLServerSocket listener) {
    try (SSLSocket socket = (SSLSocket) listener.accept()) {
      socket.setSoTimeout(30_000);
      for (int b; (b = socket.getInputStream().read()) >= 0; ) {
        socket.getOutputStream().write(b);
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void socketsInUse() throws Exception {
    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      try (SSLServerSocket listener =
          (SSLServerSocket)
              Pki.server(provider).getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        listener.setSoTimeout(30_000);
        Thread server = new Thread(() -> echo(listener));
        server.start();
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
        socket.setSoTimeout(30_000);
        socket.setEnabledProtocols(new String[] {protocol});
        assertNull(socket.getHandshakeSession());
        socket.startHandshake();
        socket.startHandshake();
        SSLSession session = socket.getSession();
        assertEquals(session, socket.getSession());
        assertEquals(protocol, session.getProtocol());
        assertEquals(listener.getLocalPort(), session.getPeerPort());
        assertSame(context.getClientSessionContext(), session.getSessionContext());
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        assertSame(in, socket.getInputStream());
        assertSame(out, socket.getOutputStream());
        assertEquals(0, in.read(new byte[0]));
        out.write(new byte[0]);
        out.flush();
        assertFalse(in.markSupported());
        allThrow(NullPointerException.class, () -> in.read(null), () -> out.write((byte[]) null));
        assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[1], 0, 2));
        socket.setSoTimeout(100);
        assertThrows(java.net.SocketTimeoutException.class, in::read);
        socket.setSoTimeout(30_000);
        out.write(new byte[] {1, 2, 3});
        assertEquals(1, in.read());
        assertEquals(1, in.skip(1));
        assertEquals(3, in.read());
        assertEquals(9, Conscrypt.exportKeyingMaterial(socket, "label", null, 9).length);
        assertEquals(protocol.equals("TLSv1.2"), Conscrypt.getTlsUnique(socket) != null);
        assertNull(Conscrypt.getApplicationProtocol(socket));
        assertThrows(IllegalArgumentException.class, () -> socket.setUseClientMode(false));
        assertThrows(java.net.SocketException.class, () -> socket.connect(socket.getRemoteSocketAddress()));
        socket.close();
        server.join(30_000);
        assertTrue(socket.isClosed() && socket.isConnected() && socket.isBound());
        allThrow(
            java.net.SocketException.class, in::read, () -> out.write(1), socket::startHandshake, socket::getInputStream);
        assertEquals(session.getCipherSuite(), socket.getSession().getCipherSuite());
        assertNull(Conscrypt.exportKeyingMaterial(socket, "label", null, 9));
        assertNull(Conscrypt.getApplicationProtocol(socket));
      }
    }
  }

  @Test
  void socketsThatAreNotConnected() throws Exception {
    try (SSLSocket socket = socket()) {
      assertTrue(socket.getUseClientMode());
      assertTrue(socket.getEnableSessionCreation());
      assertFalse(socket.isConnected() || socket.isBound() || socket.isClosed());
      assertFalse(socket.getOOBInline());
      assertEquals(0, socket.getPort());
      assertNull(socket.getInetAddress());
      allThrow(
          java.net.SocketException.class,
          () -> socket.sendUrgentData(1),
          () -> socket.setOOBInline(true));
      allThrow(
          IllegalArgumentException.class,
          () -> socket.addHandshakeCompletedListener(null),
          () -> socket.removeHandshakeCompletedListener(null),
          () -> socket.removeHandshakeCompletedListener(event -> {}));
      assertThrows(NullPointerException.class, () -> socket.setSSLParameters(null));
    }
    SSLSocket closed = socket();
    closed.close();
    closed.close();
    assertTrue(closed.isClosed());
    assertEquals(
        Arrays.asList(context.getSocketFactory().getSupportedCipherSuites()),
        Arrays.asList(context.getServerSocketFactory().getSupportedCipherSuites()));
  }
}
