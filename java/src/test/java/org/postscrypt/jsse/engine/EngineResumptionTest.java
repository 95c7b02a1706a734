package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.Hello;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/**
 * Sessions that are resumed, and those that must not be. That a handshake resumes shows in what is not done: no chain
 * is verified.
 */
class EngineResumptionTest {
  /** Counts the chains that it is asked about. */
  private static final class Counter extends DelegatingTrustManager {
    private int asked;

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      asked++;
      super.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      asked++;
      super.checkClientTrusted(chain, authType, engine);
    }
  }

  /** Two contexts whose engines meet again and again. */
  private static final class Pair {
    final TlsCase c;
    final Counter byClient = new Counter();
    final Counter byServer = new Counter();
    final SSLContext client;
    final SSLContext server;

    Pair(TlsCase c, UnaryOperator<EngineSetup> contexts) {
      this.c = c;
      EngineSetup setup = contexts.apply(c.engines().clientTrust(byClient).serverTrust(byServer));
      client = setup.clientContext();
      server = setup.serverContext();
    }

    /** Connects, passes data so that tickets arrive, and closes; answers the sessions. */
    EnginePump connect(UnaryOperator<EngineSetup> settings) throws Exception {
      EnginePump pump = open(settings);
      pump.handshake();
      pump.send(pump.server(), Bytes.pattern(10));
      pump.send(pump.client(), Bytes.pattern(10));
      close(pump);
      return pump;
    }

    EnginePump open(UnaryOperator<EngineSetup> settings) {
      return settings.apply(c.engines()).open(client, server);
    }

    /** Whether a connection with these settings resumed a session. */
    boolean resumes(UnaryOperator<EngineSetup> settings) throws Exception {
      int before = byClient.asked;
      connect(settings);
      return byClient.asked == before;
    }
  }

  private static void close(EnginePump pump) throws SSLException {
    pump.client().closeAndFlush();
    pump.settle();
    pump.server().closeAndFlush();
    pump.settle();
  }

  private static final UnaryOperator<EngineSetup> USUAL = s -> s;

  private static Consumer<SSLEngine> parameters(Consumer<SSLParameters> change) {
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      change.accept(parameters);
      engine.setSSLParameters(parameters);
    };
  }

  private static boolean weAreClient(TlsCase c) {
    return c.pairing().client() == Peer.POSTSCRYPT;
  }

  private static boolean weAreServer(TlsCase c) {
    return c.pairing().server() == Peer.POSTSCRYPT;
  }

  private static SSLSession clientSession(EnginePump pump) {
    return pump.client().engine().getSession();
  }

  private static SSLSession serverSession(EnginePump pump) {
    return pump.server().engine().getSession();
  }

  @EachVersion
  void sameSessionAgain(TlsCase c) throws Exception {
    Pair pair = new Pair(c, s -> s.serverIdentity(TestPki.serverBehindIntermediate()));
    SSLSession first = clientSession(pair.connect(USUAL));
    assertEquals(1, pair.byClient.asked);
    Thread.sleep(20);
    Object[] chain = TestPki.serverBehindIntermediate().chain().toArray();
    assertEquals(2, chain.length);
    first.putValue("seen", "yes");
    for (int i = 0; i < 4; i++) {
      EnginePump pump = pair.connect(USUAL);
      SSLSession session = clientSession(pump);
      assertEquals(1, pair.byClient.asked, () -> "not resumed: " + pump.client().history());
      assertEquals(first.getCreationTime(), session.getCreationTime());
      assertArrayEquals(chain, session.getPeerCertificates(), "the whole chain");
      assertEquals(first.getPeerPrincipal(), session.getPeerPrincipal());
      assertEquals(first.getProtocol(), session.getProtocol());
      assertEquals(first.getCipherSuite(), session.getCipherSuite());
      assertTrue(session.isValid());
      assertTrue(session.getLastAccessedTime() >= session.getCreationTime());
      if (weAreClient(c)) {
        assertEquals("yes", session.getValue("seen"), "what was stored is part of the session");
      }
    }
  }

  @EachVersion
  void creationTimeAtTheServer(TlsCase c) throws Exception {
    Pair pair = new Pair(c, USUAL);
    long first = serverSession(pair.connect(USUAL)).getCreationTime();
    Thread.sleep(2200);
    long again = serverSession(pair.connect(USUAL)).getCreationTime();
    assertEquals(1, pair.byClient.asked);
    // A ticket has whole seconds.
    assertTrue(Math.abs(again - first) <= 1000, () -> again - first + " ms");
  }

  @EachVersion
  void clientChainAtTheServer(TlsCase c) throws Exception {
    Pair pair = new Pair(c, s -> s.clientIdentity(TestPki.client(c.key())));
    Object[] chain = TestPki.client(c.key()).chain().toArray();
    for (int i = 0; i < 3; i++) {
      EnginePump pump = pair.connect(s -> s.server(e -> e.setNeedClientAuth(true)));
      assertEquals(1, pair.byClient.asked, "resumed");
      assertEquals(1, pair.byServer.asked, "resumed");
      assertArrayEquals(chain, serverSession(pump).getPeerCertificates());
      assertEquals(TestPki.client(c.key()).certificate().getSubjectX500Principal(),
          serverSession(pump).getPeerPrincipal());
      if (weAreClient(c)) {
        assertArrayEquals(chain, clientSession(pump).getLocalCertificates());
      }
    }
  }

  /** A session made without the client's certificate is none for who needs it. */
  @EachVersion
  void stricterServer(TlsCase c) throws Exception {
    Pair pair = new Pair(c, s -> s.clientIdentity(TestPki.client(c.key())));
    assertFalse(pair.resumes(USUAL));
    assertTrue(pair.resumes(USUAL));
    EnginePump strict = pair.connect(s -> s.server(e -> e.setNeedClientAuth(true)));
    assertEquals(1, pair.byServer.asked);
    assertArrayEquals(
        TestPki.client(c.key()).chain().toArray(), serverSession(strict).getPeerCertificates());
  }

  @EachVersion
  void stricterServerAndAnonymousClient(TlsCase c) throws Exception {
    Pair pair = new Pair(c, USUAL);
    assertFalse(pair.resumes(s -> s.server(e -> e.setWantClientAuth(true))));
    assertTrue(pair.resumes(s -> s.server(e -> e.setWantClientAuth(true))));
    EnginePump strict = pair.open(s -> s.server(e -> e.setNeedClientAuth(true)));
    strict.failHandshake();
    assertNotNull(strict.server().failure());
    assertEquals(0, strict.server().finished());
  }

  /** Each of these is another peer, or is checked by other rules. */
  @EachVersion
  void neverUnderOtherRules(TlsCase c) throws Exception {
    assumeTrue(weAreClient(c), "rules of a client");
    String suite = c.tls() == Tls.V13 ? "TLS_AES_256_GCM_SHA384" : "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    List<UnaryOperator<EngineSetup>> others = List.of(
        s -> s.peer(TestPki.HOST, 444),
        s -> s.peer("localhost", EngineSetup.PORT),
        s -> s.client(parameters(p -> p.setEndpointIdentificationAlgorithm("HTTPS"))),
        s -> s.client(parameters(p -> p.setServerNames(List.of(new SNIHostName("www.example.com"))))),
        s -> s.client(e -> e.setEnabledCipherSuites(new String[] {suite})),
        s -> s.client(e -> e.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"})),
        s -> s.protocols(new String[] {"h2"}, new String[] {"h2"}));
    Pair pair = new Pair(c, USUAL);
    assertFalse(pair.resumes(USUAL));
    for (int i = 0; i < others.size(); i++) {
      assertTrue(pair.resumes(USUAL), "usual " + i);
      assertFalse(pair.resumes(others.get(i)), "other " + i);
    }
  }

  @EachVersion
  void rulesThatFollowTheSession(TlsCase c) throws Exception {
    assumeTrue(weAreClient(c), "rules of a client");
    // To whom the name was no matter, any right certificate would do; to whom it is, this one will not.
    Pair pair = new Pair(c, s -> s.serverIdentity(TestPki.wrongName()));
    assertFalse(pair.resumes(USUAL));
    assertTrue(pair.resumes(USUAL));
    EnginePump strict =
        pair.open(s -> s.client(parameters(p -> p.setEndpointIdentificationAlgorithm("HTTPS"))));
    strict.failHandshake();
    assertTrue(strict.client().failure() instanceof SSLHandshakeException);
    assertTrue(pair.resumes(USUAL));
  }

  @EachVersion
  void alpnAgrees(TlsCase c) throws Exception {
    Pair pair = new Pair(c, USUAL);
    String[] names = {"h2", "http/1.1"};
    for (int i = 0; i < 3; i++) {
      EnginePump pump = pair.connect(s -> s.protocols(names, names));
      assertEquals(1, pair.byClient.asked);
      assertEquals("h2", pump.client().engine().getApplicationProtocol());
      assertEquals("h2", pump.server().engine().getApplicationProtocol());
    }
  }

  @EachVersion
  void neverAcrossContexts(TlsCase c) throws Exception {
    Pair one = new Pair(c, USUAL);
    Pair two = new Pair(c, USUAL);
    one.connect(USUAL);
    // The first client, which has a session, meets the second server, which has not.
    EnginePump pump = c.engines().open(one.client, two.server);
    pump.handshake();
    pump.send(pump.server(), Bytes.pattern(10));
    close(pump);
    assertEquals(2, one.byClient.asked, "another server has other ticket keys");
    EnginePump other = c.engines().open(two.client, one.server);
    other.handshake();
    close(other);
    assertEquals(1, two.byClient.asked, "another client has no session");
  }

  @EachVersion
  void invalidatedByTheClient(TlsCase c) throws Exception {
    Pair pair = new Pair(c, USUAL);
    SSLSession session = clientSession(pair.connect(USUAL));
    SSLSession again = clientSession(pair.connect(USUAL));
    assertEquals(1, pair.byClient.asked);
    session.invalidate();
    again.invalidate();
    assertFalse(session.isValid());
    assertFalse(pair.resumes(USUAL));
    assertTrue(pair.resumes(USUAL));
  }

  /** Of a connection that ends by an error, nothing is resumed (RFC 5246 section 7.2.2). */
  @EachVersion
  void failedConnection(TlsCase c) throws Exception {
    assumeTrue(weAreClient(c), "rules of a client");
    Pair pair = new Pair(c, USUAL);
    EnginePump pump = pair.open(USUAL);
    pump.handshake();
    pump.send(pump.server(), Bytes.pattern(10));
    byte[] record = pump.server().record(Bytes.pattern(10));
    record[record.length - 1] ^= 1;
    pump.client().wire().add(record);
    assertThrows(SSLException.class, () -> pump.deliver(pump.client()));
    assertFalse(clientSession(pump).isValid());
    assertFalse(pair.resumes(USUAL));
  }

  @EachVersion
  void clientTimeout(TlsCase c) throws Exception {
    assumeTrue(weAreClient(c), "rules of a client");
    Pair pair = new Pair(c, USUAL);
    pair.client.getClientSessionContext().setSessionTimeout(1);
    SSLSession session = clientSession(pair.connect(USUAL));
    assertNotNull(pair.client.getClientSessionContext().getSession(session.getId()));
    Thread.sleep(1100);
    assertNull(pair.client.getClientSessionContext().getSession(session.getId()));
    assertFalse(pair.resumes(USUAL));
  }

  @EachVersion
  void serverTimeout(TlsCase c) throws Exception {
    assumeTrue(weAreServer(c), "rules of a server");
    Pair pair = new Pair(c, USUAL);
    pair.server.getServerSessionContext().setSessionTimeout(1);
    assertFalse(pair.resumes(USUAL));
    Thread.sleep(2100);
    assertFalse(pair.resumes(USUAL));
  }

  @EachVersion
  void cacheSize(TlsCase c) throws Exception {
    assumeTrue(weAreClient(c), "rules of a client");
    Pair pair = new Pair(c, USUAL);
    UnaryOperator<EngineSetup> other = s -> s.peer("localhost", 1);
    pair.connect(USUAL);
    pair.connect(other);
    assertTrue(pair.resumes(USUAL));
    pair.client.getClientSessionContext().setSessionCacheSize(1);
    // The other one was used least recently.
    assertFalse(pair.resumes(other));
    assertFalse(pair.resumes(USUAL));
    assertTrue(pair.resumes(USUAL));
  }

  private static List<ByteBuffer> ids(SSLSessionContext context) {
    List<ByteBuffer> ids = new ArrayList<>();
    for (byte[] id : Collections.list(context.getIds())) {
      ids.add(ByteBuffer.wrap(id));
    }
    return ids;
  }

  @EachVersion
  void sessionContexts(TlsCase c) throws Exception {
    Pair pair = new Pair(c, USUAL);
    EnginePump pump = pair.connect(USUAL);
    for (boolean client : new boolean[] {true, false}) {
      if (client ? !weAreClient(c) : !weAreServer(c)) {
        continue;
      }
      SSLSessionContext context =
          client ? pair.client.getClientSessionContext() : pair.server.getServerSessionContext();
      SSLSession session = client ? clientSession(pump) : serverSession(pump);
      assertSame(context, session.getSessionContext());
      assertTrue(session.getId().length > 0 && session.getId().length <= 32);
      assertTrue(ids(context).contains(ByteBuffer.wrap(session.getId())));
      SSLSession found = context.getSession(session.getId());
      assertArrayEquals(session.getId(), found.getId());
      assertEquals(session.getCipherSuite(), found.getCipherSuite());
      assertNull(context.getSession(new byte[32]));
      assertThrows(NullPointerException.class, () -> context.getSession(null));
      session.invalidate();
      assertNull(context.getSession(session.getId()));
      assertFalse(ids(context).contains(ByteBuffer.wrap(session.getId())));
      SSLSessionContext none =
          client ? pair.client.getServerSessionContext() : pair.server.getClientSessionContext();
      assertTrue(ids(none).isEmpty());
    }
  }

  @EachVersion
  void noSessionCreation(TlsCase c) throws Exception {
    assumeTrue(weAreClient(c), "rules of a client");
    Pair pair = new Pair(c, USUAL);
    pair.connect(USUAL);
    UnaryOperator<EngineSetup> none = s -> s.client(e -> e.setEnableSessionCreation(false));
    assertTrue(pair.resumes(none));
    Pair fresh = new Pair(c, USUAL);
    EnginePump pump = fresh.open(none);
    assertThrows(SSLException.class, () -> {
      pump.begin();
      pump.settle();
    });
  }

  /** RFC 8446 appendix C.4: a ticket used twice would tell that the connections belong together. */
  @EachVersion
  void parallelConnections(TlsCase c) throws Exception {
    assumeTrue(c.tls() == Tls.V13 && weAreClient(c), "rules of a TLS 1.3 client");
    Pair pair = new Pair(c, USUAL);
    // SunJSSE sends one ticket for each connection.
    EnginePump one = pair.open(USUAL);
    EnginePump two = pair.open(USUAL);
    one.begin();
    two.begin();
    for (EnginePump pump : new EnginePump[] {one, two}) {
      pump.settle();
      pump.assertEstablished();
      pump.send(pump.server(), Bytes.pattern(10));
    }
    List<ByteBuffer> tickets = new ArrayList<>();
    List<EnginePump> pumps = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      EnginePump pump = pair.open(USUAL);
      pump.begin();
      pump.client().wrapAndSend();
      EngineSide server = pump.server();
      Hello hello = Hello.ofClient(server.wire().peek(Bytes.MAX_RECORD));
      assertEquals(1, hello.pskIdentities().size());
      tickets.addAll(hello.pskIdentities());
      pumps.add(pump);
    }
    assertNotEquals(tickets.get(0), tickets.get(1));
    int before = pair.byClient.asked;
    for (EnginePump pump : pumps) {
      pump.handshake();
    }
    assertEquals(before, pair.byClient.asked, "both resumed");
  }
}
