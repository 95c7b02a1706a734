package org.postscrypt.conscrypt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A server for one byte, and HTTPS by the JDK's client and the JDK's TLS: what a stranger sees. */
final class Loopback {
  static final String TEXT = "hello over TLS";

  private Loopback() {}

  /** Accepts one client on a thread of its own, and sends the first byte back. */
  static Thread echo(SSLServerSocket listener) throws IOException {
    listener.setSoTimeout(30_000);
    Thread accepting = new Thread(() -> {
      try (SSLSocket socket = (SSLSocket) listener.accept()) {
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(socket.getInputStream().read());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    accepting.start();
    return accepting;
  }

  static String get(int port) throws Exception {
    javax.net.ssl.TrustManagerFactory trust = javax.net.ssl.TrustManagerFactory.getInstance("PKIX", "SunJSSE");
    trust.init(Pki.trust());
    SSLContext context = SSLContext.getInstance("TLS", "SunJSSE");
    context.init(null, trust.getTrustManagers(), null);
    HttpsURLConnection connection = (HttpsURLConnection) new URL("https://localhost:" + port + "/").openConnection();
    connection.setSSLSocketFactory(context.getSocketFactory());
    connection.setConnectTimeout(30_000);
    connection.setReadTimeout(30_000);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException("port " + port + ": " + e.getMessage(), e);
    } finally {
      connection.disconnect();
    }
  }
}
