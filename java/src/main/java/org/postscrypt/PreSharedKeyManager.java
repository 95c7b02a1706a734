package org.postscrypt;

import java.net.Socket;
import javax.crypto.SecretKey;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;

/**
 * Chooses the pre-shared keys of TLS 1.2 (RFC 4279) when handshakes need them: one among the key managers given to {@code
 * SSLContext.init}. A cipher suite with {@code _PSK_} must be enabled; a server without a certificate should enable TLS 1.2 alone.
 * Where the keys are known beforehand, and for TLS 1.3, {@link TlsParameters#setPreSharedKeys} is simpler; a manager comes before
 * those.
 *
 * <p>Hints and identities are UTF-8 on the wire, at most 128 bytes without zeros (RFC 4279 section 5); keys have 1 to 256 bytes, of
 * high entropy: a password can be guessed from one recorded handshake. Whatever is not so, null where something is needed, and
 * exceptions fail the handshake.
 *
 * <p>Called in delegated tasks, as other key managers are: on any thread, without locks. The variants with a socket are for sockets.
 */
public interface PreSharedKeyManager extends KeyManager {
  /** Server: what helps the client to choose an identity; null or empty for nothing. Asked for each client hello. */
  String chooseServerIdentityHint(Socket socket);

  /** As {@link #chooseServerIdentityHint(Socket)}. */
  String chooseServerIdentityHint(SSLEngine engine);

  /**
   * Client: which key it is, for the server.
   *
   * @param hint the server's, or null if it gave none
   */
  String chooseClientIdentity(String hint, Socket socket);

  /** As {@link #chooseClientIdentity(String, Socket)}. */
  String chooseClientIdentity(String hint, SSLEngine engine);

  /**
   * The key.
   *
   * @param hint the server's, or null if it gave none
   * @param identity the client's
   * @return a key whose encoding is the pre-shared key; null if there is none
   */
  SecretKey getKey(String hint, String identity, Socket socket);

  /** As {@link #getKey(String, String, Socket)}. */
  SecretKey getKey(String hint, String identity, SSLEngine engine);
}
