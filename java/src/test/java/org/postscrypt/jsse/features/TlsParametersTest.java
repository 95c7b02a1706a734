package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.EchKey;
import org.postscrypt.EchRejectedException;
import org.postscrypt.KeyLog;
import org.postscrypt.Postscrypt;
import org.postscrypt.PostscryptSession;
import org.postscrypt.PreSharedKey;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** What goes through {@link TlsParameters}, and what {@link PostscryptSession} tells, between two engines of ours. */
class TlsParametersTest {
  private static final byte[] DATA = "some application data".getBytes(StandardCharsets.US_ASCII);

  private static TlsCase ours(Tls version) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), version, KeyType.EC, BufferKind.DIRECT);
  }

  private static EngineSetup engines(Tls version) {
    return ours(version).engines();
  }

  private static Consumer<SSLEngine> with(Consumer<TlsParameters> change) {
    return engine -> {
      TlsParameters parameters = new TlsParameters();
      parameters.setUseCipherSuitesOrder(true);
      change.accept(parameters);
      engine.setSSLParameters(parameters);
    };
  }

  private static EnginePump connected(EnginePump pump) throws SSLException {
    pump.handshake();
    pump.send(pump.client(), DATA);
    pump.send(pump.server(), DATA);
    return pump;
  }

  private static PostscryptSession session(EngineSide side) {
    return (PostscryptSession) side.engine().getSession();
  }

  // --- groups and schemes ---

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
  @EnabledForJreRange(minVersion = 25)
  void exportersOfTheJdksOwnSession() throws Exception {
    EnginePump pump = connected(engines(Tls.V13).open());
    ExtendedSSLSession session = (ExtendedSSLSession) pump.client().engine().getSession();
    Object data = ExtendedSSLSession.class
        .getMethod("exportKeyingMaterialData", String.class, byte[].class, int.class).invoke(session, "EXPERIMENTAL", null, 32);
    assertArrayEquals(session(pump.server()).exportKeyingMaterial("EXPERIMENTAL", null, 32), (byte[]) data);
    SecretKey key = (SecretKey) ExtendedSSLSession.class
        .getMethod("exportKeyingMaterialKey", String.class, String.class, byte[].class, int.class)
        .invoke(session, "AES", "EXPERIMENTAL", null, 32);
    assertArrayEquals((byte[]) data, key.getEncoded());
    assertEquals("AES", key.getAlgorithm());
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
    Store store = new Store();
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

  // --- pre-shared keys ---

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

  // --- raw public keys ---

  private static KeyPair pair(String algorithm, int size) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (size > 0) {
      generator.initialize(size);
    }
    return generator.generateKeyPair();
  }

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

  // --- Encrypted Client Hello ---

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

  // --- key log, stapling ---

  @ParameterizedTest
  @EnumSource(Tls.class)
  void keyLogOfBothSidesAgrees(Tls version) throws Exception {
    List<String> client = new ArrayList<>();
    List<String> server = new ArrayList<>();
    connected(engines(version).client(with(p -> p.setKeyLog(client::add))).server(with(p -> p.setKeyLog(server::add))).open());
    assertEquals(new TreeSet<>(client), new TreeSet<>(server));
    String kind = version == Tls.V12 ? "CLIENT_RANDOM " : "SERVER_TRAFFIC_SECRET_0 ";
    assertTrue(client.stream().anyMatch(line -> line.startsWith(kind)), client::toString);
  }

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

  // --- shared ticket keys ---

  private static byte[] ticketKey(int value) {
    byte[] key = new byte[48];
    Arrays.fill(key, (byte) value);
    return key;
  }

  private static SSLContext newContext(KeyManager... keys) throws Exception {
    SSLContext context = Peer.POSTSCRYPT.newContext();
    context.init(keys, TestPki.trustManagers(), null);
    return context;
  }

  private static boolean resumes(Tls version, SSLContext client, SSLContext server, List<byte[]> ticketKeys)
      throws Exception {
    EnginePump pump = engines(version).peer(TestPki.HOST, 443)
        .server(with(p -> p.setSessionTicketKeys(ticketKeys))).open(client, server);
    connected(pump);
    assertEquals(session(pump.client()).isResumed(), session(pump.server()).isResumed());
    return session(pump.client()).isResumed();
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void serversThatShareTicketKeysResumeEachOthersSessions(Tls version) throws Exception {
    KeyManager[] keys = TestPki.keyManagers(TestPki.server(KeyType.EC));
    SSLContext client = newContext();
    assertFalse(resumes(version, client, newContext(keys), List.of(ticketKey(1))));
    assertTrue(resumes(version, client, newContext(keys), List.of(ticketKey(1))), "another server, the same key");
    assertTrue(resumes(version, client, newContext(keys), List.of(ticketKey(2), ticketKey(1))), "rotated, the old one opens");
    assertTrue(resumes(version, client, newContext(keys), List.of(ticketKey(2))), "the ticket was renewed under the new one");
    assertFalse(resumes(version, client, newContext(keys), List.of(ticketKey(3))), "a stranger's key");
    assertFalse(resumes(version, client, newContext(keys), List.of()), "keys of its own");
  }

  @Test
  void withoutTicketsTls12ResumesByIdAndATls13ServerNot() throws Exception {
    for (Tls version : Tls.values()) {
      SSLContext client = newContext();
      SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
      for (int i = 0; i < 2; i++) {
        EnginePump pump = engines(version).peer(TestPki.HOST, 443)
            .client(with(p -> p.setSessionTickets(false))).server(with(p -> p.setSessionTickets(false)))
            .open(client, server);
        connected(pump);
        assertEquals(i == 1 && version == Tls.V12, session(pump.client()).isResumed());
      }
    }
  }

  // --- the peer's host ---

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

  // --- sessions elsewhere ---

  /** In memory. */
  private static final class Store implements SessionStore {
    private final Map<String, byte[]> kept = new HashMap<>();
    private int asked;

    @Override
    public byte[] get(String host, int port) {
      asked++;
      return kept.get(host + ":" + port);
    }

    @Override
    public void put(SSLSession session, byte[] data) {
      kept.put(session.getPeerHost() + ":" + session.getPeerPort(), data);
    }
  }

  /** Counts how often a server is checked. */
  private static final class Counting implements X509TrustManager {
    private int checks;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      checks++;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void storedSessionsAreResumedInAnotherContextAndVerifiedAgain(Tls version) throws Exception {
    SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    Store store = new Store();
    for (int i = 0; i < 3; i++) {
      Counting counting = new Counting();
      SSLContext client = Peer.POSTSCRYPT.newContext();
      client.init(null, new TrustManager[] {counting}, null);
      EnginePump pump = engines(version).peer(TestPki.HOST, 443)
          .client(with(p -> p.setSessionStore(store))).open(client, server);
      connected(pump);
      assertEquals(i > 0, session(pump.client()).isResumed());
      assertEquals(1, counting.checks, "resumed or not");
      assertEquals(i + 1, store.asked);
      assertEquals(TestPki.server(KeyType.EC).certificate(), session(pump.client()).getPeerCertificates()[0]);
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void damagedSessionsAreNotOffered(Tls version) throws Exception {
    SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    Store store = new Store();
    for (byte[] data : new byte[][] {{}, {1, 2, 3}, {'P', 'S', 'S', 1}, {'P', 'S', 'S', 1, 0x30, 0x10, 2}, new byte[5000]}) {
      store.kept.put(TestPki.HOST + ":443", data);
      EnginePump pump = engines(version).peer(TestPki.HOST, 443)
          .client(with(p -> p.setSessionStore(store))).open(newContext(), server);
      connected(pump);
      assertFalse(session(pump.client()).isResumed());
    }
  }

  @Test
  void sessionsWithRawPublicKeysAreNotStored() throws Exception {
    KeyPair key = pair("EC", 256);
    Store store = new Store();
    EnginePump pump = engines(Tls.V13).serverKeys().peer(TestPki.HOST, 443)
        .client(with(p -> {
          p.setTrustedRawPublicKeys(List.of(key.getPublic()));
          p.setSessionStore(store);
        }))
        .server(with(p -> p.setRawKeyPair(key)))
        .open();
    connected(pump);
    assertEquals(0, store.kept.size());
  }

  /** In memory, by id. */
  private static class ServerStore implements ServerSessionStore {
    private final Map<ByteBuffer, byte[]> kept = new HashMap<>();
    private int asked;

    @Override
    public byte[] get(byte[] id) {
      asked++;
      return kept.get(ByteBuffer.wrap(id));
    }

    @Override
    public void put(SSLSession session, byte[] data) {
      kept.put(ByteBuffer.wrap(session.getId()), data);
    }
  }

  private static boolean resumed(SSLContext client, SSLContext server, Consumer<SSLEngine> settings) throws Exception {
    EnginePump pump = engines(Tls.V12).peer(TestPki.HOST, 443).server(settings).open(client, server);
    connected(pump);
    assertEquals(session(pump.client()).isResumed(), session(pump.server()).isResumed());
    return session(pump.server()).isResumed();
  }

  @Test
  void aServersStoredSessionsAreResumedByOthers() throws Exception {
    ServerStore store = new ServerStore();
    Consumer<SSLEngine> settings = with(p -> {
      p.setSessionTickets(false);
      p.setServerSessionStore(store);
    });
    SSLContext client = newContext();
    assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), settings));
    assertEquals(1, store.kept.size());
    assertEquals(0, store.asked, "the client offered none");
    SSLContext other = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    assertTrue(resumed(client, other, settings));
    assertEquals(1, store.asked);
    assertTrue(resumed(client, other, settings));
    assertEquals(1, store.asked, "it is known by now");
    assertEquals(1, store.kept.size());

    Consumer<SSLEngine> changed = settings.andThen(e -> e.setWantClientAuth(true));
    assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), changed), "other rules");
  }

  @Test
  void aServersStoreKnowsTheClientsChain() throws Exception {
    ServerStore store = new ServerStore();
    SSLContext client = newContext(TestPki.keyManagers(TestPki.client(KeyType.EC)));
    for (int i = 0; i < 2; i++) {
      EnginePump pump = engines(Tls.V12).peer(TestPki.HOST, 443)
          .server(with(p -> {
            p.setNeedClientAuth(true);
            p.setSessionTickets(false);
            p.setServerSessionStore(store);
          }))
          .open(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))));
      connected(pump);
      assertEquals(i == 1, session(pump.server()).isResumed());
      assertEquals(TestPki.client(KeyType.EC).certificate(), session(pump.server()).getPeerCertificates()[0]);
    }
  }

  @Test
  void whatAServersStoreAnswersWronglyCostsAFullHandshake() throws Exception {
    for (byte[] data : new byte[][] {null, {}, {1, 2, 3}, {'P', 'S', 'S', 1}, {'P', 'S', 'S', 1, 0x30, 0x10, 2}, new byte[5000]}) {
      ServerStore store = new ServerStore() {
        @Override
        public byte[] get(byte[] id) {
          super.get(id);
          if (data != null && data.length == 3) {
            throw new IllegalStateException("out of order");
          }
          return data;
        }
      };
      Consumer<SSLEngine> settings = with(p -> {
        p.setSessionTickets(false);
        p.setServerSessionStore(store);
      });
      SSLContext client = newContext();
      assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), settings));
      assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), settings));
      assertEquals(1, store.asked);
      assertEquals(2, store.kept.size());
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void channelIdKeysAreOnP256OrFailTheHandshake(Tls version) throws Exception {
    KeyPair good = pair("EC", 256);
    connected(engines(version).client(with(p -> p.setChannelIdKey(good.getPrivate()))).open());
    for (KeyPair bad : new KeyPair[] {pair("EC", 384), pair("RSA", 2048)}) {
      EnginePump pump = engines(version).client(with(p -> p.setChannelIdKey(bad.getPrivate()))).open();
      SSLEngine client = pump.client().engine();
      assertThrows(SSLHandshakeException.class, client::beginHandshake);
      TlsParameters parameters = (TlsParameters) client.getSSLParameters();
      assertSame(bad.getPrivate(), parameters.getChannelIdKey());
      parameters.setChannelIdKey(null);
      client.setSSLParameters(parameters);
      connected(pump);
    }
  }

  /** Records have come and gone by the time that these are called. */
  @ParameterizedTest
  @EnumSource(Tls.class)
  void connectionsOutliveStoresAndKeyLogsThatFail(Tls version) throws Exception {
    List<String> called = new ArrayList<>();
    IllegalStateException failure = new IllegalStateException("out of order");
    SessionStore clients = new SessionStore() {
      @Override
      public byte[] get(String host, int port) {
        called.add("client's get");
        throw failure;
      }

      @Override
      public void put(SSLSession session, byte[] data) {
        called.add("client's put");
        throw failure;
      }
    };
    ServerSessionStore servers = new ServerSessionStore() {
      @Override
      public byte[] get(byte[] id) {
        called.add("server's get");
        throw failure;
      }

      @Override
      public void put(SSLSession session, byte[] data) {
        called.add("server's put");
        throw failure;
      }
    };
    KeyLog log = line -> {
      called.add("key log");
      throw failure;
    };
    SSLContext client = newContext();
    for (int i = 0; i < 2; i++) {
      EnginePump pump = engines(version).peer(TestPki.HOST, 443)
          .client(with(p -> {
            p.setSessionStore(clients);
            p.setKeyLog(log);
          }))
          .server(with(p -> {
            p.setSessionTickets(version == Tls.V13);
            p.setServerSessionStore(servers);
            p.setKeyLog(log);
          }))
          .open(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))));
      connected(pump);
    }
    assertTrue(called.containsAll(List.of("client's get", "client's put", "key log")), called.toString());
    assertEquals(version == Tls.V12, called.containsAll(List.of("server's get", "server's put")), called.toString());
  }

  @Test
  void ticketsAreNotStored() throws Exception {
    ServerStore store = new ServerStore();
    SSLContext client = newContext();
    SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    assertFalse(resumed(client, server, with(p -> p.setServerSessionStore(store))));
    assertTrue(resumed(client, server, with(p -> p.setServerSessionStore(store))));
    assertEquals(0, store.kept.size());
  }

  // --- exporters and channel bindings ---

  @ParameterizedTest
  @EnumSource(Tls.class)
  void exportersAgreeAndDependOnAllInputs(Tls version) throws Exception {
    EnginePump pump = connected(engines(version).open());
    PostscryptSession client = session(pump.client());
    PostscryptSession server = session(pump.server());
    byte[] material = client.exportKeyingMaterial("EXPERIMENTAL-test", null, 40);
    assertEquals(40, material.length);
    assertArrayEquals(material, server.exportKeyingMaterial("EXPERIMENTAL-test", null, 40));
    assertNotEquals(hex(material), hex(client.exportKeyingMaterial("EXPERIMENTAL-other", null, 40)));
    assertNotEquals(hex(material), hex(client.exportKeyingMaterial("EXPERIMENTAL-test", new byte[] {1}, 40)));
    boolean emptyIsNone = Arrays.equals(material, client.exportKeyingMaterial("EXPERIMENTAL-test", new byte[0], 40));
    assertEquals(version == Tls.V13, emptyIsNone);
    assertThrows(IllegalArgumentException.class, () -> client.exportKeyingMaterial("", null, 1));
    assertThrows(IllegalArgumentException.class, () -> client.exportKeyingMaterial("x", null, 0));
    assertThrows(IllegalArgumentException.class, () -> client.exportKeyingMaterial("x", null, 1 << 24));
    for (String binding : new String[] {"tls-exporter", "tls-server-end-point", "tls-unique"}) {
      assertArrayEquals(client.getChannelBinding(binding), server.getChannelBinding(binding), binding);
    }
    assertEquals(version == Tls.V12, client.getChannelBinding("tls-unique") != null);
    byte[] certificate = TestPki.server(KeyType.EC).certificate().getEncoded();
    assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(certificate), client.getChannelBinding("tls-server-end-point"));
    assertThrows(IllegalArgumentException.class, () -> client.getChannelBinding("tls-unheard-of"));
    pump.client().closeAndFlush();
    pump.server().closeAndFlush();
    pump.settle();
    pump.client().engine().closeInbound();
    assertThrows(SSLException.class, () -> client.exportKeyingMaterial("EXPERIMENTAL-test", null, 40));
  }

  private static String hex(byte[] bytes) {
    return Arrays.toString(bytes);
  }

  /** For systems whose SSLEngine and SSLParameters have no application protocols. */
  @ParameterizedTest
  @EnumSource(Tls.class)
  void applicationProtocolOfTheSession(Tls version) throws Exception {
    EnginePump pump = engines(version).client(with(p -> p.setApplicationProtocols(new String[] {"http/1.1", "h2"})))
        .server(with(p -> p.setApplicationProtocols(new String[] {"h2"}))).open();
    connected(pump);
    assertEquals("h2", session(pump.client()).getApplicationProtocol());
    assertEquals("h2", session(pump.server()).getApplicationProtocol());
    assertEquals("", session(connected(engines(version).open()).client()).getApplicationProtocol());
    TlsParameters parameters = new TlsParameters();
    assertEquals(0, parameters.getApplicationProtocols().length);
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(null));
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(new String[] {"h2", ""}));
    assertThrows(IllegalArgumentException.class, () -> parameters.setApplicationProtocols(new String[] {null}));
  }

  /** Sessions are one object each, wherever they are met, and extended ones. */
  @Test
  void sessionsAreExtendedAndTheSameEverywhere() throws Exception {
    EnginePump pump = connected(engines(Tls.V13).open());
    PostscryptSession session = session(pump.client());
    assertInstanceOf(ExtendedSSLSession.class, session);
    assertSame(session, pump.client().engine().getSession());
    SSLSessionContext sessions = session.getSessionContext();
    assertSame(session, sessions.getSession(session.getId()));
    SSLSession[] bound = new SSLSession[2];
    session.putValue("listener", new SSLSessionBindingListener() {
      @Override
      public void valueBound(SSLSessionBindingEvent event) {
        bound[0] = event.getSession();
      }

      @Override
      public void valueUnbound(SSLSessionBindingEvent event) {
        bound[1] = event.getSession();
      }
    });
    session.removeValue("listener");
    assertSame(session, bound[0]);
    assertSame(session, bound[1]);
    session.invalidate();
    assertNull(sessions.getSession(session.getId()));
    assertNull(session.getSessionContext());
    SSLContext context = SSLContext.getInstance("TLS", Postscrypt.newProvider());
    context.init(null, null, null);
    try (SSLSocket unconnected = (SSLSocket) context.getSocketFactory().createSocket()) {
      PostscryptSession none = assertInstanceOf(PostscryptSession.class, unconnected.getSession());
      assertInstanceOf(ExtendedSSLSession.class, none);
      assertEquals("SSL_NULL_WITH_NULL_NULL", none.getCipherSuite());
      assertEquals("NONE", none.getProtocol());
      assertFalse(none.isValid());
      assertEquals(0, ((ExtendedSSLSession) none).getLocalSupportedSignatureAlgorithms().length);
      assertThrows(SSLPeerUnverifiedException.class, none::getPeerCertificates);
    }
  }

  @Test
  void beforeTheHandshakeThereIsNothingToTell() {
    PostscryptSession session = session(engines(Tls.V13).open().client());
    assertNull(session.getNamedGroup());
    assertNull(session.getApplicationProtocol());
    assertFalse(session.isResumed());
    assertThrows(SSLException.class, () -> session.exportKeyingMaterial("x", null, 1));
  }
}
