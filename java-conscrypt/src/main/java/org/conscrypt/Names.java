package org.conscrypt;

import java.util.Collections;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import org.postscrypt.TlsParameters;

/** The peer's name in a connection's parameters. */
final class Names {
  private Names() {}

  /** Becomes the peer's name, for SNI and endpoint identification; null: as made, and no SNI. */
  static SSLParameters with(SSLParameters parameters, String host) {
    ((TlsParameters) parameters).setPeerHost(host == null ? "" : host);
    parameters.setServerNames(host == null ? Collections.emptyList() : serverNames(host));
    return parameters;
  }

  private static List<SNIServerName> serverNames(String host) {
    try {
      // RFC 6066 section 3: names alone, without the dot at the end.
      return host.indexOf('.') < 0 || OkHostnameVerifier.isIpLiteral(host)
          ? Collections.emptyList()
          : Collections.singletonList(new SNIHostName(host.endsWith(".") ? host.substring(0, host.length() - 1) : host));
    } catch (IllegalArgumentException e) {
      return Collections.emptyList(); // No name that could be sent; the peer need not know it.
    }
  }
}
