package org.conscrypt;

import javax.net.ssl.SSLSession;

/** Sizes of records. */
final class Records {
  /** Most bytes of a record: content, expansion (RFC 5246 section 6.2.3), header. */
  static final int PACKET_BYTES = 16384 + 2048 + 5;

  private static final int HEADER_BYTES = 5;
  private static final int TAG_BYTES = 16;

  private Records() {}

  /** By how many bytes a record of data is longer than these, at most. */
  static int overhead(SSLSession session) {
    String suite = session.getCipherSuite();
    if (session.getProtocol().equals("TLSv1.3")) {
      return HEADER_BYTES + 1 + TAG_BYTES;
    }
    if (suite.contains("_GCM_")) {
      return HEADER_BYTES + 8 + TAG_BYTES;
    }
    if (suite.contains("_CHACHA20_")) {
      return HEADER_BYTES + TAG_BYTES;
    }
    // CBC: an initialisation vector, the largest MAC, a block of padding. Also of what is not known yet.
    return HEADER_BYTES + 16 + 48 + 16;
  }
}
