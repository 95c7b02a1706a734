package org.postscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postscrypt.jsse.support.Jvm;

/** What a program must load before its first handshake: classes are what a start takes longest for. */
class StartTest {
  /** Of our own, all of them: a lambda is a class that the JVM has to write, in half a millisecond each. */
  private static final int LAMBDAS = 12;

  @TempDir Path directory;

  /** A program that registers the provider and writes a client's hello, trusting whom the JDK trusts. */
  static final class Program {
    public static void main(String[] arguments) throws Exception {
      Security.insertProviderAt(new PostscryptProvider(), 1);
      SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 443);
      engine.setUseClientMode(true);
      ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(ByteBuffer.allocate(0), hello);
      System.out.println("wrote " + hello.position());
    }
  }

  @Test
  void aFirstHelloLoadsFewClasses() throws Exception {
    Path log = directory.resolve("classes");
    String output = Jvm.run(Program.class, List.of("-Xlog:class+load:file=" + log + ":none"));
    assertTrue(output.contains("wrote ") && !output.contains("wrote 0"), output);
    List<String> loaded = Files.readAllLines(log);
    assertTrue(loaded.stream().anyMatch(l -> l.startsWith("org.postscrypt.jsse.TlsEngine ")), "the log has no classes");
    List<String> lambdas = loaded.stream().filter(l -> l.startsWith("org.postscrypt.") && l.contains("$$Lambda")).collect(Collectors.toList());
    assertTrue(lambdas.size() <= LAMBDAS, String.join("\n", lambdas));
    // No row of the table has one of its own, and no certificate's extension.
    assertEquals(List.of(), lambdas.stream().filter(l -> l.matches(".*(Services|KnownExtensions|NativeLibrary)\\$.*")).collect(Collectors.toList()));
    assertFalse(loaded.stream().anyMatch(l -> l.matches("(org\\.postscrypt\\.jsse\\.HandshakeEvent|jdk\\.jfr\\.Event) .*")),
        "Flight Recorder is set up though nobody records");
  }
}
