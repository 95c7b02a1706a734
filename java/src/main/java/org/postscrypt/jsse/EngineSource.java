package org.postscrypt.jsse;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** What sockets and their factories need of a context: engines and parameters. Safe for use by many threads. */
interface EngineSource {
  /**
   * A new engine with the context's defaults for its mode.
   *
   * @param peerHost name for SNI, endpoint identification and session lookup; may be null
   * @param peerPort the peer's port, or -1
   * @param owner the socket that key and trust managers are given; null when there is none
   */
  SSLEngine newEngine(String peerHost, int peerPort, boolean clientMode, SSLSocket owner);

  /** A fresh copy of the defaults for one mode. */
  SSLParameters defaultParameters(boolean clientMode);

  /** A fresh copy of everything that could be enabled. */
  SSLParameters supportedParameters();
}
