package org.postscrypt.jsse;

import java.util.Arrays;
import org.postscrypt.SessionStore;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** Sessions as stores keep them: four bytes that tell what it is, and BoringSSL's encoding. */
final class StoredSession {
  private StoredSession() {}

  private static final byte[] PREFIX = {'P', 'S', 'S', 1};

  /** For a store: {@link #encoded} reads it. */
  static byte[] storable(NativeRef ticket) {
    byte[] encoded = NativeCrypto.tlsSessionEncode(ticket.handle(), ticket);
    byte[] data = Arrays.copyOf(PREFIX, PREFIX.length + encoded.length);
    System.arraycopy(encoded, 0, data, PREFIX.length, encoded.length);
    Arrays.fill(encoded, (byte) 0);
    return data;
  }

  /** The session in what a store answered, for the caller to zero; null if there is none. */
  static byte[] encoded(byte[] data) {
    if (data == null || !Arrays.equals(PREFIX, Arrays.copyOf(data, PREFIX.length))) {
      return null;
    }
    return Arrays.copyOfRange(data, PREFIX.length, data.length);
  }

  /** A client's session from a store; null if there is no store or no host, nothing in it, or nothing that could be a session. */
  static NativeRef of(SessionStore store, String host, int port, NativeContext nativeContext) {
    if (store == null || host == null) {
      return null;
    }
    byte[] encoded = null;
    try {
      encoded = encoded(store.get(host, port));
    } catch (RuntimeException e) {
      CallerCode.failed("A session store failed: a full handshake follows.", e);
    }
    if (encoded == null) {
      return null;
    }
    try {
      return nativeContext.session(encoded);
    } catch (IllegalArgumentException e) {
      return null; // Damaged: a full handshake makes another one.
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }
}
