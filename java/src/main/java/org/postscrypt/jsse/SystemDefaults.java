package org.postscrypt.jsse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The defaults that the JDK's system properties change; read when a context is made. */
final class SystemDefaults {
  private SystemDefaults() {}

  /** {@code jdk.tls.client.protocols} or {@code jdk.tls.server.protocols}; {@code otherwise} if that is not set. */
  static List<String> protocols(boolean client, List<String> otherwise) {
    List<String> names = known(client ? "jdk.tls.client.protocols" : "jdk.tls.server.protocols", Protocols.SUPPORTED);
    return names.isEmpty() ? otherwise : names;
  }

  /** {@code jdk.tls.client.cipherSuites} or {@code jdk.tls.server.cipherSuites}, else our default. */
  static List<String> cipherSuites(boolean client) {
    String property = client ? "jdk.tls.client.cipherSuites" : "jdk.tls.server.cipherSuites";
    List<String> names = known(property, CipherSuites.supported());
    return names.isEmpty() ? CipherSuites.defaults() : names;
  }

  /** {@code jdk.tls.namedGroups}, else our default. Unknown groups are skipped, and a list of nothing else is ignored. */
  static int[] namedGroups() {
    int[] ids = NamedGroups.ids(names("jdk.tls.namedGroups"));
    return ids.length > 0 ? ids : NamedGroups.DEFAULT;
  }

  /** {@code jdk.tls.client.SignatureSchemes} or {@code jdk.tls.server.SignatureSchemes}, else our default. */
  static int[] signatureSchemes(boolean client) {
    String property = client ? "jdk.tls.client.SignatureSchemes" : "jdk.tls.server.SignatureSchemes";
    int[] ids = SignatureSchemes.ids(names(property));
    return ids.length > 0 ? ids : SignatureSchemes.DEFAULT;
  }

  /** The property's names that are in {@code supported}. */
  private static List<String> known(String property, List<String> supported) {
    List<String> known = new ArrayList<>();
    for (String name : names(property)) {
      if (supported.contains(name) && !known.contains(name)) {
        known.add(name);
      }
    }
    return Collections.unmodifiableList(known);
  }

  private static String[] names(String property) {
    String value = System.getProperty(property, "").trim();
    if (value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")) {
      value = value.substring(1, value.length() - 1);
    }
    return value.isEmpty() ? new String[0] : value.trim().split("\\s*,\\s*");
  }
}
