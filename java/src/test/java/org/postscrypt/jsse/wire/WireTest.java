package org.postscrypt.jsse.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.Hello;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** What our side really puts on the wire. */
@Timeout(30)
class WireTest {
  private static final int X25519_MLKEM768 = 0x11ec;
  private static final int X25519 = 0x001d;
  private static final int P256 = 0x0017;
  private static final int P521 = 0x19;
  private static final int P384 = 0x0018;

  private static final List<Integer> SUITES13 = List.of(0x1301, 0x1302, 0x1303);
  private static final List<Integer> SUITES12 = List.of(0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8);

  private static final Pairing OURS = new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT);

  private static TlsCase at(Tls tls) {
    return new TlsCase(OURS, tls, KeyType.EC, BufferKind.HEAP);
  }

  /** Our client's first flight with these settings; those of an engine fresh from its context, otherwise. */
  private static Hello clientHello(Consumer<SSLEngine> settings) throws Exception {
    EnginePump pump = at(Tls.V13).engines()
        .client(e -> e.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"}))
        .client(settings)
        .open();
    pump.client().engine().beginHandshake();
    pump.client().wrapAndSend();
    return Hello.ofClient(pump.server().wire().take());
  }

  private static Consumer<SSLEngine> parameters(Consumer<SSLParameters> change) {
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      change.accept(parameters);
      engine.setSSLParameters(parameters);
    };
  }

  @Test
  void byDefault() throws Exception {
    Hello hello = clientHello(e -> {});
    assertEquals(0x0303, hello.version());
    assertEquals(32, hello.sessionId().length, "looks like TLS 1.2 to middleboxes (RFC 8446 appendix D.4)");
    assertArrayEquals(new byte[] {0}, hello.compression(), "no compression");
    List<Integer> suites = new ArrayList<>(SUITES13);
    suites.addAll(SUITES12);
    assertEquals(suites, hello.realSuites());
    assertEquals(List.of(0x0304, 0x0303), hello.versions());
    assertEquals(List.of(X25519_MLKEM768, X25519, P256, P384, P521), hello.groups());
    assertEquals(Map.of(X25519_MLKEM768, 1216, X25519, 32), hello.keyShares());
    assertEquals(X25519_MLKEM768, hello.keyShares().keySet().iterator().next(), "first");
    assertEquals(
        List.of(0x0403, 0x0807, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0603, 0x0806, 0x0601),
        hello.signatureSchemes());
    assertEquals(TestPki.HOST, hello.serverName());
    assertTrue(hello.has(Hello.EXTENDED_MASTER_SECRET));
    assertTrue(hello.has(Hello.SESSION_TICKET));
    assertTrue(hello.has(Hello.RENEGOTIATION_INFO) || hello.suites().contains(0x00ff));
    assertTrue(hello.has(Hello.PSK_MODES), "no server may send tickets without (RFC 8446 section 4.2.9)");
    assertFalse(hello.has(Hello.ALPN));
    assertFalse(hello.has(Hello.PRE_SHARED_KEY));
    assertFalse(hello.has(Hello.EARLY_DATA));
    assertTrue(hello.extensions().values().stream().mapToInt(b -> b.length).sum() < 1600);
  }

  @Test
  void defaultsNeedNoSetting() throws Exception {
    SSLContext context = at(Tls.V13).engines().clientContext();
    SSLEngine engine = context.createSSLEngine(TestPki.HOST, 443);
    engine.setUseClientMode(true);
    ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), out);
    Hello hello = Hello.ofClient(EngineSide.written(out, 0));
    Hello other = clientHello(e -> {});
    assertEquals(other.versions(), hello.versions());
    assertEquals(other.realSuites(), hello.realSuites());
    assertEquals(other.groups(), hello.groups());
    assertEquals(other.signatureSchemes(), hello.signatureSchemes());
    assertFalse(Arrays.equals(other.random(), hello.random()));
  }

  @Test
  void onlyTls12() throws Exception {
    Hello hello = clientHello(e -> e.setEnabledProtocols(new String[] {"TLSv1.2"}));
    assertEquals(0x0303, hello.version());
    assertEquals(SUITES12, hello.realSuites().stream().filter(s -> s != 0x00ff).toList());
    assertFalse(hello.has(Hello.SUPPORTED_VERSIONS));
    assertFalse(hello.has(Hello.KEY_SHARE));
    assertFalse(hello.groups().contains(X25519_MLKEM768), "a group of TLS 1.3 alone");
    assertArrayEquals(new byte[] {0}, hello.compression());
  }

  @Test
  void onlyTls13() throws Exception {
    Hello hello = clientHello(e -> e.setEnabledProtocols(new String[] {"TLSv1.3"}));
    assertEquals(List.of(0x0304), hello.versions());
    assertEquals(SUITES13, hello.realSuites());
    assertFalse(hello.has(Hello.EXTENDED_MASTER_SECRET), "of TLS 1.2");
    assertFalse(hello.has(Hello.SESSION_TICKET), "of TLS 1.2");
  }

  @Test
  void suitesInTheirOrder() throws Exception {
    String[] order = {
      "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
    };
    Hello hello = clientHello(e -> e.setEnabledCipherSuites(order));
    assertEquals(List.of(0x1303, 0x1302, 0xc030, 0xc02b), hello.realSuites());
    Hello one = clientHello(e -> e.setEnabledCipherSuites(new String[] {"TLS_AES_256_GCM_SHA384"}));
    assertEquals(List.of(0x1302), one.realSuites());
    assertEquals(List.of(0x0304), one.versions(), "no suite of TLS 1.2 is left");
  }

  @Test
  void serverNames() throws Exception {
    Hello named = clientHello(
        parameters(p -> p.setServerNames(List.of(new SNIHostName("other.example.org")))));
    assertEquals("other.example.org", named.serverName());
    assertFalse(clientHello(parameters(p -> p.setServerNames(List.of()))).has(Hello.SERVER_NAME));
    for (String host : new String[] {"127.0.0.1", "::1", "localhost", "www.example.org."}) {
      EnginePump pump = at(Tls.V13).engines().peer(host, 443).open();
      pump.client().engine().beginHandshake();
      pump.client().wrapAndSend();
      assertFalse(Hello.ofClient(pump.server().wire().take()).has(Hello.SERVER_NAME), host);
    }
  }

  @Test
  void applicationProtocols() throws Exception {
    Hello hello = clientHello(parameters(p -> p.setApplicationProtocols(new String[] {"h2", "http/1.1"})));
    assertEquals(List.of("h2", "http/1.1"), hello.protocols());
  }

  /** Records of the wire towards {@code side}, one handshake round at a time. */
  private static Hello serverHello(EnginePump pump) throws Exception {
    pump.begin();
    pump.client().wrapAndSend();
    EngineSide server = pump.server();
    while (pump.client().wire().size() == 0) {
      assertTrue(server.step());
    }
    return Hello.ofServer(pump.client().wire().peek(Bytes.MAX_RECORD));
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void serverHello(Tls tls) throws Exception {
    Hello hello = serverHello(at(tls).engines().open());
    assertEquals(0x0303, hello.version());
    assertArrayEquals(new byte[] {0}, hello.compression());
    if (tls == Tls.V13) {
      assertEquals(0x0304, hello.selectedVersion());
      assertEquals(List.of(0x1301), hello.suites());
      assertEquals(X25519_MLKEM768, hello.selectedGroup());
      assertEquals(2, hello.extensions().size(), () -> hello.extensions().keySet().toString());
    } else {
      assertEquals(0x0303, hello.selectedVersion());
      assertEquals(List.of(0xc02b), hello.suites());
      assertTrue(hello.has(Hello.EXTENDED_MASTER_SECRET));
      assertTrue(hello.has(Hello.RENEGOTIATION_INFO));
      assertFalse(hello.has(Hello.ALPN));
    }
  }

  /** RFC 8446 section 4.1.3: a server that could have done better says so in its random. */
  @Test
  void downgradeIsMarked() throws Exception {
    Hello hello = serverHello(at(Tls.V12).engines()
        .server(e -> e.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"}))
        .open());
    assertEquals(0x0303, hello.selectedVersion());
    byte[] end = Arrays.copyOfRange(hello.random(), 24, 32);
    assertArrayEquals(new byte[] {'D', 'O', 'W', 'N', 'G', 'R', 'D', 1}, end);
  }

  @Test
  void applicationProtocolOfTheServer() throws Exception {
    Hello hello = serverHello(at(Tls.V12).engines()
        .protocols(new String[] {"a", "h2"}, new String[] {"h2"})
        .open());
    assertEquals(List.of("h2"), hello.protocols());
  }

  // --- alerts ---

  /** The plaintext alert among these records. */
  private static byte[] alert(byte[] records) {
    byte[] alert = null;
    for (int at = 0; at < records.length; at += Bytes.recordLength(records, at)) {
      if (records[at] == 21) {
        assertEquals(Bytes.HEADER + 2, Bytes.recordLength(records, at));
        assertEquals(null, alert, "one alert");
        alert = new byte[] {records[at + Bytes.HEADER], records[at + Bytes.HEADER + 1]};
      }
    }
    assertNotNull(alert, "an alert in the clear");
    return alert;
  }

  @ParameterizedTest
  @ValueSource(ints = {70, 40, 120, 10, 50})
  void serversRefusals(int number) throws Exception {
    EnginePump pump = switch (number) {
      case 70 -> at(Tls.V12).engines()
          .server(e -> e.setEnabledProtocols(new String[] {"TLSv1.3"}))
          .open();
      case 40 -> at(Tls.V13).engines()
          .client(e -> e.setEnabledCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"}))
          .server(e -> e.setEnabledCipherSuites(new String[] {"TLS_AES_256_GCM_SHA384"}))
          .open();
      case 120 -> at(Tls.V13).engines().protocols(new String[] {"a"}, new String[] {"b"}).open();
      default -> at(Tls.V13).engines().open();
    };
    pump.begin();
    pump.client().wrapAndSend();
    if (number == 10) {
      // Finished, or a message of no known type, is no beginning.
      pump.server().wire().take();
      pump.server().wire().add(new byte[] {22, 3, 1, 0, 4, 20, 0, 0, 0});
    } else if (number == 50) {
      byte[] hello = pump.server().wire().take();
      // The length of the session id, beyond its most.
      hello[Bytes.HEADER + 4 + 2 + 32] = 77;
      pump.server().wire().add(hello);
    }
    while (pump.server().stepOrFail()) {
      assertTrue(pump.server().results().size() < 50);
    }
    assertNotNull(pump.server().failure());
    assertArrayEquals(new byte[] {2, (byte) number}, alert(pump.client().wire().take()));
    assertTrue(pump.server().engine().isOutboundDone());
  }

  /** In TLS 1.2 a client's alert about a certificate goes in the clear. */
  @Test
  void clientsRefusal() throws Exception {
    EnginePump pump = at(Tls.V12).engines().serverIdentity(TestPki.untrusted()).open();
    pump.begin();
    while (pump.client().failure() == null) {
      assertTrue(pump.client().stepOrFail() | pump.server().stepOrFail());
    }
    pump.server().wire().take();
    while (pump.client().stepOrFail()) {
      assertTrue(pump.client().results().size() < 50);
    }
    byte[] alert = alert(pump.server().wire().take());
    assertEquals(2, alert[0]);
    assertTrue(alert[1] == 48 || alert[1] == 46, () -> "unknown_ca or certificate_unknown: " + alert[1]);
  }

  /** A handshake given up: user_canceled, a warning, is followed by close_notify (RFC 8446 section 6.1). */
  @Test
  void closedInTheHandshake() throws Exception {
    EnginePump pump = at(Tls.V13).engines().open();
    pump.begin();
    pump.client().wrapAndSend();
    pump.server().wire().take();
    pump.client().closeAndFlush();
    byte[] records = pump.server().wire().take();
    List<String> alerts = new ArrayList<>();
    for (int at = 0; at < records.length; at += Bytes.recordLength(records, at)) {
      assertEquals(21, records[at]);
      alerts.add(records[at + Bytes.HEADER] + " " + records[at + Bytes.HEADER + 1]);
    }
    assertTrue(
        alerts.equals(List.of("1 90", "1 0")) || alerts.equals(List.of("1 0")) || alerts.equals(List.of("2 90")),
        alerts::toString);
  }
}
