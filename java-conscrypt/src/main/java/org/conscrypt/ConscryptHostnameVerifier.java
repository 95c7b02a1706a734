package org.conscrypt;

import java.security.cert.X509Certificate;
import javax.net.ssl.SSLSession;

/** Whether a chain is one for a host: see {@link Conscrypt#setHostnameVerifier}. */
public interface ConscryptHostnameVerifier {
  /**
   * True if {@code certificates}, the trusted chain with the leaf first, may stand for {@code hostname}.
   *
   * @param session the handshake's session, in which not all may be known yet; may be null
   */
  boolean verify(X509Certificate[] certificates, String hostname, SSLSession session);
}
