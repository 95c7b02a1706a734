package org.postscrypt.jsse;

import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.postscrypt.nat.Guarded;

/**
 * What may be negotiated at all: the security property {@code jdk.tls.disabledAlgorithms}, and the algorithm constraints of an
 * engine's parameters. (Certificates are judged by the trust manager, under the same constraints.)
 */
final class Constraints {
  private Constraints() {}

  /** The constraints of parameters. */
  @Guarded("used with constraints, which are only where their type is")
  private static final class Own {
    private static final Set<CryptoPrimitive> KEY_EXCHANGE =
        Collections.unmodifiableSet(EnumSet.of(CryptoPrimitive.KEY_AGREEMENT));
    private static final Set<CryptoPrimitive> SIGNATURE =
        Collections.unmodifiableSet(EnumSet.of(CryptoPrimitive.SIGNATURE));

    static boolean permitKeyExchange(Object own, String name) {
      return ((AlgorithmConstraints) own).permits(KEY_EXCHANGE, name, null);
    }

    static boolean permitSignature(Object own, String name) {
      return ((AlgorithmConstraints) own).permits(SIGNATURE, name, null);
    }
  }

  /** Names in lower case that are disabled outright; those with conditions (key sizes) are the trust manager's business. */
  private static final Set<String> DISABLED = new HashSet<>();

  /** Beginnings of cipher suites that are disabled ({@code TLS_RSA_*}), in lower case. */
  private static final List<String> DISABLED_PREFIXES = new ArrayList<>();

  static {
    String property = Security.getProperty("jdk.tls.disabledAlgorithms");
    for (String entry : property == null ? new String[0] : property.split(",")) {
      String name = entry.trim().toLowerCase(Locale.ROOT);
      if (name.endsWith("*")) {
        DISABLED_PREFIXES.add(name.substring(0, name.length() - 1));
      } else if (!name.isEmpty() && name.indexOf(' ') < 0) {
        DISABLED.add(name);
      }
    }
  }

  private static boolean isDisabled(String name) {
    return DISABLED.contains(name.toLowerCase(Locale.ROOT));
  }

  static boolean permitsProtocol(String name, Object own) {
    return !isDisabled(name) && (own == null || Own.permitKeyExchange(own, name));
  }

  static boolean permitsCipherSuite(String name, Object own) {
    if (isDisabled(name)) {
      return false;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    for (String prefix : DISABLED_PREFIXES) {
      if (lower.startsWith(prefix)) {
        return false;
      }
    }
    for (String part : parts(name)) {
      if (isDisabled(part)) {
        return false;
      }
    }
    return own == null || Own.permitKeyExchange(own, name);
  }

  /** What a suite is made of, as the property names it: {@code ECDHE_RSA}, {@code ECDHE}, {@code AES_128_CBC}, {@code SHA1} … */
  private static List<String> parts(String suite) {
    List<String> parts = new ArrayList<>();
    int with = suite.indexOf("_WITH_");
    String cipher = suite.substring(with < 0 ? "TLS_".length() : with + "_WITH_".length());
    if (with > 0) {
      String exchange = suite.substring("TLS_".length(), with);
      parts.add(exchange);
      // RSA is an algorithm of certificates too: as the exchange it is only meant where it stands alone.
      int authentication = exchange.indexOf('_');
      if (authentication > 0) {
        parts.add(exchange.substring(0, authentication));
      }
    }
    int hash = cipher.lastIndexOf('_');
    parts.add(cipher.substring(0, hash));
    parts.add(cipher.substring(0, cipher.indexOf('_')));
    String mac = cipher.substring(hash + 1);
    parts.add(mac.equals("SHA") ? "HmacSHA1" : "Hmac" + mac);
    return parts;
  }

  static boolean permitsGroup(String name, Object own) {
    return !isDisabled(name) && (own == null || Own.permitKeyExchange(own, name));
  }

  static boolean permitsScheme(SignatureSchemes scheme, Object own) {
    return !isDisabled(scheme.name())
        && !isDisabled(scheme.algorithm)
        && (own == null || Own.permitSignature(own, scheme.algorithm));
  }
}
