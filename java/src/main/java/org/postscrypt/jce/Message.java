package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A message on its way into a native digest or MAC: small pieces are gathered, so that a native call is made per
 * {@value #CAPACITY} bytes, not per update. Not thread-safe.
 */
final class Message {
  /** What takes the pieces. */
  interface Sink {
    /** Appends bytes of an array or, if that is null, of a direct buffer (absolute offset). */
    void accept(byte[] array, ByteBuffer buffer, int offset, int length);
  }

  static final int CAPACITY = 512;
  /** Room made at first: most messages are short. */
  private static final int FIRST = 128;

  private final Sink sink;
  /** Made when first needed. */
  private byte[] gathered = Bytes.EMPTY;
  private int length;

  Message(Sink sink) {
    this.sink = sink;
  }

  /** A copy that feeds another sink. */
  Message copy(Sink other) {
    Message copy = new Message(other);
    copy.gathered = length == 0 ? Bytes.EMPTY : gathered.clone();
    copy.length = length;
    return copy;
  }

  /** What was gathered and not handed on: the first {@link #length} bytes. */
  byte[] gathered() {
    return gathered;
  }

  int length() {
    return length;
  }

  /** Forgets what was gathered, which may be secret. Works whatever threads that misused this left behind. */
  void clear() {
    byte[] bytes = gathered;
    int used = Math.min(length, bytes.length);
    length = 0;
    Arrays.fill(bytes, 0, used, (byte) 0);
  }

  void append(byte b) {
    room(1);
    gathered[length++] = b;
  }

  void append(byte[] input, int offset, int count) {
    Bytes.check(input, offset, count);
    if (count >= CAPACITY) {
      flush();
      sink.accept(input, null, offset, count);
    } else if (count > 0) {
      room(count);
      System.arraycopy(input, offset, gathered, length, count);
      length += count;
    }
  }

  /** Appends all that remains, and moves the buffer's position to its limit. */
  void append(ByteBuffer input) {
    int count = input.remaining();
    if (input.hasArray()) {
      append(input.array(), input.arrayOffset() + input.position(), count);
      input.position(input.limit());
    } else if (input.isDirect() && count >= CAPACITY) {
      flush();
      sink.accept(null, input, input.position(), count);
      input.position(input.limit());
    } else {
      while (input.hasRemaining()) {
        room(1);
        int part = Math.min(input.remaining(), gathered.length - length);
        input.get(gathered, length, part);
        length += part;
      }
    }
  }

  /** Makes room for {@code count} bytes, at most {@link #CAPACITY}. */
  private void room(int count) {
    if (count > CAPACITY - length) {
      flush();
    }
    if (count > gathered.length - length) {
      byte[] larger = new byte[length + count <= FIRST ? FIRST : CAPACITY];
      System.arraycopy(gathered, 0, larger, 0, length);
      Arrays.fill(gathered, (byte) 0);
      gathered = larger;
    }
  }

  private void flush() {
    if (length > 0) {
      sink.accept(gathered, null, 0, length);
      clear();
    }
  }
}
