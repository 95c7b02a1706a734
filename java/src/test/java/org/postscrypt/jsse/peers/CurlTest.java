package org.postscrypt.jsse.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;
import org.postscrypt.jsse.support.Tool;

/** Our server socket as curl sees it. */
@Timeout(60)
class CurlTest {
  private static final String BODY = "x".repeat(100_000) + "end";

  @TempDir private Path directory;

  @BeforeEach
  void assumeInstalled() {
    Tool.assumeInstalled("curl");
  }

  /** Answers one request for anything. */
  private static final Loopback.Handler HTTP = socket -> {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    while (!in.readLine().isEmpty()) {
      continue;
    }
    OutputStream out = socket.getOutputStream();
    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\nConnection: close\r\n\r\n" + BODY)
        .getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket.getSession().getProtocol();
  };

  private Tool curl(Loopback server, Tls tls, List<String> more) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        "curl", "-sS", "--max-time", "20", "--noproxy", "*", "--cacert",
        Tool.certificates(directory, "root.pem", List.of(TestPki.root())),
        "--resolve", TestPki.HOST + ":" + server.port() + ":127.0.0.1",
        tls == Tls.V13 ? "--tlsv1.3" : "--tlsv1.2"));
    command.addAll(more);
    command.add("https://" + TestPki.HOST + ":" + server.port() + "/");
    return Tool.start(command);
  }

  private static TlsCase at(Tls tls) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), tls, KeyType.EC, BufferKind.HEAP);
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void download(Tls tls) throws Exception {
    try (Loopback server = at(tls).sockets().serve(HTTP); Tool curl = curl(server, tls, List.of())) {
      assertEquals(BODY, curl.finish());
      assertEquals(tls.protocol(), server.result());
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void downloadWithCertificate(Tls tls) throws Exception {
    List<String> options = Tool.identity(directory, TestPki.client(KeyType.RSA)).stream()
        .map(o -> o.startsWith("-") ? "-" + o : o)
        .toList();
    try (Loopback server = at(tls).sockets().server(s -> s.setNeedClientAuth(true)).serve(HTTP);
        Tool curl = curl(server, tls, options)) {
      assertEquals(BODY, curl.finish());
      assertEquals(tls.protocol(), server.result());
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void untrusted(Tls tls) throws Exception {
    try (Loopback server = at(tls).sockets().serverIdentity(TestPki.untrusted()).serve(HTTP);
        Tool curl = curl(server, tls, List.of())) {
      String said = curl.finish();
      assertNotEquals(0, curl.exitCode());
      assertTrue(said.contains("certificate") || said.contains("issuer"), said);
      assertTrue(server.failure() instanceof IOException);
    }
  }
}
