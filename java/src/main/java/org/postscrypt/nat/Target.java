package org.postscrypt.nat;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The platform that this JVM runs on, as {@code platform-classifiers/platforms.toml} names it. */
final class Target {
  private static final String MUSL = "musl";

  /** As os-maven-plugin spells it, with {@code -musl} where that is the C library; null: no platform of ours. */
  final String classifier;

  /** {@code glibc}, {@code musl}, or empty where there is only one or it cannot be told. */
  final String libc;

  private Target(String classifier, String libc) {
    this.classifier = classifier;
    this.libc = libc;
  }

  static Target current() {
    String os = System.getProperty("os.name", "");
    String libc = os.startsWith("Linux") ? libcOfThisProcess() : "";
    return new Target(classifier(os, System.getProperty("os.arch", ""), libc), libc);
  }

  /** Whether libraries come with the application, not with the jar. */
  static boolean isAndroid() {
    return System.getProperty("java.vendor", "").contains("Android")
        || System.getProperty("java.runtime.name", "").contains("Android");
  }

  static boolean isWindows() {
    return System.getProperty("os.name", "").startsWith("Windows");
  }

  /** The classifier for values of {@code os.name} and {@code os.arch}; null if they mean no platform of ours. */
  static String classifier(String osName, String osArch, String libc) {
    String os = osName.startsWith("Linux") ? "linux"
        : osName.startsWith("Mac OS X") || osName.startsWith("Darwin") ? "osx"
        : osName.startsWith("Windows") ? "windows"
        : null;
    String arch;
    switch (osArch.toLowerCase(Locale.ROOT)) {
      case "amd64":
      case "x86_64":
        arch = "x86_64";
        break;
      case "aarch64":
      case "arm64":
        arch = "aarch_64";
        break;
      default:
        arch = null;
    }
    if (os == null || arch == null || os.equals("windows") && !arch.equals("x86_64")) {
      return null;
    }
    return os + '-' + arch + (libc.equals(MUSL) ? "-musl" : "");
  }

  /** The C library that the JVM itself is linked to; loading a library that needs the other kind can crash. */
  private static String libcOfThisProcess() {
    try (BufferedReader maps = new BufferedReader(
        new InputStreamReader(new FileInputStream("/proc/self/maps"), StandardCharsets.ISO_8859_1))) {
      return libc(maps);
    } catch (IOException e) {
      // No /proc: not a reason to refuse; the dynamic linker has the last word.
      return "";
    }
  }

  /** Which C library is mapped, from lines as in {@code /proc/self/maps}. */
  static String libc(BufferedReader maps) throws IOException {
    for (String line; (line = maps.readLine()) != null; ) {
      String file = line.substring(line.lastIndexOf('/') + 1);
      // musl's loader is often a link to its libc.so; glibc's file of that name is a text, which nobody maps.
      if (file.startsWith("ld-musl-") || file.startsWith("libc.musl-") || file.equals("libc.so")) {
        return MUSL;
      }
      if (file.equals("libc.so.6") || file.startsWith("libc-2.")) {
        return "glibc";
      }
    }
    return "";
  }
}
