package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.pair;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.security.KeyPair;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** Raw public keys instead of certificates (RFC 7250). */
class RawPublicKeysTest {
  @ParameterizedTest
  @EnumSource(Tls.class)
  void rawPublicKeysBothWays(Tls version) throws Exception {
    KeyPair[][] pairs = {{pair("EC", 256), pair("RSA", 2048)}, {pair("RSA", 2048), pair("EC", 384)}};
    for (KeyPair[] both : pairs) {
      EnginePump pump = engines(version)
          .serverKeys()
          .client(with(p -> {
            p.setRawKeyPair(both[0]);
            p.setTrustedRawPublicKeys(List.of(both[1].getPublic()));
          }))
          .server(with(p -> {
            p.setRawKeyPair(both[1]);
            p.setTrustedRawPublicKeys(List.of(pairs[0][0].getPublic(), both[0].getPublic()));
            p.setNeedClientAuth(true);
          }))
          .open();
      connected(pump);
      assertEquals(both[1].getPublic(), session(pump.client()).getPeerRawPublicKey());
      assertEquals(both[0].getPublic(), session(pump.server()).getPeerRawPublicKey());
      assertThrows(SSLPeerUnverifiedException.class, () -> session(pump.client()).getPeerCertificates());
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void rawPublicKeyOfAStrangerIsRefused(Tls version) throws Exception {
    KeyPair stranger = pair("EC", 256);
    KeyPair expected = pair("EC", 256);
    EnginePump pump = engines(version)
        .serverKeys()
        .client(with(p -> p.setTrustedRawPublicKeys(List.of(expected.getPublic()))))
        .server(with(p -> p.setRawKeyPair(stranger)))
        .open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
  }

  @Test
  void certificatesRemainForPeersWithoutRawKeys() throws Exception {
    EnginePump pump = engines(Tls.V13).server(with(p -> {
      try {
        p.setRawKeyPair(pair("EC", 256));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    })).open();
    connected(pump);
    assertEquals(TestPki.server(KeyType.EC).certificate(), session(pump.client()).getPeerCertificates()[0]);
    assertThrows(SSLPeerUnverifiedException.class, () -> session(pump.client()).getPeerRawPublicKey());
  }
}
