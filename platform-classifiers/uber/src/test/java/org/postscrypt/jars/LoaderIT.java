package org.postscrypt.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading on systems that make it hard: file systems, other platforms, other C libraries, strict JVMs. */
class LoaderIT {
  private static final String WORKDIR = "org.postscrypt.native.workdir";
  private static final String ADVICE = "set the system property " + WORKDIR
      + " to a directory that is writable and not mounted noexec, or org.postscrypt.native.path to an unpacked library";

  @TempDir
  Path directory;
  private Path tmp;
  private Path cache;

  @BeforeEach
  void directories() throws Exception {
    tmp = Files.createDirectory(directory.resolve("tmp"));
    cache = Files.createDirectory(directory.resolve("cache"));
  }

  /** A JVM whose temporary directory is a file system of its own, mounted with {@code options}. */
  private Jvm mounted(String options) {
    Namespace.require();
    return new Jvm().property("java.io.tmpdir", tmp)
        .mounted("mount -t tmpfs -o " + options + " none '" + tmp + "'");
  }

  private static Jvm.Result doctor(Jvm jvm) throws Exception {
    return jvm.nativeAccess("ALL-UNNAMED").with("-cp", Jars.UBER.toString(), Jvm.MAIN, "doctor").run();
  }

  private static void assertWorks(Jvm.Result result) {
    assertEquals(0, result.status, result.toString());
    assertTrue(result.out.contains("\nlibrary: loaded from jar:"), result.toString());
    assertEquals("", result.err);
  }

  private static void assertFails(Jvm.Result result, String... why) {
    assertEquals(1, result.status, result.toString());
    assertTrue(result.out.contains("\nlibrary: NOT LOADED\n"), result.toString());
    for (String part : why) {
      assertTrue(result.out.contains(part), part + " in " + result);
    }
    assertEquals("", result.err);
  }

  @Test
  void noexecIsPassedOver() throws Exception {
    assertWorks(doctor(mounted("noexec").environment("XDG_CACHE_HOME", cache)));
    try (var left = Files.list(cache.resolve("postscrypt"))) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void noexecEverywhereSaysWhatToDo() throws Exception {
    assertFails(doctor(mounted("noexec").environment("XDG_CACHE_HOME", tmp)), "failed to map segment", ADVICE);
  }

  @Test
  void readOnlyIsPassedOver() throws Exception {
    assertWorks(doctor(mounted("ro").environment("XDG_CACHE_HOME", cache)));
  }

  @Test
  void readOnlyEverywhereSaysWhatToDo() throws Exception {
    assertFails(doctor(mounted("ro").environment("XDG_CACHE_HOME", tmp)), "Read-only file system", ADVICE);
  }

  @Test
  void fullIsPassedOver() throws Exception {
    assertWorks(doctor(mounted("size=256k").environment("XDG_CACHE_HOME", cache)));
  }

  @Test
  void fullEverywhereSaysWhatToDo() throws Exception {
    assertFails(doctor(mounted("size=256k").environment("XDG_CACHE_HOME", tmp)), "No space left on device", ADVICE);
  }

  @Test
  void theNamedDirectoryComesFirst() throws Exception {
    Path workdir = Files.createDirectory(directory.resolve("workdir"));
    // Were another directory tried, it would be found wanting here, and the search end in an error.
    assertWorks(doctor(mounted("noexec").environment("XDG_CACHE_HOME", tmp).property(WORKDIR, workdir)));
    try (var left = Files.list(workdir)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void otherSystemsAndProcessorsAreNamed() throws Exception {
    assertFails(doctor(new Jvm().property("os.arch", "sparcv9")),
        "there is no library for this platform, os.name=Linux, os.arch=sparcv9");
    assertFails(doctor(new Jvm().property("os.name", "Plan 9")),
        "there is no library for this platform, os.name=Plan 9, os.arch=");
    assertFails(doctor(new Jvm().property("os.arch", "")), "os.arch=");
  }

  @Test
  void everySpellingOfThisProcessorIsKnown() throws Exception {
    assumeTrue(Jars.PLATFORM.equals("linux-x86_64"), "spellings of x86-64");
    for (String arch : List.of("amd64", "x86_64", "AMD64", "X86_64")) {
      assertWorks(doctor(new Jvm().property("os.arch", arch)));
    }
  }

  @Test
  void theOtherCLibraryIsRefusedBeforeAnythingIsLoaded() throws Exception {
    Namespace.require();
    Path maps = Files.writeString(directory.resolve("maps"), "7f00-7f80 r--p 0 0:1 1 /lib/ld-musl-x86_64.so.1\n");
    // Only glibc's library in the jar, and a JVM that has musl mapped.
    Path jar = Jars.edited(Jars.UBER, directory.resolve("glibc.jar"),
        (name, content) -> name.startsWith("META-INF/native/") && !name.startsWith("META-INF/native/" + Jars.PLATFORM + '/')
            ? null : content);
    Jvm.Result result = new Jvm().mounted("mount --bind '" + maps + "' /proc/$$/maps")
        .property("java.io.tmpdir", tmp).nativeAccess("ALL-UNNAMED").with("-cp", jar.toString(), Jvm.MAIN, "doctor").run();
    assertFails(result, "platform: " + Jars.PLATFORM + "-musl (musl)",
        "this JVM runs on musl, but the jar has the library for glibc only: " + Jars.PLATFORM);
    assertFalse(result.out.contains("copied to"), result.toString());
  }

  @Test
  void glibcIsToldWhenOnlyMuslsLibraryIsThere() throws Exception {
    Path jar = Jars.edited(Jars.UBER, directory.resolve("musl.jar"),
        (name, content) -> name.startsWith("META-INF/native/") && !name.startsWith("META-INF/native/" + Jars.PLATFORM + '/')
            ? null : content,
        name -> name.replace("META-INF/native/" + Jars.PLATFORM, "META-INF/native/" + Jars.PLATFORM + "-musl"));
    Jvm.Result result =
        new Jvm().nativeAccess("ALL-UNNAMED").with("-cp", jar.toString(), Jvm.MAIN, "doctor").run();
    assertFails(result, "this JVM runs on glibc, but the jar has the library for musl only: " + Jars.PLATFORM + "-musl");
    assertFalse(result.out.contains("copied to"), result.toString());
  }

  /** JEP 472: without the permission an error, with it not a word. */
  @Test
  void deniedNativeAccess() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "native access is restricted on JDK 24 and newer only");
    assertWorks(new Jvm().with("--illegal-native-access=deny", "--enable-native-access=ALL-UNNAMED",
        "-cp", Jars.UBER.toString(), Jvm.MAIN, "doctor").run());
    assertWorks(new Jvm().with("--illegal-native-access=deny", "--enable-native-access=org.postscrypt",
        "-p", Jars.UBER.toString(), "-m", "org.postscrypt/" + Jvm.MAIN, "doctor").run());
    Jvm.Result refused = new Jvm().with("--illegal-native-access=deny",
        "-p", Jars.UBER.toString(), "-m", "org.postscrypt/" + Jvm.MAIN, "doctor").run();
    assertFails(refused, "Illegal native access from", "--enable-native-access=org.postscrypt");
  }
}
