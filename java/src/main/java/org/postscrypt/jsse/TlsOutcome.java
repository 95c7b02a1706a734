package org.postscrypt.jsse;

import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * What a native wrap or unwrap answers, in one long: status (bits 60 to 62), whether sessions or key log lines came (59), handshake status (56 to
 * 58), bytes consumed (28 to 55) and produced (0 to 27).
 */
final class TlsOutcome {
  private TlsOutcome() {}

  static final int OK = 0;
  static final int BUFFER_UNDERFLOW = 1;
  static final int BUFFER_OVERFLOW = 2;
  static final int CLOSED = 3;
  static final int ERROR = 4;

  private static final SSLEngineResult.Status[] STATUSES = {
    SSLEngineResult.Status.OK,
    SSLEngineResult.Status.BUFFER_UNDERFLOW,
    SSLEngineResult.Status.BUFFER_OVERFLOW,
    SSLEngineResult.Status.CLOSED,
  };
  private static final HandshakeStatus[] HANDSHAKE = {
    HandshakeStatus.NOT_HANDSHAKING,
    HandshakeStatus.FINISHED,
    HandshakeStatus.NEED_TASK,
    HandshakeStatus.NEED_WRAP,
    HandshakeStatus.NEED_UNWRAP,
  };

  static int status(long outcome) {
    return (int) (outcome >>> 60);
  }

  static SSLEngineResult.Status jsseStatus(long outcome) {
    return STATUSES[status(outcome)];
  }

  static HandshakeStatus handshake(long outcome) {
    return HANDSHAKE[(int) (outcome >>> 56) & 7];
  }

  /** The handshake status for what an answer to a task returned. */
  static HandshakeStatus handshake(int code) {
    return HANDSHAKE[code];
  }

  /** Whether {@code NativeCrypto.tlsTakeSession} or {@code tlsTakeKeyLog} has something to give. */
  static boolean events(long outcome) {
    return (outcome >>> 59 & 1) != 0;
  }

  static int consumed(long outcome) {
    return (int) (outcome >>> 28) & 0x0fffffff;
  }

  static int produced(long outcome) {
    return (int) outcome & 0x0fffffff;
  }
}
