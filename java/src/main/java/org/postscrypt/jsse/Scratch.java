package org.postscrypt.jsse;

import java.nio.ByteBuffer;

/**
 * Where records are gathered from, and scattered to, several buffers: one direct buffer, made when first needed. Used under its
 * engine's lock.
 */
final class Scratch {
  static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

  private ByteBuffer buffer;

  /**
   * The one buffer among these that has anything remaining; {@link #EMPTY} if none has, null if several have.
   */
  static ByteBuffer soleNonEmpty(ByteBuffer[] buffers, int offset, int length) {
    ByteBuffer sole = EMPTY;
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i].hasRemaining()) {
        if (sole != EMPTY) {
          return null;
        }
        sole = buffers[i];
      }
    }
    return sole;
  }

  /** Bytes remaining in these, at most {@code Integer.MAX_VALUE}. */
  static int remaining(ByteBuffer[] buffers, int offset, int length) {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += buffers[i].remaining();
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  private ByteBuffer cleared() {
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(TlsSession.PACKET_BUFFER_SIZE);
    }
    buffer.clear();
    return buffer;
  }

  /** A record's worth of bytes of these, copied; their positions stay. */
  ByteBuffer gather(ByteBuffer[] sources, int offset, int length) {
    ByteBuffer to = cleared();
    to.limit(TlsSession.APPLICATION_BUFFER_SIZE);
    for (int i = offset; i < offset + length && to.hasRemaining(); i++) {
      ByteBuffer from = sources[i].duplicate();
      if (from.remaining() > to.remaining()) {
        from.limit(from.position() + to.remaining());
      }
      to.put(from);
    }
    to.flip();
    return to;
  }

  /** Moves the positions of these by {@code count} bytes in all. */
  static void advance(ByteBuffer[] buffers, int offset, int length, int count) {
    int left = count;
    for (int i = offset; i < offset + length && left > 0; i++) {
      int n = Math.min(left, buffers[i].remaining());
      buffers[i].position(buffers[i].position() + n);
      left -= n;
    }
  }

  /** Room for a record, but no more than {@code limit} bytes. */
  ByteBuffer limited(int limit) {
    ByteBuffer to = cleared();
    to.limit(Math.min(to.capacity(), limit));
    return to;
  }

  /** Copies the first {@code count} bytes to these. */
  void scatter(int count, ByteBuffer[] destinations, int offset, int length) {
    buffer.position(0);
    int left = count;
    for (int i = offset; i < offset + length && left > 0; i++) {
      int n = Math.min(left, destinations[i].remaining());
      buffer.limit(buffer.position() + n);
      destinations[i].put(buffer);
      left -= n;
    }
  }


  /** Gives the memory back. */
  void free() {
    buffer = null;
  }
}
