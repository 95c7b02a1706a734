package org.postscrypt.conscryptabi;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Runs the cases of {@code org.conscrypt.Hostile} on ours and on the genuine library, from one on, with a line before and behind each: either
 * library might end the process. Arguments: number of the first case; what the names of the cases begin with.
 */
final class HostileCalls {
  static final String OURS = "ours";
  static final String GENUINE = "genuine";
  static final String END = "end";

  private HostileCalls() {}

  public static void main(String[] arguments) throws Exception {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    // Nobody else writes there.
    System.setOut(System.err);
    Class<?> ours = Class.forName("org.conscrypt.Hostile", true, Side.OURS);
    Method runOurs = ours.getMethod("run", String.class);
    Method runGenuine = Class.forName("org.conscrypt.Hostile", true, Side.GENUINE).getMethod("run", String.class);
    @SuppressWarnings("unchecked")
    List<String> cases = (List<String>) ours.getMethod("cases").invoke(null);
    Set<String> notAsked = HostileTest.notAsked();
    String only = arguments.length > 1 ? arguments[1] : "";
    for (int i = Integer.parseInt(arguments[0]); i < cases.size(); i++) {
      String name = cases.get(i);
      if (name.startsWith(only)) {
        line(out, i + "\t" + name);
        line(out, OURS + "\t" + runOurs.invoke(null, name));
        if (!notAsked.contains(name)) {
          line(out, GENUINE + "\t" + runGenuine.invoke(null, name));
        }
      }
    }
    line(out, END);
    // Without the finalisers of objects that natives freed.
    Runtime.getRuntime().halt(0);
  }

  private static void line(OutputStream out, String text) throws Exception {
    out.write((text.replaceAll("[\r\n]", " ") + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
