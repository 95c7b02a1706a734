package org.postscrypt.alone;

import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** TLS over sockets with client authentication, on our services alone. */
final class AloneTls {
  private static final int TIMEOUT_MILLIS = 15_000;

  private AloneTls() {}

  public static void main(String[] arguments) throws Exception {
    Alone.removeOthers();
    Path directory = Path.of(arguments[0]);
    for (String type : new String[] {"EC", "RSA"}) {
      SSLContext server = context(directory, "server-" + type, type);
      SSLContext client = context(directory, "client-" + type, type);
      for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
        exchange(server.getServerSocketFactory(), client.getSocketFactory(), version, type);
        System.out.println("works: " + version + " " + type);
      }
    }
    // The default context comes from these, through default factories, whose usual ones are gone.
    systemProperties(directory);
    SSLServerSocketFactory server = context(directory, "server-EC", "EC").getServerSocketFactory();
    exchange(server, (SSLSocketFactory) SSLSocketFactory.getDefault(), "TLSv1.3", "EC");
    System.out.println("works: system properties");
    System.exit(0);
  }

  private static SSLContext context(Path directory, String name, String type) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PostscryptX509");
    keys.init(Alone.keyStore(directory, name, type), Alone.PASSWORD);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PostscryptPKIX");
    trust.init(Alone.trustStore(directory));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static void systemProperties(Path directory) throws Exception {
    store(directory, "javax.net.ssl.keyStore", Alone.keyStore(directory, "client-EC", "EC"));
    store(directory, "javax.net.ssl.trustStore", Alone.trustStore(directory));
  }

  private static void store(Path directory, String property, KeyStore store) throws Exception {
    Path file = directory.resolve(property + ".jks");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, Alone.PASSWORD);
    }
    System.setProperty(property, file.toString());
    System.setProperty(property + "Type", "JKS");
    System.setProperty(property + "Password", new String(Alone.PASSWORD));
  }

  /** A handshake in which both show certificates, and a few bytes each way. */
  private static void exchange(SSLServerSocketFactory server, SSLSocketFactory client, String version, String type)
      throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (SSLServerSocket listening =
        (SSLServerSocket) server.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listening.setSoTimeout(TIMEOUT_MILLIS);
      listening.setEnabledProtocols(new String[] {version});
      listening.setNeedClientAuth(true);
      Future<String> served = threads.submit(() -> {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
          socket.setSoTimeout(TIMEOUT_MILLIS);
          byte[] read = socket.getInputStream().readNBytes(5);
          socket.getOutputStream().write(read);
          socket.getOutputStream().flush();
          return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getPublicKey().getAlgorithm();
        }
      });
      String got;
      try (SSLSocket socket = (SSLSocket) client.createSocket(
          InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        got = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
        if (!socket.getSession().getProtocol().equals(version)
            || !socket.getSession().getPeerCertificates()[0].getPublicKey().getAlgorithm().equals(type)) {
          throw new AssertionError(socket.getSession().getProtocol() + ", not " + version + " " + type);
        }
      }
      if (!got.equals("hello") || !served.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).equals(type)) {
        throw new AssertionError("answered " + got);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
