package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The public classes and members are those of the API that is stood in for, name by name. */
@Tag("facade")
class SignatureTest {
  private static final int HEADER_MODIFIERS = Modifier.PUBLIC | Modifier.FINAL | Modifier.ABSTRACT;

  static List<String> lines(String resource) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(SignatureTest.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      return reader.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).collect(Collectors.toList());
    }
  }

  @Test
  void publicMembersAreTheDocumentedOnes() throws Exception {
    TreeSet<String> wanted = new TreeSet<>();
    TreeSet<String> found = new TreeSet<>();
    String name = null;
    int classes = 0;
    for (String line : lines("/public-api.txt")) {
      if (line.endsWith("{")) {
        String header = line.substring(0, line.length() - 1).trim();
        name = header.replaceFirst(".*?(class|interface) ", "").split(" ")[0];
        classes++;
        wanted.add(name + ": " + header);
        found.addAll(members(Class.forName(name)));
      } else if (!line.equals("}")) {
        wanted.add(name + ": " + line.trim());
      }
    }
    assertEquals(42, classes, "documented classes");
    List<String> differences = new ArrayList<>();
    Stream.concat(
            wanted.stream().filter(m -> !found.contains(m)).map(m -> "- " + m),
            found.stream().filter(m -> !wanted.contains(m)).map(m -> "+ " + m))
        .forEach(differences::add);
    assertEquals(
        String.join("\n", lines("/public-api-exceptions.txt")), String.join("\n", differences), "differences");
    assertTrue(found.size() > 300, "the comparison is of something: " + found.size());
  }

  /** Of the provider, its public package is all that is used. */
  @Test
  void onlyThePublicApiIsUsed() throws Exception {
    Path classes = Paths.get(Conscrypt.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertTrue(Files.isDirectory(classes), "tests run over the classes: " + classes);
    List<String> uses = new ArrayList<>();
    int seen = 0;
    try (Stream<Path> files = Files.walk(classes.resolve("org/conscrypt"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).collect(Collectors.toList())) {
        // A class file names the classes that it uses in plain text.
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        Matcher matcher = Pattern.compile("org[/.]postscrypt[/.]([a-z0-9]+)[/.]").matcher(text);
        while (matcher.find()) {
          uses.add(file.getFileName() + ": " + matcher.group());
        }
        seen += text.contains("org/postscrypt/") ? 1 : 0;
      }
    }
    assertEquals(List.of(), uses);
    assertTrue(seen > 5, "the search finds what is there: " + seen);
  }

  private static List<String> members(Class<?> type) {
    List<String> members = new ArrayList<>();
    StringBuilder header = new StringBuilder();
    if (type.isInterface()) {
      header.append("public interface ").append(type.getName());
    } else {
      header.append(Modifier.toString(type.getModifiers() & HEADER_MODIFIERS)).append(" class ").append(type.getName());
      if (type.getSuperclass() != Object.class) {
        header.append(" extends ").append(type.getGenericSuperclass().getTypeName());
      }
    }
    if (type.getInterfaces().length > 0) {
      header.append(type.isInterface() ? " extends " : " implements ");
      header.append(
          Stream.of(type.getGenericInterfaces()).map(Type::getTypeName).collect(Collectors.joining(",")));
    }
    members.add(type.getName() + ": " + header);
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) {
        members.add(line(type, field.toGenericString()));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(members, type, constructor, constructor.toGenericString());
    }
    for (Method method : type.getDeclaredMethods()) {
      add(members, type, method, method.toGenericString());
    }
    return members;
  }

  private static void add(List<String> members, Class<?> type, Executable member, String text) {
    if (Modifier.isPublic(member.getModifiers()) && !member.isSynthetic()) {
      members.add(line(type, text));
    }
  }

  /** As javap writes it: without the class before the name, and with spaces. */
  private static String line(Class<?> type, String text) {
    return type.getName() + ": " + text.replace(" " + type.getName() + ".", " ").replace(",", ", ") + ";";
  }
}
