package org.postscrypt.jsse;

import java.nio.ByteBuffer;

/** Remembers the array that was used last, to wrap it once for many calls. Used under the lock of the half that it serves. */
final class CallersArray {
  /** An array up to this size is remembered. */
  private static final int MAX_REMEMBERED = 1 << 16;

  private byte[] last;
  private ByteBuffer buffer;

  /** A buffer from {@code off}, with {@code len} bytes remaining. */
  ByteBuffer of(byte[] b, int off, int len) {
    ByteBuffer wrapped = buffer;
    if (last != b) {
      wrapped = ByteBuffer.wrap(b);
      last = b.length <= MAX_REMEMBERED ? b : null;
      buffer = last == null ? null : wrapped;
    }
    wrapped.limit(off + len).position(off);
    return wrapped;
  }

  void forget() {
    last = null;
    buffer = null;
  }
}
