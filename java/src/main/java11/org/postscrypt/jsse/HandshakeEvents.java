package org.postscrypt.jsse;

import jdk.jfr.FlightRecorder;

/** Flight Recorder's event for each handshake, where there is a Flight Recorder. */
final class HandshakeEvents {
  private HandshakeEvents() {}

  /** The JDK may be without the module {@code jdk.jfr}. */
  private static final boolean AVAILABLE = isAvailable();

  private static boolean isAvailable() {
    try {
      FlightRecorder.isInitialized();
      return true;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** Starts the clock; null if nobody records. */
  static Object begin() {
    // Before that nobody can record, and the event's class, once it is loaded, costs a tenth of a second.
    if (!AVAILABLE || !FlightRecorder.isInitialized()) {
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
