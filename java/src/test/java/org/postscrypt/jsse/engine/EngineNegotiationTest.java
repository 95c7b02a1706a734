package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Protocol versions and cipher suites that do or do not overlap. */
class EngineNegotiationTest {
  private static final String AES128 = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  private static final String AES256 = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";

  private static Consumer<SSLEngine> protocols(String... names) {
    return engine -> engine.setEnabledProtocols(names);
  }

  private static Consumer<SSLEngine> suites(String... names) {
    return engine -> {
      engine.setEnabledProtocols(new String[] {"TLSv1.2"});
      engine.setEnabledCipherSuites(names);
    };
  }

  private static Consumer<SSLEngine> ownOrder(boolean honour) {
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setUseCipherSuitesOrder(honour);
      engine.setSSLParameters(parameters);
    };
  }

  private static void assertServerRefuses(EnginePump pump, String... alerts) throws Exception {
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    assertInstanceOf(SSLException.class, pump.client().failure());
    Alerts.assertNames(pump.client().failure(), alerts);
  }

  @EachPairing
  void oldClientNewServer(TlsCase c) throws Exception {
    assertServerRefuses(
        c.engines().client(protocols("TLSv1.2")).server(protocols("TLSv1.3")).open(), "protocol_version");
  }

  @EachPairing
  void newClientOldServer(TlsCase c) throws Exception {
    assertServerRefuses(
        c.engines().client(protocols("TLSv1.3")).server(protocols("TLSv1.2")).open(), "protocol_version");
  }

  @EachPairing
  void noSharedCipherSuite(TlsCase c) throws Exception {
    assertServerRefuses(c.engines().client(suites(AES128)).server(suites(AES256)).open(), "handshake_failure");
  }

  @EachPairing
  void cipherSuiteWithoutMatchingKey(TlsCase c) throws Exception {
    assertServerRefuses(
        c.engines().client(suites("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")).server(protocols("TLSv1.2")).open(),
        "handshake_failure");
  }

  @EachPairing
  void onlySharedCipherSuiteIsUsed(TlsCase c) throws Exception {
    for (String suite : new String[] {AES128, AES256}) {
      EnginePump pump = c.engines().client(suites(suite)).server(suites(AES256, AES128)).open();
      pump.handshake();
      assertEquals(suite, pump.client().engine().getSession().getCipherSuite());
      assertEquals(suite, pump.server().engine().getSession().getCipherSuite());
      pump.send(pump.client(), Bytes.pattern(100));
    }
  }

  @EachPairing
  void serverOrderDecidesIfAsked(TlsCase c) throws Exception {
    EnginePump pump = c.engines()
        .client(suites(AES128, AES256))
        .server(suites(AES256, AES128))
        .server(ownOrder(true))
        .open();
    pump.handshake();
    assertEquals(AES256, pump.client().engine().getSession().getCipherSuite());
    EnginePump other = c.engines()
        .client(suites(AES128, AES256))
        .server(suites(AES256, AES128))
        .server(ownOrder(false))
        .open();
    other.handshake();
    assertEquals(AES128, other.client().engine().getSession().getCipherSuite());
  }

  @EachPairing
  void serverWithTwoKeysServesBothKindsOfClients(TlsCase c) throws Exception {
    for (String suite : new String[] {AES128, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"}) {
      boolean ecdsa = suite.equals(AES128);
      EnginePump pump = c.engines()
          .serverKeys(TestPki.keyManagers(
              TestPki.server(KeyType.RSA),
              TestPki.server(KeyType.EC)))
          .client(suites(suite))
          .server(protocols("TLSv1.2"))
          .open();
      pump.handshake();
      assertEquals(
          ecdsa ? "EC" : "RSA",
          pump.client().engine().getSession().getPeerCertificates()[0].getPublicKey().getAlgorithm());
    }
  }

  @EachPairing
  void everySuiteWeUseInBothDirections(TlsCase c) throws Exception {
    for (String suite : new String[] {
      AES128, AES256, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"
    }) {
      EnginePump pump = c.engines().client(suites(suite)).server(suites(suite)).open();
      pump.handshake();
      for (int size : new int[] {1, 15, 16, 17, 1000, 40_000}) {
        pump.send(pump.client(), Bytes.pattern(size));
        pump.send(pump.server(), Bytes.pattern(size));
      }
    }
  }
}
