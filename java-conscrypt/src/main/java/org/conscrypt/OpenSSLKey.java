package org.conscrypt;

import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;

/** Named by the signatures of key classes: stands for the provider's own key. Of no use to applications. */
public final class OpenSSLKey {
  private final Key own;

  OpenSSLKey(Key own) {
    this.own = own;
  }

  /**
   * The provider's own public key.
   *
   * @throws NoSuchAlgorithmException if this is a private key
   */
  public PublicKey getPublicKey() throws NoSuchAlgorithmException {
    if (own instanceof PublicKey) {
      return (PublicKey) own;
    }
    throw new NoSuchAlgorithmException("not a public key");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpenSSLKey && own.equals(((OpenSSLKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }
}
