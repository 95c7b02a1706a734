package org.postscrypt.alone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.jsse.support.Jvm;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TestPki.Identity;
import org.postscrypt.jsse.support.Tool;

/** A JVM without SunJCE, SunEC, SunRsaSign, SunJSSE and all others but SUN: what it needs of them, we have. */
@Timeout(120)
class AloneTest {
  @TempDir private Path directory;

  private static List<String> lines(String output, String prefix) {
    return output.lines().filter(line -> line.startsWith(prefix)).map(line -> line.substring(prefix.length())).toList();
  }

  private void write(String name, Identity identity) throws Exception {
    Tool.certificates(directory, name + ".pem", identity.chain());
    Files.write(directory.resolve(name + ".key"), identity.key().getEncoded());
  }

  /** Certificates and keys (PKCS#8), as Alone reads them. */
  private List<String> files() throws Exception {
    Tool.certificates(directory, "root.pem", List.of(TestPki.root()));
    for (KeyType type : List.of(KeyType.EC, KeyType.RSA)) {
      write("server-" + type, TestPki.server(type));
      write("client-" + type, TestPki.client(type));
    }
    return List.of(directory.toString());
  }

  @Test
  void everyServiceWorks() throws Exception {
    String output = Jvm.run(AloneServices.class, List.of(), files(), 100);
    assertEquals(List.of("Postscrypt, SUN"), lines(output, "providers: "), output);
    List<String> failed = lines(output, "failed: ");
    assertTrue(failed.isEmpty(), () -> String.join("\n", failed));
    Stream<String> services = new PostscryptProvider().getServices().stream()
        .map(service -> service.getType() + " " + service.getAlgorithm());
    assertEquals(
        Stream.concat(Stream.of("API"), services).sorted().toList(),
        lines(output, "works: ").stream().sorted().toList(),
        output);
  }

  @Test
  void tlsWorks() throws Exception {
    String output = Jvm.run(AloneTls.class, List.of(), files(), 100);
    assertEquals(List.of("Postscrypt, SUN"), lines(output, "providers: "), output);
    assertEquals(
        List.of("TLSv1.2 EC", "TLSv1.2 RSA", "TLSv1.3 EC", "TLSv1.3 RSA", "system properties"),
        lines(output, "works: ").stream().sorted().toList(),
        output);
  }
}
