package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What remains in a buffer, as an array or direct; a copy if it is neither (read-only heap buffers hide their array).
 */
final class Input {
  final byte[] array;
  final ByteBuffer buffer;
  final int offset;
  final int length;
  private final boolean copied;

  Input(ByteBuffer input) {
    length = input.remaining();
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
