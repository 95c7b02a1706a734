package org.postscrypt.jsse;

import java.net.Socket;
import java.net.SocketException;

/**
 * The time-out of a transport. Of one that we do not own, what its owner set is told apart from what we set for slices of it.
 *
 * <p>Guards itself, by its monitor, which is held for no longer than a socket option is read and set.
 */
final class SocketTimeout {
  private final SocketState state;
  private final Socket transport;

  /** Only for a transport that we do not own: what its owner set. */
  private int owners;

  /** What the transport says of its time-out when its owner has not changed it since. */
  private int applied;

  SocketTimeout(SocketState state) throws SocketException {
    this.state = state;
    transport = state.transport;
    applied = state.ownsTransport ? 0 : transport.getSoTimeout();
    owners = applied;
  }

  /** As {@link Socket#setSoTimeout}. */
  void set(int millis) throws SocketException {
    if (state.ownsTransport) {
      transport.setSoTimeout(millis);
    } else if (millis < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    } else if (state.isOver()) {
      throw SocketState.closedException();
    } else {
      setOwners(millis);
    }
  }

  /** As {@link Socket#getSoTimeout}. */
  int get() throws SocketException {
    return state.ownsTransport ? transport.getSoTimeout() : owners();
  }

  private synchronized void setOwners(int millis) throws SocketException {
    transport.setSoTimeout(millis);
    applied = transport.getSoTimeout();
    owners = millis;
  }

  /** The owner's time-out, which can also be set at the transport itself at any time. */
  synchronized int owners() throws SocketException {
    int now = transport.getSoTimeout();
    if (now != applied) {
      owners = now;
      applied = now;
    }
    return owners;
  }

  /** Gives the transport a time-out of ours. */
  synchronized void apply(int millis) throws SocketException {
    owners();
    transport.setSoTimeout(millis);
    applied = transport.getSoTimeout();
  }

  /** Gives the transport its owner's time-out again. */
  void restore() {
    try {
      apply(owners());
    } catch (SocketException e) {
      // Closed by its owner.
    }
  }
}
