package org.postscrypt.jsse;

/** Flight Recorder's event for each handshake, where there is a Flight Recorder. */
final class HandshakeEvents {
  private HandshakeEvents() {}

  /** The JDK may be without the module {@code jdk.jfr}. */
  private static final boolean AVAILABLE = isAvailable();

  private static boolean isAvailable() {
    try {
      return new HandshakeEvent() != null;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** Starts the clock; null if nobody records. */
  static Object begin() {
    if (!AVAILABLE) {
      return null;
    }
    HandshakeEvent event = new HandshakeEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  /** Records a completed handshake; {@code event} is what {@link #begin} answered. */
  static void end(Object event, TlsSession session, boolean client, boolean clientAuthenticated) {
    if (event != null) {
      ((HandshakeEvent) event).complete(session, client, clientAuthenticated);
    }
  }
}
