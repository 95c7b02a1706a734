package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import org.postscrypt.AllocatedBuffer;
import org.postscrypt.BufferAllocator;
import org.postscrypt.nat.NativeCrypto;

/**
 * Records that are gathered from, and scattered to, several buffers. Mostly without a buffer between: sources are copied to where the
 * record is sealed, and a record is opened into the first destination that has room. Else through one direct buffer, of the allocator
 * that was set, for as long as the call lasts; or of our own, made when first needed and kept. Used under its engine's lock.
 */
final class Scratch {
  static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

  /** A record is not longer than its plaintext by more: header, explicit nonce, padding and MAC of any suite. */
  private static final int MOST_EXPANSION = 128;

  private ByteBuffer own;
  /** The allocator's, during a call. */
  private AllocatedBuffer allocated;
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

  /**
   * The first of these that has anything remaining, if {@code size} bytes fit, or if it is the only one; {@link #EMPTY} if none has
   * anything remaining; else null.
   */
  static ByteBuffer holding(int size, ByteBuffer[] buffers, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i].hasRemaining()) {
        return buffers[i].remaining() >= size ? buffers[i] : soleNonEmpty(buffers, i, offset + length - i);
      }
    }
    return EMPTY;
  }

  /** Bytes remaining in these, at most {@code Integer.MAX_VALUE}. */
  static int remaining(ByteBuffer[] buffers, int offset, int length) {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += buffers[i].remaining();
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  /**
   * Copies a record's worth of bytes of {@code sources} to {@code at} bytes behind the destination's position, where they are to be
   * sealed in place; all positions stay. Zero, with nothing changed, if the record might not fit or if a source might share memory
   * with the destination; else how many bytes.
   */
  static int gatherInto(ByteBuffer destination, BufferAddress known, int at, ByteBuffer[] sources, int offset, int length) {
    int size = Math.min(remaining(sources, offset, length), TlsSession.APPLICATION_BUFFER_SIZE);
    if (destination.remaining() < size + MOST_EXPANSION) {
      return 0;
    }
    long start = destination.isDirect() ? address(destination, known) + destination.position() : 0;
    for (int i = offset; i < offset + length; i++) {
      if (mayShare(sources[i], destination, start)) {
        return 0;
      }
    }
    int position = destination.position();
    int limit = destination.limit();
    destination.limit(position + at + size);
    destination.position(position + at);
    copy(sources, offset, length, destination);
    destination.limit(limit);
    destination.position(position);
    return size;
  }

  /** {@code start}: where a direct destination's remaining bytes begin. */
  private static boolean mayShare(ByteBuffer source, ByteBuffer destination, long start) {
    if (source.isDirect() != destination.isDirect()) {
      return false;
    }
    if (!source.isDirect()) {
      return !source.hasArray() || source.array() == destination.array();
    }
    long from = NativeCrypto.tlsBufferAddress(source) + source.position();
    return from < start + destination.remaining() && start < from + source.remaining();
  }

  private static long address(ByteBuffer direct, BufferAddress known) {
    long address = known.of(direct);
    return address != 0 ? address : NativeCrypto.tlsBufferAddress(direct);
  }

  /** Fills {@code to}; the positions of the sources stay. (A duplicate of each would be garbage.) */
  private static void copy(ByteBuffer[] sources, int offset, int length, ByteBuffer to) {
    for (int i = offset; i < offset + length && to.hasRemaining(); i++) {
      ByteBuffer from = sources[i];
      int position = from.position();
      int limit = from.limit();
      from.limit(position + Math.min(limit - position, to.remaining()));
      to.put(from);
      from.limit(limit);
      from.position(position);
    }
  }

  /** Overwrites bytes {@code from} to {@code to} behind the position of {@code buffer}: plaintext that was not sealed after all. */
  static void clear(ByteBuffer buffer, int from, int to) {
    int start = buffer.position();
    for (int i = start + from; i < Math.min(start + to, buffer.limit()); i++) {
      buffer.put(i, (byte) 0);
    }
  }

  private ByteBuffer cleared(BufferAllocator allocator) {
    if (allocator != null) {
      allocated = allocator.allocateDirectBuffer(TlsSession.PACKET_BUFFER_SIZE);
      buffer = allocated.nioBuffer();
      if (!buffer.isDirect() || buffer.isReadOnly() || buffer.capacity() < TlsSession.PACKET_BUFFER_SIZE) {
        giveBack();
        throw new IllegalStateException("the buffer allocator gave no writable direct buffer of the size asked for");
      }
    } else {
      if (own == null) {
        own = ByteBuffer.allocateDirect(TlsSession.PACKET_BUFFER_SIZE);
      }
      buffer = own;
    }
    buffer.clear();
    return buffer;
  }

  /** A record's worth of bytes of these, copied; their positions stay. {@code allocator}: null for a buffer of our own. */
  ByteBuffer gather(BufferAllocator allocator, ByteBuffer[] sources, int offset, int length) {
    ByteBuffer to = cleared(allocator);
    to.limit(TlsSession.APPLICATION_BUFFER_SIZE);
    copy(sources, offset, length, to);
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

  /** Room for a record, but no more than {@code limit} bytes. {@code allocator}: null for a buffer of our own. */
  ByteBuffer limited(BufferAllocator allocator, int limit) {
    ByteBuffer to = cleared(allocator);
    to.limit(Math.min(TlsSession.PACKET_BUFFER_SIZE, limit));
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

  /** The end of a call: the allocator gets its buffer back. */
  void giveBack() {
    AllocatedBuffer done = allocated;
    if (done != null) {
      allocated = null;
      buffer = null;
      done.release();
    }
  }
}
