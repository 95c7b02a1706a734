package org.postscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code docs/CAPABILITIES.md} is the provider's own table, and what peers offer is offered here or left out for a stated reason. To
 * write the page anew: {@code mvn -pl java test -Dtest=CapabilitiesTest -Dtest.jvm.arguments=-Dorg.postscrypt.test.update=true}.
 */
class CapabilitiesTest {
  private static final Path PAGE = Path.of(System.getProperty("project.root"), "docs", "CAPABILITIES.md");

  private static final String HEAD = """
      # Capabilities

      Every service of the provider `Postscrypt`, by type, with its aliases. This page is made from the provider's table by
      `CapabilitiesTest`, which fails when they differ. Services of newer JDKs are marked with the version they need.

      """;

  /** Types whose services come only with multi-release classes, and the JDK that first has them. */
  private static final Map<String, Integer> NEEDS = Map.of("KEM", 21, "KDF", 25);

  private static String render() {
    Map<String, Map<String, List<String>>> table = new TreeMap<>();
    Map<String, String> spelled = new LinkedHashMap<>();
    PostscryptProvider provider = new PostscryptProvider();
    for (Provider.Service service : provider.getServices()) {
      List<String> aliases = new ArrayList<>();
      table.computeIfAbsent(service.getType(), t -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER))
          .put(service.getAlgorithm(), aliases);
    }
    for (Map.Entry<Object, Object> entry : provider.entrySet()) {
      String key = (String) entry.getKey();
      if (key.startsWith("Alg.Alias.")) {
        String[] typeAndAlias = key.substring("Alg.Alias.".length()).split("\\.", 2);
        if (!typeAndAlias[1].startsWith("OID.")) {
          table.get(typeAndAlias[0]).get((String) entry.getValue()).add(typeAndAlias[1]);
        }
      }
    }
    StringBuilder page = new StringBuilder(HEAD);
    table.forEach((type, algorithms) -> {
      page.append("## ").append(type);
      if (NEEDS.containsKey(type)) {
        page.append(" (JDK ").append(NEEDS.get(type)).append(" and newer)");
      }
      page.append("\n\n| algorithm | aliases |\n|---|---|\n");
      algorithms.forEach((algorithm, aliases) -> page.append("| ").append(algorithm).append(" | ")
          .append(String.join(", ", new TreeSet<>(aliases))).append(" |\n"));
      page.append('\n');
    });
    return page.toString().stripTrailing() + "\n";
  }

  /** Without the sections of types that this JDK cannot have. */
  private static String forThisJdk(String page) {
    String text = page;
    for (Map.Entry<String, Integer> need : NEEDS.entrySet()) {
      if (Runtime.version().feature() < need.getValue()) {
        text = text.replaceAll("(?s)## " + need.getKey() + " \\(JDK.*?(?=\n## |$)\n?", "");
      }
    }
    return text;
  }

  @Test
  void thePageIsTheTable() throws Exception {
    String rendered = render();
    if (Boolean.getBoolean("org.postscrypt.test.update")) {
      Files.writeString(PAGE, rendered);
    }
    assertEquals(forThisJdk(Files.readString(PAGE)).strip(), rendered.strip());
  }

  @Test
  void everyServiceCanBeMade() throws Exception {
    for (Provider.Service service : new PostscryptProvider().getServices()) {
      assertTrue(service.newInstance(null) != null, service.toString());
    }
  }

  private static List<String> lines(String resource) throws Exception {
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        CapabilitiesTest.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      for (String line; (line = reader.readLine()) != null; ) {
        if (!line.startsWith("#") && !line.isBlank()) {
          lines.add(line);
        }
      }
    }
    return lines;
  }

  /** {@code peers/left-out.tsv}: type, algorithm, reason. */
  private static Map<String, String> leftOut() throws Exception {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : lines("/peers/left-out.tsv")) {
      String[] row = line.split("\t");
      assertTrue(row.length == 3 && !row[2].isBlank(), line);
      assertNull(reasons.put(key(row[0], row[1]), row[2]), line);
    }
    return reasons;
  }

  private static String key(String type, String algorithm) {
    return (type + "." + algorithm).toUpperCase(Locale.ROOT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt-2.6.3", "accp-2.5.0"})
  void whatPeersOfferIsHereOrLeftOutForAReason(String peer) throws Exception {
    PostscryptProvider provider = new PostscryptProvider();
    Map<String, String> reasons = leftOut();
    List<String> missing = new ArrayList<>();
    for (String line : lines("/peers/" + peer + "-services.tsv")) {
      String[] row = line.split("\t", -1);
      List<String> names = new ArrayList<>(List.of(row[1]));
      for (String alias : row.length > 2 && !row[2].isEmpty() ? row[2].split(",") : new String[0]) {
        names.add(alias);
      }
      for (String name : names) {
        boolean here = provider.getService(row[0], name) != null;
        String reason = reasons.get(key(row[0], name));
        if (!here && reason == null) {
          missing.add(row[0] + "\t" + name);
        }
      }
    }
    assertEquals(List.of(), missing, "services of " + peer + " without a row or a reason");
  }

  @Test
  void nothingIsBothHereAndLeftOut() throws Exception {
    PostscryptProvider provider = new PostscryptProvider();
    for (String line : lines("/peers/left-out.tsv")) {
      String[] row = line.split("\t");
      assertNull(provider.getService(row[0], row[1]), line);
    }
  }
}
