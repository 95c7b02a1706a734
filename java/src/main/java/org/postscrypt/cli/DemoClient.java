package org.postscrypt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import org.postscrypt.PostscryptSession;
import javax.net.ssl.SSLSocketFactory;

/** A client that the demo lets talk to a server at {@code https://localhost}, with TLS 1.2 or 1.3 only. */
abstract class DemoClient {
  /** What a client says of its connection; a dash where it does not tell. */
  static final class Connection {
    final String protocol;
    final String suite;
    final String group;
    final String alpn;
    final String subject;
    /** The answer to the request. */
    final String body;

    Connection(String protocol, String suite, String group, String alpn, String subject, String body) {
      this.protocol = protocol;
      this.suite = suite;
      this.group = group;
      this.alpn = alpn;
      this.subject = subject;
      this.body = body;
    }
  }

  static final String UNKNOWN = "-";
  private static final int SECONDS = 120;

  final String name;

  DemoClient(String name) {
    this.name = name;
  }

  /** Requests a small page. */
  abstract Connection get(String protocol, int port, String path) throws Exception;

  /** Whether {@link #put} and {@link #digest} can be used. */
  boolean sendsFiles() {
    return true;
  }

  /** Sends the file; the server's answer. */
  abstract String put(String protocol, int port, Path file) throws Exception;

  /** Fetches {@code /data?id}; the SHA-256 of what arrived. */
  abstract String digest(String protocol, int port, String id) throws Exception;

  /** {@code curl}. */
  static final class Curl extends DemoClient {
    private final Path ca;
    private final Path download;

    Curl(Path ca, Path download) {
      super("curl");
      this.ca = ca;
      this.download = download;
    }

    @Override
    Connection get(String protocol, int port, String path) throws Exception {
      Commands.Result result = curl(protocol, port, path, "--verbose");
      return new Connection(
          find(result.err, "SSL connection using (\\S+) /"),
          find(result.err, "SSL connection using \\S+ / (\\S+)"),
          find(result.err, "SSL connection using \\S+ / \\S+ / (\\S+)"),
          find(result.err, "ALPN[:,] server accepted (?:to use )?(\\S+)"),
          find(result.err, "(?m)^\\*\\s+subject: (.*)$"),
          result.out);
    }

    @Override
    String put(String protocol, int port, Path file) throws Exception {
      return curl(protocol, port, "/data", "--upload-file", file.toString()).out;
    }

    @Override
    String digest(String protocol, int port, String id) throws Exception {
      try {
        curl(protocol, port, "/data?" + id, "--output", download.toString());
        try (InputStream in = Files.newInputStream(download)) {
          return Sha256.of(in);
        }
      } finally {
        Files.deleteIfExists(download);
      }
    }

    private Commands.Result curl(String protocol, int port, String path, String... more) throws Exception {
      String version = protocol.substring("TLSv".length());
      // --disable first: no .curlrc.
      List<String> command = new ArrayList<>(Arrays.asList("curl", "--disable", "--noproxy", "*", "--ipv4", "--silent",
          "--show-error", "--fail", "--max-time", String.valueOf(SECONDS), "--cacert", ca.toString(),
          "--tlsv" + version, "--tls-max", version, "https://localhost:" + port + path));
      command.addAll(Arrays.asList(more));
      Commands.Result result = Commands.run(command, "", SECONDS + 10);
      if (result.status != 0) {
        throw new IOException("curl ended with " + result.status + ": " + Commands.lastLines(result.err));
      }
      return result;
    }
  }

  /** {@code openssl s_client}. */
  static final class OpenSsl extends DemoClient {
    private final Path ca;

    OpenSsl(Path ca) {
      super("openssl s_client");
      this.ca = ca;
    }

    @Override
    Connection get(String protocol, int port, String path) throws Exception {
      List<String> command = Arrays.asList("openssl", "s_client", "-connect", "127.0.0.1:" + port, "-servername",
          "localhost", "-verify_hostname", "localhost", "-verify_return_error", "-CAfile", ca.toString(),
          protocol.equals("TLSv1.3") ? "-tls1_3" : "-tls1_2", "-alpn", "h2,http/1.1", "-ign_eof");
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      Commands.Result result = Commands.run(command, request, SECONDS);
      // Not its status: the JDK's server ends connections without close_notify, which OpenSSL 3 calls a failure.
      if (!result.out.contains("Verify return code: 0 (ok)") || !result.out.contains("HTTP/1.1 200")) {
        throw new IOException("openssl ended with " + result.status + ": " + Commands.lastLines(result.err));
      }
      String group = find(result.out, "Negotiated TLS1\\.3 group: (\\S+)");
      return new Connection(
          find(result.out, "(?m)^New, (\\S+), Cipher is"),
          find(result.out, "(?m)^New, \\S+, Cipher is (\\S+)"),
          group.equals(UNKNOWN) ? find(result.out, "(?:Server|Peer) Temp Key: (?:ECDH, )?([^,\\s]+)") : group,
          find(result.out, "ALPN protocol: (\\S+)"),
          find(result.out, "(?m)^subject=(.*)$"),
          find(result.out, "(?s)HTTP/1\\.1 200.*?\r\n\r\n([^\n]*\n)"));
    }

    @Override
    boolean sendsFiles() {
      return false;
    }

    @Override
    String put(String protocol, int port, Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    String digest(String protocol, int port, String id) {
      throw new UnsupportedOperationException();
    }
  }

  /** {@code HttpsURLConnection}: sockets of the context. */
  static final class UrlConnection extends DemoClient {
    private final SSLContext context;

    UrlConnection(SSLContext context) {
      super("HttpsURLConnection");
      this.context = context;
    }

    @Override
    Connection get(String protocol, int port, String path) throws Exception {
      RecordingContext recording = new RecordingContext(context, protocol);
      HttpsURLConnection connection = connect(recording.getSocketFactory(), port, path);
      try {
        return connection(recording, text(connection));
      } finally {
        connection.disconnect();
      }
    }

    @Override
    String put(String protocol, int port, Path file) throws Exception {
      HttpsURLConnection connection =
          connect(new RecordingContext(context, protocol).getSocketFactory(), port, "/data");
      try {
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(Files.size(file));
        try (OutputStream out = connection.getOutputStream()) {
          Files.copy(file, out);
        }
        return text(connection);
      } finally {
        connection.disconnect();
      }
    }

    @Override
    String digest(String protocol, int port, String id) throws Exception {
      HttpsURLConnection connection =
          connect(new RecordingContext(context, protocol).getSocketFactory(), port, "/data?" + id);
      try (InputStream in = connection.getInputStream()) {
        return Sha256.of(in);
      } finally {
        connection.disconnect();
      }
    }

    private static HttpsURLConnection connect(SSLSocketFactory factory, int port, String path) throws IOException {
      HttpsURLConnection connection =
          (HttpsURLConnection) new URL("https://localhost:" + port + path).openConnection(Proxy.NO_PROXY);
      connection.setSSLSocketFactory(factory);
      connection.setConnectTimeout(SECONDS * 1000);
      connection.setReadTimeout(SECONDS * 1000);
      connection.setRequestProperty("Connection", "close");
      return connection;
    }

    private static String text(HttpURLConnection connection) throws IOException {
      try (InputStream in = connection.getInputStream()) {
        byte[] buffer = new byte[1 << 16];
        int length = 0;
        for (int n; length < buffer.length && (n = in.read(buffer, length, buffer.length - length)) >= 0; ) {
          length += n;
        }
        return new String(buffer, 0, length, StandardCharsets.UTF_8);
      }
    }
  }

  /** {@code java.net.http.HttpClient}: engines of the context. */
  static final class HttpClient extends DemoClient {
    private final SSLContext context;

    HttpClient(SSLContext context) {
      super("HttpClient");
      this.context = context;
    }

    @Override
    Connection get(String protocol, int port, String path) throws Exception {
      RecordingContext recording = new RecordingContext(context, protocol);
      return connection(recording, JavaHttpClient.get(recording, uri(port, path)));
    }

    @Override
    String put(String protocol, int port, Path file) throws Exception {
      return JavaHttpClient.put(new RecordingContext(context, protocol), uri(port, "/data"), file);
    }

    @Override
    String digest(String protocol, int port, String id) throws Exception {
      return JavaHttpClient.digest(new RecordingContext(context, protocol), uri(port, "/data?" + id));
    }

    private static URI uri(int port, String path) {
      return URI.create("https://localhost:" + port + path);
    }
  }

  private static Connection connection(RecordingContext context, String body)
      throws GeneralSecurityException, IOException {
    SSLSession session = context.session();
    String alpn = context.applicationProtocol();
    return new Connection(session.getProtocol(), session.getCipherSuite(), group(session), alpn.isEmpty() ? UNKNOWN : alpn,
        session.getPeerPrincipal().getName(), body);
  }

  /** The named group, if the session tells it: ours do. */
  static String group(SSLSession session) {
    String group = session instanceof PostscryptSession ? ((PostscryptSession) session).getNamedGroup() : null;
    return group == null ? UNKNOWN : group;
  }

  private static String find(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? matcher.group(1).trim() : UNKNOWN;
  }
}
