package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingKeyManager;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Whether the server is trusted, and what becomes of a connection to one that is not. */
class EngineTrustTest {
  private static final Consumer<SSLEngine> HTTPS = engine -> {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
  };

  /** The client refuses: its exception has the reason, the server is told by an alert, and neither is usable. */
  private static void assertClientRefuses(EngineSetup setup, String... alerts) throws Exception {
    EnginePump pump = setup.open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
    Alerts.assertCause(CertificateException.class, pump.client().failure());
    assertInstanceOf(SSLException.class, pump.server().failure());
    Alerts.assertNames(pump.server().failure(), alerts);
    assertEquals(0, pump.client().finished());
    assertTrue(pump.client().engine().isOutboundDone(), "the alert was the last");
  }

  @EachVersion
  void untrustedIssuer(TlsCase c) throws Exception {
    assertClientRefuses(
        c.engines().serverIdentity(TestPki.untrusted()), "certificate_unknown", "unknown_ca", "bad_certificate");
  }

  @EachVersion
  void expired(TlsCase c) throws Exception {
    assertClientRefuses(
        c.engines().serverIdentity(TestPki.expired()), "certificate_unknown", "certificate_expired", "bad_certificate");
  }

  @EachVersion
  void notYetValid(TlsCase c) throws Exception {
    assertClientRefuses(
        c.engines().serverIdentity(TestPki.notYetValid()),
        "certificate_unknown", "certificate_expired", "bad_certificate");
  }

  @EachVersion
  void wrongName(TlsCase c) throws Exception {
    assertClientRefuses(
        c.engines().serverIdentity(TestPki.wrongName()).client(HTTPS), "certificate_unknown", "bad_certificate");
  }

  @EachVersion
  void wrongAddress(TlsCase c) throws Exception {
    assertClientRefuses(
        c.engines().peer("127.0.0.2", EngineSetup.PORT).client(HTTPS), "certificate_unknown", "bad_certificate");
  }

  @EachVersion
  void certificateForClientsOnlyIsRefused(TlsCase c) throws Exception {
    DelegatingKeyManager clientOnly = new DelegatingKeyManager(TestPki.client(c.key())) {
      @Override
      public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        String[] aliases = getClientAliases(keyType, issuers);
        return aliases == null ? null : aliases[0];
      }
    };
    assertClientRefuses(c.engines().serverKeys(clientOnly), "certificate_unknown", "unsupported_certificate",
        "bad_certificate");
  }

  @EachVersion
  void wrongNameWithoutIdentificationIsAccepted(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(TestPki.wrongName()).open();
    pump.handshake();
  }

  @EachVersion
  void rightNamesAndAddresses(TlsCase c) throws Exception {
    for (String host : new String[] {TestPki.HOST, "WWW.Example.ORG", "localhost", "127.0.0.1", "::1"}) {
      EnginePump pump = c.engines().peer(host, EngineSetup.PORT).client(HTTPS).open();
      pump.handshake();
      assertEquals(host, pump.client().engine().getPeerHost());
    }
  }

  @EachKey
  void trustManagerSeesChainAuthTypeAndHandshakeSession(TlsCase c) throws Exception {
    List<String> authTypes = new ArrayList<>();
    List<String> facts = new ArrayList<>();
    List<SSLEngine> engines = new ArrayList<>();
    DelegatingTrustManager trust = new DelegatingTrustManager() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
          throws CertificateException {
        authTypes.add(authType);
        engines.add(engine);
        SSLSession session = engine.getHandshakeSession();
        facts.add(session.getProtocol() + " " + session.getPeerHost() + ":" + session.getPeerPort());
        facts.add(session.getCipherSuite());
        assertEquals(List.of(TestPki.server(c.key()).certificate()), Arrays.asList(chain));
        assertInstanceOf(ExtendedSSLSession.class, session);
        assertTrue(((ExtendedSSLSession) session).getLocalSupportedSignatureAlgorithms().length > 0);
        super.checkServerTrusted(chain, authType, engine);
      }
    };
    EnginePump pump = c.engines().clientTrust(trust).open();
    pump.handshake();
    assertEquals(1, authTypes.size());
    // The names that the PKIX trust manager knows; TLS 1.3 has no key exchange in its suites ("UNKNOWN" in SunJSSE).
    Set<String> allowed = c.tls() == Tls.V13
        ? Set.of("UNKNOWN", "ECDHE_ECDSA", "ECDHE_RSA")
        : Set.of(c.key().name().equals("EC") ? "ECDHE_ECDSA" : "ECDHE_RSA");
    assertTrue(allowed.contains(authTypes.get(0)), authTypes::toString);
    assertSame(pump.client().engine(), engines.get(0));
    assertEquals(c.tls().protocol() + " " + TestPki.HOST + ":" + EngineSetup.PORT, facts.get(0));
    assertEquals(pump.client().engine().getSession().getCipherSuite(), facts.get(1));
  }

  /** Plain X509TrustManager: no engine argument; SunJSSE then checks names and algorithms itself. */
  @EachVersion
  void plainTrustManager(TlsCase c) throws Exception {
    X509TrustManager inner = TestPki.trustManager();
    List<String> calls = new ArrayList<>();
    X509TrustManager plain = new X509TrustManager() {
      @Override
      public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        inner.checkClientTrusted(chain, authType);
      }

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        calls.add(authType);
        inner.checkServerTrusted(chain, authType);
      }

      @Override
      public X509Certificate[] getAcceptedIssuers() {
        return inner.getAcceptedIssuers();
      }
    };
    EnginePump pump = c.engines().clientTrust(plain).open();
    pump.handshake();
    assertEquals(1, calls.size());
    c.engines().clientTrust(plain).client(HTTPS).open().handshake();
    assertClientRefuses(
        c.engines().clientTrust(plain).serverIdentity(TestPki.untrusted()),
        "certificate_unknown", "unknown_ca", "bad_certificate");
    assertClientRefuses(
        c.engines().clientTrust(plain).serverIdentity(TestPki.wrongName()).client(HTTPS),
        "certificate_unknown", "bad_certificate");
  }

  @EachVersion
  void exceptionOfTheTrustManagerIsTheCause(TlsCase c) throws Exception {
    CertificateException mine = new CertificateException("not today");
    EnginePump pump = c.engines().clientTrust(refusing(mine)).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
    Throwable cause = pump.client().failure();
    while (cause != null && !"not today".equals(cause.getMessage())) {
      cause = cause.getCause();
    }
    assertInstanceOf(CertificateException.class, lastCause(pump.client().failure()));
    assertNotNull(cause);
  }

  private static Throwable lastCause(Throwable t) {
    return t.getCause() == null ? t : lastCause(t.getCause());
  }

  private static DelegatingTrustManager refusing(Exception exception) {
    return new DelegatingTrustManager() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
          throws CertificateException {
        if (exception instanceof RuntimeException e) {
          throw e;
        }
        throw (CertificateException) exception;
      }
    };
  }

  /** Not in the Javadoc how it shows; but the handshake must fail, and the cause must not be lost. */
  @EachVersion
  void runtimeExceptionOfTheTrustManagerFailsTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().clientTrust(refusing(new IllegalStateException("broken"))).open();
    pump.failHandshake();
    Exception failure = pump.client().failure();
    assertTrue(failure instanceof SSLException || failure instanceof RuntimeException, () -> "" + failure);
    assertEquals("broken", lastCause(failure).getMessage());
    assertEquals(0, pump.client().finished());
    assertEquals(0, pump.server().finished());
  }

  @EachVersion
  void afterAFailureNothingWorks(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(TestPki.untrusted()).open();
    pump.failHandshake();
    ByteBuffer data = ByteBuffer.wrap(Bytes.pattern(10));
    try {
      pump.client().engine().wrap(data, pump.client().packetBuffer());
    } catch (SSLException e) {
      assertNotNull(e.getMessage());
    }
    assertEquals(10, data.remaining(), "no data leaves after a failed handshake");
    assertTrue(pump.client().engine().isOutboundDone());
  }

  @EachVersion
  void serverWithoutAnyKey(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(null).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    assertInstanceOf(SSLException.class, pump.client().failure());
    Alerts.assertNames(pump.client().failure(), "handshake_failure", "internal_error");
  }

  @EachVersion
  void keyManagerWithoutChoice(TlsCase c) throws Exception {
    DelegatingKeyManager none = new DelegatingKeyManager(TestPki.server(c.key())) {
      @Override
      public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return null;
      }
    };
    EnginePump pump = c.engines().serverKeys(none).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    Alerts.assertNames(pump.client().failure(), "handshake_failure", "internal_error");
  }
}
