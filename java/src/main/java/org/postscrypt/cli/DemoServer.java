package org.postscrypt.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/**
 * The JDK's HTTPS server on 127.0.0.1, over any {@link SSLContext}: {@code GET /session} tells what the server sees of
 * the connection, {@code PUT /data} answers the SHA-256 of what arrived, {@code GET /data?id} sends the file.
 */
final class DemoServer implements AutoCloseable {
  private final HttpsServer server;
  private final ExecutorService threads;
  private final Map<String, CompletableFuture<String>> sent = new ConcurrentHashMap<>();

  DemoServer(SSLContext context, Path file) throws IOException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters ours = getSSLContext().getDefaultSSLParameters();
        ours.setApplicationProtocols(new String[] {"http/1.1"});
        parameters.setSSLParameters(ours);
      }
    });
    server.createContext("/session", DemoServer::session);
    server.createContext("/data", exchange -> data(exchange, file));
    threads = Executors.newCachedThreadPool(work -> {
      Thread thread = new Thread(work, "postscrypt-demo-server");
      thread.setDaemon(true);
      return thread;
    });
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /**
   * The SHA-256 of what was sent for {@code GET /data?id}; waits a little, for a client may be ahead of the server's
   * thread.
   */
  String sentDigest(String id) throws InterruptedException, ExecutionException, TimeoutException {
    return sent(id).get(10, TimeUnit.SECONDS);
  }

  private CompletableFuture<String> sent(String id) {
    return sent.computeIfAbsent(id, unused -> new CompletableFuture<>());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static void session(HttpExchange exchange) throws IOException {
    try {
      SSLSession session = ((HttpsExchange) exchange).getSSLSession();
      answer(exchange, session.getProtocol() + ' ' + session.getCipherSuite() + ' ' + DemoClient.group(session) + '\n');
    } finally {
      exchange.close();
    }
  }

  private void data(HttpExchange exchange, Path file) throws IOException {
    try {
      if (exchange.getRequestMethod().equals("PUT")) {
        try (InputStream in = exchange.getRequestBody()) {
          answer(exchange, Sha256.of(in) + '\n');
        }
      } else {
        exchange.sendResponseHeaders(200, Files.size(file));
        try (InputStream in = Files.newInputStream(file); OutputStream out = exchange.getResponseBody()) {
          sent(String.valueOf(exchange.getRequestURI().getQuery())).complete(Sha256.copy(in, out));
        }
      }
    } finally {
      exchange.close();
    }
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
