package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the system's at work: what it is told and what it says. Ended when closed. */
public final class Tool implements AutoCloseable {
  private static final long TIMEOUT_MILLIS = 15_000;

  private final Process process;
  private final StringBuilder output = new StringBuilder();
  private final Thread reader;

  private Tool(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "tool output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Skips the test unless there is a program of this name. */
  public static void assumeInstalled(String name) {
    boolean found = false;
    for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      found |= !directory.isEmpty() && Files.isExecutable(Path.of(directory, name));
    }
    assumeTrue(found, name + " is not installed");
  }

  /** Starts a program; standard error is part of its output. */
  public static Tool start(List<String> command) throws IOException {
    return new Tool(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void read() {
    byte[] buffer = new byte[4096];
    try (InputStream in = process.getInputStream()) {
      for (int n; (n = in.read(buffer)) >= 0; ) {
        synchronized (output) {
          output.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
          output.notifyAll();
        }
      }
    } catch (IOException e) {
      // Ended by us.
      return;
    }
  }

  /** What it has said so far. */
  public String output() {
    synchronized (output) {
      return output.toString();
    }
  }

  /** Waits until it has said {@code text}, behind the first {@code from} characters; answers where that ends. */
  public int await(String text, int from) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    synchronized (output) {
      while (output.indexOf(text, from) < 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("does not say \"" + text + "\" but: " + output);
        }
        // The process may end without a word.
        output.wait(Math.min(left, 100));
      }
      return output.indexOf(text, from) + text.length();
    }
  }

  /** Types {@code text}. */
  public void type(String text) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write(text.getBytes(StandardCharsets.ISO_8859_1));
    in.flush();
  }

  /** Ends its input and waits for its end; answers all that it said. */
  public String finish() throws Exception {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended by itself and left something unread.
      return awaitEnd();
    }
    return awaitEnd();
  }

  private String awaitEnd() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("does not end: " + output());
    }
    reader.join(TIMEOUT_MILLIS);
    return output();
  }

  /** Its exit code, once finished. */
  public int exitCode() {
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      reader.join(TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // --- PEM files ---

  /** A file with these certificates. */
  public static String certificates(Path directory, String name, List<X509Certificate> certificates) throws Exception {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      text.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    return Files.writeString(directory.resolve(name), text).toString();
  }

  /** Options that name an identity's certificate and key in files made for it. */
  public static List<String> identity(Path directory, TestPki.Identity identity) throws Exception {
    String name = "identity" + identity.certificate().getSerialNumber();
    List<String> options = new ArrayList<>();
    options.add("-cert");
    options.add(certificates(directory, name + ".pem", identity.chain()));
    options.add("-key");
    options.add(Files.writeString(
        directory.resolve(name + ".key"), pem("PRIVATE KEY", identity.key().getEncoded())).toString());
    return options;
  }

  private static String pem(String type, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
  }
}
