package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.Tls;

/** What a server staples to its certificate: an OCSP response, timestamps. */
class StaplingTest {
  @ParameterizedTest
  @EnumSource(Tls.class)
  void stapledOcspResponseIsSeen(Tls version) throws Exception {
    byte[] response = {1, 2, 3, 4, 5};
    EnginePump pump = connected(engines(version).server(with(p -> p.setOcspResponse(response))).open());
    List<byte[]> seen = ((ExtendedSSLSession) pump.client().engine().getSession()).getStatusResponses();
    assertEquals(1, seen.size());
    assertArrayEquals(response, seen.get(0));
    EnginePump none = connected(engines(version).open());
    assertEquals(0, ((ExtendedSSLSession) none.client().engine().getSession()).getStatusResponses().size());
  }

  @Test
  void malformedTimestampsAreAnErrorOfTheServer() throws Exception {
    EnginePump pump = engines(Tls.V13).server(with(p -> p.setSignedCertificateTimestamps(new byte[] {9}))).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
  }
}
