package org.postscrypt.jsse;

import javax.net.ssl.SSLParameters;

/** JDK 20 and newer: {@code SSLParameters} has named groups and signature schemes of its own. */
final class Platform {
  private Platform() {}

  /** The named groups that were set; null if none were. */
  static String[] getNamedGroups(SSLParameters parameters) {
    return parameters.getNamedGroups();
  }

  /** The signature schemes that were set; null if none were. */
  static String[] getSignatureSchemes(SSLParameters parameters) {
    return parameters.getSignatureSchemes();
  }
}
