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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Runs the JMH benchmarks of this package without JMH, quickly and for busy machines: CPU time of the thread, all providers of a
 * case in turn in one JVM, the least of the rounds. Absolute figures are a little pessimistic (call sites have seen every
 * provider, which costs all of them the same); ratios hold. The result is in JMH's JSON form.
 */
public final class Quick {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long BATCH = TimeUnit.MILLISECONDS.toNanos(12);
  private static final int ROUNDS = 12;
  /** No provider gets more than this for a case, however slow it is. */
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(2);

  /** What is left out here, and not in JMH. */
  private static final Map<Class<?>, Map<String, List<String>>> SUBSETS = Map.of(
      EngineBench.class, Map.of("size", List.of("64", "512", "1024", "4096", "16384")),
      DigestBench.class, Map.of("size", List.of("64", "16384")));

  private static final List<Class<?>> ALL = List.of(
      EngineBench.class, HandshakeBench.class, HandshakeStartBench.class, AesGcmBench.class, DigestBench.class,
      CipherStreamBench.class, OperationBench.class, ChannelSetUpBench.class, ChannelBench.class);

  private static volatile Object sink;

  private Quick() {}

  /** Where to put the result, then patterns ({@code EngineBench size=64}): only what contains all of them is run. */
  public static void main(String[] arguments) throws Throwable {
    List<String> patterns = Arrays.asList(arguments).subList(1, arguments.length);
    List<String> results = new ArrayList<>();
    for (Class<?> type : ALL) {
      Map<String, List<String>> params = new TreeMap<>();
      for (Field field : type.getDeclaredFields()) {
        Param param = field.getAnnotation(Param.class);
        if (param != null) {
          params.put(field.getName(), SUBSETS.getOrDefault(type, Map.of()).getOrDefault(field.getName(), List.of(param.value())));
        }
      }
      List<String> providers = params.remove("provider");
      for (Map<String, String> combination : combinations(params)) {
        for (Method method : type.getDeclaredMethods()) {
          String name = type.getSimpleName() + "." + method.getName() + " " + combination;
          if (method.isAnnotationPresent(Benchmark.class) && patterns.stream().allMatch(name::contains)) {
            run(type, method, name, combination, providers, results);
          }
        }
      }
    }
    if (results.isEmpty()) {
      throw new IllegalArgumentException("no benchmark matches " + patterns);
    }
    Path file = Path.of(arguments[0]);
    if (!patterns.isEmpty() && Files.exists(file)) {
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
    MethodHandle work;
    long batch = 1;
    double best = Double.MAX_VALUE;
    double allocated = Double.MAX_VALUE;
    long spent;

    void round() throws Throwable {
      if (disposes) {
        // Some engines hold file descriptors until they are finalised.
        System.gc();
      }
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long start = THREADS.getCurrentThreadCpuTime();
      for (long i = 0; i < batch; i++) {
        sink = (Object) work.invokeExact();
      }
      long time = THREADS.getCurrentThreadCpuTime() - start;
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
    for (long warm = 0; warm < 4; warm++) {
      for (Runner runner : runners) {
        while (runner.spent < WARM_UP * (warm + 1) / 4) {
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
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Runner runner : runners) {
        if (round < 2 || runner.spent < LIMIT) {
          runner.round();
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
    runner.disposes = type.getSimpleName().startsWith("Handshake");
    runner.work = MethodHandles.lookup().unreflect(method).bindTo(bench).asType(MethodType.methodType(Object.class));
    return runner;
  }

  static void write(Path file, List<String> results) throws IOException {
    Files.write(file, ("[\n" + String.join(",\n", results) + "\n]\n").getBytes(StandardCharsets.UTF_8));
  }
}
