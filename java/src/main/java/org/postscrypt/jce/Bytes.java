package org.postscrypt.jce;

/** Checks and small helpers on bytes. */
final class Bytes {
  static final byte[] EMPTY = new byte[0];

  private Bytes() {}

  /**
   * Checks that {@code length} bytes at {@code offset} lie inside {@code array}.
   *
   * @throws NullPointerException if the array is null
   * @throws IndexOutOfBoundsException if they do not
   */
  static void check(byte[] array, int offset, int length) {
    if ((offset | length) < 0 || length > array.length - offset) {
      throw new IndexOutOfBoundsException("offset " + offset + ", length " + length + ", available " + array.length);
    }
  }

  /** A copy in reverse order. */
  static byte[] reversed(byte[] bytes) {
    byte[] out = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      out[i] = bytes[bytes.length - 1 - i];
    }
    return out;
  }

  /** {@code a + b} for non-negative numbers, at most {@link Integer#MAX_VALUE}. */
  static int saturatingAdd(int a, int b) {
    int sum = a + b;
    return sum < 0 ? Integer.MAX_VALUE : sum;
  }

  /** The 8 bytes at {@code offset}, big-endian. */
  static long getLong(byte[] b, int offset) {
    return (long) getInt(b, offset) << 32 | getInt(b, offset + 4) & 0xffffffffL;
  }

  /** The 4 bytes at {@code offset}, big-endian. */
  static int getInt(byte[] b, int offset) {
    return b[offset] << 24 | (b[offset + 1] & 0xff) << 16 | (b[offset + 2] & 0xff) << 8 | b[offset + 3] & 0xff;
  }
}
