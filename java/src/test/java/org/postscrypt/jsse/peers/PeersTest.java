package org.postscrypt.jsse.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.security.Principal;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingKeyManager;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/**
 * Our engines with those of Conscrypt, netty and Bouncy Castle. Of those, only what travels counts; that our side keeps
 * the contract is checked in every call.
 */
class PeersTest {
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.postscrypt.jsse.support.TlsCase#others")
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @interface EachOther {}

  private static void assumeAvailable(TlsCase c) {
    String reason = c.pairing().other().unavailability();
    assumeTrue(reason == null, () -> c.pairing().other() + " is not available here: " + reason);
  }

  private static EngineSide ours(EnginePump pump) {
    return pump.client().vendor() == Peer.POSTSCRYPT ? pump.client() : pump.server();
  }

  private static boolean weAreClient(TlsCase c) {
    return c.pairing().client() == Peer.POSTSCRYPT;
  }

  private static void assertDataPasses(EnginePump pump) throws SSLException {
    for (int size : new int[] {1, 0, 100, 16383, 16384, 16385, 100_000}) {
      pump.send(pump.client(), Bytes.pattern(size));
      pump.send(pump.server(), Bytes.pattern(size));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.postscrypt.jsse.support.TlsCase#othersWithKeys")
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void handshakeAndData(TlsCase c) throws Exception {
    assumeAvailable(c);
    Peer other = c.pairing().other();
    assumeTrue(c.key() != KeyType.ED25519 || other == Peer.BCJSSE && !weAreClient(c),
        () -> other + " has no Ed25519 certificates, or not with the JDK's keys");
    assumeTrue(c.key() != KeyType.EC521 || other == Peer.BCJSSE || weAreClient(c),
        () -> other + "'s client does not accept ecdsa_secp521r1_sha512");
    EnginePump pump = c.engines().open();
    pump.handshake();
    SSLSession ours = ours(pump).engine().getSession();
    assertEquals(c.tls().protocol(), ours.getProtocol());
    assertTrue(List.of(ours(pump).engine().getEnabledCipherSuites()).contains(ours.getCipherSuite()));
    X509Certificate leaf = TestPki.server(c.key()).certificate();
    if (weAreClient(c)) {
      assertArrayEquals(new X509Certificate[] {leaf}, ours.getPeerCertificates());
    } else {
      assertArrayEquals(new X509Certificate[] {leaf}, ours.getLocalCertificates());
    }
    assertDataPasses(pump);
  }

  @EachOther
  void applicationProtocol(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.engines().protocols(new String[] {"a", "h2"}, new String[] {"h2", "b"}).open();
    pump.handshake();
    assertEquals("h2", ours(pump).engine().getApplicationProtocol());
    EnginePump none = c.engines().protocols(new String[0], new String[] {"h2"}).open();
    none.handshake();
    assertEquals("", ours(none).engine().getApplicationProtocol());
  }

  @EachOther
  void noCommonApplicationProtocol(TlsCase c) throws Exception {
    assumeAvailable(c);
    assumeTrue(!weAreClient(c), "whether a server of others refuses is its own affair");
    EnginePump pump = c.engines().protocols(new String[] {"a"}, new String[] {"b"}).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
  }

  @EachOther
  void serverName(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.engines().open();
    pump.handshake();
    ExtendedSSLSession ours = (ExtendedSSLSession) ours(pump).engine().getSession();
    assertEquals(List.of(new SNIHostName(TestPki.HOST)), ours.getRequestedServerNames());
  }

  @EachOther
  void clientAuthentication(TlsCase c) throws Exception {
    assumeAvailable(c);
    for (KeyType key : new KeyType[] {KeyType.EC, KeyType.RSA}) {
      for (boolean need : new boolean[] {true, false}) {
        TestPki.Identity identity = TestPki.client(key);
        EnginePump pump = c.engines().clientIdentity(identity).server(e -> ask(e, need)).open();
        pump.handshake();
        SSLSession ours = ours(pump).engine().getSession();
        assertArrayEquals(
            identity.chain().toArray(), weAreClient(c) ? ours.getLocalCertificates() : ours.getPeerCertificates());
        assertDataPasses(pump);
      }
    }
  }

  private static void ask(SSLEngine server, boolean need) {
    if (need) {
      server.setNeedClientAuth(true);
    } else {
      server.setWantClientAuth(true);
    }
  }

  @EachOther
  void clientWithoutCertificate(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump wanted = c.engines().server(e -> ask(e, false)).open();
    wanted.handshake();
    SSLSession ours = ours(wanted).engine().getSession();
    if (weAreClient(c)) {
      assertNull(ours.getLocalCertificates());
    } else {
      assertThrows(SSLPeerUnverifiedException.class, ours::getPeerCertificates);
    }
    EnginePump needed = c.engines().server(e -> ask(e, true)).open();
    needed.failHandshake();
    assertInstanceOf(SSLException.class, ours(needed).failure());
    if (weAreClient(c)) {
      Alerts.assertNames(
          needed.client().failure(), "bad_certificate", "certificate_required", "handshake_failure");
    }
  }

  @EachOther
  void untrustedServer(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.engines().serverIdentity(TestPki.untrusted()).open();
    pump.failHandshake();
    if (weAreClient(c)) {
      assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
      Alerts.assertCause(CertificateException.class, pump.client().failure());
    } else {
      assertInstanceOf(SSLException.class, pump.server().failure());
      Alerts.assertNames(pump.server().failure(),
          "certificate_unknown", "unknown_ca", "bad_certificate", "internal_error", "handshake_failure");
    }
  }

  @EachOther
  void noCommonProtocol(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.engines()
        .server(e -> e.setEnabledProtocols(new String[] {c.tls() == Tls.V12 ? "TLSv1.3" : "TLSv1.2"}))
        .open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, ours(pump).failure(), () -> pump.peerOf(ours(pump)).failure() + "");
    if (weAreClient(c)) {
      Alerts.assertNames(pump.client().failure(), "protocol_version", "handshake_failure");
    }
  }

  @EachOther
  void weCloseFirst(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.connected();
    EngineSide ours = ours(pump);
    EngineSide theirs = pump.peerOf(ours);
    ours.closeAndFlush();
    pump.settle();
    assertTrue(theirs.engine().isInboundDone());
    theirs.engine().closeOutbound();
    for (int i = 0; i < 10 && !theirs.engine().isOutboundDone(); i++) {
      theirs.wrapAndSend();
    }
    if (!ours.engine().isInboundDone()) {
      assertEquals(Status.CLOSED, ours.unwrapNext().getStatus());
    }
    assertTrue(ours.engine().isInboundDone());
    ours.engine().closeInbound();
  }

  @EachOther
  void theyCloseFirst(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.connected();
    EngineSide ours = ours(pump);
    EngineSide theirs = pump.peerOf(ours);
    theirs.engine().closeOutbound();
    for (int i = 0; i < 10 && !theirs.engine().isOutboundDone(); i++) {
      theirs.wrapAndSend();
    }
    // Before it there may be tickets.
    pump.settle();
    assertTrue(ours.engine().isInboundDone());
    ours.engine().closeInbound();
    ours.closeAndFlush();
    assertTrue(ours.engine().isOutboundDone());
  }

  @EachOther
  void corruptRecords(TlsCase c) throws Exception {
    assumeAvailable(c);
    EnginePump pump = c.connected();
    EngineSide ours = ours(pump);
    EngineSide theirs = pump.peerOf(ours);
    theirs.wrapAndSend(theirs.buffers().source(Bytes.pattern(100)));
    byte[] wire = ours.wire().take();
    wire[wire.length - 1] ^= 1;
    ours.wire().add(wire);
    SSLException failure = assertThrows(SSLException.class, () -> pump.deliver(ours));
    Alerts.assertNames(failure, "bad_record_mac", "decrypt");
    ours.wrapAndSend();
    assertThrows(SSLException.class, () -> {
      pump.deliver(theirs);
      throw new SSLException("no alert arrived, or none that was an error: " + theirs.history());
    });
    assertEquals(0, ours.takeReceived().length);
  }

  @EachOther
  void resumption(TlsCase c) throws Exception {
    assumeAvailable(c);
    assumeTrue(c.pairing().other() != Peer.BCJSSE || c.tls() == Tls.V12, "Bouncy Castle resumes TLS 1.2 only");
    assumeTrue(c.pairing().server() != Peer.CONSCRYPT || c.tls() == Tls.V12, "Conscrypt's server sends no tickets");
    AtomicInteger verified = new AtomicInteger();
    DelegatingTrustManager trust = new DelegatingTrustManager() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
          throws CertificateException {
        verified.incrementAndGet();
        super.checkServerTrusted(chain, authType, engine);
      }
    };
    AtomicInteger chosen = new AtomicInteger();
    DelegatingKeyManager keys = new DelegatingKeyManager(TestPki.server(c.key())) {
      @Override
      public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        chosen.incrementAndGet();
        return super.chooseEngineServerAlias(keyType, issuers, engine);
      }
    };
    EngineSetup setup = c.engines().clientTrust(trust);
    if (!weAreClient(c)) {
      setup.serverKeys(keys);
    }
    SSLContext client = setup.clientContext();
    SSLContext server = setup.serverContext();
    X509Certificate leaf = TestPki.server(c.key()).certificate();
    long created = 0;
    for (int i = 0; i < 3; i++) {
      EnginePump pump = setup.open(client, server);
      pump.handshake();
      assertDataPasses(pump);
      if (weAreClient(c)) {
        SSLSession session = pump.client().engine().getSession();
        created = i == 0 ? session.getCreationTime() : created;
        assertArrayEquals(new X509Certificate[] {leaf}, session.getPeerCertificates());
        assertEquals(1, verified.get(), "the server's certificate was verified again");
        assertEquals(created, session.getCreationTime());
      } else if (verified.get() > 0) {
        assertEquals(1, verified.get(), "the server's certificate was sent again");
      }
      pump.client().engine().closeOutbound();
      for (int k = 0; k < 10 && !pump.client().engine().isOutboundDone(); k++) {
        pump.client().wrapAndSend();
      }
      pump.settle();
      Thread.sleep(5);
    }
    assertTrue(verified.get() > 0 || chosen.get() > 0, "nobody was asked");
  }
}
