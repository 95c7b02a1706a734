package org.postscrypt.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider from the {@code java.security} file, by name, as {@code docs/INSTALL.md} describes it. */
class JavaSecurityIT {
  private static final String CLASS_PATH = Jars.UBER + System.getProperty("path.separator") + Jars.testClasses();

  @TempDir
  Path directory;

  @BeforeEach
  void keyStore() throws Exception {
    Traffic.create(directory);
  }

  /** The providers of this JVM's own file. */
  private static List<String> theJdks() {
    List<String> names = new ArrayList<>();
    for (String name; (name = Security.getProperty("security.provider." + (names.size() + 1))) != null; ) {
      names.add(name);
    }
    return names;
  }

  private Jvm with(List<String> providers) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String name : providers) {
      lines.add("security.provider." + (lines.size() + 1) + '=' + name);
    }
    Path file = Files.write(directory.resolve("postscrypt.security"), lines);
    return new Jvm().property("java.security.properties", file);
  }

  private List<String> run(Jvm jvm, String... path) throws Exception {
    Jvm.Result result = jvm.with(path)
        .with(ByName.class.getName(), Traffic.keyStore(directory).toString()).run();
    assertEquals(0, result.status, result.toString());
    assertEquals("", result.err);
    return result.out.lines().collect(Collectors.toList());
  }

  private static List<String> first() {
    List<String> list = theJdks();
    list.add(0, "Postscrypt");
    return list;
  }

  private static List<String> last() {
    List<String> list = theJdks();
    list.add("Postscrypt");
    return list;
  }

  @Test
  void first_onTheClassPath() throws Exception {
    assertEquals(Arrays.asList("position 1 of " + first().size(), "SHA-256 Postscrypt", "SecureRandom Postscrypt",
        "TLS Postscrypt", "default Postscrypt", "traffic"),
        run(with(first()).nativeAccess("ALL-UNNAMED"), "-cp", CLASS_PATH));
  }

  @Test
  void first_onTheModulePath() throws Exception {
    assertEquals(Arrays.asList("position 1 of " + first().size(), "SHA-256 Postscrypt", "SecureRandom Postscrypt",
        "TLS Postscrypt", "default Postscrypt", "traffic"),
        run(with(first()).nativeAccess("org.postscrypt"), "-p", Jars.UBER.toString(), "-cp", Jars.testClasses().toString()));
  }

  @Test
  void last_behindTheJdks() throws Exception {
    assertEquals(Arrays.asList("position " + last().size() + " of " + last().size(), "SHA-256 SUN",
        "SecureRandom SUN", "TLS SunJSSE", "default SunJSSE", "traffic"),
        run(with(last()).nativeAccess("ALL-UNNAMED"), "-cp", CLASS_PATH));
  }

  /** Where the library cannot be loaded, the JVM goes on with the other providers. */
  @Test
  void withoutTheLibraryTheJdksServe() throws Exception {
    assertEquals(Arrays.asList("position 0 of " + theJdks().size(), "SHA-256 SUN", "SecureRandom SUN",
        "TLS SunJSSE", "default SunJSSE"),
        run(with(first()).property("org.postscrypt.native.path", directory.resolve("missing")), "-cp", CLASS_PATH));
  }
}
