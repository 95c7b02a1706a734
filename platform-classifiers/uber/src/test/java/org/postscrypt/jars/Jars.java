package org.postscrypt.jars;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** The jars that were built, and altered copies of them. */
final class Jars {
  static final Path UBER = Path.of(System.getProperty("jar.uber"));
  static final Path PLAIN = Path.of(System.getProperty("jar.plain"));
  static final Path CLASSIFIER = Path.of(System.getProperty("jar.classifier"));
  static final String VERSION = System.getProperty("postscrypt.version");
  static final String PLATFORM = System.getProperty("platform");
  /** The folder with this platform's library, as it is in the jars. */
  static final Path NATIVE = Path.of(System.getProperty("native.jars.directory"), PLATFORM);

  private Jars() {}

  /** The folder with these classes, for a JVM of its own. */
  static Path testClasses() {
    try {
      return Path.of(Jars.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Changes one entry; null leaves it out. */
  interface Edit {
    byte[] apply(String name, byte[] content);
  }

  static Path edited(Path jar, Path result, Edit edit) throws IOException {
    return edited(jar, result, edit, name -> name);
  }

  /**
   * A copy whose classes are moved from {@code org.postscrypt} to {@code orx.postscrypt}, in names and in string
   * constants, as shading tools do; a name of the same length keeps the class files' lengths right.
   */
  static Path relocated(Path jar, Path result) throws IOException {
    return edited(jar, result,
        (name, content) -> name.contains("/native/") || name.startsWith("META-INF/versions/11/module-info") ? content
            : replace(replace(content, "org/postscrypt", "orx/postscrypt"), "org.postscrypt", "orx.postscrypt"),
        name -> name.replace("org/postscrypt", "orx/postscrypt"));
  }

  /** Every occurrence of {@code from} replaced by {@code to}, which has the same length. */
  static byte[] replace(byte[] content, String from, String to) {
    if (from.length() != to.length()) {
      throw new IllegalArgumentException(from + ", " + to);
    }
    String text = new String(content, StandardCharsets.ISO_8859_1);
    return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** An entry's new name. */
  interface Rename {
    String apply(String name);
  }

  static Path edited(Path jar, Path result, Edit edit, Rename rename) throws IOException {
    try (ZipFile in = new ZipFile(jar.toFile());
        OutputStream file = Files.newOutputStream(result);
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (ZipEntry entry : Collections.list(in.entries())) {
        byte[] content = edit.apply(entry.getName(), in.getInputStream(entry).readAllBytes());
        if (content != null) {
          out.putNextEntry(new ZipEntry(rename.apply(entry.getName())));
          out.write(content);
          out.closeEntry();
        }
      }
    }
    return result;
  }
}
