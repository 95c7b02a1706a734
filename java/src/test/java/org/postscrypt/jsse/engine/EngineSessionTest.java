package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Sessions before, during and after the handshake and the connection. */
class EngineSessionTest {
  @EachVersion
  void beforeTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    for (EngineSide side : new EngineSide[] {pump.client(), pump.server()}) {
      SSLSession session = side.engine().getSession();
      assertNotNull(session);
      assertEquals("SSL_NULL_WITH_NULL_NULL", session.getCipherSuite());
      assertEquals("NONE", session.getProtocol());
      assertThrows(SSLPeerUnverifiedException.class, session::getPeerCertificates);
      assertThrows(SSLPeerUnverifiedException.class, session::getPeerPrincipal);
      assertNull(session.getLocalCertificates());
      assertNull(session.getLocalPrincipal());
      assertEquals(0, session.getId().length);
      assertTrue(session.getPacketBufferSize() > Bytes.MAX_PLAINTEXT);
      assertTrue(session.getApplicationBufferSize() >= Bytes.MAX_PLAINTEXT);
      assertNull(side.engine().getHandshakeSession());
    }
    assertEquals(TestPki.HOST, pump.client().engine().getPeerHost());
    assertEquals(EngineSetup.PORT, pump.client().engine().getPeerPort());
    assertNull(pump.server().engine().getPeerHost());
    assertEquals(-1, pump.server().engine().getPeerPort());
  }

  @EachVersion
  void duringTheHandshake(TlsCase c) throws Exception {
    List<String> seen = new ArrayList<>();
    DelegatingTrustManager trust = new DelegatingTrustManager() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
          throws CertificateException {
        SSLSession session = engine.getHandshakeSession();
        seen.add(session.getProtocol());
        seen.add(session.getCipherSuite());
        seen.add(session.getPeerHost());
        seen.add(String.valueOf(session.getPeerPort()));
        seen.add(engine.getSession().getCipherSuite());
        super.checkServerTrusted(chain, authType, engine);
      }
    };
    EnginePump pump = c.engines().clientTrust(trust).open();
    pump.handshake();
    assertEquals(
        List.of(
            c.tls().protocol(),
            pump.client().engine().getSession().getCipherSuite(),
            TestPki.HOST,
            String.valueOf(EngineSetup.PORT),
            "SSL_NULL_WITH_NULL_NULL"),
        seen);
  }

  @EachKey
  void afterTheHandshake(TlsCase c) throws Exception {
    long before = System.currentTimeMillis();
    EnginePump pump = c.connected();
    SSLSession client = pump.client().engine().getSession();
    SSLSession server = pump.server().engine().getSession();
    assertNull(pump.client().engine().getHandshakeSession());
    assertNull(pump.server().engine().getHandshakeSession());
    assertEquals(client.getCipherSuite(), server.getCipherSuite());
    assertTrue(Set.of(pump.client().engine().getEnabledCipherSuites()).contains(client.getCipherSuite()));
    assertTrue(Set.of(pump.server().engine().getEnabledCipherSuites()).contains(client.getCipherSuite()));
    X509Certificate leaf = TestPki.server(c.key()).certificate();
    assertArrayEquals(new X509Certificate[] {leaf}, client.getPeerCertificates());
    assertEquals(leaf.getSubjectX500Principal(), client.getPeerPrincipal());
    assertArrayEquals(new X509Certificate[] {leaf}, server.getLocalCertificates());
    assertEquals(leaf.getSubjectX500Principal(), server.getLocalPrincipal());
    assertNull(client.getLocalCertificates());
    assertThrows(SSLPeerUnverifiedException.class, server::getPeerCertificates);
    assertThrows(SSLPeerUnverifiedException.class, server::getPeerPrincipal);
    assertEquals(TestPki.HOST, client.getPeerHost());
    assertEquals(EngineSetup.PORT, client.getPeerPort());
    for (SSLSession session : new SSLSession[] {client, server}) {
      assertEquals(c.tls().protocol(), session.getProtocol());
      assertTrue(session.isValid());
      assertTrue(session.getCreationTime() >= before - 1000 && session.getCreationTime() <= System.currentTimeMillis());
      assertTrue(session.getLastAccessedTime() >= session.getCreationTime());
      assertInstanceOf(ExtendedSSLSession.class, session);
      assertNotNull(session.getId());
      assertNotNull(session.toString());
    }
  }

  @EachVersion
  void arraysAreCopies(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    SSLSession session = pump.client().engine().getSession();
    session.getPeerCertificates()[0] = null;
    assertNotNull(session.getPeerCertificates()[0]);
    byte[] id = session.getId();
    byte[] kept = id.clone();
    Arrays.fill(id, (byte) 0x55);
    assertArrayEquals(kept, session.getId());
    SSLSession server = pump.server().engine().getSession();
    server.getLocalCertificates()[0] = null;
    assertNotNull(server.getLocalCertificates()[0]);
  }

  @EachVersion
  void extendedSession(TlsCase c) throws Exception {
    EnginePump pump =
        c.engines().clientIdentity(TestPki.client(c.key())).server(e -> e.setNeedClientAuth(true)).open();
    pump.handshake();
    ExtendedSSLSession client = (ExtendedSSLSession) pump.client().engine().getSession();
    ExtendedSSLSession server = (ExtendedSSLSession) pump.server().engine().getSession();
    // Names as in the JCA Standard Names, such as SHA256withECDSA.
    assertTrue(List.of(client.getLocalSupportedSignatureAlgorithms()).contains("SHA256withECDSA"));
    assertTrue(List.of(server.getPeerSupportedSignatureAlgorithms()).contains("SHA256withECDSA"));
    assertEquals(1, client.getRequestedServerNames().size());
    assertThrows(
        UnsupportedOperationException.class, () -> server.getRequestedServerNames().add(null));
    assertNotNull(client.getStatusResponses());
    assertTrue(client.getStatusResponses().isEmpty());
  }

  @EachVersion
  void valuesAndTheirListeners(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    SSLSession session = pump.client().engine().getSession();
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    assertEquals(0, session.getValueNames().length);
    session.putValue("a", first);
    session.putValue("text", "x");
    assertSame(first, session.getValue("a"));
    assertEquals(Set.of("a", "text"), Set.of(session.getValueNames()));
    assertEquals(List.of("bound a"), first.events);
    session.putValue("a", second);
    assertEquals(List.of("bound a", "unbound a"), first.events);
    assertEquals(List.of("bound a"), second.events);
    session.removeValue("a");
    session.removeValue("a");
    session.removeValue("never there");
    assertEquals(List.of("bound a", "unbound a"), second.events);
    assertNull(session.getValue("a"));
    assertNull(session.getValue("never there"));
    assertThrows(IllegalArgumentException.class, () -> session.putValue(null, "x"));
    assertThrows(IllegalArgumentException.class, () -> session.putValue("x", null));
    assertThrows(IllegalArgumentException.class, () -> session.getValue(null));
    assertThrows(IllegalArgumentException.class, () -> session.removeValue(null));
    assertSame(session, first.sessions.get(0));
  }

  /** Remembers being bound and unbound. */
  private static final class Recorder implements SSLSessionBindingListener {
    private final List<String> events = new ArrayList<>();
    private final List<SSLSession> sessions = new ArrayList<>();

    @Override
    public void valueBound(SSLSessionBindingEvent event) {
      events.add("bound " + event.getName());
      sessions.add(event.getSession());
    }

    @Override
    public void valueUnbound(SSLSessionBindingEvent event) {
      events.add("unbound " + event.getName());
      sessions.add(event.getSession());
    }
  }

  @EachVersion
  void invalidation(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    SSLSession session = pump.client().engine().getSession();
    session.invalidate();
    assertFalse(session.isValid());
    assertNull(session.getSessionContext());
    session.invalidate();
    assertEquals(c.tls().protocol(), session.getProtocol());
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }

  @EachVersion
  void readableAfterClosure(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    SSLSession taken = pump.client().engine().getSession();
    String suite = taken.getCipherSuite();
    pump.client().closeAndFlush();
    pump.server().unwrapNext();
    pump.server().closeAndFlush();
    pump.client().unwrapNext();
    for (SSLSession session : new SSLSession[] {taken, pump.client().engine().getSession()}) {
      assertEquals(suite, session.getCipherSuite());
      assertEquals(c.tls().protocol(), session.getProtocol());
      assertEquals(TestPki.server(c.key()).certificate(), session.getPeerCertificates()[0]);
      assertEquals(TestPki.HOST, session.getPeerHost());
      assertNotNull(session.getId());
    }
    ExtendedSSLSession server = (ExtendedSSLSession) pump.server().engine().getSession();
    assertEquals(TestPki.server(c.key()).certificate(), server.getLocalCertificates()[0]);
    assertEquals(1, server.getRequestedServerNames().size());
  }

  @EachVersion
  void failedHandshakeLeavesTheNullSession(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(TestPki.untrusted()).open();
    pump.failHandshake();
    SSLSession session = pump.client().engine().getSession();
    assertEquals("SSL_NULL_WITH_NULL_NULL", session.getCipherSuite());
    assertThrows(SSLPeerUnverifiedException.class, session::getPeerCertificates);
  }

  /** Between the same two contexts a later handshake may be abbreviated; either way it is as good as the first. */
  @EachVersion
  void laterConnectionsOfTheSameContexts(TlsCase c) throws Exception {
    SSLContext client = c.sockets().clientContext();
    SSLContext server = c.sockets().serverContext();
    for (int i = 0; i < 4; i++) {
      EnginePump pump = c.engines().open(client, server);
      pump.handshake();
      pump.send(pump.client(), Bytes.pattern(1000));
      pump.send(pump.server(), Bytes.pattern(1000));
      SSLSession session = pump.client().engine().getSession();
      assertEquals(c.tls().protocol(), session.getProtocol());
      assertEquals(TestPki.server(c.key()).certificate(), session.getPeerCertificates()[0]);
      assertEquals(TestPki.HOST, session.getPeerHost());
      assertTrue(session.isValid());
      ExtendedSSLSession serverSession = (ExtendedSSLSession) pump.server().engine().getSession();
      assertEquals(1, serverSession.getRequestedServerNames().size());
      pump.client().closeAndFlush();
      pump.settle();
    }
    // A context's session caches and their settings, per its Javadoc.
    assertNotNull(client.getClientSessionContext());
    assertNotNull(server.getServerSessionContext());
    client.getClientSessionContext().setSessionCacheSize(7);
    assertEquals(7, client.getClientSessionContext().getSessionCacheSize());
    client.getClientSessionContext().setSessionTimeout(77);
    assertEquals(77, client.getClientSessionContext().getSessionTimeout());
    assertThrows(IllegalArgumentException.class, () -> client.getClientSessionContext().setSessionCacheSize(-1));
    assertThrows(IllegalArgumentException.class, () -> client.getClientSessionContext().setSessionTimeout(-1));
  }

  /** When a TLS 1.3 client without a ticket fails differs between releases of the JDK. */
  @EachPairing
  void noSessionCreationStopsNewSessionsInTls12(TlsCase c) throws Exception {
    EnginePump pump = c.at(Tls.V12).engines().client(e -> e.setEnableSessionCreation(false)).open();
    assertFalse(pump.client().engine().getEnableSessionCreation());
    assertThrows(SSLException.class, () -> {
      pump.begin();
      pump.settle();
    });
    assertEquals(0, pump.client().finished());
  }
}
