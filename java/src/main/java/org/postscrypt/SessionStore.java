package org.postscrypt;

import javax.net.ssl.SSLSession;

/**
 * Where a client keeps its sessions beyond the life of its {@code SSLContext}, in files say: see {@link
 * TlsParameters#setSessionStore}.
 *
 * <p>The data resumes a session and decrypts what was sent in it: keep it as carefully as a private key. What a store answers is
 * checked: data that is not ours is not used, and the server's chain in it is verified again, by the trust manager and under the
 * rules of the connection that resumes it.
 *
 * <p>Sessions whose server authenticated without a certificate (raw public keys, pre-shared keys) are not kept.
 *
 * <p>Both methods are called by whatever thread wraps or unwraps; they must be quick, not use the connection, and be safe for several
 * threads. What they throw is logged, and the session is not kept, or not resumed.
 */
public interface SessionStore {
  /**
   * What was last put for this peer, or null. Asked once for each connection, before its first message, unless the context itself
   * has a session for it.
   */
  byte[] get(String host, int port);

  /**
   * Keeps a session, instead of earlier ones with the same peer. TLS 1.3 servers give several tickets for each connection, and some
   * take a ticket once only.
   *
   * @param session whose peer host and port, id and certificates can be read
   * @param data for {@link #get}; the array is the store's own
   */
  void put(SSLSession session, byte[] data);
}
