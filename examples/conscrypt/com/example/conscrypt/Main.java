package com.example.conscrypt;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.conscrypt.Conscrypt;

/** An application that was written for Conscrypt: it knows nothing of Postscrypt. Anything wrong is an exception, and the end. */
public final class Main {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String LABEL = "EXPERIMENTAL example";

  private Main() {}

  /**
   * Arguments: a part of the path of what the class path has first, which shows that it is what this run is about; that resource; a key store
   * with a key and a certificate for localhost.
   */
  public static void main(String[] arguments) throws Exception {
    URL first = Main.class.getClassLoader().getResource(arguments[1]);
    require(true, first != null && first.toString().contains(arguments[0]));
    Security.insertProviderAt(Conscrypt.newProvider(), 1);
    Provider provider = Security.getProvider("Conscrypt");
    require(true, Conscrypt.isConscrypt(provider));
    byte[] digest = MessageDigest.getInstance("SHA-256", provider).digest("abc".getBytes(StandardCharsets.US_ASCII));
    require("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        String.format("%064x", new BigInteger(1, digest)));
    tls(provider, arguments[2]);
    System.out.println("Conscrypt " + Conscrypt.version().major() + "." + Conscrypt.version().minor() + ": SHA-256, TLS with ALPN");
  }

  private static void tls(Provider provider, String keyStore) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(keyStore)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory key = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    key.init(keys, PASSWORD);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", Conscrypt.newProviderBuilder().provideTrustManager(true).build());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS", provider);
    context.init(key.getKeyManagers(), trust.getTrustManagers(), null);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (SSLServerSocket listener =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listener.setSoTimeout(10_000);
      Future<byte[]> server = executor.submit(() -> {
        try (SSLSocket accepted = (SSLSocket) listener.accept()) {
          accepted.setSoTimeout(10_000);
          Conscrypt.setApplicationProtocols(accepted, new String[] {"h2", "http/1.1"});
          accepted.startHandshake();
          accepted.getOutputStream().write(accepted.getInputStream().read() + 1);
          return Conscrypt.exportKeyingMaterial(accepted, LABEL, null, 32);
        }
      });
      try (SSLSocket client = (SSLSocket) context.getSocketFactory().createSocket("localhost", listener.getLocalPort())) {
        client.setSoTimeout(10_000);
        Conscrypt.setApplicationProtocols(client, new String[] {"h2"});
        Conscrypt.setUseSessionTickets(client, true);
        client.getOutputStream().write(41);
        require(42, client.getInputStream().read());
        require("TLSv1.3", client.getSession().getProtocol());
        require("h2", Conscrypt.getApplicationProtocol(client));
        byte[] ours = Conscrypt.exportKeyingMaterial(client, LABEL, null, 32);
        require(true, Arrays.equals(ours, server.get(10, TimeUnit.SECONDS)));
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static void require(Object expected, Object actual) throws IOException {
    if (!expected.equals(actual)) {
      throw new IOException("expected " + expected + ", got " + actual);
    }
  }
}
