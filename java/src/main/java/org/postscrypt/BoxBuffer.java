package org.postscrypt;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of a buffer as natives take them: in an array, or in a direct buffer's memory. */
final class BoxBuffer {
  final byte[] array;
  final ByteBuffer buffer;
  final int offset;
  private final boolean copied;

  /** Room from the position on. */
  BoxBuffer(ByteBuffer output) {
    array = output.hasArray() ? output.array() : null;
    buffer = array == null ? output : null;
    offset = output.position() + (array == null ? 0 : output.arrayOffset());
    copied = false;
  }

  /** The next {@code length} bytes; a copy if the buffer hides its array. */
  BoxBuffer(ByteBuffer input, int length) {
    copied = !input.hasArray() && !input.isDirect();
    if (copied) {
      array = new byte[length];
      input.duplicate().get(array);
      offset = 0;
    } else {
      array = input.hasArray() ? input.array() : null;
      offset = input.position() + (array == null ? 0 : input.arrayOffset());
    }
    buffer = array == null ? input : null;
  }

  /** Zeroes the copy, if it is one. */
  void clear() {
    if (copied) {
      Arrays.fill(array, (byte) 0);
    }
  }
}
