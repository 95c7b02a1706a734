package org.postscrypt;

import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The sending side of an HPKE context (RFC 9180 section 5.2), made by {@link HpkeSuite}. Messages are numbered: the
 * recipient opens them in the order in which they were sealed. Threads take turns.
 */
public final class HpkeSender implements AutoCloseable {
  private static final NativeRef.Free FREE = NativeCrypto::hpkeSenderFree;
  private static final byte[] NONE = new byte[0];

  private final NativeRef ref;
  private final byte[] encapsulatedKey;

  HpkeSender(long handle) {
    ref = new NativeRef(handle, FREE);
    encapsulatedKey = NativeCrypto.hpkeSenderEncapsulated(ref.handle(), ref);
  }

  /** A copy of the encapsulated key, {@code enc}, that the recipient needs; not secret. */
  public byte[] encapsulatedKey() {
    return encapsulatedKey.clone();
  }

  /** As {@link #seal(byte[], byte[])} without additional data. */
  public byte[] seal(byte[] plaintext) {
    return seal(plaintext, NONE);
  }

  /**
   * Encrypts and authenticates the next message; the answer is {@value HpkeSuite#TAG_LENGTH} bytes longer.
   *
   * @param aad authenticated with it, not encrypted, not sent
   * @throws IllegalStateException once closed
   */
  public synchronized byte[] seal(byte[] plaintext, byte[] aad) {
    return NativeCrypto.hpkeSenderSeal(ref.handle(), ref, plaintext, aad);
  }

  /**
   * A secret that the recipient can derive too (RFC 9180 section 5.3), for the caller to zero.
   *
   * @param context tells secrets of one HPKE context apart
   * @param length in bytes, at most 255 times the length of the KDF's hash
   * @throws IllegalArgumentException if it is longer, or negative
   * @throws IllegalStateException once closed
   */
  public synchronized byte[] export(byte[] context, int length) {
    return NativeCrypto.hpkeSenderExport(ref.handle(), ref, context, length);
  }

  /** Zeroes the keys; again is a no-op. Without it, that happens some time after the last use. */
  @Override
  public synchronized void close() {
    ref.close();
  }
}
