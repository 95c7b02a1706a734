package org.postscrypt.jce.wycheproof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** What we answer where the vectors leave it open, or where we differ: {@code vectors/wycheproof-decisions.tsv}. */
final class Decisions {
  private static final List<Decision> ALL = read();

  private Decisions() {}

  static List<Decision> all() {
    return ALL;
  }

  /**
   * Whether we take a case. A case that no line decides is taken if the vectors call it valid, refused if invalid.
   *
   * @throws AssertionError if it is acceptable and no line says what we do
   */
  static boolean expected(Case test) {
    for (Decision decision : ALL) {
      if (decision.covers(test)) {
        return decision.accept;
      }
    }
    return switch (test.result()) {
      case "valid" -> true;
      case "invalid" -> false;
      default -> throw new AssertionError(test + " is " + test.result() + " and undecided");
    };
  }

  private static List<Decision> read() {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        Decisions.class.getResourceAsStream("/vectors/wycheproof-decisions.tsv"), StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.startsWith("#")).map(Decision::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line of the list. */
  record Decision(String file, String result, String selector, boolean accept, String reason) {
    static Decision parse(String line) {
      String[] cells = line.split("\t", -1);
      if (cells.length != 5 || !cells[3].matches("accept|refuse") || cells[4].isBlank()) {
        throw new AssertionError("not a decision: " + line);
      }
      return new Decision(cells[0], cells[1], cells[2], cells[3].equals("accept"), cells[4]);
    }

    boolean covers(Case test) {
      if (!test.result().equals(result) || !test.file().matches(file.replace("*", ".*"))) {
        return false;
      }
      if (selector.equals("*")) {
        return true;
      }
      for (String condition : selector.split(",")) {
        boolean not = condition.contains("!=");
        String[] sides = condition.split("!?=", 2);
        boolean holds = sides[0].equals("flag")
            ? test.flagged(sides[1])
            : sides[1].equals("absent") ? !test.has(sides[0])
                : test.has(sides[0]) && test.text(sides[0]).equals(sides[1]);
        if (holds == not) {
          return false;
        }
      }
      return true;
    }
  }
}
