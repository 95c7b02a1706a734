package org.conscrypt;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.postscrypt.TlsParameters;

/**
 * Buffers between: where several buffers are one side of a record, and for heap buffers in the handshake. Beside it the
 * provider's engine uses the {@link BufferAllocator}, in the few cases where that needs a buffer itself; without one it
 * has its own.
 */
final class Staging {
  private static final int RECORD_HEADER_BYTES = 5;
  /** RFC 8446 section 5.1: the content of a record. */
  private static final int MOST_CONTENT_BYTES = 16384;

  private static volatile BufferAllocator defaultAllocator;

  private Staging() {}

  /** For engines made from now on; null for none. */
  static void setDefaultAllocator(BufferAllocator allocator) {
    defaultAllocator = allocator;
  }

  static BufferAllocator defaultAllocator() {
    return defaultAllocator;
  }

  /** For the provider's engines; null takes what there is away again. */
  static void applyTo(TlsParameters parameters, BufferAllocator allocator) {
    if (allocator != null) {
      parameters.setBufferAllocator(new HandedOn(allocator));
    } else if (parameters.getBufferAllocator() instanceof HandedOn) {
      parameters.setBufferAllocator(org.postscrypt.BufferAllocator.unpooled());
    }
  }

  private static final class HandedOn extends org.postscrypt.BufferAllocator {
    private final BufferAllocator allocator;

    HandedOn(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    @Override
    public org.postscrypt.AllocatedBuffer allocateDirectBuffer(int capacity) {
      AllocatedBuffer allocated = allocator.allocateDirectBuffer(capacity);
      ByteBuffer buffer = allocated.nioBuffer();
      return new org.postscrypt.AllocatedBuffer() {
        @Override
        public ByteBuffer nioBuffer() {
          return buffer;
        }

        @Override
        public void release() {
          allocated.release();
        }
      };
    }
  }

  /** Wraps a message of the handshake, by way of a buffer of {@code allocator}. */
  static SSLEngineResult wrapHandshake(
      SSLEngine engine, BufferAllocator allocator, ByteBuffer source, ByteBuffer destination) throws SSLException {
    int size = Math.min(Records.PACKET_BYTES, destination.remaining());
    AllocatedBuffer allocated = allocator.allocateDirectBuffer(size);
    try {
      ByteBuffer staging = cleared(allocated, size);
      SSLEngineResult result = engine.wrap(source, staging);
      staging.flip();
      destination.put(staging);
      return result;
    } finally {
      allocated.release();
    }
  }

  /** Unwraps a message of the handshake, by way of a buffer of {@code allocator}. */
  static SSLEngineResult unwrapHandshake(
      SSLEngine engine, BufferAllocator allocator, ByteBuffer source, ByteBuffer destination) throws SSLException {
    int size = Math.min(Records.PACKET_BYTES, source.remaining());
    AllocatedBuffer allocated = allocator.allocateDirectBuffer(size);
    try {
      ByteBuffer staging = cleared(allocated, size);
      copy(new ByteBuffer[] {source}, 0, 1, staging);
      staging.flip();
      SSLEngineResult result = engine.unwrap(staging, destination);
      source.position(source.position() + result.bytesConsumed());
      return result;
    } finally {
      allocated.release();
    }
  }

  /** The sole buffer with anything left in it, or an empty one; null if there are several. */
  private static ByteBuffer sole(ByteBuffer[] buffers, int offset, int length) {
    ByteBuffer sole = buffers[offset];
    for (int i = offset + 1; i < offset + length; i++) {
      if (buffers[i].hasRemaining()) {
        if (sole.hasRemaining()) {
          return null;
        }
        sole = buffers[i];
      }
    }
    return sole;
  }

  private static long remaining(ByteBuffer[] buffers, int offset, int length) {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += buffers[i].remaining();
    }
    return sum;
  }

  /** Copies up to {@code to}'s limit; positions of the sources stay. */
  private static void copy(ByteBuffer[] sources, int offset, int length, ByteBuffer to) {
    for (int i = offset; i < offset + length && to.hasRemaining(); i++) {
      ByteBuffer from = sources[i].duplicate();
      from.limit(from.position() + Math.min(from.remaining(), to.remaining()));
      to.put(from);
    }
  }

  private static void advance(ByteBuffer[] buffers, int offset, int length, int bytes) {
    int left = bytes;
    for (int i = offset; i < offset + length && left > 0; i++) {
      int step = Math.min(left, buffers[i].remaining());
      buffers[i].position(buffers[i].position() + step);
      left -= step;
    }
  }

  static void checkRange(ByteBuffer[] buffers, int offset, int length, String what) {
    if (buffers == null) {
      throw new IllegalArgumentException(what + " is null");
    }
    if (offset < 0 || length < 0 || offset > buffers.length - length) {
      throw new IndexOutOfBoundsException("offset " + offset + ", length " + length + ", buffers " + buffers.length);
    }
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i] == null) {
        throw new IllegalArgumentException(what + "[" + i + "] is null");
      }
    }
  }

  /**
   * Wraps what the sources begin with, by way of a buffer of {@code allocator} if they are several and it is not null.
   */
  static SSLEngineResult wrap(
      SSLEngine engine, BufferAllocator allocator, ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
      throws SSLException {
    checkRange(sources, offset, length, "srcs");
    if (allocator == null || length == 0 || sole(sources, offset, length) != null) {
      return engine.wrap(sources, offset, length, destination);
    }
    int size = (int) Math.min(MOST_CONTENT_BYTES, remaining(sources, offset, length));
    AllocatedBuffer allocated = allocator.allocateDirectBuffer(size);
    try {
      ByteBuffer staging = cleared(allocated, size);
      copy(sources, offset, length, staging);
      staging.flip();
      SSLEngineResult result = engine.wrap(staging, destination);
      advance(sources, offset, length, result.bytesConsumed());
      return result;
    } finally {
      allocated.release();
    }
  }

  private static ByteBuffer cleared(AllocatedBuffer allocated, int size) {
    ByteBuffer buffer = allocated.nioBuffer();
    buffer.clear();
    buffer.limit(size);
    return buffer;
  }

  /** Unwraps one record that the sources begin with, which may be spread over them. */
  static SSLEngineResult unwrap(
      SSLEngine engine,
      BufferAllocator allocator,
      ByteBuffer[] sources,
      int sourceOffset,
      int sourceLength,
      ByteBuffer[] destinations,
      int destinationOffset,
      int destinationLength)
      throws SSLException {
    checkRange(sources, sourceOffset, sourceLength, "srcs");
    checkRange(destinations, destinationOffset, destinationLength, "dsts");
    for (int i = destinationOffset; i < destinationOffset + destinationLength; i++) {
      if (destinations[i].isReadOnly()) {
        throw new ReadOnlyBufferException();
      }
    }
    if (sourceLength == 0) {
      return toAll(
          engine, allocator, ByteBuffer.allocate(0), destinations, destinationOffset, destinationLength);
    }
    ByteBuffer sole = sole(sources, sourceOffset, sourceLength);
    if (sole == null) {
      // Often enough the record is whole in the first one that is not empty.
      ByteBuffer first = firstNonEmpty(sources, sourceOffset, sourceLength);
      sole = first.remaining() >= recordBytes(new ByteBuffer[] {first}, 0, 1) ? first : null;
    }
    if (sole != null) {
      return toAll(engine, allocator, sole, destinations, destinationOffset, destinationLength);
    }
    long available = remaining(sources, sourceOffset, sourceLength);
    int size = (int) Math.min(available, recordBytes(sources, sourceOffset, sourceLength));
    AllocatedBuffer allocated = (allocator == null ? BufferAllocator.unpooled() : allocator).allocateDirectBuffer(size);
    try {
      ByteBuffer staging = cleared(allocated, size);
      copy(sources, sourceOffset, sourceLength, staging);
      staging.flip();
      SSLEngineResult result =
          toAll(engine, allocator, staging, destinations, destinationOffset, destinationLength);
      advance(sources, sourceOffset, sourceLength, result.bytesConsumed());
      return result;
    } finally {
      allocated.release();
    }
  }

  private static ByteBuffer firstNonEmpty(ByteBuffer[] buffers, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i].hasRemaining()) {
        return buffers[i];
      }
    }
    throw new IllegalStateException("all are empty"); // There are several that are not.
  }

  /** Length of the record that the buffers begin with, header included; of a header if they have less than that. */
  private static int recordBytes(ByteBuffer[] buffers, int offset, int length) {
    byte[] header = new byte[RECORD_HEADER_BYTES];
    ByteBuffer view = ByteBuffer.wrap(header);
    copy(buffers, offset, length, view);
    return view.hasRemaining()
        ? RECORD_HEADER_BYTES
        : RECORD_HEADER_BYTES + ((header[3] & 0xff) << 8 | header[4] & 0xff);
  }

  /** Unwraps one record, by way of a buffer of {@code allocator} if the destinations are several and it is not null. */
  private static SSLEngineResult toAll(
      SSLEngine engine, BufferAllocator allocator, ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
      throws SSLException {
    long room = remaining(destinations, offset, length);
    if (allocator == null || length < 2 || room == 0) {
      return engine.unwrap(source, destinations, offset, length);
    }
    ByteBuffer sole = sole(destinations, offset, length);
    if (sole != null) {
      return engine.unwrap(source, sole);
    }
    int size = (int) Math.min(MOST_CONTENT_BYTES, room);
    AllocatedBuffer allocated = allocator.allocateDirectBuffer(size);
    try {
      ByteBuffer staging = cleared(allocated, size);
      SSLEngineResult result = engine.unwrap(source, staging);
      staging.flip();
      for (int i = offset; i < offset + length && staging.hasRemaining(); i++) {
        ByteBuffer part = staging.duplicate();
        part.limit(part.position() + Math.min(part.remaining(), destinations[i].remaining()));
        staging.position(part.limit());
        destinations[i].put(part);
      }
      return result;
    } finally {
      allocated.release();
    }
  }
}
