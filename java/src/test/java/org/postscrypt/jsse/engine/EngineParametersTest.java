package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.TlsCase;

/** What engines and contexts can be set to, and say that they are set to. */
class EngineParametersTest {
  private static final String[] SUITES = {
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
  };

  private static List<SSLEngine> engines(TlsCase c) {
    EnginePump pump = c.engines().open();
    return List.of(pump.client().engine(), pump.server().engine());
  }

  @EachPairing
  void supportedAndEnabled(TlsCase c) {
    for (SSLEngine engine : engines(c)) {
      Set<String> suites = unique(engine.getSupportedCipherSuites());
      Set<String> protocols = unique(engine.getSupportedProtocols());
      assertTrue(suites.containsAll(unique(engine.getEnabledCipherSuites())));
      assertTrue(protocols.containsAll(unique(engine.getEnabledProtocols())));
      assertTrue(protocols.containsAll(List.of("TLSv1.2", "TLSv1.3")), protocols::toString);
      assertTrue(suites.containsAll(List.of(SUITES)), suites::toString);
      assertFalse(suites.contains("SSL_NULL_WITH_NULL_NULL"));
      assertArrayEquals(engine.getSupportedCipherSuites(), engine.getSupportedCipherSuites());
    }
  }

  private static Set<String> unique(String[] names) {
    Set<String> set = new HashSet<>(Arrays.asList(names));
    assertEquals(names.length, set.size(), () -> "no name twice: " + Arrays.toString(names));
    assertFalse(set.contains(null));
    return set;
  }

  @EachPairing
  void defaultsAreModern(TlsCase c) {
    SSLContext context = c.sockets().clientContext();
    SSLParameters defaults = context.getDefaultSSLParameters();
    assertEquals(Set.of("TLSv1.2", "TLSv1.3"), unique(defaults.getProtocols()));
    for (String suite : unique(defaults.getCipherSuites())) {
      for (String bad : new String[] {"_NULL_", "anon", "EXPORT", "RC4"}) {
        assertFalse(suite.contains(bad), suite);
      }
    }
    SSLParameters supported = context.getSupportedSSLParameters();
    assertTrue(unique(supported.getCipherSuites()).containsAll(unique(defaults.getCipherSuites())));
    assertTrue(unique(supported.getProtocols()).containsAll(unique(defaults.getProtocols())));
    assertFalse(defaults.getNeedClientAuth() || defaults.getWantClientAuth());
    assertNull(defaults.getEndpointIdentificationAlgorithm());
  }

  @EachPairing
  void arraysAreCopies(TlsCase c) {
    for (SSLEngine engine : engines(c)) {
      String[] protocols = {"TLSv1.3"};
      engine.setEnabledProtocols(protocols);
      protocols[0] = "changed";
      assertArrayEquals(new String[] {"TLSv1.3"}, engine.getEnabledProtocols());
      engine.getEnabledProtocols()[0] = "changed";
      assertArrayEquals(new String[] {"TLSv1.3"}, engine.getEnabledProtocols());
      String[] suites = SUITES.clone();
      engine.setEnabledCipherSuites(suites);
      suites[0] = "changed";
      engine.getEnabledCipherSuites()[0] = "changed";
      assertEquals(Set.of(SUITES), Set.of(engine.getEnabledCipherSuites()));
      engine.getSupportedProtocols()[0] = "changed";
      assertFalse(Arrays.asList(engine.getSupportedProtocols()).contains("changed"));
      engine.getSupportedCipherSuites()[0] = "changed";
      assertFalse(Arrays.asList(engine.getSupportedCipherSuites()).contains("changed"));
    }
  }

  @EachPairing
  void unknownNamesAndNullsAreIllegal(TlsCase c) {
    for (SSLEngine engine : engines(c)) {
      String[] protocols = engine.getEnabledProtocols();
      String[] suites = engine.getEnabledCipherSuites();
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledProtocols(null));
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv9"}));
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledProtocols(new String[] {null}));
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledProtocols(new String[] {""}));
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledCipherSuites(null));
      assertThrows(
          IllegalArgumentException.class, () -> engine.setEnabledCipherSuites(new String[] {SUITES[0], "NO_SUCH"}));
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledCipherSuites(new String[] {null}));
      assertThrows(IllegalArgumentException.class, () -> engine.setEnabledCipherSuites(new String[] {""}));
      assertArrayEquals(protocols, engine.getEnabledProtocols());
      assertArrayEquals(suites, engine.getEnabledCipherSuites());
    }
  }

  @EachPairing
  void parametersRoundTrip(TlsCase c) {
    for (SSLEngine engine : engines(c)) {
      SSLParameters set = new SSLParameters(SUITES, new String[] {"TLSv1.2", "TLSv1.3"});
      SNIMatcher matcher = SNIHostName.createSNIMatcher("a\\.example");
      set.setServerNames(List.of(new SNIHostName("b.example")));
      set.setSNIMatchers(List.of(matcher));
      set.setEndpointIdentificationAlgorithm("HTTPS");
      set.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      set.setUseCipherSuitesOrder(true);
      set.setNeedClientAuth(true);
      set.setAlgorithmConstraints(Permissive.INSTANCE);
      engine.setSSLParameters(set);
      SSLParameters got = engine.getSSLParameters();
      assertEquals(Set.of(SUITES), Set.of(got.getCipherSuites()));
      assertEquals(Set.of("TLSv1.2", "TLSv1.3"), Set.of(got.getProtocols()));
      assertEquals(List.of(new SNIHostName("b.example")), got.getServerNames());
      assertEquals(List.of(matcher), List.copyOf(got.getSNIMatchers()));
      assertEquals("HTTPS", got.getEndpointIdentificationAlgorithm());
      assertArrayEquals(new String[] {"h2", "http/1.1"}, got.getApplicationProtocols());
      assertTrue(got.getUseCipherSuitesOrder());
      assertTrue(got.getNeedClientAuth());
      assertFalse(got.getWantClientAuth());
      assertSame(Permissive.INSTANCE, got.getAlgorithmConstraints());
      assertEquals(Set.of(SUITES), Set.of(engine.getEnabledCipherSuites()));
      assertTrue(engine.getNeedClientAuth());

      got.setNeedClientAuth(false);
      got.setApplicationProtocols(new String[0]);
      assertTrue(engine.getSSLParameters().getNeedClientAuth(), "parameters are a copy");
      assertEquals(2, engine.getSSLParameters().getApplicationProtocols().length);

      got.setWantClientAuth(true);
      got.setUseCipherSuitesOrder(false);
      engine.setSSLParameters(got);
      assertTrue(engine.getWantClientAuth());
      assertFalse(engine.getNeedClientAuth());
      assertFalse(engine.getSSLParameters().getUseCipherSuitesOrder());
      assertEquals(0, engine.getSSLParameters().getApplicationProtocols().length);
    }
  }

  /** Allows everything. */
  private enum Permissive implements AlgorithmConstraints {
    INSTANCE;

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, AlgorithmParameters parameters) {
      return true;
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
      return true;
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key, AlgorithmParameters parameters) {
      return true;
    }
  }

  /** SSLParameters' null arrays mean "do not change" (SSLEngine.setSSLParameters). */
  @EachPairing
  void nullsInParametersChangeNothing(TlsCase c) {
    for (SSLEngine engine : engines(c)) {
      String[] suites = engine.getEnabledCipherSuites();
      String[] protocols = engine.getEnabledProtocols();
      SSLParameters empty = new SSLParameters();
      assertNull(empty.getCipherSuites());
      engine.setSSLParameters(empty);
      assertArrayEquals(suites, engine.getEnabledCipherSuites());
      assertArrayEquals(protocols, engine.getEnabledProtocols());
      assertThrows(NullPointerException.class, () -> engine.setSSLParameters(null));
    }
  }

  @EachPairing
  void unknownNamesInParametersAreIllegal(TlsCase c) {
    for (SSLEngine engine : engines(c)) {
      SSLParameters badSuite = new SSLParameters(new String[] {"NO_SUCH"});
      SSLParameters badProtocol = new SSLParameters(null, new String[] {"TLSv9"});
      assertThrows(IllegalArgumentException.class, () -> engine.setSSLParameters(badSuite));
      assertThrows(IllegalArgumentException.class, () -> engine.setSSLParameters(badProtocol));
    }
  }

  @EachPairing
  void modeIsWhatWasSet(TlsCase c) {
    SSLEngine engine = c.sockets().clientContext().createSSLEngine();
    engine.setUseClientMode(true);
    assertTrue(engine.getUseClientMode());
    engine.setUseClientMode(false);
    assertFalse(engine.getUseClientMode());
    assertNull(engine.getPeerHost());
    assertEquals(-1, engine.getPeerPort());
    assertTrue(engine.getEnableSessionCreation());
  }

  @EachPairing
  void createSslEngineNeedsAnInitialisedContext(TlsCase c) {
    for (SSLContext context : List.of(c.pairing().client().newContext(), c.pairing().server().newContext())) {
      assertThrows(IllegalStateException.class, context::createSSLEngine);
      assertThrows(IllegalStateException.class, context::getSocketFactory);
      assertThrows(IllegalStateException.class, context::getServerSocketFactory);
    }
  }
}
