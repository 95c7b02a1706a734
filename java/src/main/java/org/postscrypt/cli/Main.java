package org.postscrypt.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.postscrypt.Postscrypt;

/**
 * The command line of the jar.
 *
 * <p>Exit status: 0 if all went well, 1 if the library is not available or a check failed, 2 for a wrong command line.
 */
public final class Main {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final List<String> HELP = Arrays.asList(
      "Usage: java -jar postscrypt-uber-<version>.jar [command]",
      "",
      "  version   Postscrypt's and BoringSSL's versions (the default)",
      "  doctor    what is loaded from where, or why nothing is; the platform, the providers",
      "  demo      TLS between this provider and curl, openssl, Java's clients and Java's server, on this machine only",
      "              --size N[K|M|G]   bytes to send each way through each client (default 64M)",
      "              --provider NAME   use an installed provider instead, to compare",
      "  help      this text",
      "",
      "Exit status: 0 fine; 1 not available, or a check failed; 2 wrong command line.");

  private Main() {}

  /** Runs one command and ends the JVM with its exit status. */
  public static void main(String[] arguments) {
    int status = run(Arrays.asList(arguments), System.out, System.err);
    System.out.flush();
    System.exit(status);
  }

  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    String command = arguments.isEmpty() ? "version" : arguments.get(0);
    List<String> options = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
    if (command.equals("demo")) {
      Demo.Options parsed;
      try {
        parsed = Demo.Options.parse(options);
      } catch (IllegalArgumentException e) {
        return usage(err, e.getMessage());
      }
      return new Demo(parsed, out).run() ? OK : FAILED;
    }
    if (!options.isEmpty()) {
      return usage(err, command + " takes no options");
    }
    switch (command) {
      case "version":
      case "--version":
        return version(out, err);
      case "doctor":
        return new Doctor(out).run() ? OK : FAILED;
      case "help":
      case "--help":
      case "-h":
        HELP.forEach(out::println);
        return OK;
      default:
        return usage(err, "there is no command " + command);
    }
  }

  private static int version(PrintStream out, PrintStream err) {
    out.println(Postscrypt.version());
    if (Postscrypt.isAvailable()) {
      return OK;
    }
    err.println(Postscrypt.unavailabilityCause().getMessage());
    return FAILED;
  }

  private static int usage(PrintStream err, String problem) {
    err.println("postscrypt: " + problem);
    HELP.forEach(err::println);
    return USAGE;
  }
}
