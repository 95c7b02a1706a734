package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.Tls;

/** Groups of the key exchange and signature schemes. */
class GroupsAndSchemesTest {
  @Test
  void groupsOfTheKeyExchange() throws Exception {
    assertEquals("X25519MLKEM768", session(connected(engines(Tls.V13).open()).client()).getNamedGroup());
    for (String group : new String[] {"x25519", "secp256r1", "secp384r1", "secp521r1", "MLKEM1024"}) {
      EnginePump pump = engines(Tls.V13).client(with(p -> p.setNamedGroups(new String[] {group})))
          .server(with(p -> p.setNamedGroups(new String[] {"x25519", "secp256r1", "secp384r1", "secp521r1", "MLKEM1024"})))
          .open();
      connected(pump);
      assertEquals(group, session(pump.client()).getNamedGroup());
      assertEquals(group, session(pump.server()).getNamedGroup());
    }
    EnginePump apart = engines(Tls.V13).client(with(p -> p.setNamedGroups(new String[] {"x25519"})))
        .server(with(p -> p.setNamedGroups(new String[] {"secp384r1"}))).open();
    apart.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, apart.server().failure());
    assertInstanceOf(SSLHandshakeException.class, apart.client().failure());
  }

  @Test
  @EnabledForJreRange(minVersion = 20)
  void groupsAndSchemesOfTheJdksOwnParameters() throws Exception {
    SSLParameters parameters = new SSLParameters();
    // The tests are compiled for 17, which does not have these.
    SSLParameters.class.getMethod("setNamedGroups", String[].class)
        .invoke(parameters, (Object) new String[] {"secp384r1"});
    SSLParameters.class.getMethod("setSignatureSchemes", String[].class)
        .invoke(parameters, (Object) new String[] {"ecdsa_secp256r1_sha256"});
    EnginePump pump = connected(engines(Tls.V13).client(e -> e.setSSLParameters(parameters)).open());
    assertEquals("secp384r1", session(pump.client()).getNamedGroup());
    String[] seen = ((ExtendedSSLSession) pump.server().engine().getSession()).getPeerSupportedSignatureAlgorithms();
    assertArrayEquals(new String[] {"SHA256withECDSA"}, seen);
  }

  @Test
  void groupsThatAreAllUnknownAreAnErrorOfTheHandshakeAlone() {
    EnginePump pump = engines(Tls.V13).client(with(p -> p.setNamedGroups(new String[] {"ffdhe2048"}))).open();
    assertThrows(SSLHandshakeException.class, pump::begin);
  }

  @Test
  void signatureSchemesThatTheServersKeyCannotDo() throws Exception {
    EnginePump pump =
        engines(Tls.V13).client(with(p -> p.setSignatureSchemes(new String[] {"rsa_pss_rsae_sha256", "unheard_of"}))).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    EnginePump able =
        engines(Tls.V13).client(with(p -> p.setSignatureSchemes(new String[] {"ecdsa_secp256r1_sha256"}))).open();
    connected(able);
    String[] seen = ((ExtendedSSLSession) able.server().engine().getSession()).getPeerSupportedSignatureAlgorithms();
    assertArrayEquals(new String[] {"SHA256withECDSA"}, seen);
  }
}
