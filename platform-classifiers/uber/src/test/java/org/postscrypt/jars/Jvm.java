package org.postscrypt.jars;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A clean JVM with nothing but what is put on its class path. */
final class Jvm {
  static final String MAIN = "org.postscrypt.cli.Main";
  private static final int SECONDS = 120;

  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<String> arguments = new ArrayList<>();
  private String mount;

  /** What it printed and how it ended. */
  static final class Result {
    final int status;
    final String out;
    final String err;

    Result(int status, String out, String err) {
      this.status = status;
      this.out = out;
      this.err = err;
    }

    @Override
    public String toString() {
      return "status " + status + "\n" + out + "\n" + err;
    }
  }

  /** Options and arguments, in order. */
  Jvm with(String... more) {
    arguments.addAll(Arrays.asList(more));
    return this;
  }

  Jvm property(String name, Object value) {
    return with("-D" + name + '=' + value);
  }

  /** JDK 24 and newer warn unless told that native access is meant. */
  Jvm nativeAccess(String who) {
    return Runtime.version().feature() >= 24 ? with("--enable-native-access=" + who) : this;
  }

  Jvm environment(String name, Object value) {
    environment.put(name, value.toString());
    return this;
  }

  /** In a mount namespace of its own, where this shell command mounted something; {@code $$} is the JVM's process. */
  Jvm mounted(String command) {
    mount = command;
    return this;
  }

  Result run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("out", ".txt");
    Path err = Files.createTempFile("err", ".txt");
    List<String> command = new ArrayList<>();
    if (mount != null) {
      command.addAll(List.of("unshare", "-Urm", "sh", "-c", mount + " && exec \"$@\"", "sh"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    // File names in UTF-8, whatever this machine's locale is.
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command + " did not end");
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly().waitFor();
      Files.delete(out);
      Files.delete(err);
    }
  }
}
