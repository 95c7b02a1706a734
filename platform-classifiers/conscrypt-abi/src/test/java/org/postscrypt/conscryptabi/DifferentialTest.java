package org.postscrypt.conscryptabi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The same Java, on our library and on the genuine one: the same results and exceptions. And every native is called by it. */
class DifferentialTest {
  private static final String[] CASES = {
    "SymmetricCases", "KeyCases", "CertificateCases", "ProviderCases", "TlsCases", "SocketCases",
  };

  @TestFactory
  Stream<DynamicNode> cases() throws Exception {
    List<DynamicNode> nodes = new ArrayList<>();
    for (String name : CASES) {
      Class<?> ours = Class.forName("org.conscrypt." + name, true, Side.OURS);
      Class<?> genuine = Class.forName("org.conscrypt." + name, true, Side.GENUINE);
      List<DynamicTest> tests = new ArrayList<>();
      for (Method method : methods(genuine)) {
        Method counterpart = ours.getMethod(method.getName());
        tests.add(dynamicTest(method.getName(), () -> {
          String expected = Text.of(() -> method.invoke(null));
          String actual = Text.of(() -> counterpart.invoke(null));
          assertEquals(lines(expected), lines(actual));
          if (expected.startsWith("throws ")) {
            method.invoke(null);
          }
        }));
      }
      nodes.add(dynamicContainer(name, tests));
    }
    // Natives that the released classes declare and the genuine library does not have.
    nodes.add(dynamicTest("ECHConfigs", () -> assertEquals("[done, done, true, secret.example, true]",
        Text.of(Class.forName("org.conscrypt.EchConfigs", true, Side.OURS).getMethod("handshake").invoke(null)))));
    nodes.add(dynamicTest("every native was called", () -> {
      TreeSet<String> called = new TreeSet<>();
      TreeSet<String> never = new TreeSet<>();
      NativesTest.table().forEach((name, columns) -> (columns[2].equals("0") ? never : called).add(name));
      System.out.println(called.size() + " natives called, never called: " + never);
      assertEquals(new TreeSet<>(), never);
    }));
    return nodes.stream();
  }

  private static Method[] methods(Class<?> cases) {
    Method[] methods = Arrays.stream(cases.getDeclaredMethods())
        .filter(method -> java.lang.reflect.Modifier.isPublic(method.getModifiers()))
        .toArray(Method[]::new);
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    return methods;
  }

  /** One value a line, numbered, so that a failure says which. */
  private static String lines(String text) {
    String[] values = text.split(", ");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      lines.append(i).append(' ').append(values[i]).append('\n');
    }
    return lines.toString();
  }
}
