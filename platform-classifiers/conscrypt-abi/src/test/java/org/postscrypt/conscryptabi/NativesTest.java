package org.postscrypt.conscryptabi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The library's table is that of the released Java classes, name by name. */
class NativesTest {
  /** Name and descriptor of every native of Conscrypt 2.6.3. */
  static Map<String, String> facts() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (String line : lines("conscrypt-2.6.3-natives.tsv")) {
      String[] columns = line.split("\t");
      if (!columns[0].equals("name")) {
        rows.put(columns[0], columns[1]);
      }
    }
    return rows;
  }

  static List<String> lines(String resource) throws IOException {
    try (InputStream in = NativesTest.class.getClassLoader().getResourceAsStream(resource)) {
      List<String> lines = new ArrayList<>(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      lines.removeIf(line -> line.isBlank() || line.startsWith("#"));
      return lines;
    }
  }

  /** Name, descriptor and number of calls, as the library says. */
  static Map<String, String[]> table() throws ReflectiveOperationException {
    Class.forName("org.conscrypt.NativeCrypto", true, Side.OURS);
    String counts = (String) Side.OURS.loadClass("org.conscrypt.NativeCalls").getMethod("counts").invoke(null);
    Map<String, String[]> rows = new LinkedHashMap<>();
    for (String line : counts.split("\n")) {
      String[] columns = line.split("\t");
      rows.put(columns[0], columns);
    }
    return rows;
  }

  @Test
  void factsAreThoseOfTheClasses() throws Exception {
    Map<String, String> declared = new TreeMap<>();
    for (Method method : Side.GENUINE.loadClass("org.conscrypt.NativeCrypto").getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers())) {
        declared.put(method.getName(),
            MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString());
      }
    }
    assertEquals(declared, facts());
    assertEquals(339, declared.size());
  }

  @Test
  void tableIsThatOfTheFacts() throws Exception {
    Map<String, String> served = new TreeMap<>();
    table().forEach((name, columns) -> served.put(name, columns[1]));
    assertEquals(facts(), served);
  }
}
