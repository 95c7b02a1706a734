package org.conscrypt;

import javax.net.ssl.SSLException;

/** Hears of an engine's handshake: see {@link Conscrypt#setHandshakeListener}. */
public abstract class HandshakeListener {
  /** For subclasses. */
  public HandshakeListener() {}

  /**
   * The handshake is over; called once, by the thread whose wrap or unwrap finished it, before that returns.
   *
   * @throws SSLException to refuse the connection: the engine is closed, and the wrap or unwrap throws this
   */
  public abstract void onHandshakeFinished() throws SSLException;
}
