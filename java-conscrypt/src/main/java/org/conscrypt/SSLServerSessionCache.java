package org.conscrypt;

import javax.net.ssl.SSLSession;

/** Where a server's sessions are kept beside their context: see {@link Conscrypt#setServerSessionCache}. */
public interface SSLServerSessionCache {
  /** What was put for a session with this id; null if there is nothing. */
  byte[] getSessionData(byte[] id);

  /** Keeps a session under its id. */
  void putSessionData(SSLSession session, byte[] sessionData);
}
