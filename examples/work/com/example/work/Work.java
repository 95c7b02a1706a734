package com.example.work;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.PostscryptSession;

/** What an application does with a provider; anything wrong is an exception, and the end of the program. */
public final class Work {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final int SIZE = 1_000_000;

  private final KeyStore keys = KeyStore.getInstance("PKCS12");

  /** Takes a key store with a key and a certificate for localhost. */
  public Work(String keyStore) throws Exception {
    try (InputStream in = new FileInputStream(keyStore)) {
      keys.load(in, PASSWORD);
    }
  }

  /** The key store's file is the one argument. */
  public static void main(String[] arguments) throws Exception {
    Provider provider = new PostscryptProvider();
    Work work = new Work(arguments[0]);
    work.standard(provider);
    work.postQuantum(provider);
  }

  /** A digest, and HTTPS both ways between {@code provider} and the JDK's own. */
  public void standard(Provider provider) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256", provider).digest("abc".getBytes(StandardCharsets.US_ASCII));
    require("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        String.format("%064x", new BigInteger(1, digest)));
    SSLContext ours = context(SSLContext.getInstance("TLS", provider));
    SSLContext theirs = context(SSLContext.getInstance("TLS", "SunJSSE"));
    https(ours, theirs);
    https(theirs, ours);
    System.out.println(provider.getName() + " " + provider.getClass().getName() + ": SHA-256, HTTPS as client and as server");
  }

  /** TLS with the provider on both sides, which agree on a post-quantum key exchange. */
  public void postQuantum(Provider provider) throws Exception {
    SSLContext context = context(SSLContext.getInstance("TLS", provider));
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (SSLServerSocket listener = (SSLServerSocket) context.getServerSocketFactory()
        .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listener.setSoTimeout(10_000);
      Future<Integer> server = executor.submit(() -> {
        try (SSLSocket accepted = (SSLSocket) listener.accept()) {
          accepted.setSoTimeout(10_000);
          int read = accepted.getInputStream().read();
          accepted.getOutputStream().write(read + 1);
          return read;
        }
      });
      try (SSLSocket client = (SSLSocket) context.getSocketFactory().createSocket("localhost", listener.getLocalPort())) {
        client.setSoTimeout(10_000);
        client.getOutputStream().write(41);
        require(42, client.getInputStream().read());
        require("TLSv1.3", client.getSession().getProtocol());
        require("X25519MLKEM768", ((PostscryptSession) client.getSession()).getNamedGroup());
      }
      require(41, server.get(10, TimeUnit.SECONDS));
      System.out.println(provider.getName() + ": TLS with X25519MLKEM768");
    } finally {
      executor.shutdownNow();
    }
  }

  private SSLContext context(SSLContext context) throws Exception {
    KeyManagerFactory key = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    key.init(keys, PASSWORD);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    context.init(key.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static void https(SSLContext client, SSLContext server) throws Exception {
    byte[] body = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      body[i] = (byte) (i * 31);
    }
    HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    https.setHttpsConfigurator(new HttpsConfigurator(server));
    https.createContext("/", exchange -> {
      exchange.sendResponseHeaders(200, SIZE);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    });
    ExecutorService executor = Executors.newCachedThreadPool();
    https.setExecutor(executor);
    ((HttpServer) https).start();
    try {
      HttpsURLConnection connection =
          (HttpsURLConnection) new URL("https://localhost:" + https.getAddress().getPort() + "/").openConnection();
      connection.setSSLSocketFactory(client.getSocketFactory());
      connection.setConnectTimeout(10_000);
      connection.setReadTimeout(10_000);
      byte[] received = new byte[SIZE];
      try (DataInputStream in = new DataInputStream(connection.getInputStream())) {
        in.readFully(received);
      }
      require(true, Arrays.equals(body, received));
    } finally {
      https.stop(0);
      executor.shutdownNow();
    }
  }

  private static void require(Object expected, Object actual) throws IOException {
    if (!expected.equals(actual)) {
      throw new IOException("expected " + expected + ", got " + actual);
    }
  }
}
