package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.Test;

/** Netty's SslProvider.JDK over the provider. */
class NettyIT {
  @Test
  void withTheJdksAlpn() throws Exception {
    assertTrue(NettyExchange.run(Conscrypt.newProvider()).endsWith("http/1.1"));
  }

  /** What Netty does up to Java 14 and on Android: buffer allocator, handshake listener and the rest of Conscrypt's API. */
  @Test
  void withConscryptsOwnApi() throws Exception {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Dorg.postscrypt.native.path=" + System.getProperty("org.postscrypt.native.path"),
                "-cp",
                System.getProperty("java.class.path"),
                NettyExchange.class.getName(),
                "14")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), output);
    String[] lines = output.trim().split("\n");
    assertEquals("ClientEngine of ConscryptAlpnSslEngine, ServerEngine, http/1.1", lines[lines.length - 1], output);
  }
}
