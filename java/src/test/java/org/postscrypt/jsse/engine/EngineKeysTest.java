package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.security.Security;
import java.security.SignatureException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.OpaqueKey;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Kinds of keys, several keys of one server, and keys that stay where they are. */
class EngineKeysTest {
  @BeforeAll
  static void register() {
    OpaqueKey.register();
  }

  @AfterAll
  static void unregister() {
    OpaqueKey.unregister();
  }

  /** Forbids the signature schemes whose name (RFC 8446 section 4.2.3) matches. */
  private record Forbid(Pattern names) implements AlgorithmConstraints {
    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, AlgorithmParameters parameters) {
      return !names.matcher(algorithm).matches();
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
      return true;
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key, AlgorithmParameters parameters) {
      return permits(primitives, algorithm, parameters);
    }
  }

  private static Consumer<SSLEngine> without(String names) {
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setAlgorithmConstraints(new Forbid(Pattern.compile(names)));
      engine.setSSLParameters(parameters);
    };
  }

  private static void assertDataPasses(EnginePump pump) throws SSLException {
    pump.send(pump.client(), Bytes.pattern(20_000));
    pump.send(pump.server(), Bytes.pattern(20_000));
  }

  private static KeyType usedBy(EnginePump pump) throws Exception {
    Object leaf = pump.client().engine().getSession().getPeerCertificates()[0];
    for (KeyType type : KeyType.values()) {
      if (leaf.equals(TestPki.server(type).certificate())) {
        assertArrayEquals(
            TestPki.server(type).chain().toArray(), pump.server().engine().getSession().getLocalCertificates());
        return type;
      }
    }
    throw new AssertionError("no certificate of the server's");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.postscrypt.jsse.support.TlsCase#allKeys")
  @Timeout(30)
  void everyKindOfClientKey(TlsCase c) throws Exception {
    assumeTrue(c.key() != KeyType.EC521 || c.tls() == Tls.V13 || c.pairing().server() == Peer.JDK,
        "a server does not want P-521 in TLS 1.2");
    TestPki.Identity identity = TestPki.client(c.key());
    EnginePump pump = c.engines()
        .serverIdentity(TestPki.server(KeyType.EC))
        .clientIdentity(identity)
        .server(e -> e.setNeedClientAuth(true))
        .open();
    pump.handshake();
    assertArrayEquals(identity.chain().toArray(), pump.server().engine().getSession().getPeerCertificates());
    assertArrayEquals(identity.chain().toArray(), pump.client().engine().getSession().getLocalCertificates());
    assertDataPasses(pump);
  }

  /** A server of ours with three kinds of keys takes the one that the client can verify. */
  @EachVersion
  void clientsAlgorithmsChooseTheKey(TlsCase c) throws Exception {
    // All certificates are signed by ecdsa_secp256r1_sha256, which therefore must remain.
    assumeTrue(c.pairing().client() == Peer.JDK && c.tls() == Tls.V13, "whose client can be restricted");
    record Choice(String forbidden, KeyType expected) {}
    for (Choice choice : List.of(
        new Choice("ed25519|rsa.*", KeyType.EC384),
        new Choice("ed25519|ecdsa_secp384.*", KeyType.RSA),
        new Choice("rsa.*|ecdsa_secp384.*", KeyType.ED25519))) {
      EnginePump pump = c.engines()
          .serverKeys(TestPki.keyManager(
              TestPki.server(KeyType.RSA), TestPki.server(KeyType.ED25519), TestPki.server(KeyType.EC384)))
          .client(without(choice.forbidden))
          .open();
      pump.handshake();
      assertEquals(choice.expected, usedBy(pump), choice.forbidden);
      assertDataPasses(pump);
    }
  }

  @EachVersion
  void noKeyThatTheClientTakes(TlsCase c) throws Exception {
    assumeTrue(c.pairing().client() == Peer.JDK, "whose client can be restricted");
    EnginePump pump = c.engines()
        .serverKeys(TestPki.keyManager(TestPki.server(KeyType.RSA), TestPki.server(KeyType.EC)))
        .client(without("rsa.*|ecdsa.*"))
        .open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    Alerts.assertNames(pump.client().failure(), "handshake_failure");
  }

  /** BoringSSL has no signature schemes for keys that are for RSASSA-PSS alone. */
  @EachVersion
  void keysForPssAlone(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(TestPki.pssServer()).open();
    pump.failHandshake();
    for (EngineSide side : new EngineSide[] {pump.client(), pump.server()}) {
      assertInstanceOf(SSLException.class, side.failure());
      assertTrue(side.vendor() != Peer.POSTSCRYPT || side.failure() instanceof SSLHandshakeException);
    }
  }

  /** The JDK's key manager makes a new key object for each handshake; it is the same key all the same. */
  @EachVersion
  void keysAreReadOnce(TlsCase c) throws Exception {
    assumeTrue(c.pairing().server() == Peer.POSTSCRYPT, "the key is our server's");
    EngineSetup setup = c.engines();
    SSLContext client = setup.clientContext();
    SSLContext server = setup.serverContext();
    int before = 0;
    for (int i = 0; i < 60; i++) {
      EnginePump pump = setup.peer("host" + i, 1).open(client, server);
      pump.handshake();
      pump.client().closeAndFlush();
      pump.settle();
      pump.server().closeAndFlush();
      before = i == 9 ? nativeObjects() : before;
    }
    int after = nativeObjects();
    // Each host's tickets remain, at most two of them.
    boolean ours = c.pairing().client() == Peer.POSTSCRYPT;
    int kept = ours ? 50 * 2 : 0;
    assertTrue(after <= before + kept + 10, before + " became " + after);
  }

  private static int nativeObjects() throws Exception {
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(50);
      org.postscrypt.nat.NativeRef.drain();
    }
    return org.postscrypt.nat.NativeRef.drain();
  }

  // --- keys without an encoding ---

  /** Our side has the key. */
  private static EngineSetup with(OpaqueKey key, TlsCase c) {
    EngineSetup setup = c.engines();
    if (c.pairing().server() == Peer.POSTSCRYPT) {
      return setup.serverKeys(key.manager(TestPki.server(c.key())));
    }
    return setup
        .clientKeys(key.manager(TestPki.client(c.key())))
        .server(e -> e.setNeedClientAuth(true));
  }

  private static OpaqueKey key(TlsCase c, OpaqueKey.Use use) {
    boolean server = c.pairing().server() == Peer.POSTSCRYPT;
    return new OpaqueKey(server ? TestPki.server(c.key()) : TestPki.client(c.key()), use);
  }

  private static EngineSide keyHolder(EnginePump pump, TlsCase c) {
    return c.pairing().server() == Peer.POSTSCRYPT ? pump.server() : pump.client();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.postscrypt.jsse.support.TlsCase#allKeys")
  @Timeout(30)
  void opaqueKeys(TlsCase c) throws Exception {
    assumeTrue(c.key() != KeyType.EC521 || c.tls() == Tls.V13, "no P-521 in TLS 1.2");
    OpaqueKey key = key(c, a -> {});
    EnginePump pump = with(key, c).open();
    pump.handshake();
    assertDataPasses(pump);
    String expected = switch (c.key()) {
      case EC -> "SHA256withECDSA";
      case EC384 -> "SHA384withECDSA";
      case EC521 -> "SHA512withECDSA";
      case ED25519 -> "Ed25519";
      case RSA, RSA4096 -> "RSASSA-PSS";
    };
    assertEquals(List.of(expected), key.uses());
    assertNotNull(keyHolder(pump, c).engine().getSession().getLocalPrincipal());
  }

  /** The keys of providers that have the operations alone, without digests: what is around them is ours. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.postscrypt.jsse.support.TlsCase#allKeys")
  @Timeout(30)
  void rawOpaqueKeys(TlsCase c) throws Exception {
    assumeTrue(c.key() != KeyType.EC521 || c.tls() == Tls.V13, "no P-521 in TLS 1.2");
    assumeTrue(c.key() != KeyType.ED25519, "which signs messages, not digests");
    boolean server = c.pairing().server() == Peer.POSTSCRYPT;
    OpaqueKey key = new OpaqueKey(server ? TestPki.server(c.key()) : TestPki.client(c.key()), a -> {}, true);
    EnginePump pump = with(key, c).open();
    pump.handshake();
    assertDataPasses(pump);
    boolean rsa = c.key() == KeyType.RSA || c.key() == KeyType.RSA4096;
    assertEquals(List.of(rsa ? "RSA/ECB/NoPadding" : "NONEwithECDSA"), key.uses());
  }

  @EachVersion
  void rawOpaqueKeyWithPkcs1(TlsCase c) throws Exception {
    assumeTrue(c.pairing().client() == Peer.JDK && c.tls() == Tls.V12, "whose client can be restricted");
    OpaqueKey key = new OpaqueKey(TestPki.server(KeyType.RSA), a -> {}, true);
    EnginePump pump =
        c.engines().serverKeys(key.manager(TestPki.server(KeyType.RSA))).client(without("rsa_pss.*")).open();
    pump.handshake();
    assertDataPasses(pump);
    assertEquals(List.of("NONEwithRSA"), key.uses());
  }

  /** Peers of TLS 1.2 may know no PSS. */
  @EachVersion
  void opaqueKeyWithPkcs1(TlsCase c) throws Exception {
    assumeTrue(c.pairing().client() == Peer.JDK && c.tls() == Tls.V12, "whose client can be restricted");
    OpaqueKey key = new OpaqueKey(TestPki.server(KeyType.RSA), a -> {});
    EnginePump pump =
        c.engines().serverKeys(key.manager(TestPki.server(KeyType.RSA))).client(without("rsa_pss.*")).open();
    pump.handshake();
    assertDataPasses(pump);
    assertEquals(1, key.uses().size());
    assertTrue(key.uses().get(0).matches("SHA(256|384|512)withRSA"), key.uses()::toString);
  }

  /** The key exchange by RSA, in which the server's key decrypts. */
  @EachVersion
  void opaqueKeyThatDecrypts(TlsCase c) throws Exception {
    assumeTrue(c.tls() == Tls.V12 && c.pairing().server() == Peer.POSTSCRYPT, "of TLS 1.2 servers");
    String[] suite = {"TLS_RSA_WITH_AES_128_GCM_SHA256"};
    boolean disabled = Security.getProperty("jdk.tls.disabledAlgorithms").contains("TLS_RSA_*");
    assumeTrue(!disabled, "this JDK has disabled it, for us as well");
    TestPki.Identity identity = TestPki.encipheringServer();
    OpaqueKey key = new OpaqueKey(identity, a -> {});
    EnginePump pump = c.engines()
        .serverKeys(key.manager(identity))
        .client(e -> e.setEnabledCipherSuites(suite))
        .server(e -> e.setEnabledCipherSuites(suite))
        .open();
    pump.handshake();
    assertDataPasses(pump);
    assertEquals(List.of("RSA/ECB/NoPadding"), key.uses());
  }

  @EachVersion
  void signatureThatThrows(TlsCase c) throws Exception {
    for (boolean checked : new boolean[] {true, false}) {
      OpaqueKey key = key(c, a -> {
        if (checked) {
          throw new SignatureException("the card is gone");
        }
        throw new IllegalStateException("the card is gone");
      });
      EnginePump pump = with(key, c).open();
      pump.failHandshake();
      EngineSide ours = keyHolder(pump, c);
      assertInstanceOf(SSLHandshakeException.class, ours.failure());
      Alerts.assertCause(checked ? SignatureException.class : IllegalStateException.class, ours.failure());
      assertInstanceOf(SSLException.class, pump.peerOf(ours).failure());
      Alerts.assertNames(pump.peerOf(ours).failure(), "internal_error", "handshake_failure");
      assertTrue(ours.engine().isOutboundDone());
    }
  }

  /** While one connection waits for its signature, its engine answers and others go on. */
  @EachVersion
  void slowSignature(TlsCase c) throws Exception {
    CountDownLatch signing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    OpaqueKey key = key(c, a -> {
      if (signing.getCount() > 0) {
        signing.countDown();
        try {
          assertTrue(go.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          throw new SignatureException(e);
        }
      }
    });
    EngineSetup setup = with(key, c);
    SSLContext client = setup.clientContext();
    SSLContext server = setup.serverContext();
    EnginePump slow = setup.open(client, server);
    Future<Void> handshake = Loopback.async(() -> {
      slow.handshake();
      assertDataPasses(slow);
      return null;
    });
    assertTrue(signing.await(20, TimeUnit.SECONDS));
    SSLEngine engine = keyHolder(slow, c).engine();
    Future<Void> meanwhile = Loopback.async(() -> {
      assertEquals(HandshakeStatus.NEED_TASK, engine.getHandshakeStatus());
      assertNotNull(engine.getSession());
      assertNotNull(engine.getHandshakeSession());
      EnginePump other = setup.open(client, server);
      other.handshake();
      assertDataPasses(other);
      return null;
    });
    try {
      Loopback.await(meanwhile);
    } finally {
      go.countDown();
    }
    Loopback.await(handshake);
    assertEquals(2, key.uses().size());
  }
}
