package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.PreSharedKey;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** Pre-shared keys that are known beforehand, of either protocol version. */
class PreSharedKeysTest {
  private static final String[] PSK_SUITES = {"TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA"};

  private static void psk(TlsParameters p, Tls version, byte... keys) {
    List<PreSharedKey> list = new ArrayList<>();
    for (byte key : keys) {
      byte[] secret = new byte[32];
      Arrays.fill(secret, key);
      list.add(new PreSharedKey(("key " + key).getBytes(StandardCharsets.US_ASCII), secret));
    }
    p.setPreSharedKeys(list);
    if (version == Tls.V12) {
      p.setCipherSuites(PSK_SUITES);
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void preSharedKeysWithoutAnyCertificate(Tls version) throws Exception {
    EnginePump pump = engines(version)
        .serverKeys()
        .client(with(p -> psk(p, version, (byte) 2)))
        .server(with(p -> psk(p, version, (byte) 1, (byte) 2)))
        .open();
    connected(pump);
    assertThrows(SSLPeerUnverifiedException.class, () -> pump.client().engine().getSession().getPeerCertificates());
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void wrongPreSharedKeyFails(Tls version) throws Exception {
    EnginePump pump = engines(version)
        .serverKeys()
        .client(with(p -> {
          PreSharedKey wrong = new PreSharedKey("key 1".getBytes(StandardCharsets.US_ASCII), new byte[32]);
          psk(p, version, (byte) 1);
          p.setPreSharedKeys(List.of(wrong));
        }))
        .server(with(p -> psk(p, version, (byte) 1)))
        .open();
    pump.failHandshake();
    assertInstanceOf(SSLException.class, pump.server().failure());
    assertInstanceOf(SSLException.class, pump.client().failure());
  }

  @Test
  void unknownPreSharedKeyFallsBackToCertificates() throws Exception {
    EnginePump pump = engines(Tls.V13)
        .client(with(p -> psk(p, Tls.V13, (byte) 3)))
        .server(with(p -> psk(p, Tls.V13, (byte) 1)))
        .open();
    connected(pump);
    assertEquals(TestPki.server(KeyType.EC).certificate(), session(pump.client()).getPeerCertificates()[0]);
  }
}
