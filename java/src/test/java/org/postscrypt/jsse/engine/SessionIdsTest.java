package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.Hello;
import org.postscrypt.jsse.support.Jvm;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** TLS 1.2 sessions that a server keeps (RFC 5246 section 7.4.1.2), with a JDK that is told to know no tickets. */
class SessionIdsTest {
  /** What the other JVM does. */
  public static void main(String[] none) throws Exception {
    for (Pairing pairing : List.of(new Pairing(Peer.JDK, Peer.POSTSCRYPT), new Pairing(Peer.POSTSCRYPT, Peer.JDK))) {
      TlsCase c = new TlsCase(pairing, Tls.V12, KeyType.EC, BufferKind.HEAP);
      AtomicInteger asked = new AtomicInteger();
      EngineSetup setup = c.engines()
          .clientIdentity(TestPki.client(KeyType.EC))
          .server(e -> e.setNeedClientAuth(true))
          .clientTrust(new DelegatingTrustManager() {
            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
              asked.incrementAndGet();
              super.checkServerTrusted(chain, authType, engine);
            }
          });
      SSLContext client = setup.clientContext();
      SSLContext server = setup.serverContext();
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        EnginePump pump = setup.open(client, server);
        pump.begin();
        pump.client().wrapAndSend();
        Hello hello = Hello.ofClient(pump.server().wire().peek(Bytes.MAX_RECORD));
        pump.settle();
        pump.assertEstablished();
        pump.send(pump.client(), Bytes.pattern(1000));
        pump.send(pump.server(), Bytes.pattern(1000));
        Object leaf = pump.server().engine().getSession().getPeerCertificates()[0];
        boolean same = leaf.equals(TestPki.client(KeyType.EC).certificate());
        boolean ticket = hello.has(Hello.SESSION_TICKET) && hello.extensions().get(Hello.SESSION_TICKET).length > 0;
        boolean id = hello.sessionId().length > 0;
        seen.add(asked + (ticket ? " ticket" : "") + (id ? " id" : "") + (same ? " same" : ""));
        pump.client().closeAndFlush();
        pump.settle();
        pump.server().closeAndFlush();
        pump.settle();
      }
      System.out.println(pairing + ": " + seen);
    }
  }

  @Test
  @Timeout(90)
  void resumed() throws Exception {
    String output = Jvm.run(SessionIdsTest.class, List.of(
        "-Djdk.tls.client.enableSessionTicketExtension=false", "-Djdk.tls.server.enableSessionTicketExtension=false"));
    assertEquals(
        List.of("JDK-POSTSCRYPT: [1 same, 1 id same, 1 id same]", "POSTSCRYPT-JDK: [1 same, 1 id same, 1 id same]"),
        output.lines().filter(l -> l.contains("POSTSCRYPT")).toList(),
        output);
  }
}
