package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.postscrypt.EchKey;
import org.postscrypt.PreSharedKey;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** {@link TlsParameters}: what was set comes back, what is impossible is refused, the peer's host. */
class TlsParametersTest {
  @Test
  void parametersComeBackAsTheyWereSet() {
    SSLEngine engine = engines(Tls.V13).open().client().engine();
    TlsParameters p = (TlsParameters) engine.getSSLParameters();
    assertArrayEquals(new String[] {"X25519MLKEM768", "x25519", "secp256r1", "secp384r1", "secp521r1"}, p.getNamedGroups());
    PreSharedKey key = new PreSharedKey(new byte[] {1}, new byte[32]);
    p.setPreSharedKeys(List.of(key));
    p.setGrease(true);
    p.setNamedGroups(new String[] {"P-256"});
    p.setSessionTickets(false);
    p.setPeerHost("other.example");
    SessionStore store = new SessionStoreTest.Store();
    p.setSessionStore(store);
    engine.setSSLParameters(p);
    TlsParameters back = (TlsParameters) engine.getSSLParameters();
    assertEquals(List.of(key), back.getPreSharedKeys());
    assertTrue(back.getGrease());
    assertArrayEquals(new String[] {"secp256r1"}, back.getNamedGroups(), "by the IANA name");
    assertFalse(back.getSessionTickets());
    assertEquals("other.example", back.getPeerHost());
    assertEquals(store, back.getSessionStore());
    engine.setSSLParameters(new SSLParameters());
    assertEquals(List.of(key), ((TlsParameters) engine.getSSLParameters()).getPreSharedKeys(), "null leaves what was set");
  }

  @Test
  void impossibleValuesAreRefusedAtOnce() {
    TlsParameters p = new TlsParameters();
    assertThrows(IllegalArgumentException.class, () -> p.setNamedGroups(new String[] {"x25519", "x25519"}));
    assertThrows(IllegalArgumentException.class, () -> p.setNamedGroups(new String[] {""}));
    assertThrows(IllegalArgumentException.class, () -> p.setSignatureSchemes(new String[] {null}));
    assertThrows(IllegalArgumentException.class, () -> p.setSessionTicketKeys(List.of(new byte[47])));
    assertThrows(IllegalArgumentException.class, () -> p.setPreSharedKeys(Arrays.asList((PreSharedKey) null)));
    assertThrows(IllegalArgumentException.class, () -> new PreSharedKey(new byte[0], new byte[32]));
    assertThrows(IllegalArgumentException.class, () -> new PreSharedKey(new byte[1], new byte[15]));
    assertThrows(IllegalArgumentException.class, () -> EchKey.generate(256, "example.org", 10));
    assertThrows(IllegalArgumentException.class, () -> EchKey.generate(1, "", 10));
  }

  @Test
  void peerHostIsWhatIsSentVerifiedAndTold() throws Exception {
    EnginePump pump = engines(Tls.V13).peer("wrong.example", 443).client(with(p -> {
      p.setPeerHost(TestPki.HOST);
      p.setEndpointIdentificationAlgorithm("HTTPS");
    })).open();
    assertEquals(TestPki.HOST, pump.client().engine().getPeerHost());
    connected(pump);
    assertEquals(TestPki.HOST, session(pump.client()).getPeerHost());
    assertEquals(TestPki.HOST, ((ExtendedSSLSession) pump.server().engine().getSession()).getRequestedServerNames().stream()
        .map(n -> new String(n.getEncoded(), StandardCharsets.US_ASCII)).findFirst().orElse(null));
    EnginePump wrong = engines(Tls.V13).peer(TestPki.HOST, 443).client(with(p -> {
      p.setPeerHost("wrong.example");
      p.setEndpointIdentificationAlgorithm("HTTPS");
    })).open();
    wrong.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, wrong.client().failure());
    SSLEngine engine = engines(Tls.V13).peer(TestPki.HOST, 443).open().client().engine();
    with(p -> p.setPeerHost("a.example")).accept(engine);
    with(p -> p.setPeerHost("")).accept(engine);
    assertEquals(TestPki.HOST, engine.getPeerHost(), "empty: as made");
  }
}
