package org.postscrypt.jsse;

import javax.net.ssl.SSLParameters;
import org.postscrypt.TlsParameters;

/** What newer JDKs have and the base does not name; a multi-release class for them replaces this one. */
final class Platform {
  private Platform() {}

  /** The named groups that were set (JDK 20 on, or {@link TlsParameters}); null if none were. */
  static String[] getNamedGroups(SSLParameters parameters) {
    return parameters instanceof TlsParameters ? ((TlsParameters) parameters).getNamedGroups() : null;
  }

  /** The signature schemes that were set (JDK 19 on, or {@link TlsParameters}); null if none were. */
  static String[] getSignatureSchemes(SSLParameters parameters) {
    return parameters instanceof TlsParameters ? ((TlsParameters) parameters).getSignatureSchemes() : null;
  }
}
