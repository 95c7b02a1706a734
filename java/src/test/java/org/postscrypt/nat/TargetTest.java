package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TargetTest {
  private static final Path TABLE =
      Path.of(System.getProperty("project.root"), "platform-classifiers", "platforms.toml");

  @Test
  void everySpellingOfTheTableGivesItsClassifier() throws IOException {
    String[] rows = Files.readString(TABLE).split("\\[\\[platform]]");
    assertTrue(rows.length > 5, "rows in the table");
    for (int i = 1; i < rows.length; i++) {
      String classifier = value(rows[i], "classifier");
      String libc = value(rows[i], "libc");
      for (String os : list(rows[i], "os")) {
        for (String arch : list(rows[i], "arch")) {
          assertEquals(classifier, Target.classifier(os, arch, libc), os + ' ' + arch);
        }
      }
    }
  }

  @Test
  void otherPlatformsHaveNone() {
    assertNull(Target.classifier("SunOS", "sparcv9", ""));
    assertNull(Target.classifier("Linux", "ppc64le", "glibc"));
    assertNull(Target.classifier("Windows 11", "aarch64", ""));
    assertNull(Target.classifier("", "", ""));
  }

  @Test
  void windowsWithItsVersion() {
    assertEquals("windows-x86_64", Target.classifier("Windows Server 2022", "amd64", ""));
  }

  @Test
  void muslHasItsOwnClassifier() {
    assertEquals("linux-x86_64-musl", Target.classifier("Linux", "amd64", "musl"));
  }

  @Test
  void libcIsReadFromTheMaps() throws IOException {
    assertEquals("musl", libc("7f-80 r-xp 0 0:1 2 /opt/java/lib/server/libjvm.so\n"
        + "7f-80 r--p 0 0:1 1 /lib/ld-musl-x86_64.so.1\n"));
    assertEquals("musl", libc("7f-80 r--p 0 0:1 1 /usr/lib/x86_64-linux-musl/libc.so\n"));
    assertEquals("glibc", libc("7f-80 r--p 0 0:1 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n"));
    assertEquals("glibc", libc("7f-80 r--p 0 0:1 1 /lib64/libc-2.17.so\n"));
    assertEquals("", libc("7f-80 rw-p 0 0:0 0 [heap]\n"));
  }

  @Test
  void thisMachineIsInTheTable() throws IOException {
    Target current = Target.current();
    assertTrue(Files.readString(TABLE).contains('"' + current.classifier.replace("-musl", "") + '"'));
    assertFalse(Target.isAndroid());
  }

  private static String libc(String maps) throws IOException {
    return Target.libc(new BufferedReader(new StringReader(maps)));
  }

  private static String value(String row, String key) {
    Matcher matcher = Pattern.compile("(?m)^" + key + " = \"([^\"]*)\"").matcher(row);
    assertTrue(matcher.find(), key);
    return matcher.group(1);
  }

  private static List<String> list(String row, String key) {
    Matcher line = Pattern.compile("(?m)^" + key + " = \\[(.*)]").matcher(row);
    assertTrue(line.find(), key);
    List<String> result = new ArrayList<>();
    for (Matcher item = Pattern.compile("\"([^\"]*)\"").matcher(line.group(1)); item.find(); ) {
      result.add(item.group(1));
    }
    assertFalse(result.isEmpty(), key);
    return result;
  }
}
