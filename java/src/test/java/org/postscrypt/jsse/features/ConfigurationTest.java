package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.security.Security;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postscrypt.PostscryptSession;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Suites, protocols, groups and schemes: what is set is what is negotiated; the JDK's properties and constraints count. */
class ConfigurationTest {
  private static final String[] BOTH = {"TLSv1.3", "TLSv1.2"};

  private static EngineSetup engines(KeyType key) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), Tls.V13, key, BufferKind.HEAP).engines();
  }

  private static Consumer<SSLEngine> suites(String... names) {
    return engine -> {
      engine.setEnabledProtocols(BOTH);
      engine.setEnabledCipherSuites(names);
    };
  }

  private static String negotiated(EnginePump pump) throws SSLException {
    pump.handshake();
    pump.send(pump.client(), new byte[100]);
    pump.send(pump.server(), new byte[100]);
    return pump.client().engine().getSession().getCipherSuite();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
  void eachTls13SuiteAloneOnEitherSide(String suite) throws Exception {
    assertEquals(suite, negotiated(engines(KeyType.EC).client(suites(suite)).open()));
    EnginePump pump = engines(KeyType.EC).server(suites(suite)).open();
    assertEquals(suite, negotiated(pump));
    assertEquals("TLSv1.3", pump.server().engine().getSession().getProtocol());
  }

  @Test
  void disjointTls13SuitesDoNotMeet() throws Exception {
    EnginePump pump = engines(KeyType.EC).client(suites("TLS_AES_128_GCM_SHA256"))
        .server(suites("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
  }

  @Test
  void everySuiteOfTls12() throws Exception {
    for (String suite : supported()) {
      if (!suite.contains("_WITH_") || suite.contains("PSK") || isDisabledHere(suite)) {
        continue;
      }
      KeyType key = suite.contains("ECDSA") ? KeyType.EC : KeyType.RSA;
      EnginePump pump = engines(key).client(suites(suite)).server(suites(suite)).open();
      assertEquals(suite, negotiated(pump), suite);
      assertEquals("TLSv1.2", pump.client().engine().getSession().getProtocol());
    }
  }

  private static String[] supported() throws Exception {
    SSLContext context = Peer.POSTSCRYPT.newContext();
    context.init(null, null, null);
    return context.getSupportedSSLParameters().getCipherSuites();
  }

  /** JDK 24 and newer disable RSA key exchange. */
  private static boolean isDisabledHere(String suite) {
    String disabled = Security.getProperty("jdk.tls.disabledAlgorithms");
    return suite.startsWith("TLS_RSA_") && disabled.contains("TLS_RSA_*");
  }

  @Test
  void whatTheSecurityPropertyDisablesIsNotNegotiated() throws Exception {
    String suite = "TLS_RSA_WITH_AES_128_GCM_SHA256";
    EnginePump pump = engines(KeyType.RSA).client(suites(suite)).server(suites(suite)).open();
    if (isDisabledHere(suite)) {
      assertThrows(SSLHandshakeException.class, pump::begin);
    } else {
      assertEquals(suite, negotiated(pump));
    }
  }

  @Test
  void serverOrderOrClientOrder() throws Exception {
    String[] one = {"TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"};
    String[] other = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};
    Consumer<SSLEngine> clientOrder = engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setUseCipherSuitesOrder(false);
      parameters.setCipherSuites(other);
      engine.setSSLParameters(parameters);
    };
    assertEquals(other[0], negotiated(engines(KeyType.EC).client(suites(one)).server(suites(other)).open()));
    assertEquals(one[0], negotiated(engines(KeyType.EC).client(suites(one)).server(clientOrder).open()));
  }

  @Test
  void unknownNamesAreRefusedWhereTheyAreSet() {
    SSLEngine engine = engines(KeyType.EC).open().client().engine();
    for (String bad : new String[] {"TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "", "tls_aes_128_gcm_sha256"}) {
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledCipherSuites(new String[] {bad}));
    }
    for (String bad : new String[] {"TLSv1.1", "SSLv3", "TLSv1.4", ""}) {
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledProtocols(new String[] {bad}));
    }
  }

  // --- algorithm constraints ---

  private static Consumer<SSLEngine> forbidding(String part) {
    AlgorithmConstraints constraints = new AlgorithmConstraints() {
      @Override
      public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, AlgorithmParameters parameters) {
        return !algorithm.toLowerCase(Locale.ROOT).contains(part);
      }

      @Override
      public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
        return true;
      }

      @Override
      public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key, AlgorithmParameters parameters) {
        return permits(primitives, algorithm, parameters);
      }
    };
    return engine -> {
      engine.setEnabledProtocols(BOTH);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setAlgorithmConstraints(constraints);
      engine.setSSLParameters(parameters);
    };
  }

  @Test
  void algorithmConstraintsOfTheParameters() throws Exception {
    assertEquals("TLS_AES_256_GCM_SHA384", negotiated(engines(KeyType.EC).client(forbidding("aes_128")).open()));
    EnginePump noTls13 = engines(KeyType.EC).client(forbidding("tlsv1.3")).server(e -> e.setEnabledProtocols(BOTH)).open();
    negotiated(noTls13);
    assertEquals("TLSv1.2", noTls13.client().engine().getSession().getProtocol());
    EnginePump noX25519 = engines(KeyType.EC).client(forbidding("x25519")).open();
    negotiated(noX25519);
    assertEquals("secp256r1", ((PostscryptSession) noX25519.client().engine().getSession()).getNamedGroup());
    EnginePump nothing = engines(KeyType.EC).client(forbidding("")).open();
    assertThrows(SSLHandshakeException.class, nothing::begin);
  }

  // --- system properties, read when a context is made ---

  private static final String[] PROPERTIES = {
    "jdk.tls.client.protocols", "jdk.tls.server.protocols", "jdk.tls.client.cipherSuites", "jdk.tls.server.cipherSuites",
    "jdk.tls.namedGroups", "jdk.tls.client.SignatureSchemes", "jdk.tls.server.SignatureSchemes",
  };

  @AfterEach
  void clearProperties() {
    for (String property : PROPERTIES) {
      System.clearProperty(property);
    }
  }

  private static SSLEngine engine(String protocol, boolean client) throws Exception {
    SSLContext context = SSLContext.getInstance(protocol, Peer.POSTSCRYPT.provider());
    context.init(null, null, null);
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(client);
    return engine;
  }

  @Test
  void protocolsOfSystemProperties() throws Exception {
    System.setProperty("jdk.tls.client.protocols", "TLSv1.2, TLSv1");
    System.setProperty("jdk.tls.server.protocols", "\"TLSv1.3\"");
    assertArrayEquals(new String[] {"TLSv1.2"}, engine("TLS", true).getEnabledProtocols());
    assertArrayEquals(new String[] {"TLSv1.3"}, engine("TLS", false).getEnabledProtocols());
    assertArrayEquals(BOTH, engine("TLSv1.3", true).getEnabledProtocols(), "a protocol by name is what it says");
    System.setProperty("jdk.tls.client.protocols", "nonsense");
    assertArrayEquals(BOTH, engine("TLS", true).getEnabledProtocols());
  }

  @Test
  void suitesGroupsAndSchemesOfSystemProperties() throws Exception {
    System.setProperty("jdk.tls.client.cipherSuites", "TLS_CHACHA20_POLY1305_SHA256,nonsense");
    System.setProperty("jdk.tls.server.cipherSuites", "TLS_AES_256_GCM_SHA384,TLS_CHACHA20_POLY1305_SHA256");
    System.setProperty("jdk.tls.namedGroups", "secp521r1, ffdhe2048");
    System.setProperty("jdk.tls.client.SignatureSchemes", "ecdsa_secp256r1_sha256");
    EnginePump pump = engines(KeyType.EC).open();
    assertArrayEquals(new String[] {"TLS_CHACHA20_POLY1305_SHA256"}, pump.client().engine().getEnabledCipherSuites());
    assertEquals("TLS_CHACHA20_POLY1305_SHA256", negotiated(pump));
    assertEquals("secp521r1", ((PostscryptSession) pump.client().engine().getSession()).getNamedGroup());
    System.setProperty("jdk.tls.server.SignatureSchemes", "rsa_pss_rsae_sha256");
    EnginePump apart = engines(KeyType.EC).open();
    apart.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, apart.server().failure());
    System.setProperty("jdk.tls.namedGroups", "nonsense");
    assertTrue(engine("TLS", true).getSSLParameters().getCipherSuites().length > 0, "unknown groups alone are ignored");
  }
}
