package org.postscrypt.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code openssl s_server -www} on 127.0.0.1, at a port that it chooses itself. */
final class OpenSslServer implements AutoCloseable {
  private static final Pattern ACCEPT = Pattern.compile("ACCEPT \\S*:(\\d+)");
  private static final int START_SECONDS = 20;

  private final Process process;
  private final int port;
  private final Cleanup cleanup;

  OpenSslServer(Path certificate, Path key) throws IOException, InterruptedException {
    process = new ProcessBuilder(Arrays.asList("openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-alpn",
        "http/1.1", "-cert", certificate.toString(), "-key", key.toString())).redirectErrorStream(true).start();
    cleanup = new Cleanup(process::destroyForcibly);
    Commands.Collector output = new Commands.Collector(process.getInputStream());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    Matcher accept = ACCEPT.matcher("");
    boolean started = false;
    while (!started && process.isAlive() && System.nanoTime() < deadline) {
      Thread.sleep(20);
      started = accept.reset(output.soFar()).find();
    }
    if (!started) {
      close();
      throw new IOException("openssl s_server did not start: " + Commands.lastLines(output.soFar()));
    }
    port = Integer.parseInt(accept.group(1));
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    cleanup.close();
  }
}
