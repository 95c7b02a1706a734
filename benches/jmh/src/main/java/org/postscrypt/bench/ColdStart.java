package org.postscrypt.bench;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * What a program's first use of a provider takes: each time in a new JVM, providers in turn, the least of several. By the clock from
 * {@code main} on; CPU time of the whole process, the JVM's own start and compilers included. Libraries come out of the jars.
 */
public final class ColdStart {
  private static final int ROUNDS = 5;
  private static final long LIMIT_SECONDS = 60;

  private static final Map<String, String> PROVIDERS = Map.of(
      "postscrypt", "org.postscrypt.PostscryptProvider", "conscrypt", "org.conscrypt.OpenSSLProvider",
      "accp", "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider", "jdk", "");

  private ColdStart() {}

  /** Where to put the result; or, in the new JVM, {@code -}, a step and a provider. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("-")) {
      once(arguments[1], arguments[2]);
      return;
    }
    List<String> results = new ArrayList<>();
    for (Map.Entry<String, List<String>> step : Map.of(
        "digest", List.of("postscrypt", "conscrypt", "accp", "jdk"), "hello", List.of("postscrypt", "conscrypt", "jdk")).entrySet()) {
      Map<String, double[]> least = new LinkedHashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (String provider : step.getValue()) {
          double[] taken = inNewJvm(step.getKey(), provider);
          double[] before = least.getOrDefault(provider, taken);
          least.put(provider, new double[] {Math.min(before[0], taken[0]), Math.min(before[1], taken[1])});
        }
      }
      least.forEach((provider, taken) -> {
        System.out.printf("%s %s: %.0f ms, %.0f ms of CPU%n", step.getKey(), provider, taken[0], taken[1]);
        String[] names = {"clock", "cpu"};
        for (int i = 0; i < names.length; i++) {
          results.add("{\"benchmark\":\"" + ColdStart.class.getName() + "." + names[i] + "\",\"jdkVersion\":\""
              + System.getProperty("java.version") + "\",\"params\":{\"provider\":\"" + provider + "\",\"step\":\"" + step.getKey()
              + "\"},\"primaryMetric\":{\"score\":" + taken[i] + ",\"scoreUnit\":\"ms/op\"}}");
        }
      });
    }
    Quick.write(Path.of(arguments[0]), results);
  }

  private static double[] inNewJvm(String step, String provider) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), ColdStart.class.getName(), "-", step, provider));
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    // One line: it fits in a pipe.
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(step + " " + provider + " does not end");
    }
    String[] words = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim().split(" ");
    if (process.exitValue() != 0 || words.length != 2) {
      throw new IllegalStateException(step + " " + provider + ": exit code " + process.exitValue());
    }
    return new double[] {Double.parseDouble(words[0]), Double.parseDouble(words[1])};
  }

  private static void once(String step, String name) throws Exception {
    long began = System.nanoTime();
    String type = PROVIDERS.get(name);
    if (!type.isEmpty()) {
      // By name: a class that mentions all of them has them loaded when it is verified.
      Security.insertProviderAt((Provider) Class.forName(type).getDeclaredConstructor().newInstance(), 1);
    }
    String from;
    int bytes;
    if (step.equals("digest")) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      from = digest.getProvider().getName();
      bytes = digest.digest(new byte[64]).length;
    } else {
      // Whom the JDK trusts is read, too: about 150 certificates.
      SSLContext context = SSLContext.getDefault();
      from = context.getProvider().getName();
      SSLEngine engine = context.createSSLEngine("localhost", 443);
      engine.setUseClientMode(true);
      bytes = engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(engine.getSession().getPacketBufferSize())).bytesProduced();
    }
    long taken = System.nanoTime() - began;
    boolean own = from.startsWith("SUN") || from.startsWith("Sun");
    if (bytes == 0 || own != name.equals("jdk")) {
      throw new IllegalStateException(bytes + " bytes by " + from);
    }
    long cpu = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    System.out.println(taken / 1e6 + " " + cpu / 1e6);
  }
}
