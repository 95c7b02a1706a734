package org.postscrypt;

import javax.net.ssl.SSLHandshakeException;

/**
 * The server, authenticated under the public name, refused the Encrypted Client Hello (RFC 9849 section 6.1.6). Connect again with
 * {@link #getRetryConfigs()}, once.
 */
public final class EchRejectedException extends SSLHandshakeException {
  private static final long serialVersionUID = 1;

  private final byte[] retryConfigs;

  /** With the {@code ECHConfigList} that the server wants used; empty if it wants none. */
  public EchRejectedException(String message, byte[] retryConfigs) {
    super(message);
    this.retryConfigs = retryConfigs.clone();
  }

  /** The {@code ECHConfigList} for {@link TlsParameters#setEchConfigList}; empty to connect without ECH. */
  public byte[] getRetryConfigs() {
    return retryConfigs.clone();
  }
}
