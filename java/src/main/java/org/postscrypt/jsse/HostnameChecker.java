package org.postscrypt.jsse;

import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Whether a certificate is one for a host (RFC 6125, RFC 9525), for trust managers that do not look at that themselves. Only
 * subject alternative names count, never the subject's common name; a wildcard stands for one whole leftmost label.
 */
final class HostnameChecker {
  private HostnameChecker() {}

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  /**
   * Checks {@code certificate} for {@code host}: a DNS name (also internationalised), or an IP address as text.
   *
   * @throws CertificateException if it is for others, or there is no host to check it for
   */
  static void check(String host, X509Certificate certificate) throws CertificateException {
    if (host == null || host.isEmpty()) {
      throw new CertificateException("endpoint identification needs the peer's host name, and none is known");
    }
    boolean literal = isIpLiteral(host);
    List<String> names = names(certificate, literal ? IP_ADDRESS : DNS_NAME);
    String wanted = literal ? host : toAscii(host);
    for (String name : names) {
      if (literal ? sameAddress(wanted, name) : matches(wanted, name)) {
        return;
      }
    }
    throw new CertificateException(
        "No subject alternative " + (literal ? "IP address" : "DNS name") + " matching " + host + " found");
  }

  /** Whether {@code host} is an IPv4 or IPv6 address rather than a name; nothing is looked up. */
  static boolean isIpLiteral(String host) {
    if (host.indexOf(':') >= 0) {
      return true;
    }
    int dots = 0;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c == '.') {
        dots++;
      } else if (c < '0' || c > '9') {
        return false;
      }
    }
    return dots == 3;
  }

  private static List<String> names(X509Certificate certificate, int type) throws CertificateException {
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    List<String> names = new ArrayList<>();
    if (all != null) {
      for (List<?> entry : all) {
        if ((Integer) entry.get(0) == type && entry.get(1) instanceof String) {
          names.add((String) entry.get(1));
        }
      }
    }
    return names;
  }

  private static String toAscii(String host) throws CertificateException {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    try {
      return IDN.toASCII(name).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw new CertificateException("not a host name: " + host, e);
    }
  }

  private static boolean matches(String host, String pattern) {
    String name = pattern.toLowerCase(Locale.ROOT);
    if (!name.startsWith("*.")) {
      return host.equals(name);
    }
    String suffix = name.substring(1);
    int dot = host.indexOf('.');
    // "*.com" would stand for everybody.
    return dot > 0 && suffix.indexOf('.', 1) > 0 && suffix.indexOf('*') < 0 && host.substring(dot).equals(suffix);
  }

  private static boolean sameAddress(String host, String name) {
    try {
      String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
      // Both are literals: nothing is looked up.
      return isIpLiteral(name) && InetAddress.getByName(bare).equals(InetAddress.getByName(name));
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
