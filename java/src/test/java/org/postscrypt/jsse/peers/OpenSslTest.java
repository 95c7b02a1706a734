package org.postscrypt.jsse.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.PreSharedKeyManager;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;
import org.postscrypt.jsse.support.Tool;

/** Our sockets with the programs that OpenSSL comes with. */
@Timeout(60)
class OpenSslTest {
  @TempDir private static Path directory;
  private static String root;

  @BeforeAll
  static void writeRoot() throws Exception {
    Tool.assumeInstalled("openssl");
    root = Tool.certificates(directory, "root.pem", List.of(TestPki.root()));
  }

  @BeforeEach
  void assumeInstalled() {
    Tool.assumeInstalled("openssl");
  }

  private static TlsCase at(Tls tls, KeyType key) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), tls, key, BufferKind.HEAP);
  }

  static List<TlsCase> cases() {
    List<TlsCase> cases = new ArrayList<>();
    for (Tls tls : Tls.values()) {
      for (KeyType key : new KeyType[] {KeyType.EC, KeyType.RSA, KeyType.ED25519, KeyType.EC384}) {
        cases.add(at(tls, key));
      }
    }
    return cases;
  }

  private static String option(Tls tls) {
    return tls == Tls.V13 ? "-tls1_3" : "-tls1_2";
  }

  // --- s_client ---

  private static Tool client(Loopback server, Tls tls, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        "openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-servername", TestPki.HOST,
        "-verify_hostname", TestPki.HOST, "-CAfile", root, "-verify_return_error", option(tls)));
    command.addAll(Arrays.asList(options));
    return Tool.start(command);
  }

  private static void assertEchoes(Tool client) throws Exception {
    int from = client.await("---\n", 0);
    client.type("good day\n");
    client.await("good day", from);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void clientOfEachKind(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().server(OpenSslTest::speakH2);
    try (Loopback server = setup.serve(Loopback.ECHO);
        Tool client = client(server, c.tls(), "-alpn", "http/1.1,h2")) {
      assertEchoes(client);
      String said = client.finish();
      assertEquals(0, client.exitCode(), said);
      assertTrue(said.contains("Verify return code: 0 (ok)"), said);
      assertTrue(said.contains("ALPN protocol: h2"), said);
      assertTrue(said.contains("New, " + c.tls().protocol()), said);
      assertEquals(9L, server.result());
    }
  }

  private static void speakH2(SSLServerSocket socket) {
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
  }

  @ParameterizedTest
  @CsvSource({"X25519, X25519", "P-256, 'ECDH, prime256v1'", "P-384, 'ECDH, secp384r1'"})
  void groupsOfTheClient(String group, String said) throws Exception {
    for (Tls tls : Tls.values()) {
      try (Loopback server = at(tls, KeyType.RSA).sockets().serve(Loopback.ECHO);
          Tool client = client(server, tls, "-groups", group)) {
        assertEchoes(client);
        String output = client.finish();
        // Later releases write the names in other ways.
        assumeTrue(output.contains("Server Temp Key:") || output.contains("Peer Temp Key:"), output);
        String curve = said.replace("ECDH, ", "");
        assertTrue(output.contains(said) || output.contains(curve), output);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void certificateOfTheClient(Tls tls) throws Exception {
    for (KeyType key : new KeyType[] {KeyType.EC, KeyType.RSA, KeyType.ED25519}) {
      TestPki.Identity identity = TestPki.client(key);
      SocketSetup setup = at(tls, KeyType.EC).sockets().server(s -> s.setNeedClientAuth(true));
      Loopback.Handler handler = socket -> {
        Loopback.ECHO.handle(socket);
        return socket.getSession().getPeerCertificates()[0];
      };
      List<String> options = Tool.identity(directory, identity);
      try (Loopback server = setup.serve(handler);
          Tool client = client(server, tls, options.toArray(new String[0]))) {
        assertEchoes(client);
        client.finish();
        assertEquals(identity.certificate(), server.result());
      }
    }
  }

  @Test
  void reconnectingClient() throws Exception {
    try (Loopback server = at(Tls.V12, KeyType.EC).sockets().serve(Loopback.ECHO);
        Tool client = client(server, Tls.V12, "-reconnect")) {
      client.type("Q\n");
      String said = client.finish();
      assertEquals(1, said.split("New, TLSv1\\.2", -1).length - 1, said);
      assertEquals(5, said.split("Reused, TLSv1\\.2", -1).length - 1, said);
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void keptSession(Tls tls) throws Exception {
    String file = directory.resolve("session" + tls).toString();
    try (Loopback server = at(tls, KeyType.EC).sockets().serve(Loopback.ECHO)) {
      try (Tool client = client(server, tls, "-sess_out", file)) {
        assertEchoes(client);
        String said = client.finish();
        assertTrue(said.contains("New, " + tls.protocol()), said);
      }
      for (int i = 0; i < 2; i++) {
        try (Tool client = client(server, tls, "-sess_in", file)) {
          assertEchoes(client);
          String said = client.finish();
          assertTrue(said.contains("Reused, " + tls.protocol()), said);
        }
      }
    }
  }

  /** A line with k alone makes s_client update its key, one with K asks for ours as well. */
  @Test
  void keyUpdatesOfTheClient() throws Exception {
    try (Loopback server = at(Tls.V13, KeyType.EC).sockets().serve(Loopback.ECHO);
        Tool client = client(server, Tls.V13)) {
      int from = client.await("---\n", 0);
      for (String key : new String[] {"k", "K", "K", "k"}) {
        client.type(key + "\n");
        from = client.await("KEYUPDATE", from);
        client.type("after " + key + "\n");
        from = client.await("after " + key, from);
      }
      client.finish();
      assertEquals(32L, server.result());
    }
  }

  /** A line with R makes s_client renegotiate (RFC 5246 section 7.4.1.1), which nobody gets from us. */
  @Test
  void renegotiatingClient() throws Exception {
    try (Loopback server = at(Tls.V12, KeyType.EC).sockets().serve(Loopback.ECHO);
        Tool client = client(server, Tls.V12)) {
      assertEchoes(client);
      client.type("R\n");
      String said = client.finish();
      assertTrue(said.contains("RENEGOTIATING"), said);
      assertTrue(server.failure() instanceof SSLException);
    }
  }

  @Test
  void oldClient() throws Exception {
    try (Loopback server = at(Tls.V12, KeyType.EC).sockets().serve(Loopback.ECHO);
        Tool client = Tool.start(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-tls1_1",
            "-cipher", "ALL:@SECLEVEL=0"))) {
      String said = client.finish();
      assertNotEquals(0, client.exitCode(), said);
      assertTrue(said.contains("protocol version") || said.contains("no protocols available"), said);
      if (said.contains("alert")) {
        assertTrue(server.failure() instanceof SSLException);
      }
    }
  }

  // --- pre-shared keys of TLS 1.2: OpenSSL sends each message in a record of its own ---

  private static final String PSK_SUITES = "PSK:ECDHE-PSK:@SECLEVEL=0";

  /** The key 010203 for whoever is alice, or at a server that says so. */
  private static final class AliceKey implements PreSharedKeyManager {
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    @Override
    public String chooseServerIdentityHint(Socket socket) {
      return "wonderland";
    }

    @Override
    public String chooseServerIdentityHint(SSLEngine engine) {
      throw new UnsupportedOperationException("sockets only");
    }

    @Override
    public String chooseClientIdentity(String hint, Socket socket) {
      return "alice";
    }

    @Override
    public String chooseClientIdentity(String hint, SSLEngine engine) {
      throw new UnsupportedOperationException("sockets only");
    }

    @Override
    public SecretKey getKey(String hint, String identity, Socket socket) {
      asked.add(hint + " " + identity);
      return "alice".equals(identity) ? new SecretKeySpec(new byte[] {1, 2, 3}, "RAW") : null;
    }

    @Override
    public SecretKey getKey(String hint, String identity, SSLEngine engine) {
      throw new UnsupportedOperationException("sockets only");
    }
  }

  private static final String[] JSSE_PSK_SUITES = {
    "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA", "TLS_PSK_WITH_AES_256_CBC_SHA"
  };

  @Test
  void preSharedKeyOfTheClient() throws Exception {
    for (String suite : JSSE_PSK_SUITES) {
      AliceKey manager = new AliceKey();
      SocketSetup setup = at(Tls.V12, KeyType.EC).sockets().serverKeys(manager)
          .server(s -> s.setEnabledCipherSuites(new String[] {suite}));
      try (Loopback server = setup.serve(Loopback.ECHO);
          Tool client = Tool.start(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-tls1_2",
              "-psk", "010203", "-psk_identity", "alice", "-cipher", PSK_SUITES))) {
        assertEchoes(client);
        String said = client.finish();
        assertEquals(0, client.exitCode(), said);
        assertTrue(said.contains("PSK identity hint: wonderland"), said);
        assertEquals(List.of("wonderland alice"), manager.asked);
      }
    }
  }

  @Test
  void preSharedKeyOfTheServer() throws Exception {
    for (String suite : JSSE_PSK_SUITES) {
      AliceKey manager = new AliceKey();
      TlsCase c = at(Tls.V12, KeyType.EC);
      try (Tool server = server(c, "-rev", "-psk", "010203", "-psk_identity", "alice", "-psk_hint", "hatter",
              "-cipher", PSK_SUITES);
          SSLSocket socket = c.sockets().clientKeys(manager)
              .client(s -> s.setEnabledCipherSuites(new String[] {suite})).connect(port(server))) {
        speak(socket, "hello", "olleh");
        assertEquals(suite, socket.getSession().getCipherSuite());
        assertEquals(List.of("hatter alice"), manager.asked);
      }
    }
  }

  // --- s_server ---

  private static final Pattern ACCEPT = Pattern.compile("ACCEPT .*:(\\d+)");

  private static Tool server(TlsCase c, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl", "s_server", "-accept", "127.0.0.1:0", option(c.tls())));
    command.addAll(Tool.identity(directory, TestPki.server(c.key())));
    command.addAll(Arrays.asList(options));
    return Tool.start(command);
  }

  private static int port(Tool server) throws InterruptedException {
    server.await("ACCEPT ", 0);
    server.await("\n", server.output().indexOf("ACCEPT "));
    Matcher matcher = ACCEPT.matcher(server.output());
    assertTrue(matcher.find(), server.output());
    return Integer.parseInt(matcher.group(1));
  }

  private static void speak(SSLSocket socket, String line, String answer) throws Exception {
    OutputStream out = socket.getOutputStream();
    out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
    assertEquals(answer, line(socket));
  }

  private static String line(SSLSocket socket) throws Exception {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void serverOfEachKind(TlsCase c) throws Exception {
    try (Tool server = server(c, "-rev", "-alpn", "h2")) {
      SocketSetup setup = c.sockets().client(s -> {
        SSLParameters parameters = s.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"a", "h2"});
        parameters.setServerNames(List.of(new SNIHostName(TestPki.HOST)));
        s.setSSLParameters(parameters);
      });
      try (SSLSocket socket = setup.connect(port(server))) {
        speak(socket, "hello", "olleh");
        assertEquals("h2", socket.getApplicationProtocol());
        SSLSession session = socket.getSession();
        assertEquals(c.tls().protocol(), session.getProtocol());
        assertEquals(TestPki.server(c.key()).certificate(), session.getPeerCertificates()[0]);
      }
    }
  }

  /** For P-384 the server has to ask again, for it is not among the key shares (RFC 8446 section 4.1.4). */
  @ParameterizedTest
  @CsvSource({"X25519", "P-256", "P-384"})
  void groupsOfTheServer(String group) throws Exception {
    for (Tls tls : Tls.values()) {
      TlsCase c = at(tls, KeyType.RSA);
      try (Tool server = server(c, "-rev", "-groups", group);
          SSLSocket socket = c.sockets().connect(port(server))) {
        speak(socket, "hello", "olleh");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void certificateForTheServer(Tls tls) throws Exception {
    for (KeyType key : new KeyType[] {KeyType.EC, KeyType.RSA, KeyType.ED25519}) {
      TlsCase c = at(tls, KeyType.EC);
      try (Tool server = server(c, "-rev", "-Verify", "1", "-CAfile", root, "-verify_return_error");
          SSLSocket socket = c.sockets().clientIdentity(TestPki.client(key)).connect(port(server))) {
        speak(socket, "hello", "olleh");
        assertEquals(TestPki.client(key).certificate(), socket.getSession().getLocalCertificates()[0]);
      }
      try (Tool server = server(c, "-rev", "-Verify", "1", "-CAfile", root, "-verify_return_error");
          SSLSocket socket = c.sockets().connect(port(server))) {
        assertThrows(SSLException.class, () -> speak(socket, "hello", "olleh"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void serverThatResumes(Tls tls) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    TlsCase c = at(tls, KeyType.EC);
    SocketSetup setup = c.sockets().clientTrust(new DelegatingTrustManager() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
          throws CertificateException {
        asked.incrementAndGet();
        super.checkServerTrusted(chain, authType, socket);
      }
    });
    try (Tool server = server(c, "-rev")) {
      for (int i = 0; i < 4; i++) {
        try (SSLSocket socket = setup.connect(port(server))) {
          speak(socket, "hello", "olleh");
          assertEquals(TestPki.server(c.key()).certificate(), socket.getSession().getPeerCertificates()[0]);
        }
      }
      assertEquals(1, asked.get());
    }
  }

  /** A line with r makes s_server ask for a new handshake. */
  @Test
  void renegotiatingServer() throws Exception {
    TlsCase c = at(Tls.V12, KeyType.EC);
    try (Tool server = server(c);
        SSLSocket socket = c.sockets().connect(port(server))) {
      socket.startHandshake();
      socket.getOutputStream().write("before\n".getBytes(StandardCharsets.US_ASCII));
      server.await("before", 0);
      server.type("r\n");
      assertThrows(SSLException.class, () -> line(socket));
      assertThrows(IOException.class, () -> socket.getOutputStream().write(1));
    }
  }

  /** As the client's: k updates the server's key, K asks for ours as well. */
  @Test
  void keyUpdatesOfTheServer() throws Exception {
    TlsCase c = at(Tls.V13, KeyType.EC);
    try (Tool server = server(c, "-msg");
        SSLSocket socket = c.sockets().connect(port(server))) {
      socket.startHandshake();
      int from = 0;
      OutputStream out = socket.getOutputStream();
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (String key : new String[] {"k", "K", "K", "k"}) {
        out.write(("before " + key + "\n").getBytes(StandardCharsets.US_ASCII));
        from = server.await("before " + key, from);
        server.type(key + "\n");
        // What is typed before it says so would be lost.
        from = server.await(", KeyUpdate", from);
        server.type("after " + key + "\n");
        assertEquals("after " + key, in.readLine());
        out.write(("behind " + key + "\n").getBytes(StandardCharsets.US_ASCII));
        from = server.await("behind " + key, from);
      }
    }
  }
}
