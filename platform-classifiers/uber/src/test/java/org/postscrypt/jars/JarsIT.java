package org.postscrypt.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each jar alone in a clean JVM: what is on the class path is all there is. */
class JarsIT {
  private static final String PATH = "org.postscrypt.native.path";
  private static final String WORKDIR = "org.postscrypt.native.workdir";

  @TempDir
  Path directory;

  @Test
  void uberJarRunsByItselfAndSaysNothingElse() throws Exception {
    Jvm.Result result = new Jvm().with("-jar", Jars.UBER.toString(), "version").run();
    assertVersion(result);
  }

  @Test
  void doctorWorksFromTheUberJar() throws Exception {
    Jvm.Result result = new Jvm().with("-jar", Jars.UBER.toString(), "doctor").run();
    assertWorks(result, "!/META-INF/native/" + Jars.PLATFORM + '/');
    assertEquals("", result.err);
  }

  @Test
  void classifierJarWorksAlone() throws Exception {
    assertWorks(doctor(new Jvm(), Jars.CLASSIFIER), Jars.CLASSIFIER.getFileName() + "!/META-INF/native/");
  }

  @Test
  void bothWorkOnTheModulePath() throws Exception {
    for (Path jar : Arrays.asList(Jars.CLASSIFIER, Jars.UBER)) {
      assertVersion(new Jvm().nativeAccess("org.postscrypt")
          .with("-p", jar.toString(), "-m", "org.postscrypt/" + Jvm.MAIN, "version").run());
      Jvm.Result module = new Jvm().with("-p", jar.toString(), "--describe-module", "org.postscrypt").run();
      assertTrue(module.out.contains("exports org.postscrypt\n"), module.toString());
      assertTrue(module.out.contains("provides java.security.Provider with org.postscrypt.PostscryptProvider"),
          module.toString());
      assertFalse(module.out.contains("org.postscrypt.nat\n") && module.out.contains("exports org.postscrypt.nat"),
          module.toString());
    }
  }

  @Test
  void plainJarHasNoLibraryAndSaysWhatToAdd() throws Exception {
    Jvm.Result result = doctor(new Jvm(), Jars.PLAIN);
    assertFails(result, "there is no resource META-INF/native/" + Jars.PLATFORM);
    assertTrue(result.out.contains("org.postscrypt:postscrypt:" + Jars.VERSION + ':' + Jars.PLATFORM),
        result.toString());
    assertTrue(result.out.contains("tried:"), result.toString());
    assertTrue(result.out.contains("java.library.path"), result.toString());
  }

  @Test
  void plainJarTakesTheLibraryFromTheLibraryPath() throws Exception {
    assertWorks(doctor(new Jvm().property("java.library.path", Jars.NATIVE), Jars.PLAIN), "java.library.path");
  }

  @Test
  void pathPropertyNamesAFileOrADirectory() throws Exception {
    Path awkward = Files.createDirectory(directory.resolve("with spaces, ünï-çødé 日本"));
    Path library = Files.copy(library(), awkward.resolve(library().getFileName()));
    assertWorks(doctor(new Jvm().property(PATH, awkward), Jars.PLAIN), library.toString());
    assertWorks(doctor(new Jvm().property(PATH, library), Jars.PLAIN), library.toString());
    Path renamed = Files.move(library, awkward.resolve("other name.so"));
    assertWorks(doctor(new Jvm().property(PATH, renamed), Jars.PLAIN), renamed.toString());
  }

  @Test
  void awkwardPathsForJarAndWorkdir() throws Exception {
    Path awkward = Files.createDirectory(directory.resolve("a b%20c+d ünï 日本"));
    Path jar = Files.copy(Jars.UBER, awkward.resolve("uber !.jar"));
    assertWorks(doctor(new Jvm().property(WORKDIR, awkward), jar), "/META-INF/native/");
    assertEquals(List.of(jar), list(awkward));
  }

  @Test
  void pathPropertyIsFinal() throws Exception {
    Path missing = directory.resolve("missing");
    assertFails(doctor(new Jvm().property(PATH, missing), Jars.UBER), PATH + '=' + missing + ": there is no file");
    Path junk = Files.writeString(directory.resolve("junk.so"), "not a library");
    assertFails(doctor(new Jvm().property(PATH, junk), Jars.UBER), PATH + '=' + junk);
  }

  @Test
  void workdirThatCannotBeUsedIsPassedOver() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "a file, not a directory");
    assertWorks(doctor(new Jvm().property(WORKDIR, file.resolve("sub")), Jars.UBER), "/META-INF/native/");
    assertWorks(doctor(new Jvm().property(WORKDIR, file).property("java.io.tmpdir", file)
        .environment("XDG_CACHE_HOME", directory.resolve("cache")), Jars.UBER), "/META-INF/native/");
    assertEquals(List.of(), list(directory.resolve("cache").resolve("postscrypt")));
  }

  @Test
  void noUsableDirectoryNamesTheProperty() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "a file, not a directory");
    Jvm.Result result = doctor(new Jvm().property(WORKDIR, file).property("java.io.tmpdir", file)
        .environment("XDG_CACHE_HOME", file), Jars.UBER);
    assertFails(result, "set the system property " + WORKDIR);
    assertTrue(result.out.contains("cannot copy the library to " + file), result.toString());
  }

  @Test
  void damagedLibraryIsRefusedBeforeItIsLoaded() throws Exception {
    Path truncated = Jars.edited(Jars.UBER, directory.resolve("truncated.jar"),
        (name, content) -> isLibrary(name) ? Arrays.copyOf(content, content.length / 2) : content);
    assertFails(doctor(new Jvm(), truncated), "is damaged");
    Path flipped = Jars.edited(Jars.UBER, directory.resolve("flipped.jar"), (name, content) -> {
      if (isLibrary(name)) {
        content[content.length / 2] ^= 1;
      }
      return content;
    });
    assertFails(doctor(new Jvm(), flipped), "is damaged");
  }

  @Test
  void wrongKindOfFileKeepsTheLinkersMessage() throws Exception {
    Path junk = Jars.edited(Jars.UBER, directory.resolve("junk.jar"), (name, content) -> name.endsWith(".crc32") ? null
        : isLibrary(name) ? "not a library".getBytes() : content);
    Jvm.Result result = doctor(new Jvm().property(WORKDIR, directory), junk);
    assertFails(result, "caused by:");
    assertEquals(List.of(junk), list(directory));
  }

  @Test
  void libraryOfAnotherVersionIsRefused() throws Exception {
    String other = Jars.VERSION.substring(0, Jars.VERSION.length() - 1) + "x";
    Path jar = Jars.edited(Jars.UBER, directory.resolve("other.jar"),
        (name, content) -> name.endsWith("NativeLibrary.class")
            ? Jars.replace(content, "\0" + (char) other.length() + Jars.VERSION, "\0" + (char) other.length() + other)
            : content);
    assertFails(doctor(new Jvm(), jar), "the library's version is " + Jars.VERSION + ", but the classes' is " + other);
  }

  @Test
  void theRightOneOfTwoVersionsIsTaken() throws Exception {
    Path wrong = Jars.edited(Jars.UBER, directory.resolve("wrong.jar"),
        (name, content) -> name.endsWith(".crc32") || name.endsWith(".class") ? null
            : isLibrary(name) ? "not a library".getBytes() : content);
    Jvm jvm = new Jvm().nativeAccess("ALL-UNNAMED")
        .with("-cp", wrong + System.getProperty("path.separator") + Jars.UBER, Jvm.MAIN, "doctor");
    assertWorks(jvm.run(), Jars.UBER.getFileName() + "!/META-INF/native/");
  }

  @Test
  void relocatedCopyWorksAlone() throws Exception {
    Path jar = Jars.relocated(Jars.UBER, directory.resolve("shaded.jar"));
    Jvm.Result result =
        new Jvm().nativeAccess("ALL-UNNAMED").with("-cp", jar.toString(), "orx.postscrypt.cli.Main", "doctor").run();
    assertWorks(result, "shaded.jar!/META-INF/native/");
    assertTrue(result.out.contains("orx.postscrypt.native.path: not set"), result.toString());
  }

  /** A relocated copy has a property of its own. */
  @Test
  void shortCallsGoWhereTheyAreTold() throws Exception {
    Path relocated = Jars.relocated(Jars.UBER, directory.resolve("shaded.jar"));
    boolean foreign;
    try (JarFile file = new JarFile(Jars.UBER.toFile())) {
      // From 24 on these tests enable native access.
      foreign = Runtime.version().feature() >= 24
          && file.getEntry("META-INF/versions/22/org/postscrypt/nat/ShortCalls.class") != null;
    }
    for (String prefix : Arrays.asList("org", "orx")) {
      Path jar = prefix.equals("org") ? Jars.UBER : relocated;
      String main = Jvm.MAIN.replace("org.", prefix + '.');
      for (String value : Arrays.asList("true", "false")) {
        Jvm.Result result = new Jvm().nativeAccess("ALL-UNNAMED").property(prefix + ".postscrypt.native.ffm", value)
            .with("-cp", jar.toString(), main, "doctor").run();
        assertWorks(result, jar.getFileName().toString());
        boolean on = foreign && value.equals("true");
        String expected = "\nshort calls: through " + (on ? "java.lang.foreign\n" : "JNI (");
        assertTrue(result.out.contains(expected), expected + " in " + result);
        assertEquals("", result.err);
      }
    }
  }

  @Test
  void fiftyStartsLeaveNothingBehind() throws Exception {
    Path workdir = Files.createDirectory(directory.resolve("work"));
    Path tmpdir = Files.createDirectory(directory.resolve("tmp"));
    for (int i = 0; i < 50; i++) {
      assertVersion(new Jvm().property(WORKDIR, workdir).property("java.io.tmpdir", tmpdir)
          .with("-jar", Jars.UBER.toString(), "version").run());
    }
    assertEquals(List.of(), list(workdir));
    assertEquals(List.of(), list(tmpdir));
  }

  @Test
  void wrongCommandLineIsStatusTwo() throws Exception {
    assertEquals(2, new Jvm().with("-jar", Jars.UBER.toString(), "frobnicate").run().status);
  }

  /** The demo's own logic, against the JDK's provider. */
  @Test
  void demoPassesWithTheProviderOfTheJar() throws Exception {
    Jvm.Result result = new Jvm().with("-jar", Jars.UBER.toString(), "demo", "--size", "1M").run();
    assertEquals(0, result.status, result.toString());
    assertTrue(result.out.contains(" 0 failed, 0 skipped"), result.toString());
    assertTrue(result.out.contains("X25519MLKEM768"), result.toString());
  }

  @Test
  void demoPassesWithTheJdksProviderAndCleansUp() throws Exception {
    Path tmpdir = Files.createDirectory(directory.resolve("tmp"));
    Jvm.Result result = new Jvm().property("java.io.tmpdir", tmpdir)
        .with("-jar", Jars.UBER.toString(), "demo", "--provider", "SunJSSE", "--size", "1M").run();
    assertEquals(0, result.status, result.toString());
    assertTrue(result.out.contains(" 0 failed, 0 skipped"), result.toString());
    assertEquals(List.of(), list(tmpdir));
  }

  @Test
  void manifests() throws IOException {
    for (Path jar : Arrays.asList(Jars.PLAIN, Jars.CLASSIFIER, Jars.UBER)) {
      try (JarFile file = new JarFile(jar.toFile())) {
        Attributes main = file.getManifest().getMainAttributes();
        assertEquals(Jars.VERSION, main.getValue("Implementation-Version"));
        assertEquals("true", main.getValue("Multi-Release"));
        assertTrue(main.getValue("BoringSSL-Revision").startsWith("boring-sys "));
        assertTrue(file.getEntry("META-INF/LICENSE").getSize() > 10_000);
        assertTrue(file.getEntry("META-INF/NOTICE").getSize() > 100);
        boolean uber = jar.equals(Jars.UBER);
        assertEquals(uber ? Jvm.MAIN : null, main.getValue("Main-Class"));
        assertEquals(uber ? "ALL-UNNAMED" : null, main.getValue("Enable-Native-Access"));
        long libraries = file.stream().filter(entry -> isLibrary(entry.getName())).count();
        if (jar.equals(Jars.PLAIN)) {
          assertEquals(0, libraries);
          assertNull(file.getEntry("META-INF/native/"));
        } else {
          assertTrue(libraries >= 1);
        }
      }
    }
  }

  private static Path library() {
    return Jars.NATIVE.resolve(System.mapLibraryName("postscrypt_jni"));
  }

  private static boolean isLibrary(String name) {
    return name.startsWith("META-INF/native/") && !name.endsWith("/") && !name.endsWith(".crc32");
  }

  private static Jvm.Result doctor(Jvm jvm, Path jar) throws IOException, InterruptedException {
    return jvm.nativeAccess("ALL-UNNAMED").with("-cp", jar.toString(), Jvm.MAIN, "doctor").run();
  }

  private static void assertVersion(Jvm.Result result) {
    assertEquals(0, result.status, result.toString());
    assertTrue(result.out.startsWith("Postscrypt " + Jars.VERSION + " (boring-sys "), result.toString());
    assertEquals("", result.err);
  }

  private static void assertWorks(Jvm.Result result, String from) {
    assertEquals(0, result.status, result.toString());
    assertTrue(result.out.contains("\nlibrary: loaded from "), result.toString());
    assertTrue(result.out.contains(from), from + " in " + result);
    // A native call was made, and the provider is there.
    assertTrue(result.out.contains("\nboringssl: boring-sys "), result.toString());
    assertTrue(result.out.contains("\nprovider: Postscrypt"), result.toString());
  }

  private static void assertFails(Jvm.Result result, String why) {
    assertEquals(1, result.status, result.toString());
    assertTrue(result.out.contains("\nlibrary: NOT LOADED\n"), result.toString());
    assertTrue(result.out.contains(why), why + " in " + result);
    assertTrue(result.out.endsWith("Postscrypt does not work here.\n"), result.toString());
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.collect(Collectors.toList());
    }
  }
}
