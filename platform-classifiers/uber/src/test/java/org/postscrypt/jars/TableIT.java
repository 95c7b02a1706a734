package org.postscrypt.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What platforms.toml lists is in every place that must name all platforms, and what was built is in the jars. */
class TableIT {
  private static final Path ROOT = Path.of(System.getProperty("project.root"));
  private static final Set<String> CLASSIFIERS = all("platform-classifiers/platforms.toml", "(?m)^classifier = \"(.*)\"");

  /** All matches of a pattern's group in a file. */
  private static Set<String> all(String file, String pattern) {
    try {
      return Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file))).results()
          .map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void assertContains(Set<String> all, Set<String> some) {
    assertTrue(all.containsAll(some), all + " has not all of " + some);
  }

  @Test
  void eachPlatformHasAJarAndAVersion() {
    assertTrue(CLASSIFIERS.size() >= 5, CLASSIFIERS.toString());
    Set<String> jars = all("java/pom.xml", "<classesDirectory>\\$\\{project.build.directory}/jars/(.*)</classesDirectory>");
    jars.remove("sources");
    assertContains(jars, CLASSIFIERS);
    assertEquals(jars, all("java/jars.xml", "<platform classifier=\"(.*)\""));
    assertEquals(jars, all("bom/pom.xml", "<artifactId>postscrypt</artifactId>\\s*<version>.*</version>\\s*<classifier>(.*)</classifier>"));
  }

  @Test
  void eachPlatformHasAJarWithTheNativesOfConscrypt() {
    Set<String> classifiers = all("platform-classifiers/platforms.toml",
        "(?ms)^\\[\\[platform]]\\nclassifier = \"([^\"]*)\"\\n(?=(?:(?!^\\[\\[).)*^conscrypt = \"(?:lib)?conscrypt_openjdk_jni-)");
    assertEquals(CLASSIFIERS, classifiers);
    String module = "platform-classifiers/conscrypt-abi/";
    assertEquals(classifiers, all(module + "pom.xml", "<classesDirectory>\\$\\{project.build.directory}/jars/(.*)</classesDirectory>"));
    assertEquals(classifiers, all(module + "jars.xml", "<platform classifier=\"(.*)\""));
    assertEquals(classifiers,
        all("bom/pom.xml", "<artifactId>postscrypt-conscrypt-abi</artifactId>\\s*<version>.*</version>\\s*<classifier>(.*)</classifier>"));
  }

  @Test
  void osgiFindsTheLibraryOfEachPlatformButMusls() {
    Set<String> expected = CLASSIFIERS.stream().filter(c -> !c.endsWith("-musl")).collect(Collectors.toCollection(TreeSet::new));
    assertEquals(expected, all("platform-classifiers/uber/pom.xml", "META-INF/native/([^/]+)/[a-z_.]+;osname="));
    assertEquals(expected, all("java/pom.xml", "META-INF/native/([^/]+)/[a-z_.]+;osname="));
  }

  @Test
  void whatIsBuiltIsInTheUberJarAndNothingElse() throws Exception {
    Set<String> built;
    try (var folders = Files.list(Path.of(System.getProperty("native.jars.directory")))) {
      built = folders.map(f -> f.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
    }
    try (JarFile jar = new JarFile(Jars.UBER.toFile())) {
      Pattern library = Pattern.compile("META-INF/native/([^/]+)/[^/]*postscrypt_jni\\.(so|dylib|dll)");
      assertEquals(built, jar.stream().map(e -> library.matcher(e.getName())).filter(m -> m.matches())
          .map(m -> m.group(1)).collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  /** The list in the jars names what Cargo.lock pins; tools/sbom compares it with what cargo links. */
  @Test
  void licencesAndBillOfMaterialsAreInEveryJar() throws Exception {
    String lock = Files.readString(ROOT.resolve("Cargo.lock"));
    for (Path path : List.of(Jars.PLAIN, Jars.CLASSIFIER, Jars.UBER)) {
      try (JarFile jar = new JarFile(path.toFile())) {
        for (String name : List.of("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/THIRD-PARTY.txt",
            "META-INF/sbom/postscrypt-native.cdx.json")) {
          assertNotNull(jar.getEntry(name), path + " " + name);
        }
        String licences = new String(jar.getInputStream(jar.getEntry("META-INF/THIRD-PARTY.txt")).readAllBytes(), "UTF-8");
        String bom = new String(jar.getInputStream(jar.getEntry("META-INF/sbom/postscrypt-native.cdx.json")).readAllBytes(), "UTF-8");
        List<String> crates = Pattern.compile("\"purl\": \"pkg:cargo/(.*)\"").matcher(bom).results()
            .map(match -> match.group(1)).collect(Collectors.toList());
        assertTrue(crates.size() > 5, crates.toString());
        for (String crate : crates) {
          String[] parts = crate.split("@");
          assertTrue(lock.contains("name = \"" + parts[0] + "\"\nversion = \"" + parts[1] + "\""), crate);
          assertTrue(licences.contains(parts[0] + " " + parts[1] + " ("), crate);
        }
        assertTrue(licences.contains("BoringSSL, as bundled with"));
      }
    }
  }
}
