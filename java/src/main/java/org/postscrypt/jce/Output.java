package org.postscrypt.jce;

import java.nio.ByteBuffer;

/** Where a buffer's position is, in an array or direct. */
final class Output {
  final byte[] array;
  final ByteBuffer buffer;
  final int offset;

  Output(ByteBuffer output) {
    array = output.hasArray() ? output.array() : null;
    buffer = array == null ? output : null;
    offset = output.position() + (array == null ? 0 : output.arrayOffset());
  }
}
