package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.cert.Certificate;
import java.util.Arrays;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** The certificates that TLS hands out are our own, and the same objects when the same chain is seen again. */
class EnginePeerCertificatesTest {
  @EachKey
  void ourOwnAndShared(TlsCase c) throws Exception {
    if (c.pairing().client() != Peer.POSTSCRYPT) {
      return;
    }
    Certificate[] first = chain(c);
    Certificate[] second = chain(c);
    assertEquals(TestPki.server(c.key()).chain(), Arrays.asList(first));
    for (int i = 0; i < first.length; i++) {
      assertTrue(first[i].getClass().getName().startsWith("org.postscrypt."), first[i].getClass().getName());
      assertSame(first[i], second[i]);
    }
  }

  private static Certificate[] chain(TlsCase c) throws Exception {
    return c.connected().client().engine().getSession().getPeerCertificates();
  }
}
