package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** The JDK's HTTPS client (sockets) and server (engines). */
class HttpsTest {
  /** An HTTPS server that answers with what was posted. */
  private static final class Server implements AutoCloseable {
    private final HttpsServer server;
    private final ExecutorService executor = Executors.newFixedThreadPool(2, task -> {
      Thread thread = new Thread(task, "https handler");
      thread.setDaemon(true);
      return thread;
    });

    Server(TlsCase c, SSLContext context) throws IOException {
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
      server.setHttpsConfigurator(new HttpsConfigurator(context) {
        @Override
        public void configure(HttpsParameters parameters) {
          SSLParameters tls = getSSLContext().getDefaultSSLParameters();
          tls.setProtocols(new String[] {c.tls().protocol()});
          parameters.setSSLParameters(tls);
        }
      });
      server.createContext("/echo", exchange -> {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
          out.write(body);
        }
      });
      server.setExecutor(executor);
      server.start();
    }

    URL url(String host) throws IOException {
      return new URL("https", host, server.getAddress().getPort(), "/echo");
    }

    @Override
    public void close() {
      server.stop(0);
      executor.shutdownNow();
      try {
        executor.awaitTermination(5, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static byte[] post(SSLContext context, URL url, byte[] body) throws IOException {
    HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
    connection.setSSLSocketFactory(context.getSocketFactory());
    connection.setConnectTimeout(Loopback.TIMEOUT_MILLIS);
    connection.setReadTimeout(Loopback.TIMEOUT_MILLIS);
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(body.length);
    try {
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
      assertEquals(200, connection.getResponseCode());
      assertNotNull(connection.getCipherSuite());
      assertEquals("CN=server", connection.getPeerPrincipal().getName());
      try (InputStream in = connection.getInputStream()) {
        return in.readAllBytes();
      }
    } finally {
      connection.disconnect();
    }
  }

  @EachKey
  void postsComeBack(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (Server server = new Server(c, setup.serverContext())) {
      for (int size : new int[] {1, 1000, 300_000}) {
        byte[] body = Bytes.pattern(size);
        assertArrayEquals(body, post(setup.clientContext(), server.url("localhost"), body));
        assertArrayEquals(body, post(setup.clientContext(), server.url("127.0.0.1"), body));
      }
    }
  }

  @EachVersion
  void wrongNameIsRefused(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().serverIdentity(TestPki.wrongName());
    try (Server server = new Server(c, setup.serverContext())) {
      IOException e = assertThrows(
          IOException.class, () -> post(setup.clientContext(), server.url("localhost"), Bytes.pattern(10)));
      assertNotNull(e.getMessage());
    }
  }

  @EachVersion
  void untrustedServerIsRefused(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().serverIdentity(TestPki.untrusted());
    try (Server server = new Server(c, setup.serverContext())) {
      assertThrows(
          SSLHandshakeException.class, () -> post(setup.clientContext(), server.url("localhost"), Bytes.pattern(10)));
    }
  }
}
