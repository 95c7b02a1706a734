package org.postscrypt.jsse;

/** Flight Recorder's event for each handshake, where there is a Flight Recorder; a multi-release class replaces this one. */
final class HandshakeEvents {
  private HandshakeEvents() {}

  /** Starts the clock; null if nobody records. */
  static Object begin() {
    return null;
  }

  /** Records a completed handshake; {@code event} is what {@link #begin} answered. */
  static void end(Object event, TlsSession session, boolean client, boolean clientAuthenticated) {}
}
