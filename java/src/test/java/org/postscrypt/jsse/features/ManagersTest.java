package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyStore;
import java.security.Principal;
import java.security.cert.CertificateException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Our own key and trust managers, which serve where the platform's are not there. */
class ManagersTest {
  private static final char[] PASSWORD = "secret".toCharArray();

  private static KeyStore store(X509Certificate... trusted) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int i = 0; i < trusted.length; i++) {
      store.setCertificateEntry("trusted " + i, trusted[i]);
    }
    return store;
  }

  private static TrustManagerFactory trustFactory() throws Exception {
    return TrustManagerFactory.getInstance("PostscryptPKIX", Peer.POSTSCRYPT.provider());
  }

  private static TrustManager[] trust(X509Certificate... trusted) throws Exception {
    TrustManagerFactory factory = trustFactory();
    factory.init(store(trusted));
    return factory.getTrustManagers();
  }

  private static KeyManagerFactory keyFactory() throws Exception {
    return KeyManagerFactory.getInstance("PostscryptX509", Peer.POSTSCRYPT.provider());
  }

  private static KeyManager[] keys(TestPki.Identity... identities) throws Exception {
    KeyStore store = store();
    for (int i = 0; i < identities.length; i++) {
      X509Certificate[] chain = identities[i].chain().toArray(new X509Certificate[0]);
      store.setKeyEntry("key " + i, identities[i].key(), PASSWORD, chain);
    }
    KeyManagerFactory factory = keyFactory();
    factory.init(store, PASSWORD);
    return factory.getKeyManagers();
  }

  private static EngineSetup engines(Tls version) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), version, KeyType.EC, BufferKind.HEAP).engines();
  }

  private static void identify(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
  }

  @Test
  void bothSidesAuthenticate() throws Exception {
    for (Tls version : Tls.values()) {
      EnginePump pump = engines(version)
          .peer(TestPki.HOST, 443)
          .serverKeys(keys(TestPki.serverBehindIntermediate()))
          .serverTrust(trust(TestPki.root()))
          .clientKeys(keys(TestPki.client(KeyType.RSA)))
          .clientTrust(trust(TestPki.root()))
          .client(ManagersTest::identify)
          .server(e -> e.setNeedClientAuth(true))
          .open();
      pump.handshake();
      assertEquals(TestPki.client(KeyType.RSA).certificate(), pump.server().engine().getSession().getPeerCertificates()[0]);
    }
  }

  private static void assertRefuses(String alert, TestPki.Identity server, TrustManager[] trust) throws Exception {
    EnginePump pump = engines(Tls.V13).peer(TestPki.HOST, 443).serverKeys(keys(server)).clientTrust(trust)
        .client(ManagersTest::identify).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
    assertInstanceOf(CertificateException.class, pump.client().failure().getCause());
    Alerts.assertNames(pump.server().failure(), alert);
  }

  @Test
  void refusalsHaveTheirAlerts() throws Exception {
    TrustManager[] trust = trust(TestPki.root());
    assertRefuses("certificate_unknown", TestPki.wrongName(), trust);
    assertRefuses("certificate_expired", TestPki.expired(), trust);
    assertRefuses("certificate_expired", TestPki.notYetValid(), trust);
    assertRefuses("unknown_ca", TestPki.untrusted(), trust);
    assertRefuses("certificate_unknown", TestPki.client(KeyType.EC), trust);
    assertRefuses("certificate_unknown", TestPki.server(KeyType.EC), trust());
  }

  @Test
  void aTrustedLeafNeedsNoPath() throws Exception {
    X509Certificate leaf = TestPki.untrusted().certificate();
    EnginePump pump = engines(Tls.V13).serverKeys(keys(TestPki.untrusted())).clientTrust(trust(leaf)).open();
    pump.handshake();
    assertRefuses("certificate_expired", TestPki.expired(), trust(TestPki.expired().certificate()));
  }

  @Test
  void pkixParametersAndTheDefaultStore() throws Exception {
    TrustManagerFactory factory = trustFactory();
    assertThrows(IllegalStateException.class, factory::getTrustManagers);
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(store(TestPki.root()), null);
    parameters.setRevocationEnabled(false);
    factory.init(new CertPathTrustManagerParameters(parameters));
    X509ExtendedTrustManager manager = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    assertArrayEquals(new X509Certificate[] {TestPki.root()}, manager.getAcceptedIssuers());
    factory.init((KeyStore) null);
    assertTrue(((X509ExtendedTrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers().length > 10);
    X509Certificate[] chain = {TestPki.server(KeyType.EC).certificate()};
    assertThrows(IllegalArgumentException.class, () -> manager.checkServerTrusted(null, "UNKNOWN"));
    assertThrows(IllegalArgumentException.class, () -> manager.checkServerTrusted(new X509Certificate[0], "UNKNOWN"));
    assertThrows(IllegalArgumentException.class, () -> manager.checkServerTrusted(chain, ""));
    manager.checkServerTrusted(chain, "UNKNOWN");
    assertThrows(CertificateException.class, () -> manager.checkClientTrusted(chain, "EC"), "extended key usage");
  }

  @Test
  void keysAreChosenByTypeIssuerNameAndValidity() throws Exception {
    X509ExtendedKeyManager manager = (X509ExtendedKeyManager)
        keys(TestPki.expired(), TestPki.wrongName(), TestPki.server(KeyType.EC), TestPki.server(KeyType.RSA))[0];
    Principal root = TestPki.root().getSubjectX500Principal();
    Principal stranger = TestPki.untrusted().certificate().getIssuerX500Principal();
    assertEquals("key 3", manager.chooseServerAlias("RSA", null, null));
    assertNull(manager.chooseServerAlias("EdDSA", null, null));
    assertTrue(!"key 0".equals(manager.chooseServerAlias("EC", null, null)), "not the expired one");
    assertNull(manager.chooseClientAlias(new String[] {"RSA"}, new Principal[] {stranger}, null));
    assertEquals("key 3", manager.chooseClientAlias(new String[] {"EdDSA", "RSA", "EC"}, new Principal[] {root}, null));
    assertEquals(4, Arrays.stream(new String[] {"EC", "RSA"}).mapToInt(t -> manager.getServerAliases(t, null).length).sum());
    assertEquals("key 3", manager.chooseServerAlias("RSA_EC", null, null), "an RSA key certified by an EC key");
    assertArrayEquals(manager.getServerAliases("EC", null), manager.getServerAliases("EC_EC", null));
    for (String other : new String[] {"EC_RSA", "RSA_RSA", "_EC", "EC_", "", null}) {
      assertNull(manager.getClientAliases(other, null), other);
    }
    assertNull(manager.getPrivateKey("nobody"));
    assertNull(manager.getCertificateChain("nobody"));
    assertThrows(IllegalStateException.class, () -> keyFactory().getKeyManagers());
  }

  @Test
  void theNameThatTheClientAsksForDecides() throws Exception {
    for (String host : new String[] {TestPki.HOST, TestPki.OTHER_HOST}) {
      EnginePump pump = engines(Tls.V13).peer(host, 443)
          .serverKeys(keys(TestPki.wrongName(), TestPki.server(KeyType.EC)))
          .clientTrust(trust(TestPki.root())).client(ManagersTest::identify).open();
      pump.handshake();
    }
  }
}
