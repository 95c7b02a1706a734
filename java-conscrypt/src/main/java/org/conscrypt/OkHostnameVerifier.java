package org.conscrypt;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Whether a certificate is one for a host (RFC 6125, RFC 9525): by its subject alternative names, never by the
 * subject's common name.
 * A wildcard stands for one whole leftmost label. Stateless.
 */
public final class OkHostnameVerifier implements ConscryptHostnameVerifier {
  /** Takes a wildcard directly under a top-level domain ({@code *.com}) as well. */
  public static final OkHostnameVerifier INSTANCE = new OkHostnameVerifier(false);

  private static final OkHostnameVerifier STRICT = new OkHostnameVerifier(true);

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final boolean strict;

  private OkHostnameVerifier(boolean strict) {
    this.strict = strict;
  }

  /** The one that refuses a wildcard directly under a top-level domain. */
  public static OkHostnameVerifier strictInstance() {
    return STRICT;
  }

  /** {@code certificates}: the peer's, its own first; if there are none, {@code session}'s are looked at. */
  @Override
  public boolean verify(X509Certificate[] certificates, String hostname, SSLSession session) {
    if (certificates.length > 0) {
      return verify(hostname, certificates[0]);
    }
    try {
      Certificate[] peers = session.getPeerCertificates();
      return peers.length > 0 && peers[0] instanceof X509Certificate && verify(hostname, (X509Certificate) peers[0]);
    } catch (SSLPeerUnverifiedException e) {
      return false; // Nobody is nobody's namesake.
    }
  }

  /** Whether {@code certificate} is one for {@code host}, a name or an IP address. */
  public boolean verify(String host, X509Certificate certificate) {
    if (host == null || host.isEmpty()) {
      return false;
    }
    boolean literal = isIpLiteral(host);
    for (String name : names(certificate, literal ? IP_ADDRESS : DNS_NAME)) {
      if (literal ? sameAddress(host, name) : matches(host, name)) {
        return true;
      }
    }
    return false;
  }

  /** The subject alternative names of a certificate: its IP addresses, then its DNS names. */
  public static List<String> allSubjectAltNames(X509Certificate certificate) {
    List<String> names = names(certificate, IP_ADDRESS);
    names.addAll(names(certificate, DNS_NAME));
    return names;
  }

  private static List<String> names(X509Certificate certificate, int type) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all != null) {
        for (List<?> entry : all) {
          if (entry.size() > 1 && Integer.valueOf(type).equals(entry.get(0)) && entry.get(1) instanceof String) {
            names.add((String) entry.get(1));
          }
        }
      }
    } catch (CertificateParsingException e) {
      return new ArrayList<>(); // Names that cannot be read are nobody's.
    }
    return names;
  }

  /** Whether {@code host} is an IPv4 or IPv6 address, not a name; nothing is looked up. */
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

  private static boolean sameAddress(String host, String name) {
    if (host.equalsIgnoreCase(name)) {
      return true;
    }
    try {
      String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
      // Both are literals: nothing is looked up.
      return isIpLiteral(name) && InetAddress.getByName(bare).equals(InetAddress.getByName(name));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * A name of letters, digits, hyphens, underscores and dots, in lower case without the dot at the end; null if it is
   * another.
   */
  private static String plain(String name) {
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    if (bare.isEmpty() || bare.startsWith(".") || bare.endsWith(".")) {
      return null;
    }
    for (int i = 0; i < bare.length(); i++) {
      if (bare.charAt(i) >= 0x80) {
        return null;
      }
    }
    return bare.toLowerCase(Locale.ROOT);
  }

  private boolean matches(String host, String pattern) {
    String wanted = plain(host);
    String name = plain(pattern);
    if (wanted == null || name == null) {
      return false;
    }
    if (!name.startsWith("*.")) {
      return name.indexOf('*') < 0 && wanted.equals(name);
    }
    String suffix = name.substring(1);
    int dot = wanted.indexOf('.');
    return suffix.indexOf('*') < 0
        && (!strict || suffix.indexOf('.', 1) > 0)
        && dot > 0
        && wanted.substring(dot).equals(suffix);
  }
}
