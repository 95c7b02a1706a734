package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.DATA;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.postscrypt.EchKey;
import org.postscrypt.EchRejectedException;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** Encrypted Client Hello, and what else changes a client's first message. */
class EncryptedClientHelloTest {
  @Test
  void encryptedClientHello() throws Exception {
    EchKey key = EchKey.generate(7, TestPki.OTHER_HOST, 64);
    byte[] list = EchKey.configList(List.of(key));
    EnginePump pump = engines(Tls.V13)
        .peer(TestPki.HOST, 443)
        .client(with(p -> p.setEchConfigList(list)))
        .server(with(p -> p.setEchKeys(List.of(key))))
        .open();
    pump.begin();
    byte[] hello = hello(pump);
    assertFalse(contains(hello, TestPki.HOST), "the name is hidden");
    assertTrue(contains(hello, TestPki.OTHER_HOST), "the public name is seen");
    pump.settle();
    assertTrue(session(pump.client()).isEchAccepted());
    assertEquals(TestPki.HOST, ((ExtendedSSLSession) pump.server().engine().getSession()).getRequestedServerNames().stream()
        .map(n -> new String(n.getEncoded(), StandardCharsets.US_ASCII)).findFirst().orElse(null));
    pump.send(pump.client(), DATA);
  }

  @Test
  void refusedEncryptedClientHelloTellsWhatToTryNext() throws Exception {
    EchKey old = EchKey.generate(7, TestPki.HOST, 64);
    EchKey fresh = EchKey.generate(8, TestPki.HOST, 64);
    EnginePump pump = engines(Tls.V13)
        .peer(TestPki.OTHER_HOST, 443)
        .client(with(p -> {
          p.setEchConfigList(EchKey.configList(List.of(old)));
          p.setEndpointIdentificationAlgorithm("HTTPS");
        }))
        .server(with(p -> p.setEchKeys(List.of(fresh))))
        .open();
    pump.failHandshake();
    EchRejectedException refused = assertInstanceOf(EchRejectedException.class, pump.client().failure());
    assertArrayEquals(EchKey.configList(List.of(fresh)), refused.getRetryConfigs());
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
  }

  @Test
  void refusalIsOnlyBelievedFromThePublicName() throws Exception {
    EchKey old = EchKey.generate(7, "not-in-the-certificate.example", 64);
    EchKey fresh = EchKey.generate(8, TestPki.HOST, 64);
    EnginePump pump = engines(Tls.V13)
        .peer(TestPki.HOST, 443)
        .client(with(p -> {
          p.setEchConfigList(EchKey.configList(List.of(old)));
          p.setEndpointIdentificationAlgorithm("HTTPS");
        }))
        .server(with(p -> p.setEchKeys(List.of(fresh))))
        .open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.client().failure());
    assertFalse(pump.client().failure() instanceof EchRejectedException, "not authenticated: no retry");
  }

  @Test
  void greaseAndPermutationGoUnnoticedByTheServer() throws Exception {
    Set<String> hellos = new TreeSet<>();
    for (int i = 0; i < 4; i++) {
      EnginePump pump = engines(Tls.V13).client(with(p -> {
        p.setGrease(true);
        p.setExtensionPermutation(true);
        p.setEchGrease(true);
      })).open();
      pump.begin();
      hellos.add(Arrays.toString(Arrays.copyOf(hello(pump), 200)));
      pump.settle();
      pump.send(pump.client(), DATA);
    }
    assertTrue(hellos.size() > 1);
  }

  /** The client's first flight, left where it is. */
  private static byte[] hello(EnginePump pump) throws SSLException {
    pump.client().wrapAndSend();
    return pump.server().wire().peek(pump.server().wire().size());
  }

  private static boolean contains(byte[] bytes, String text) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
  }
}
