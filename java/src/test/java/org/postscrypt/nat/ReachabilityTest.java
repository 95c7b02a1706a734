package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.postscrypt.PostscryptProvider;

/**
 * GraalVM's metadata says what the library looks up by name, and what the provider makes. Written anew, on the newest JDK, by {@code
 * -Dtest=ReachabilityTest -Dtest.jvm.arguments=-Dorg.postscrypt.test.update=true}.
 */
class ReachabilityTest {
  private static final Path ROOT = Path.of(System.getProperty("project.root"));
  private static final Path FOLDER =
      ROOT.resolve("java/src/main/resources/META-INF/native-image/org.postscrypt/postscrypt");
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  private static final List<String> RESOURCES = List.of("META-INF/native/**", "META-INF/services/java.security.Provider");

  /** Classes that the bridge names: c"java/lang/IllegalStateException". Not those of the other ABI, which is not in our library. */
  private static Set<String> namedByTheLibrary() throws IOException {
    Set<String> names = new TreeSet<>();
    Path bridge = ROOT.resolve("native/bridge/src");
    Path abi = bridge.resolve("conscrypt");
    assertTrue(Files.isDirectory(abi));
    try (Stream<Path> sources = Files.walk(bridge).filter(p -> !p.startsWith(abi))) {
      for (Path source : (Iterable<Path>) sources.filter(p -> p.toString().endsWith(".rs"))::iterator) {
        Matcher matcher = Pattern.compile("c?\"((?:java|javax|org)/[\\w/]+)\"").matcher(Files.readString(source));
        while (matcher.find()) {
          names.add(matcher.group(1).replace('/', '.'));
        }
      }
    }
    assertTrue(names.contains("java.lang.System") && names.contains(NativeCrypto.class.getName()), names.toString());
    return names;
  }

  private static Set<String> madeByTheProvider() throws Exception {
    Set<String> names = new TreeSet<>();
    for (Provider.Service service : new PostscryptProvider().getServices()) {
      names.add(service.newInstance(null).getClass().getName());
    }
    return names;
  }

  private static JsonArray constructor(String... parameters) {
    JsonObject method = new JsonObject();
    method.addProperty("name", "<init>");
    JsonArray types = new JsonArray();
    Arrays.stream(parameters).forEach(types::add);
    method.add("parameterTypes", types);
    JsonArray methods = new JsonArray();
    methods.add(method);
    return methods;
  }

  /** @param key what the entry's class is called by: "type", or "name" in the older form */
  private static JsonObject jni(String key, String name) {
    JsonObject entry = new JsonObject();
    entry.addProperty(key, name);
    if (name.equals(NativeCrypto.class.getName())) {
      entry.addProperty("allDeclaredMethods", true);
    } else if (name.equals("java.lang.System")) {
      JsonArray methods = constructor("java.lang.String");
      methods.get(0).getAsJsonObject().addProperty("name", "getProperty");
      entry.add("methods", methods);
    } else {
      entry.add("methods", constructor("java.lang.String"));
    }
    return entry;
  }

  private static JsonArray reflection(String key) throws Exception {
    JsonArray entries = new JsonArray();
    JsonObject provider = new JsonObject();
    provider.addProperty(key, PostscryptProvider.class.getName());
    provider.add("methods", constructor());
    entries.add(provider);
    for (String name : madeByTheProvider()) {
      JsonObject entry = new JsonObject();
      entry.addProperty(key, name);
      entries.add(entry);
    }
    return entries;
  }

  /** GraalVM for JDK 23 and newer. */
  private static JsonObject reachability() throws Exception {
    JsonArray entries = reflection("type");
    for (String name : namedByTheLibrary()) {
      JsonObject entry = jni("type", name);
      entry.addProperty("jniAccessible", true);
      entries.add(entry);
    }
    JsonArray resources = new JsonArray();
    for (String glob : RESOURCES) {
      JsonObject entry = new JsonObject();
      entry.addProperty("glob", glob);
      resources.add(entry);
    }
    JsonObject all = new JsonObject();
    all.add("reflection", entries);
    all.add("resources", resources);
    return all;
  }

  private static JsonArray olderJni() throws Exception {
    JsonArray entries = new JsonArray();
    for (String name : namedByTheLibrary()) {
      entries.add(jni("name", name));
    }
    return entries;
  }

  private static JsonObject olderResources() {
    JsonArray includes = new JsonArray();
    for (String glob : RESOURCES) {
      JsonObject entry = new JsonObject();
      entry.addProperty("pattern", glob.replace(".", "\\.").replace("**", ".*"));
      includes.add(entry);
    }
    JsonObject resources = new JsonObject();
    resources.add("includes", includes);
    JsonObject all = new JsonObject();
    all.add("resources", resources);
    return all;
  }

  /** Without entries for classes that this JDK has not: an overlay's. */
  private static JsonElement forThisJdk(JsonElement element) {
    if (element.isJsonArray()) {
      JsonArray result = new JsonArray();
      for (JsonElement entry : element.getAsJsonArray()) {
        if (entry.isJsonObject()) {
          JsonElement name = entry.getAsJsonObject().has("type")
              ? entry.getAsJsonObject().get("type") : entry.getAsJsonObject().get("name");
          if (name != null && name.getAsString().startsWith("org.postscrypt.") && !exists(name.getAsString())) {
            continue;
          }
        }
        result.add(entry);
      }
      return result;
    }
    JsonObject result = new JsonObject();
    element.getAsJsonObject().entrySet().forEach(e -> result.add(e.getKey(),
        e.getValue().isJsonArray() ? forThisJdk(e.getValue()) : e.getValue()));
    return result;
  }

  private static boolean exists(String name) {
    try {
      Class.forName(name, false, ReachabilityTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static void check(String name, JsonElement expected) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("org.postscrypt.test.update")) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, GSON.toJson(expected) + "\n");
    }
    JsonElement actual = GSON.fromJson(Files.readString(file), JsonElement.class);
    assertEquals(GSON.toJson(expected), GSON.toJson(forThisJdk(actual)), name);
  }

  @Test
  void newerForm() throws Exception {
    check("reachability-metadata.json", reachability());
  }

  @Test
  void olderForm() throws Exception {
    check("reflect-config.json", reflection("name"));
    check("jni-config.json", olderJni());
    check("resource-config.json", olderResources());
  }

  @Test
  void everyNameIsAClass() throws Exception {
    for (String name : namedByTheLibrary()) {
      assertTrue(exists(name), name);
    }
  }
}
