package org.postscrypt;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An external pre-shared key, for {@link TlsParameters#setPreSharedKeys}. In TLS 1.3 it is imported (RFC 9258, SHA-256); in TLS 1.2
 * (RFC 4279) it needs a {@code _PSK_} cipher suite to be enabled, and an identity without zero bytes.
 *
 * <p>Whoever has the key can be either side. It must be of high entropy: a password can be guessed from one recorded handshake.
 *
 * <p>Immutable.
 */
public final class PreSharedKey {
  private static final int MAX_KEY_BYTES = 256;

  private final byte[] identity;
  private final byte[] key;
  private final byte[] context;

  /**
   * A key without importer context.
   *
   * @see #PreSharedKey(byte[], byte[], byte[])
   */
  public PreSharedKey(byte[] identity, byte[] key) {
    this(identity, key, new byte[0]);
  }

  /**
   * A key.
   *
   * @param identity tells the peer which key it is, in the clear; at least one byte
   * @param key 16 to 256 bytes
   * @param context TLS 1.3: both sides' agreed context (RFC 9258 section 3.1); may be empty
   * @throws IllegalArgumentException if the identity is empty or the key's length is out of range
   */
  public PreSharedKey(byte[] identity, byte[] key, byte[] context) {
    if (identity.length == 0) {
      throw new IllegalArgumentException("the identity is empty");
    }
    if (key.length < 16 || key.length > MAX_KEY_BYTES) {
      throw new IllegalArgumentException("a pre-shared key has 16 to 256 bytes, this one has " + key.length);
    }
    this.identity = identity.clone();
    this.key = key.clone();
    this.context = context.clone();
  }

  /** The identity, a copy. */
  public byte[] getIdentity() {
    return identity.clone();
  }

  /** The key, a copy: overwrite it after use. */
  public byte[] getKey() {
    return key.clone();
  }

  /** The importer's context, a copy. */
  public byte[] getContext() {
    return context.clone();
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof PreSharedKey)) {
      return false;
    }
    PreSharedKey k = (PreSharedKey) other;
    return Arrays.equals(identity, k.identity) && Arrays.equals(context, k.context) && MessageDigest.isEqual(key, k.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(identity) * 31 + Arrays.hashCode(context);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "PreSharedKey(" + identity.length + "-byte identity)";
  }
}
