package org.postscrypt.android;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The AAR's layout, and what an application's build makes of it: D8 and R8, as Android's build tools use them. */
class AarIT {
  private static final Path AAR = Path.of(System.getProperty("aar"));
  /** The library classes to compile for; which of them Android has is animal-sniffer's part. */
  private static final String JDK = System.getProperty("java.home");
  private static final Path ABIS = Path.of(System.getProperty("native.android.directory"));
  private static final Path LIBRARY_DIRECTORY = Path.of(System.getProperty("native.directory"));

  @TempDir
  static Path common;
  private static Path store;
  @TempDir
  Path directory;
  private Path classes;
  private Path rules;

  /** The certificates of {@link TlsApplication}. */
  @BeforeAll
  static void store() throws Exception {
    store = common.resolve("tls.store");
    for (String host : List.of("a", "b")) {
      run(List.of(Path.of(JDK, "bin", "keytool").toString(), "-genkeypair", "-alias", host, "-keyalg", "EC", "-groupname", "secp256r1",
          "-dname", "CN=" + host + ".example", "-ext", "san=dns:" + host + ".example", "-storetype", "PKCS12",
          "-storepass", "secret", "-keystore", store.toString()));
    }
  }

  @BeforeEach
  void unpack() throws Exception {
    classes = directory.resolve("classes.jar");
    rules = directory.resolve("proguard.txt");
    try (ZipFile aar = new ZipFile(AAR.toFile())) {
      for (Path file : List.of(classes, rules)) {
        Files.copy(aar.getInputStream(aar.getEntry(file.getFileName().toString())), file);
      }
    }
  }

  private static Set<String> entries(Path zip) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      return file.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void layout() throws Exception {
    Set<String> expected = new TreeSet<>(List.of("AndroidManifest.xml", "META-INF/LICENSE", "META-INF/NOTICE",
        "META-INF/THIRD-PARTY.txt", "R.txt", "classes.jar", "proguard.txt"));
    String[] abis = ABIS.toFile().list();
    for (String abi : abis == null ? new String[0] : abis) {
      expected.add("jni/" + abi + "/libpostscrypt_jni.so");
    }
    assertEquals(expected, entries(AAR));
    // Without libraries it is for tests, and says so in its name.
    assertEquals(abis == null || abis.length == 0, AAR.toString().endsWith("-without-native-libraries.aar"));
    try (ZipFile aar = new ZipFile(AAR.toFile())) {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      Element manifest = factory.newDocumentBuilder()
          .parse(aar.getInputStream(aar.getEntry("AndroidManifest.xml"))).getDocumentElement();
      assertEquals("org.postscrypt", manifest.getAttribute("package"));
      Element sdk = (Element) manifest.getElementsByTagName("uses-sdk").item(0);
      assertEquals("21", sdk.getAttributeNS("http://schemas.android.com/apk/res/android", "minSdkVersion"));
    }
  }

  @Test
  void classesAreJava8WithoutOverlaysModulesOrTheCommandLine() throws Exception {
    Set<String> names = entries(classes);
    assertTrue(names.contains("org/postscrypt/PostscryptProvider.class"));
    assertTrue(names.contains("org/postscrypt/nat/NativeCrypto.class"));
    assertTrue(names.contains("META-INF/services/java.security.Provider"));
    try (ZipFile jar = new ZipFile(classes.toFile())) {
      for (String name : names) {
        assertTrue(name.startsWith("org/postscrypt/") && name.endsWith(".class") || name.startsWith("META-INF/services/")
            || name.equals("META-INF/MANIFEST.MF"), name);
        assertFalse(name.startsWith("org/postscrypt/cli/") || name.contains("module-info"), name);
        if (name.endsWith(".class")) {
          DataInputStream in =
              new DataInputStream(new ByteArrayInputStream(jar.getInputStream(jar.getEntry(name)).readAllBytes()));
          assertEquals(0xcafebabe, in.readInt());
          in.readUnsignedShort();
          assertTrue(in.readUnsignedShort() <= 52, name);
        }
      }
    }
  }

  @Test
  void d8MakesAndroidsBytecodeForApi21() throws Exception {
    String said = java("-cp", r8(), "com.android.tools.r8.D8", "--release", "--min-api", "21", "--lib", JDK,
        "--output", directory.toString(), classes.toString());
    assertEquals("", said);
    byte[] dex = Files.readAllBytes(directory.resolve("classes.dex"));
    // Version 035, the one that API 21 reads.
    assertEquals("dex\n035\0", new String(dex, 0, 8, "ISO-8859-1"));
    assertTrue(new String(dex, "ISO-8859-1").contains("Lorg/postscrypt/PostscryptProvider;"));
  }

  /**
   * What animal-sniffer does not see: methods that our classes inherit elsewhere, called through our classes. The JVM's own library stands
   * in for java.lang, which the old one is without.
   */
  @Test
  void inheritedMethodsThatApi21LacksAreCalledByGuardedClasses() throws Exception {
    List<String> command = List.of(Path.of(JDK, "bin", "java").toString(), "-cp", r8(),
        "com.android.tools.r8.tracereferences.TraceReferences", "--check", "--lib", System.getProperty("android.5.0"), "--lib", JDK,
        "--source", classes.toString());
    Set<String> callers = new TreeSet<>();
    Pattern missing = Pattern.compile(
        "Missing method \\S+ org\\.postscrypt\\.\\S+\\(.*\\(referenced from: \\S+ (org\\.postscrypt\\.[\\w.$]+)\\.(.*)");
    for (String line : run(1, command).split("\n")) {
      Matcher matcher = missing.matcher(line);
      if (matcher.find()) {
        assertFalse(matcher.group(2).contains(" other context"), line);
        callers.add(matcher.group(1));
      }
    }
    assertEquals(Set.of("org.postscrypt.jsse.ExtendedJsseApi"), callers);
  }

  @Test
  void worksAsOnAndroid() throws Exception {
    assertEquals("works\n", run(classes + File.pathSeparator + application(Application.class)));
  }

  @Test
  void tlsWorksOnTheJsseOfApi21() throws Exception {
    assertEquals("works\n", runOnApi21(classes, application(TlsApplication.class)));
  }

  /** As class files, so that they can run here: without lambdas, as on such a system. */
  @Test
  void tlsWorksOnTheJsseOfApi21AfterDesugaring() throws Exception {
    Path desugared = directory.resolve("desugared.jar");
    assertEquals("", java("-cp", r8(), "com.android.tools.r8.D8", "--release", "--classfile", "--min-api", "21", "--lib", JDK,
        "--output", desugared.toString(), classes.toString()));
    assertEquals("works\n", runOnApi21(desugared, application(TlsApplication.class)));
  }

  /** What R8 leaves of the classes by our rules, as class files, so that they can run here. */
  @Test
  void worksAfterShrinking() throws Exception {
    StringBuilder keep = new StringBuilder();
    Path shrunk = directory.resolve("shrunk.jar");
    List<String> command = new ArrayList<>(List.of("-cp", r8(), "com.android.tools.r8.R8", "--release", "--classfile", "--lib", JDK,
        "--pg-conf", rules.toString(), "--pg-conf", directory.resolve("app.txt").toString(),
        "--output", shrunk.toString(), classes.toString()));
    for (Class<?> application : List.of(Application.class, TlsApplication.class)) {
      keep.append("-keep class ").append(application.getName()).append(" { public static void main(java.lang.String[]); }\n");
      command.add(application(application).toString());
    }
    Files.writeString(directory.resolve("app.txt"), keep);
    assertEquals("", java(command));
    assertFalse(entries(shrunk).contains("org/postscrypt/jsse/TlsEngine.class"), "names were not shortened");
    assertEquals("works\n", run(shrunk.toString()));
    assertEquals("works\n", runOnApi21(shrunk));
  }

  /** The same application where nothing is missing fails, so it does see what is. */
  @Test
  void theJsseOfApi21IsNotTheJvms() throws Exception {
    AssertionError failure = assertThrows(AssertionError.class,
        () -> java(arguments(classes + File.pathSeparator + application(TlsApplication.class), TlsApplication.class)));
    assertTrue(failure.getMessage().contains("javax.net.ssl.ExtendedSSLSession is there"), failure.getMessage());
  }

  /** An application's classes in a jar. */
  private Path application(Class<?> main) throws Exception {
    Path jar = directory.resolve(main.getSimpleName() + ".jar");
    Path folder = Path.of(main.getProtectionDomain().getCodeSource().getLocation().toURI());
    String prefix = main.getName().replace('.', '/');
    try (var out = new java.util.zip.ZipOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = folder.relativize(file).toString().replace(File.separatorChar, '/');
        if (name.equals(prefix + ".class") || name.startsWith(prefix + "$")) {
          out.putNextEntry(new ZipEntry(name));
          out.write(Files.readAllBytes(file));
        }
      }
    }
    return jar;
  }

  private static String run(String classPath) throws Exception {
    return java(arguments(classPath, Application.class));
  }

  /** What {@link TlsApplication} in these jars says on Android 5.0's {@code javax.net.ssl}. */
  private static String runOnApi21(Path... jars) throws Exception {
    String tests = Path.of(OldSystem.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    List<String> arguments = arguments(tests, OldSystem.class);
    arguments.add(System.getProperty("android.5.0"));
    arguments.add(TlsApplication.class.getName());
    for (Path jar : jars) {
      arguments.add(jar.toString());
    }
    return java(arguments);
  }

  private static List<String> arguments(String classPath, Class<?> main) {
    List<String> arguments = new ArrayList<>();
    if (Runtime.version().feature() >= 24) {
      arguments.add("--enable-native-access=ALL-UNNAMED");
    }
    Collections.addAll(arguments, "-Djava.library.path=" + LIBRARY_DIRECTORY, "-Dtls.store=" + store, "-cp", classPath,
        main.getName());
    return arguments;
  }

  /** R8's jar, which has D8 too. */
  private static String r8() {
    assumeTrue(Runtime.version().feature() < 24, "this R8 does not read the class files of a JDK as new as this one");
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Path.of(entry).getFileName().toString().startsWith("r8-")).findFirst().orElseThrow();
  }

  private static String java(String... arguments) throws Exception {
    return java(List.of(arguments));
  }

  private static String java(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(JDK, "bin", "java").toString()));
    command.addAll(arguments);
    return run(command);
  }

  /** All that a program said; an error if it failed. */
  private static String run(List<String> command) throws Exception {
    return run(0, command);
  }

  private static String run(int expected, List<String> command) throws Exception {
    Path said = Files.createTempFile("said", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS), command + " did not end");
      assertEquals(expected, process.exitValue(), () -> {
        try {
          return command + "\n" + Files.readString(said);
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      return Files.readString(said);
    } finally {
      process.destroyForcibly().waitFor();
      Files.delete(said);
    }
  }
}
