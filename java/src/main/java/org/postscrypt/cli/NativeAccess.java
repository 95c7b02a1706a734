package org.postscrypt.cli;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Whether this JVM lets our classes load a library without a warning (JEP 472, JDK 24 and newer). */
final class NativeAccess {
  private NativeAccess() {}

  static String describe() {
    String specification = System.getProperty("java.specification.version", "");
    if (specification.startsWith("1.") || Integer.parseInt(specification) < 24) {
      return "not restricted before JDK 24";
    }
    try {
      // Public API of JDK 22+, newer than any class that we compile.
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Class<?> module = Class.forName("java.lang.Module");
      MethodHandle getModule = lookup.findVirtual(Class.class, "getModule", MethodType.methodType(module));
      MethodHandle enabled =
          lookup.findVirtual(module, "isNativeAccessEnabled", MethodType.methodType(boolean.class));
      Object self = getModule.invoke(NativeAccess.class);
      String who = self.toString().startsWith("unnamed") ? "ALL-UNNAMED" : "org.postscrypt";
      return (boolean) enabled.invoke(self)
          ? "enabled for " + who
          : "not enabled: start java with --enable-native-access=" + who;
    } catch (Throwable e) {
      return "unknown: " + e;
    }
  }
}
