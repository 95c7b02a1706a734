package org.conscrypt;

/** A key of X25519 (RFC 7748). */
public interface OpenSSLX25519Key {
  /** Length of a key, in bytes. */
  int X25519_KEY_SIZE_BYTES = 32;

  /** A copy of the key's bytes: of a public key, the u-coordinate; of a private one, the scalar. */
  byte[] getU();
}
