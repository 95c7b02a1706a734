package org.postscrypt.jars;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Mount namespaces of Linux: file systems that only one child process sees. */
final class Namespace {
  private static final String REFUSED = refused();

  private Namespace() {}

  /** Skips the test, and says why, where this system gives none. */
  static void require() {
    assumeTrue(REFUSED == null, "no mount namespace here: " + REFUSED);
  }

  private static String refused() {
    try {
      Process process = new ProcessBuilder("unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/tmp")
          .redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes());
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? null : "unshare: " + said.trim();
    } catch (IOException e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }
}
