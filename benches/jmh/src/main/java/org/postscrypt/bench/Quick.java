package org.postscrypt.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Runs the JMH benchmarks of this package without JMH, quickly and for busy machines: CPU time of the thread (but see {@link Wall}), all providers of a
 * case in turn in one JVM, the least of the rounds. Absolute figures are a little pessimistic (call sites have seen every
 * provider, which costs all of them the same); ratios hold. The result is in JMH's JSON form.
 */
public final class Quick {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(220);
  private static final long BATCH = TimeUnit.MILLISECONDS.toNanos(12);
  private static final int ROUNDS = 10;
  /** No provider gets more than this for the rounds of a case, however slow it is, unless for two rounds. */
  private static final long LIMIT = TimeUnit.MILLISECONDS.toNanos(600);

  /** What is left out here, and not in JMH: ten minutes are to be enough. */
  private static final Map<Class<?>, Map<String, List<String>>> SUBSETS = Map.of(
      AesBench.class, Map.of("key", List.of("128", "256"), "blocks", List.of("4096", "262144")),
      CipherStreamBench.class, Map.of("buffer", List.of("512", "8192", "65536")));

  private static boolean isLeftOut(Class<?> type, Method method, Map<String, String> params) {
    if (type == EngineBench.class && params.get("buffers").equals("pooled")) {
      return params.get("version").equals("TLSv1.2") || method.getName().equals("wrap");
    }
    if (type == SocketBench.class && !params.get("channel").equals("none")) {
      return params.get("sender").equals("server") || params.get("channel").equals("no-channel") && method.isAnnotationPresent(Wall.class);
    }
    if (type == CipherStreamBench.class) {
      return params.get("size").equals("16384") && !params.get("buffer").equals("8192");
    }
    return type == AesBench.class && params.get("key").equals("128") && !params.get("blocks").equals("4096");
  }

  private static final List<Class<?>> ALL = List.of(
      EngineBench.class, HandshakeBench.class, HandshakeStartBench.class, SocketBench.class, AesGcmBench.class, AesBench.class,
      DigestBench.class, CipherStreamBench.class, OperationBench.class, ChannelSetUpBench.class, ChannelBench.class);

  /** A class's first case gets so much more warming up: compilers start with it. */
  private static final int FIRST = 4;

  private static final Set<Class<?>> MET = new HashSet<>();

  private static volatile Object sink;

  private Quick() {}

  /**
   * Where to put the result; {@code -p name=value,value} as JMH has it; then patterns ({@code EngineBench size=64}): only what contains
   * all of them is run.
   */
  public static void main(String[] arguments) throws Throwable {
    Map<String, List<String>> given = new LinkedHashMap<>();
    List<String> patterns = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].equals("-p")) {
        String[] parts = arguments[++i].split("=", 2);
        given.put(parts[0], List.of(parts[1].split(",")));
      } else {
        patterns.add(arguments[i]);
      }
    }
    List<String> results = new ArrayList<>();
    long began = System.nanoTime();
    for (Class<?> type : ALL) {
      Map<String, List<String>> params = new TreeMap<>();
      for (Field field : type.getDeclaredFields()) {
        Param param = field.getAnnotation(Param.class);
        if (param != null) {
          List<String> values = SUBSETS.getOrDefault(type, Map.of()).getOrDefault(field.getName(), List.of(param.value()));
          params.put(field.getName(), given.getOrDefault(field.getName(), values));
        }
      }
      List<String> providers = params.remove("provider");
      for (Map<String, String> combination : combinations(params)) {
        for (Method method : type.getDeclaredMethods()) {
          if (!method.isAnnotationPresent(Benchmark.class) || patterns.isEmpty() && isLeftOut(type, method, combination)) {
            continue;
          }
          String name = type.getSimpleName() + "." + method.getName() + " " + combination;
          if (patterns.stream().allMatch(name::contains)) {
            run(type, method, name, combination, providers, results);
          }
        }
      }
    }
    System.out.println("took " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + " s");
    if (results.isEmpty()) {
      throw new IllegalArgumentException("no benchmark matches " + patterns);
    }
    Path file = Path.of(arguments[0]);
    if ((!patterns.isEmpty() || !given.isEmpty()) && Files.exists(file)) {
      // What was not measured again stays.
      Map<String, String> all = new LinkedHashMap<>();
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("{")) {
          all.put(identity(line), line.endsWith(",") ? line.substring(0, line.length() - 1) : line);
        }
      }
      results.forEach(line -> all.put(identity(line), line));
      results = new ArrayList<>(all.values());
    }
    write(file, results);
  }

  /** Benchmark, JDK and parameters. */
  private static String identity(String line) {
    return line.substring(0, line.indexOf("\"primaryMetric\""));
  }

  private static List<Map<String, String>> combinations(Map<String, List<String>> params) {
    List<Map<String, String>> all = new ArrayList<>();
    all.add(new LinkedHashMap<>());
    params.forEach((name, values) -> {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> one : all) {
        for (String value : values) {
          Map<String, String> with = new LinkedHashMap<>(one);
          with.put(name, value);
          longer.add(with);
        }
      }
      all.clear();
      all.addAll(longer);
    });
    return all;
  }

  private static final class Runner {
    String provider;
    boolean disposes;
    boolean wall;
    Object bench;
    MethodHandle work;
    long batch = 1;
    double best = Double.MAX_VALUE;
    double allocated = Double.MAX_VALUE;
    long spent;

    long now() {
      return wall ? System.nanoTime() : THREADS.getCurrentThreadCpuTime();
    }

    void round() throws Throwable {
      if (disposes) {
        // Some engines hold file descriptors until they are finalised.
        System.gc();
      }
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long start = now();
      for (long i = 0; i < batch; i++) {
        sink = (Object) work.invokeExact();
      }
      long time = now() - start;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      spent += time;
      best = Math.min(best, (double) time / batch);
      allocated = Math.min(allocated, (double) bytes / batch);
    }
  }

  private static void run(
      Class<?> type, Method method, String name, Map<String, String> params, List<String> providers, List<String> results)
      throws Throwable {
    List<Runner> runners = new ArrayList<>();
    for (String provider : providers) {
      Runner runner = prepare(type, method, params, provider);
      if (runner != null) {
        runners.add(runner);
      }
    }
    // A check of a chain is much Java, and little of it is run in a quarter of a second.
    boolean first = MET.add(type) || "pkix".equals(params.get("kind"));
    long warmUp = first ? FIRST * WARM_UP : WARM_UP;
    for (long warm = 0; warm < 4; warm++) {
      for (Runner runner : runners) {
        while (runner.spent < warmUp * (warm + 1) / 4) {
          runner.round();
          if (runner.best * runner.batch < BATCH / 2.0) {
            runner.batch *= 2;
          }
        }
      }
    }
    for (Runner runner : runners) {
      runner.batch = Math.max(1, (long) (BATCH / runner.best));
      runner.best = Double.MAX_VALUE;
      runner.spent = 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Runner runner : runners) {
        if (round < 2 || runner.spent < LIMIT) {
          runner.round();
        }
      }
    }
    for (Runner runner : runners) {
      for (Method end : type.getDeclaredMethods()) {
        if (end.isAnnotationPresent(TearDown.class)) {
          end.invoke(runner.bench);
        }
      }
    }
    TimeUnit unit = type.getAnnotation(OutputTimeUnit.class).value();
    double scale = unit.toNanos(1);
    String scoreUnit = unit == TimeUnit.NANOSECONDS ? "ns/op" : "us/op";
    StringBuilder line = new StringBuilder(name);
    for (Runner runner : runners) {
      line.append(String.format("  %s %.1f", runner.provider, runner.best / scale));
      StringBuilder json = new StringBuilder("{\"benchmark\":\"").append(type.getName()).append('.').append(method.getName())
          .append("\",\"jdkVersion\":\"").append(System.getProperty("java.version")).append("\",\"params\":{\"provider\":\"")
          .append(runner.provider).append('"');
      params.forEach((key, value) -> json.append(",\"").append(key).append("\":\"").append(value).append('"'));
      json.append("},\"primaryMetric\":{\"score\":").append(runner.best / scale).append(",\"scoreUnit\":\"").append(scoreUnit)
          .append("\"},\"secondaryMetrics\":{\"gc.alloc.rate.norm\":{\"score\":").append(runner.allocated)
          .append(",\"scoreUnit\":\"B/op\"}}}");
      results.add(json.toString());
    }
    System.out.println(line.append(' ').append(scoreUnit));
  }

  /** Null if the provider cannot do it. */
  private static Runner prepare(Class<?> type, Method method, Map<String, String> params, String provider) throws Throwable {
    Object bench = type.getDeclaredConstructor().newInstance();
    Map<String, String> all = new LinkedHashMap<>(params);
    all.put("provider", provider);
    for (Map.Entry<String, String> param : all.entrySet()) {
      Field field = type.getDeclaredField(param.getKey());
      if (field.getType() == int.class) {
        field.setInt(bench, Integer.parseInt(param.getValue()));
      } else {
        field.set(bench, param.getValue());
      }
    }
    for (Method setup : type.getDeclaredMethods()) {
      if (setup.isAnnotationPresent(Setup.class)) {
        try {
          setup.invoke(bench);
        } catch (java.lang.reflect.InvocationTargetException e) {
          if (e.getCause() instanceof UnsupportedOperationException) {
            return null;
          }
          throw new IllegalStateException(type.getSimpleName() + " " + all, e.getCause());
        }
      }
    }
    Runner runner = new Runner();
    runner.provider = provider;
    runner.bench = bench;
    runner.wall = method.isAnnotationPresent(Wall.class);
    runner.disposes = type.getSimpleName().startsWith("Handshake");
    runner.work = MethodHandles.lookup().unreflect(method).bindTo(bench).asType(MethodType.methodType(Object.class));
    return runner;
  }

  static void write(Path file, List<String> results) throws IOException {
    Files.write(file, ("[\n" + String.join(",\n", results) + "\n]\n").getBytes(StandardCharsets.UTF_8));
  }
}
