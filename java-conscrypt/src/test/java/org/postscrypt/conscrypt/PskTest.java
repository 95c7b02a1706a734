package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.conscrypt.Conscrypt;
import org.conscrypt.PSKKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pre-shared keys by a manager of the application's. Runs over the original as well. */
@SuppressWarnings("deprecation")
class PskTest {
  static final List<String> SUITES =
      Arrays.asList(
          "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA",
          "TLS_PSK_WITH_AES_128_CBC_SHA",
          "TLS_PSK_WITH_AES_256_CBC_SHA");

  private final Provider provider = Conscrypt.newProvider();

  /** Has the methods, and no type that says so. Notes what it is asked. */
  public static class Alike implements KeyManager {
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    String hint;
    String identity = "bob";
    byte[] key = {1, 2, 3};

    private <T> T note(String what, T answer) {
      asked.add(what);
      return answer;
    }

    private SecretKey secret() {
      return key == null ? null : new SecretKeySpec(key, "RAW");
    }

    public String chooseServerKeyIdentityHint(Socket socket) {
      assertNotNull(socket);
      return note("hint", hint);
    }

    public String chooseServerKeyIdentityHint(SSLEngine engine) {
      assertNotNull(engine);
      return note("hint", hint);
    }

    public String chooseClientKeyIdentity(String identityHint, Socket socket) {
      assertNotNull(socket);
      return note("identity " + identityHint, identity);
    }

    public String chooseClientKeyIdentity(String identityHint, SSLEngine engine) {
      assertNotNull(engine);
      return note("identity " + identityHint, identity);
    }

    public SecretKey getKey(String identityHint, String identity, Socket socket) {
      assertNotNull(socket);
      return note("key " + identityHint + " " + identity, secret());
    }

    public SecretKey getKey(String identityHint, String identity, SSLEngine engine) {
      assertNotNull(engine);
      return note("key " + identityHint + " " + identity, secret());
    }
  }

  /** Of the type. */
  public static final class Typed extends Alike implements PSKKeyManager {}

  /** Public methods of a class that is not. */
  static final class Hidden extends Alike {}

  /** One method has another return type. */
  public static final class OtherType implements KeyManager {
    public Object chooseServerKeyIdentityHint(Socket socket) {
      return null;
    }

    public String chooseServerKeyIdentityHint(SSLEngine engine) {
      return null;
    }

    public String chooseClientKeyIdentity(String hint, Socket socket) {
      return hint;
    }

    public String chooseClientKeyIdentity(String hint, SSLEngine engine) {
      return hint;
    }

    public SecretKey getKey(String hint, String identity, Socket socket) {
      return null;
    }

    public SecretKey getKey(String hint, String identity, SSLEngine engine) {
      return null;
    }
  }

  static SSLContext context(Provider provider, String protocol, KeyManager... managers) throws Exception {
    SSLContext context = SSLContext.getInstance(protocol, provider);
    context.init(managers, new TrustManager[] {Pki.trustManager(provider)}, null);
    return context;
  }

  private static List<String> psk(String[] suites) {
    return Arrays.stream(suites).filter(s -> s.contains("_PSK_")).collect(Collectors.toList());
  }

  @Test
  void suitesAreEnabledWithAManagerOnly() throws Exception {
    SSLContext with = context(provider, "TLS", new Alike());
    SSLEngine engine = with.createSSLEngine();
    String[] enabled = engine.getEnabledCipherSuites();
    assertEquals(SUITES, psk(enabled));
    assertEquals(SUITES, Arrays.asList(enabled).subList(3, 8), "after those of TLS 1.3");
    assertEquals("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", enabled[8]);
    assertEquals(SUITES, psk(with.getDefaultSSLParameters().getCipherSuites()));
    assertEquals(SUITES, psk(with.getSocketFactory().getDefaultCipherSuites()));
    assertEquals(SUITES, psk(with.getServerSocketFactory().getDefaultCipherSuites()));
    try (SSLSocket socket = (SSLSocket) with.getSocketFactory().createSocket();
        SSLServerSocket server = (SSLServerSocket) with.getServerSocketFactory().createServerSocket()) {
      assertEquals(SUITES, psk(socket.getEnabledCipherSuites()));
      assertEquals(SUITES, psk(server.getEnabledCipherSuites()));
    }
    SSLContext without = Pki.client(provider);
    assertEquals(Collections.emptyList(), psk(without.createSSLEngine().getEnabledCipherSuites()));
    assertEquals(
        new java.util.TreeSet<>(SUITES), new java.util.TreeSet<>(psk(without.getSupportedSSLParameters().getCipherSuites())));
  }

  @Test
  void whoIsAManager() throws Exception {
    assertEquals(SUITES, psk(context(provider, "TLS", new Typed()).createSSLEngine().getEnabledCipherSuites()));
    assertEquals(SUITES, psk(context(provider, "TLS", new Hidden()).createSSLEngine().getEnabledCipherSuites()));
    assertEquals(SUITES, psk(context(provider, "TLS", null, new Alike()).createSSLEngine().getEnabledCipherSuites()));
    for (KeyManager none : new KeyManager[] {new OtherType(), new KeyManager() {}, null}) {
      assertEquals(Collections.emptyList(), psk(context(provider, "TLS", none).createSSLEngine().getEnabledCipherSuites()));
    }
  }

  /** Without any X.509 manager there is nothing that certificates could do. */
  @Test
  void suitesWithoutManagersOfCertificates() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS", provider);
    context.init(new KeyManager[] {new Alike()}, new TrustManager[0], null);
    List<String> wanted = new ArrayList<>(Arrays.asList("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"));
    wanted.addAll(SUITES);
    List<String> enabled = new ArrayList<>(Arrays.asList(context.createSSLEngine().getEnabledCipherSuites()));
    enabled.remove("TLS_EMPTY_RENEGOTIATION_INFO_SCSV");
    assertEquals(wanted, enabled);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void handshakes(boolean typed) throws Exception {
    Alike client = typed ? new Typed() : new Alike();
    Alike server = typed ? new Typed() : new Alike();
    server.hint = "h\u00ednt";
    Engines e = Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake();
    e.exchange();
    assertEquals("TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256", e.client.getSession().getCipherSuite());
    assertThrows(SSLPeerUnverifiedException.class, () -> e.client.getSession().getPeerCertificates());
    assertThrows(SSLPeerUnverifiedException.class, () -> e.server.getSession().getPeerCertificates());
    assertEquals(Arrays.asList("identity h\u00ednt", "key h\u00ednt bob"), client.asked);
    assertEquals(Arrays.asList("hint", "key h\u00ednt bob"), server.asked);
  }

  @Test
  void eachSuite() throws Exception {
    for (String suite : SUITES) {
      Engines e = Engines.of(context(provider, "TLSv1.2", new Alike()), context(provider, "TLSv1.2", new Alike()));
      e.client.setEnabledCipherSuites(new String[] {suite});
      e.handshake();
      e.exchange();
      assertEquals(suite, e.server.getSession().getCipherSuite());
    }
  }

  @Test
  void nullAndEmptyNames() throws Exception {
    for (String none : new String[] {null, ""}) {
      Alike client = new Alike();
      Alike server = new Alike();
      server.hint = none;
      client.identity = none;
      Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake();
      assertEquals(Arrays.asList("identity null", "key null "), client.asked);
      assertEquals(Arrays.asList("hint", "key null "), server.asked);
    }
  }

  @Test
  void lengths() throws Exception {
    assertEquals(128, PSKKeyManager.MAX_IDENTITY_HINT_LENGTH_BYTES);
    assertEquals(128, PSKKeyManager.MAX_IDENTITY_LENGTH_BYTES);
    assertEquals(256, PSKKeyManager.MAX_KEY_LENGTH_BYTES);
    Alike client = new Alike();
    Alike server = new Alike();
    server.hint = "h".repeat(128);
    client.identity = "\u00e9".repeat(64);
    client.key = server.key = new byte[256];
    Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake();

    client.key = new byte[257];
    assertThrows(
        Exception.class,
        () -> Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake());
    client.key = server.key;
    client.identity = "i".repeat(129);
    assertThrows(
        Exception.class,
        () -> Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake());
    client.identity = "bob";
    server.hint = "h".repeat(129);
    assertThrows(
        Exception.class,
        () -> Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake());
  }

  @Test
  void keysThatDifferOrAreNotThere() throws Exception {
    for (boolean atClient : new boolean[] {true, false}) {
      for (byte[] key : new byte[][] {null, {9}}) {
        Alike client = new Alike();
        Alike server = new Alike();
        (atClient ? client : server).key = key;
        assertThrows(
            Exception.class,
            () -> Engines.of(context(provider, "TLSv1.2", client), context(provider, "TLSv1.2", server)).handshake());
      }
    }
  }

  @Test
  void certificatesAreForThoseWithoutAManager() throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX", provider);
    keys.init(Pki.identity("example.com"), Pki.PASSWORD);
    Alike manager = new Alike();
    SSLContext server = context(provider, "TLS", keys.getKeyManagers()[0], manager);
    Engines e = Engines.of(Pki.client(provider), server).speaking("TLSv1.2").handshake();
    assertEquals(2, e.client.getSession().getPeerCertificates().length);
    assertFalse(manager.asked.contains("key null bob"));
    Engines other = Engines.of(context(provider, "TLS", new Alike()), server).speaking("TLSv1.2").handshake();
    assertEquals("TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256", other.client.getSession().getCipherSuite());
    assertTrue(manager.asked.contains("key null bob"));
  }

  @Test
  void sockets() throws Exception {
    Alike client = new Alike();
    Alike server = new Alike();
    server.hint = "hint";
    SSLContext serverContext = context(provider, "TLSv1.2", server);
    try (SSLServerSocket listener =
        (SSLServerSocket) serverContext.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread accepting = Loopback.echo(listener);
      try (SSLSocket socket =
          (SSLSocket)
              context(provider, "TLSv1.2", client)
                  .getSocketFactory()
                  .createSocket(listener.getInetAddress(), listener.getLocalPort())) {
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(77);
        assertEquals(77, socket.getInputStream().read());
        assertArrayEquals(new String[] {"TLSv1.2"}, socket.getEnabledProtocols());
      }
      accepting.join(30_000);
    }
    assertEquals(Arrays.asList("identity hint", "key hint bob"), client.asked);
    assertEquals(Arrays.asList("hint", "key hint bob"), server.asked);
  }
}
