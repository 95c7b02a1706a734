package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingKeyManager;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Client authentication: none, want, need. */
class EngineClientAuthTest {
  private static void assertAuthenticated(EnginePump pump, TestPki.Identity identity) throws Exception {
    SSLSession session = pump.server().engine().getSession();
    assertArrayEquals(identity.chain().toArray(), session.getPeerCertificates());
    assertEquals(identity.certificate().getSubjectX500Principal(), session.getPeerPrincipal());
    SSLSession own = pump.client().engine().getSession();
    assertArrayEquals(identity.chain().toArray(), own.getLocalCertificates());
    assertEquals(identity.certificate().getSubjectX500Principal(), own.getLocalPrincipal());
  }

  private static void assertAnonymous(EnginePump pump) {
    SSLSession session = pump.server().engine().getSession();
    assertThrows(SSLPeerUnverifiedException.class, session::getPeerCertificates);
    assertThrows(SSLPeerUnverifiedException.class, session::getPeerPrincipal);
    assertNull(pump.client().engine().getSession().getLocalCertificates());
    assertNull(pump.client().engine().getSession().getLocalPrincipal());
  }

  @EachKey
  void needAndPresent(TlsCase c) throws Exception {
    EnginePump pump =
        c.engines().clientIdentity(TestPki.client(c.key())).server(e -> e.setNeedClientAuth(true)).open();
    pump.handshake();
    assertAuthenticated(pump, TestPki.client(c.key()));
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }

  @EachVersion
  void needAndAbsent(TlsCase c) throws Exception {
    EnginePump pump = c.engines().server(e -> e.setNeedClientAuth(true)).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    assertInstanceOf(SSLException.class, pump.client().failure());
    Alerts.assertNames(pump.client().failure(), "bad_certificate", "certificate_required", "handshake_failure");
    assertEquals(0, pump.server().finished());
  }

  @EachVersion
  void wantAndPresent(TlsCase c) throws Exception {
    EnginePump pump =
        c.engines().clientIdentity(TestPki.client(c.key())).server(e -> e.setWantClientAuth(true)).open();
    pump.handshake();
    assertAuthenticated(pump, TestPki.client(c.key()));
  }

  @EachVersion
  void wantAndAbsent(TlsCase c) throws Exception {
    EnginePump pump = c.engines().server(e -> e.setWantClientAuth(true)).open();
    pump.handshake();
    assertAnonymous(pump);
    pump.send(pump.client(), Bytes.pattern(100));
  }

  @EachVersion
  void noneAlthoughPresent(TlsCase c) throws Exception {
    EnginePump pump = c.engines().clientIdentity(TestPki.client(c.key())).open();
    pump.handshake();
    assertAnonymous(pump);
  }

  @EachVersion
  void untrustedClient(TlsCase c) throws Exception {
    // Its key manager must not be particular about issuers, or it would stay anonymous.
    DelegatingKeyManager keys = new DelegatingKeyManager(TestPki.untrustedClient()) {
      @Override
      public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return super.chooseEngineClientAlias(keyTypes, null, engine);
      }
    };
    for (boolean need : new boolean[] {true, false}) {
      EnginePump pump = c.engines()
          .clientKeys(keys)
          .server(e -> {
            e.setWantClientAuth(true);
            if (need) {
              e.setNeedClientAuth(true);
            }
          })
          .open();
      pump.failHandshake();
      assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
      Alerts.assertCause(CertificateException.class, pump.server().failure());
      Alerts.assertNames(pump.client().failure(), "certificate_unknown", "unknown_ca", "bad_certificate");
    }
  }

  @EachVersion
  void keyManagerIsToldTheIssuersAndKeyTypes(TlsCase c) throws Exception {
    List<List<Principal>> issuersSeen = new ArrayList<>();
    List<String> typesSeen = new ArrayList<>();
    DelegatingKeyManager keys = new DelegatingKeyManager(TestPki.client(c.key())) {
      @Override
      public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        issuersSeen.add(issuers == null ? null : List.of(issuers));
        typesSeen.addAll(Arrays.asList(keyTypes));
        return super.chooseEngineClientAlias(keyTypes, issuers, engine);
      }
    };
    EnginePump pump = c.engines().clientKeys(keys).server(e -> e.setNeedClientAuth(true)).open();
    pump.handshake();
    // SunJSSE asks once for all key types in TLS 1.2 and may ask once for each in TLS 1.3.
    assertFalse(issuersSeen.isEmpty());
    assertTrue(typesSeen.contains("EC"), typesSeen::toString);
    assertEquals(List.of(TestPki.root().getSubjectX500Principal()), issuersSeen.get(0));
  }

  @EachVersion
  void clientKeyManagerWithoutChoiceIsAnonymous(TlsCase c) throws Exception {
    DelegatingKeyManager none = new DelegatingKeyManager(TestPki.client(c.key())) {
      @Override
      public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return null;
      }
    };
    EnginePump pump = c.engines().clientKeys(none).server(e -> e.setWantClientAuth(true)).open();
    pump.handshake();
    assertAnonymous(pump);
  }

  /** Two tasks with nothing to send between them: who unwraps after the first is told of the second, not to wait for bytes. */
  @EachVersion
  void aTaskComesBeforeMoreBytes(TlsCase c) throws Exception {
    EnginePump pump = c.engines().server(e -> e.setWantClientAuth(true)).open();
    SSLEngine client = pump.client().engine();
    SSLEngine server = pump.server().engine();
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16).limit(0);
    ByteBuffer data = ByteBuffer.allocate(1 << 15);
    client.beginHandshake();
    for (int i = 0; i < 40 && client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING; i++) {
      runTasks(client);
      SSLEngineResult result = client.unwrap(toClient, data);
      assertFalse(
          result.getStatus() == Status.BUFFER_UNDERFLOW && result.getHandshakeStatus() == HandshakeStatus.NEED_TASK,
          result::toString);
      if (client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        client.wrap(ByteBuffer.allocate(0), toServer);
      }
      toServer.flip();
      toClient.compact();
      for (int k = 0; k < 20; k++) {
        runTasks(server);
        if (server.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
          server.wrap(ByteBuffer.allocate(0), toClient);
        } else if (toServer.hasRemaining()) {
          server.unwrap(toServer, data);
        }
      }
      toServer.compact();
      toClient.flip();
    }
    assertEquals(HandshakeStatus.NOT_HANDSHAKING, client.getHandshakeStatus());
    assertEquals(c.tls().protocol(), client.getSession().getProtocol());
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  @EachVersion
  void trustManagerOfTheServerIsAskedWithItsEngine(TlsCase c) throws Exception {
    List<SSLEngine> engines = new ArrayList<>();
    List<String> protocols = new ArrayList<>();
    DelegatingTrustManager trust = new DelegatingTrustManager() {
      @Override
      public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
          throws CertificateException {
        engines.add(engine);
        protocols.add(engine.getHandshakeSession().getProtocol());
        assertArrayEquals(
            TestPki.server(c.key()).chain().toArray(), engine.getHandshakeSession().getLocalCertificates());
        super.checkClientTrusted(chain, authType, engine);
      }
    };
    EnginePump pump = c.engines()
        .clientIdentity(TestPki.client(c.key()))
        .serverTrust(trust)
        .server(e -> e.setNeedClientAuth(true))
        .open();
    pump.handshake();
    assertEquals(List.of(pump.server().engine()), engines);
    assertEquals(List.of(c.tls().protocol()), protocols);
  }

  @EachVersion
  void wantAndNeedExcludeEachOther(TlsCase c) throws Exception {
    SSLEngine engine = c.engines().open().server().engine();
    assertFalse(engine.getNeedClientAuth());
    assertFalse(engine.getWantClientAuth());
    engine.setNeedClientAuth(true);
    assertTrue(engine.getNeedClientAuth());
    assertFalse(engine.getWantClientAuth());
    engine.setWantClientAuth(true);
    assertTrue(engine.getWantClientAuth());
    assertFalse(engine.getNeedClientAuth());
    engine.setWantClientAuth(false);
    assertFalse(engine.getWantClientAuth());
    assertFalse(engine.getNeedClientAuth());
  }
}
