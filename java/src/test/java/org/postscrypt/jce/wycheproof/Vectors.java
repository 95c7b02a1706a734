package org.postscrypt.jce.wycheproof;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Project Wycheproof's test vectors (Apache-2.0), as {@code tools/vectors} leaves them in {@code target/vectors}. */
final class Vectors {
  private Vectors() {}

  private static Path folder() {
    String root = System.getProperty("project.root");
    if (root == null) {
      throw new AssertionError("the system property project.root does not name the project's folder");
    }
    return Path.of(root, "target", "vectors");
  }

  /**
   * All cases of the files that these patterns name.
   *
   * @throws AssertionError if there are no vectors, or a pattern names none
   */
  static Stream<Case> cases(String... patterns) throws IOException {
    Path folder = folder();
    if (!Files.isDirectory(folder)) {
      throw new AssertionError("no test vectors in " + folder + ": run tools/vectors");
    }
    List<Case> cases = new ArrayList<>();
    for (String pattern : patterns) {
      // A set: in order of names.
      TreeSet<Path> files = new TreeSet<>();
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
        found.forEach(files::add);
      }
      if (files.isEmpty()) {
        throw new AssertionError("no test vectors " + pattern + " in " + folder + ": run tools/vectors");
      }
      for (Path file : files) {
        read(file, cases);
      }
    }
    return cases.stream();
  }

  /** All cases that there are. */
  static Stream<Case> all() throws IOException {
    return cases("*.json");
  }

  private static void read(Path file, List<Case> cases) throws IOException {
    JsonObject set;
    try (Reader reader = Files.newBufferedReader(file)) {
      set = JsonParser.parseReader(reader).getAsJsonObject();
    }
    int before = cases.size();
    for (JsonElement group : set.getAsJsonArray("testGroups")) {
      for (JsonElement test : group.getAsJsonObject().getAsJsonArray("tests")) {
        cases.add(new Case(file.getFileName().toString(), group.getAsJsonObject(), test.getAsJsonObject()));
      }
    }
    if (cases.size() - before != set.get("numberOfTests").getAsInt()) {
      throw new AssertionError(file + " has " + (cases.size() - before) + " tests, it says otherwise");
    }
  }

  /** One test. Values are looked up in it first, then in its group. */
  record Case(String file, JsonObject group, JsonObject test) {
    private JsonElement value(String name) {
      JsonElement value = test.get(name);
      return value != null ? value : group.get(name);
    }

    boolean has(String name) {
      JsonElement value = value(name);
      return value != null && !value.isJsonNull();
    }

    String text(String name) {
      if (!has(name)) {
        throw new AssertionError(this + " has no " + name);
      }
      return value(name).getAsString();
    }

    int number(String name) {
      return Integer.parseInt(text(name));
    }

    byte[] bytes(String name) {
      return HexFormat.of().parseHex(text(name));
    }

    String result() {
      return text("result");
    }

    boolean flagged(String flag) {
      if (test.has("flags")) {
        for (JsonElement each : test.getAsJsonArray("flags")) {
          if (each.getAsString().equals(flag)) {
            return true;
          }
        }
      }
      return false;
    }

    /** The file's name and the test's number, and what it is about. */
    @Override
    public String toString() {
      return file + " " + test.get("tcId").getAsString() + (has("comment") ? ": " + text("comment") : "");
    }
  }
}
