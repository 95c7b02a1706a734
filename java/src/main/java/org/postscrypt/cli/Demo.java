package org.postscrypt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.postscrypt.Postscrypt;
import org.postscrypt.cli.DemoCertificates.Kind;

/** TLS between the provider and the clients and servers that are on this machine; everything over 127.0.0.1. */
final class Demo {
  /** The command line's options. */
  static final class Options {
    final long size;
    /** An installed provider's name; null: ours. */
    final String provider;

    private Options(long size, String provider) {
      this.size = size;
      this.provider = provider;
    }

    /** @throws IllegalArgumentException with a message for the user */
    static Options parse(List<String> arguments) {
      long size = 64L << 20;
      String provider = null;
      for (int i = 0; i < arguments.size(); i += 2) {
        String option = arguments.get(i);
        if (!option.equals("--size") && !option.equals("--provider")) {
          throw new IllegalArgumentException("demo has no option " + option);
        }
        if (i + 1 == arguments.size()) {
          throw new IllegalArgumentException(option + " needs a value");
        }
        if (option.equals("--size")) {
          size = bytes(arguments.get(i + 1));
        } else {
          provider = arguments.get(i + 1);
        }
      }
      return new Options(size, provider);
    }

    private static long bytes(String text) {
      Matcher matcher = Pattern.compile("(\\d{1,12})([KMG]?)").matcher(text);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("--size " + text + " is not a number of bytes, such as 4096, 512K or 64M");
      }
      int shift = matcher.group(2).isEmpty() ? 0 : 10 * ("KMG".indexOf(matcher.group(2)) + 1);
      long number = Long.parseLong(matcher.group(1));
      if (number > Long.MAX_VALUE >> shift) {
        throw new IllegalArgumentException("--size " + text + " is too large");
      }
      return number << shift;
    }
  }

  private static final List<String> PROTOCOLS = Arrays.asList("TLSv1.3", "TLSv1.2");
  private static final int WHOLE_SECONDS = 900;
  private static final String ROW = "%-6s %-18s -> %-19s %-8s %-44s %-16s %-9s %s%n";

  private final Options options;
  private final PrintStream out;
  private int passed;
  private final List<String> failures = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  Demo(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Runs all of it; whether nothing failed. */
  boolean run() {
    long start = System.nanoTime();
    ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
      Thread t = new Thread(work, "postscrypt-demo");
      t.setDaemon(true);
      return t;
    });
    Future<?> work = thread.submit(() -> {
      inTemporaryDirectory();
      return null;
    });
    try {
      work.get(WHOLE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      failed("demo", e.getCause());
    } catch (TimeoutException e) {
      failed("demo", new TimeoutException("not finished after " + WHOLE_SECONDS + " s"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed("demo", e);
    } finally {
      // Interrupts what still runs; it then deletes its directory.
      thread.shutdownNow();
    }
    summary(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    return failures.isEmpty();
  }

  private void summary(long milliseconds) {
    out.println();
    skipped.forEach(what -> out.println("skipped: " + what));
    failures.forEach(what -> out.println("FAILED: " + what));
    out.printf(Locale.ROOT, "demo: %d checks passed, %d failed, %d skipped, in %.1f s%n",
        passed, failures.size(), skipped.size(), milliseconds / 1e3);
  }

  private void inTemporaryDirectory() throws Exception {
    Provider provider = provider();
    out.println(options.provider == null ? Postscrypt.version() : provider.getName() + " " + provider.getInfo());
    out.println("Java " + System.getProperty("java.runtime.version"));
    Path directory = Files.createTempDirectory("postscrypt-demo-");
    Cleanup cleanup = new Cleanup(() -> delete(directory));
    try {
      conversations(provider, directory);
    } finally {
      cleanup.close();
    }
  }

  private Provider provider() throws NoSuchProviderException {
    if (options.provider == null) {
      return Postscrypt.newProvider();
    }
    Provider provider = Security.getProvider(options.provider);
    if (provider == null) {
      throw new NoSuchProviderException("no installed provider is named " + options.provider);
    }
    return provider;
  }

  private void conversations(Provider provider, Path directory) throws Exception {
    out.println("making a CA and server certificates with keytool ...");
    DemoCertificates certificates = new DemoCertificates(directory);
    Path file = directory.resolve("data");
    String digest = randomFile(file);

    SSLContext ours = SSLContext.getInstance("TLS", provider);
    ours.init(null, certificates.trustManagers(), null);
    List<DemoClient> java = new ArrayList<>();
    java.add(new DemoClient.UrlConnection(ours));
    if (JavaHttpClient.isAvailable()) {
      java.add(new DemoClient.HttpClient(ours));
    } else {
      skipped.add("HttpClient: not in this Java");
    }
    List<DemoClient> all = new ArrayList<>();
    if (Commands.exists("curl")) {
      all.add(new DemoClient.Curl(certificates.caFile(), directory.resolve("download")));
    } else {
      skipped.add("curl: not installed");
    }
    boolean openssl = Commands.exists("openssl");
    if (openssl) {
      all.add(new DemoClient.OpenSsl(certificates.caFile()));
    } else {
      skipped.add("openssl: not installed");
    }
    all.addAll(java);

    out.println();
    out.printf(ROW, "", "client", "server", "protocol", "suite", "group", "ALPN", "certificate");
    for (Kind kind : Kind.values()) {
      SSLContext context = SSLContext.getInstance("TLS", provider);
      context.init(certificates.keyManagers(kind), null, null);
      try (DemoServer server = new DemoServer(context, file)) {
        for (DemoClient client : all) {
          for (String protocol : PROTOCOLS) {
            converse(client, protocol, provider.getName() + ' ' + kind, server.port());
          }
        }
        refusal(provider, kind, server.port());
      }
    }
    for (Kind kind : Kind.values()) {
      SSLContext jdk = SSLContext.getInstance("TLS", "SunJSSE");
      jdk.init(certificates.keyManagers(kind), null, null);
      try (DemoServer server = new DemoServer(jdk, file)) {
        for (DemoClient client : java) {
          for (String protocol : PROTOCOLS) {
            converse(client, protocol, "SunJSSE " + kind, server.port());
          }
        }
      }
    }
    if (openssl) {
      opensslServers(certificates, new DemoClient.UrlConnection(ours));
    }

    out.println();
    out.printf(Locale.ROOT, "%d bytes of random data each way, SHA-256 compared at both ends%n", options.size);
    SSLContext context = SSLContext.getInstance("TLS", provider);
    context.init(certificates.keyManagers(Kind.ECDSA), null, null);
    try (DemoServer server = new DemoServer(context, file)) {
      for (DemoClient client : all) {
        if (client.sendsFiles()) {
          for (String protocol : PROTOCOLS) {
            transfer(client, protocol, server, file, digest);
          }
        }
      }
    }
  }

  /**
   * Only with {@code HttpsURLConnection}: s_server ends its page with close_notify and waits for the client's, while
   * {@code HttpClient} waits for the end of the TCP connection.
   */
  private void opensslServers(DemoCertificates certificates, DemoClient client) throws Exception {
    String version = Commands.require(Arrays.asList("openssl", "version"), "", 30).trim();
    if (version.startsWith("LibreSSL")) {
      // Its s_server cannot be told to listen on one address only.
      skipped.add("openssl s_server: this is " + version);
      return;
    }
    for (Kind kind : Kind.values()) {
      try (OpenSslServer server = new OpenSslServer(certificates.certificateFile(kind), certificates.keyFile(kind))) {
        for (String protocol : PROTOCOLS) {
          converse(client, protocol, "openssl " + kind, server.port());
        }
      }
    }
  }

  /** One small request: the client's view must be the wanted protocol, and agree with the server's. */
  private void converse(DemoClient client, String protocol, String server, int port) throws InterruptedException {
    String title = client.name + " -> " + server + ", " + protocol;
    try {
      boolean http = !server.startsWith("openssl");
      DemoClient.Connection seen = client.get(protocol, port, http ? "/session" : "/");
      // Our servers answer "protocol suite group", openssl a page that has them.
      String[] answer = seen.body.trim().split(" ");
      boolean told = http && answer.length == 3;
      String suite = told ? answer[1] : seen.suite;
      String group = seen.group.equals(DemoClient.UNKNOWN) && told ? answer[2] : seen.group;
      boolean same = http
          ? told && answer[0].equals(protocol)
              && (!seen.suite.startsWith("TLS_") || seen.suite.equals(suite))
          : seen.body.contains("Cipher is");
      // All clients offer http/1.1; a curl may be built to say nothing about it.
      boolean alpn = seen.alpn.equals("http/1.1")
          || client instanceof DemoClient.Curl && seen.alpn.equals(DemoClient.UNKNOWN);
      boolean right = same && alpn && seen.protocol.equals(protocol) && seen.subject.contains("localhost");
      out.printf(ROW, right ? "ok" : "FAILED", client.name, server, seen.protocol, suite, group, seen.alpn,
          seen.subject);
      if (right) {
        passed++;
      } else {
        failures.add(title + ": the client sees " + seen.protocol + ' ' + seen.suite + ", ALPN " + seen.alpn
            + ", certificate " + seen.subject
            + "; the answer was " + Commands.lastLines(seen.body));
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      out.printf(ROW, "FAILED", client.name, server, protocol, "", "", "", "");
      failed(title, e);
    }
  }

  /** A client that does not know the CA must not connect. */
  private void refusal(Provider provider, Kind kind, int port) throws InterruptedException {
    String title = "a client that does not trust the CA -> " + provider.getName() + ' ' + kind;
    try {
      SSLContext strangers = SSLContext.getInstance("TLS", provider);
      strangers.init(null, null, null);
      new DemoClient.UrlConnection(strangers).get("TLSv1.3", port, "/session");
      failures.add(title + ": it connected");
    } catch (SSLException e) {
      passed++;
      out.printf("ok     %s: refused, as it must be (%s)%n", title, e.getMessage());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed(title, e);
    }
  }

  /** The file from the client to the server and back again. */
  private void transfer(DemoClient client, String protocol, DemoServer server, Path file, String digest)
      throws InterruptedException {
    String title = client.name + ", " + protocol;
    try {
      long start = System.nanoTime();
      String received = client.put(protocol, server.port(), file).trim();
      long middle = System.nanoTime();
      String id = (client.name + protocol).replaceAll("[^A-Za-z0-9]", "");
      String fetched = client.digest(protocol, server.port(), id);
      long end = System.nanoTime();
      boolean up = received.equals(digest);
      boolean down = fetched.equals(digest) && digest.equals(server.sentDigest(id));
      out.printf(Locale.ROOT, "%-6s %-18s %-8s up %7.1f MiB/s, down %7.1f MiB/s%n", up && down ? "ok" : "FAILED",
          client.name, protocol, rate(middle - start), rate(end - middle));
      if (up && down) {
        passed++;
      } else {
        failures.add(title + ": " + (up ? "" : "the server received other bytes than were sent; ")
            + (down ? "" : "the client received other bytes than were sent"));
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed(title + ", sending the file", e);
    }
  }

  private double rate(long nanoseconds) {
    return options.size / 1048576.0 / (nanoseconds / 1e9);
  }

  /** Writes the file; its SHA-256. */
  private String randomFile(Path file) throws IOException {
    SecureRandom random = new SecureRandom();
    byte[] chunk = new byte[1 << 16];
    try (OutputStream to = Files.newOutputStream(file)) {
      for (long left = options.size; left > 0; left -= chunk.length) {
        random.nextBytes(chunk);
        to.write(chunk, 0, (int) Math.min(left, chunk.length));
      }
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Sha256.of(in);
    }
  }

  private synchronized void failed(String title, Throwable e) {
    StringBuilder text = new StringBuilder(title + ": " + e);
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      text.append(" <- ").append(cause);
    }
    failures.add(text.toString());
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        Files.delete(entry);
      }
    }
    Files.delete(directory);
  }
}
