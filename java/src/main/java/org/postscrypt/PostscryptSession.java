package org.postscrypt;

import java.security.PublicKey;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * What a session of Postscrypt tells beyond {@link SSLSession}: every session of our engines and sockets is one, and is an {@code
 * ExtendedSSLSession} as well where there is that type (every JDK, Android from API 24 on).
 */
public interface PostscryptSession extends SSLSession {
  /** The key exchange's named group by its IANA name ({@code X25519MLKEM768}); null if none was used or it is not known yet. */
  String getNamedGroup();

  /**
   * The application protocol that was negotiated (RFC 7301); empty if none was, null while it is not known. {@code SSLEngine} and {@code
   * SSLSocket} have the same, but not before Java 8u251 and Android's API 29.
   */
  String getApplicationProtocol();

  /** Whether the handshake resumed an earlier session. */
  boolean isResumed();

  /** Client: whether the server took the Encrypted Client Hello. */
  boolean isEchAccepted();

  /**
   * The peer's raw public key (RFC 7250), of those that were trusted.
   *
   * @throws SSLPeerUnverifiedException if the peer did not authenticate with one
   */
  PublicKey getPeerRawPublicKey() throws SSLPeerUnverifiedException;

  /**
   * Keying material that only the two ends of this connection can compute (RFC 5705; RFC 8446 section 7.5). JDK 25 has the same as
   * {@code ExtendedSSLSession.exportKeyingMaterialData}.
   *
   * @param label ASCII, by convention registered or beginning with {@code EXPERIMENTAL}
   * @param context null for none, which differs from an empty one in TLS 1.2
   * @param length bytes wanted, positive
   * @throws IllegalArgumentException if {@code length} is not positive or too large
   * @throws SSLException if there is no established connection (any more)
   */
  byte[] exportKeyingMaterial(String label, byte[] context, int length) throws SSLException;

  /**
   * A channel binding (RFC 5929, RFC 9266), for authentication inside of TLS.
   *
   * @param type {@code tls-exporter}, {@code tls-server-end-point} or {@code tls-unique} (TLS 1.2 only)
   * @return the binding; null if this connection has none of that type
   * @throws IllegalArgumentException for an unknown type
   * @throws SSLException if there is no established connection (any more)
   */
  byte[] getChannelBinding(String type) throws SSLException;
}
