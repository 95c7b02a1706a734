package org.conscrypt;

import java.net.Socket;
import javax.crypto.SecretKey;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;

/**
 * Chooses the pre-shared keys of TLS 1.2 (RFC 4279): one among the key managers given to {@code SSLContext.init}. The
 * first one counts; an object of any class that has these methods, public, is one too. With it {@code _PSK_} cipher
 * suites are enabled, before those with certificates.
 *
 * <p>As {@code org.postscrypt.PreSharedKeyManager}, whose rules for lengths, threads and exceptions hold, but that a
 * null identity is the empty one.
 *
 * @deprecated Android's; new code takes {@code org.postscrypt.PreSharedKeyManager}
 */
@Deprecated
public interface PSKKeyManager extends KeyManager {
  /** Most bytes of a hint, in UTF-8. */
  int MAX_IDENTITY_HINT_LENGTH_BYTES = 128;

  /** Most bytes of an identity, in UTF-8. */
  int MAX_IDENTITY_LENGTH_BYTES = 128;

  /** Most bytes of a key. */
  int MAX_KEY_LENGTH_BYTES = 256;

  /** Server: what helps the client to choose an identity; null or empty for nothing. */
  String chooseServerKeyIdentityHint(Socket socket);

  /** As {@link #chooseServerKeyIdentityHint(Socket)}. */
  String chooseServerKeyIdentityHint(SSLEngine engine);

  /** Client: which key it is, for the server; {@code identityHint}: the server's, or null. */
  String chooseClientKeyIdentity(String identityHint, Socket socket);

  /** As {@link #chooseClientKeyIdentity(String, Socket)}. */
  String chooseClientKeyIdentity(String identityHint, SSLEngine engine);

  /** The key for the client's identity; null if there is none. {@code identityHint}: the server's, or null. */
  SecretKey getKey(String identityHint, String identity, Socket socket);

  /** As {@link #getKey(String, String, Socket)}. */
  SecretKey getKey(String identityHint, String identity, SSLEngine engine);
}
