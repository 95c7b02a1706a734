package org.postscrypt.jsse.support;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM like this one, for what can only be set when one starts. */
public final class Jvm {
  private Jvm() {}

  /** Runs a class of the tests with these arguments of the JVM, at most for a minute; its output, if it ended well. */
  public static String run(Class<?> main, List<String> arguments) throws Exception {
    return run(main, arguments, List.of(), 60);
  }

  /** As {@link #run(Class, List)}, with arguments of {@code main} and a bound in seconds. */
  public static String run(Class<?> main, List<String> arguments, List<String> more, long seconds) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.add("-cp");
    command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    String library = System.getProperty("org.postscrypt.native.path");
    if (library != null) {
      command.add("-Dorg.postscrypt.native.path=" + library);
    }
    command.addAll(arguments);
    command.add(main.getName());
    command.addAll(more);
    Path output = Files.createTempFile("jvm", ".log");
    try {
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      String text = Files.readString(output, StandardCharsets.UTF_8);
      if (!ended) {
        process.destroyForcibly();
        throw new AssertionError("does not end: " + text);
      }
      if (process.exitValue() != 0) {
        throw new AssertionError("exit code " + process.exitValue() + ": " + text);
      }
      return text;
    } finally {
      Files.delete(output);
    }
  }
}
