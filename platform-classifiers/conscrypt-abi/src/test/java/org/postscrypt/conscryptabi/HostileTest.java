package org.postscrypt.conscryptabi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every native with arguments that are null, empty or out of range gives what it gives in the genuine library; where that one ends the process or
 * writes where it must not, ours throws. What differs on purpose is in {@code hostile-differences.tsv}.
 */
class HostileTest {
  /** A case, and what it gave on both sides; the genuine one may not have been asked, or have ended the process. */
  private static final class Outcome {
    private final String name;
    private String ours;
    private String genuine;

    Outcome(String name) {
      this.name = name;
    }
  }

  /** A row of the differences: cases, what they give there and here. */
  private record Difference(Pattern cases, Pattern genuine, Pattern ours) {
    boolean allows(Outcome outcome) {
      return cases.matcher(outcome.name).matches() && genuine.matcher(outcome.genuine).matches()
          && ours.matcher(outcome.ours).matches();
    }
  }

  /** How often the genuine library may end the process in cases that it is asked. */
  private static final int MOST_ENDS = 30;
  /** What may be thrown for what the genuine library does not survive. */
  private static final Pattern SENSIBLE = Pattern.compile("throws (java\\.lang\\.(NullPointer|IllegalArgument|IllegalState"
      + "|ArrayIndexOutOfBounds)Exception|java\\.lang\\.OutOfMemoryError|java\\.io\\.IOException|javax\\.net\\.ssl\\.SSLException|java\\.security\\.InvalidKeyException)");

  /** Cases in which the genuine library reads or writes where it must not. */
  static Set<String> notAsked() throws IOException {
    return new HashSet<>(NativesTest.lines("hostile-unsafe.txt"));
  }

  private static List<Difference> differences() throws IOException {
    List<Difference> differences = new ArrayList<>();
    for (String line : NativesTest.lines("hostile-differences.tsv")) {
      String[] columns = line.split("\t");
      differences.add(
          new Difference(Pattern.compile(columns[0]), Pattern.compile(columns[1]), Pattern.compile(columns[2])));
    }
    return differences;
  }

  private static Process start(int first) throws IOException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+SuppressFatalErrorMessage", "-XX:-CreateCoredumpOnCrash", "-Xmx512m",
        "-Dproject.root=" + System.getProperty("project.root")));
    command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        HostileCalls.class.getName(), String.valueOf(first)));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** Appends what a process says; answers the number of the case to go on with, or -1 at the end. */
  private static int collect(Process process, int first, List<Outcome> outcomes) throws Exception {
    int next = first;
    try (BufferedReader reader = process.inputReader(java.nio.charset.StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        String[] parts = line.split("\t", 2);
        if (!parts[0].matches("\\d+|" + HostileCalls.OURS + "|" + HostileCalls.GENUINE + "|" + HostileCalls.END)) {
          // What the JVM says when it ends.
          continue;
        }
        switch (parts[0]) {
          case HostileCalls.END -> next = -1;
          case HostileCalls.OURS -> outcomes.get(outcomes.size() - 1).ours = parts[1];
          case HostileCalls.GENUINE -> outcomes.get(outcomes.size() - 1).genuine = parts[1];
          default -> {
            next = Integer.parseInt(parts[0]) + 1;
            outcomes.add(new Outcome(parts[1]));
          }
        }
      }
    } finally {
      process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
    return next;
  }

  @Test
  @Timeout(600)
  void asTheGenuineLibrary() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    int next = 0;
    for (int process = 0; next >= 0; process++) {
      assertTrue(process <= MOST_ENDS, "the process ended too often, last in " + (next - 1));
      int first = next;
      next = collect(start(first), first, outcomes);
      assertTrue(next != first, "no case was run");
    }
    List<Difference> differences = differences();
    Set<Difference> unused = new HashSet<>(differences);
    Map<String, String> wrong = new TreeMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Outcome outcome : outcomes) {
      String kind;
      if (outcome.ours == null) {
        kind = "ours ended the process";
        wrong.put(outcome.name, kind);
      } else if (outcome.genuine == null) {
        kind = "unsafe there";
        if (!SENSIBLE.matcher(outcome.ours).matches()) {
          wrong.put(outcome.name, "unsafe there, and here " + outcome.ours);
        }
      } else if (outcome.ours.equals(outcome.genuine)) {
        kind = "the same";
      } else {
        kind = "different on purpose";
        List<Difference> allowing = differences.stream().filter(difference -> difference.allows(outcome)).toList();
        unused.removeAll(allowing);
        if (allowing.isEmpty()) {
          wrong.put(outcome.name, "there " + outcome.genuine + ", here " + outcome.ours);
        }
      }
      counts.merge(kind, 1, Integer::sum);
    }
    System.out.println(outcomes.size() + " hostile cases: " + counts);
    assertEquals(Map.of(), wrong);
    assertEquals(Set.of(), unused);
    assertTrue(outcomes.size() > 4000, outcomes.size() + " cases");
  }
}
