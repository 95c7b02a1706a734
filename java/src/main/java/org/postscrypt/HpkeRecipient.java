package org.postscrypt;

import javax.crypto.AEADBadTagException;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The receiving side of an HPKE context (RFC 9180 section 5.2), made by {@link HpkeSuite}. Messages are opened in the
 * order in which they were sealed. Threads take turns.
 */
public final class HpkeRecipient implements AutoCloseable {
  private static final NativeRef.Free FREE = NativeCrypto::hpkeRecipientFree;
  private static final byte[] NONE = new byte[0];

  private final NativeRef ref;

  HpkeRecipient(long handle) {
    ref = new NativeRef(handle, FREE);
  }

  /** As {@link #open(byte[], byte[])} without additional data. */
  public byte[] open(byte[] ciphertext) throws AEADBadTagException {
    return open(ciphertext, NONE);
  }

  /**
   * Decrypts the next message.
   *
   * @throws AEADBadTagException if it is not the sender's next message with this {@code aad}; the sender's next one can
   *     still be opened
   * @throws IllegalStateException once closed
   */
  public synchronized byte[] open(byte[] ciphertext, byte[] aad) throws AEADBadTagException {
    return NativeCrypto.hpkeRecipientOpen(ref.handle(), ref, ciphertext, aad);
  }

  /** As {@link HpkeSender#export}. */
  public synchronized byte[] export(byte[] context, int length) {
    return NativeCrypto.hpkeRecipientExport(ref.handle(), ref, context, length);
  }

  /** Zeroes the keys; again is a no-op. Without it, that happens some time after the last use. */
  @Override
  public synchronized void close() {
    ref.close();
  }
}
