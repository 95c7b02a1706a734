package org.postscrypt.jce;

import java.math.BigInteger;
import java.util.Arrays;

/** Numbers as the natives take them: big-endian and unsigned. */
final class Numbers {
  private Numbers() {}

  /** The magnitude without leading zeros; null and zero are empty. */
  static byte[] bytes(BigInteger number) {
    if (number == null || number.signum() == 0) {
      return Bytes.EMPTY;
    }
    byte[] bytes = number.toByteArray();
    if (bytes[0] != 0) {
      return bytes;
    }
    byte[] magnitude = Arrays.copyOfRange(bytes, 1, bytes.length);
    Arrays.fill(bytes, (byte) 0);
    return magnitude;
  }

  /** Writes a non-negative number of at most {@code length} bytes, with leading zeros. */
  static void write(BigInteger number, byte[] out, int offset, int length) {
    byte[] bytes = bytes(number);
    System.arraycopy(bytes, 0, out, offset + length - bytes.length, bytes.length);
  }

  static BigInteger number(byte[] bytes) {
    return new BigInteger(1, bytes);
  }

  /** Zeroes what may be secret. */
  static void clear(byte[]... arrays) {
    for (byte[] array : arrays) {
      if (array != null) {
        Arrays.fill(array, (byte) 0);
      }
    }
  }
}
