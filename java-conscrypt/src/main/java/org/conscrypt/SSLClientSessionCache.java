package org.conscrypt;

import javax.net.ssl.SSLSession;

/**
 * Where a client's sessions are kept beyond the life of their context: see {@link Conscrypt#setClientSessionCache}.
 * Called by any
 * thread that uses the context's connections. The data are secrets.
 */
public interface SSLClientSessionCache {
  /** What was last put for this peer; null if there is nothing. */
  byte[] getSessionData(String host, int port);

  /** Keeps a session for its peer's host and port. */
  void putSessionData(SSLSession session, byte[] sessionData);
}
