package org.conscrypt;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLSocket;

/**
 * Who is told that a socket's handshake is complete: by {@code startHandshake} before it returns and on its thread, as
 * Conscrypt does, else (the handshake was begun by reading or writing) on a thread of the provider's.
 */
final class HandshakeListeners {
  private final SSLSocket socket;
  private final SSLSocket own;
  private final Set<HandshakeCompletedListener> listeners = new LinkedHashSet<>();
  private boolean registered;
  /** Calls of {@code startHandshake} that last; they tell what the provider says meanwhile. */
  private int starting;
  private boolean completed;
  private boolean told;

  /** {@code socket}: what the events name; {@code own}: the provider's beneath it. */
  HandshakeListeners(SSLSocket socket, SSLSocket own) {
    this.socket = socket;
    this.own = own;
  }

  synchronized void add(HandshakeCompletedListener listener) {
    if (listener == null) {
      throw new IllegalArgumentException("listener is null");
    }
    listeners.add(listener);
    if (!registered) {
      registered = true;
      own.addHandshakeCompletedListener(event -> completed());
    }
  }

  synchronized void remove(HandshakeCompletedListener listener) {
    if (!listeners.remove(listener)) {
      throw new IllegalArgumentException("listener is not registered");
    }
  }

  void startHandshake() throws IOException {
    boolean before = own.getApplicationProtocol() != null;
    count(1);
    try {
      own.startHandshake();
      if (!before) {
        complete();
      }
    } finally {
      count(-1);
      tell();
    }
  }

  private synchronized void count(int more) {
    starting += more;
  }

  private synchronized void complete() {
    completed = true;
  }

  private void completed() {
    complete();
    tell();
  }

  /** Calls the listeners, once, when there is something to tell and no other thread has it to tell. */
  private void tell() {
    HandshakeCompletedListener[] called;
    synchronized (this) {
      if (!completed || told || starting > 0) {
        return;
      }
      told = true;
      called = listeners.toArray(new HandshakeCompletedListener[0]);
    }
    if (called.length == 0) {
      return;
    }
    HandshakeCompletedEvent event = new HandshakeCompletedEvent(socket, own.getSession());
    for (HandshakeCompletedListener listener : called) {
      try {
        listener.handshakeCompleted(event);
      } catch (RuntimeException e) {
        // The listener's fault is not the connection's.
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    }
  }
}
