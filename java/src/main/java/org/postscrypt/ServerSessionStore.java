package org.postscrypt;

import javax.net.ssl.SSLSession;

/**
 * Where a server keeps its sessions beyond the life of its {@code SSLContext}, or shares them with others: see {@link
 * TlsParameters#setServerSessionStore}. For TLS 1.2 and clients that take no ticket; tickets are kept by the clients.
 *
 * <p>The data resumes a session and decrypts what was sent in it, and the client's chain in it is taken as verified: keep it as
 * carefully as a private key, and from whoever could change it. Data that is not ours, too old, or made under other settings is not
 * used.
 *
 * <p>{@link #get} is called in a delegated task, {@link #put} by whatever thread wraps or unwraps: that must be quick and not use
 * the connection. Both must be safe for several threads. What they throw is logged, and the session is not kept, or not resumed.
 */
public interface ServerSessionStore {
  /** What was put under this session id (RFC 5246 section 7.4.1.2), or null. Asked when the context itself does not know the id. */
  byte[] get(byte[] id);

  /**
   * Keeps a session.
   *
   * @param session whose id, peer and certificates can be read
   * @param data for {@link #get}; the array is the store's own
   */
  void put(SSLSession session, byte[] data);
}
