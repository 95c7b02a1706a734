package org.postscrypt.cli;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs other programs, never longer than they may. */
final class Commands {
  /** What a program printed, and its exit status. */
  static final class Result {
    final int status;
    final String out;
    final String err;

    Result(int status, String out, String err) {
      this.status = status;
      this.out = out;
      this.err = err;
    }
  }

  private Commands() {}

  /** Whether a program of that name is on the PATH. */
  static boolean exists(String name) {
    String path = System.getenv("PATH");
    if (path != null) {
      for (String directory : path.split(File.pathSeparator)) {
        if (new File(directory, name).canExecute() || new File(directory, name + ".exe").canExecute()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Runs a program to its end.
   *
   * @param input what it reads from its standard input
   * @throws IOException if it cannot be started or has not ended after {@code seconds}; it is killed then
   */
  static Result run(List<String> command, String input, int seconds) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).start();
    try {
      Collector out = new Collector(process.getInputStream());
      Collector err = new Collector(process.getErrorStream());
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // It ended without reading: its status and output say why.
        err.note(e.toString());
      }
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new IOException(command.get(0) + " did not end within " + seconds + " s");
      }
      return new Result(process.exitValue(), out.text(), err.text());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs a program to its end; a status other than zero is an exception with what it printed. */
  static String require(List<String> command, String input, int seconds) throws IOException, InterruptedException {
    Result result = run(command, input, seconds);
    if (result.status != 0) {
      throw new IOException(command.get(0) + " ended with " + result.status + ": "
          + lastLines(result.err + result.out));
    }
    return result.out;
  }

  /** The end of an output, on one line. */
  static String lastLines(String text) {
    String[] lines = text.trim().split("\\R");
    StringBuilder result = new StringBuilder();
    for (int i = Math.max(0, lines.length - 3); i < lines.length; i++) {
      result.append(result.length() == 0 ? "" : " | ").append(lines[i].trim());
    }
    return result.toString();
  }

  /** Reads a stream on its own thread, so that the program never blocks on a full pipe. */
  static final class Collector {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;

    Collector(InputStream in) {
      thread = new Thread(() -> {
        byte[] buffer = new byte[8192];
        try {
          for (int n; (n = in.read(buffer)) >= 0; ) {
            append(buffer, n);
          }
        } catch (IOException e) {
          note(e.toString());
        }
      }, "postscrypt-demo-output");
      thread.setDaemon(true);
      thread.start();
    }

    private synchronized void append(byte[] buffer, int length) {
      bytes.write(buffer, 0, length);
    }

    void note(String text) {
      byte[] line = ("[" + text + "]\n").getBytes(StandardCharsets.UTF_8);
      append(line, line.length);
    }

    /** What has arrived so far. */
    synchronized String soFar() {
      return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    String text() throws InterruptedException {
      thread.join(5_000);
      return soFar();
    }
  }
}
