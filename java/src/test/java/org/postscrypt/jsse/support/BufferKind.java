package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;

/** Kinds of buffers an engine must treat alike. */
public enum BufferKind {
  HEAP(false, false, false),
  DIRECT(true, false, false),
  HEAP_SLICE(false, true, false),
  DIRECT_SLICE(true, true, false),
  /** Sources are read-only; destinations cannot be. */
  HEAP_READ_ONLY(false, false, true),
  /** The same, direct and sliced. */
  DIRECT_READ_ONLY(true, true, true);

  /** Bytes around a slice, which no engine may touch. */
  private static final int MARGIN = 13;

  private static final byte GUARD = (byte) 0xA5;

  private final boolean direct;
  private final boolean slice;
  private final boolean readOnlySource;

  BufferKind(boolean direct, boolean slice, boolean readOnlySource) {
    this.direct = direct;
    this.slice = slice;
    this.readOnlySource = readOnlySource;
  }

  /** A buffer with {@code size} bytes remaining; of a slice, neither position nor limit is an end of the memory. */
  public ByteBuffer destination(int size) {
    return allocate(size);
  }

  /** A buffer whose remaining bytes are {@code content}. */
  public ByteBuffer source(byte[] content) {
    return source(content, 0, content.length);
  }

  /** As {@link #source(byte[])}, but never read-only. */
  public ByteBuffer writableSource(byte[] content) {
    ByteBuffer buffer = allocate(content.length);
    buffer.duplicate().put(content);
    return buffer;
  }

  /** A buffer whose remaining bytes are a range of {@code content}. */
  public ByteBuffer source(byte[] content, int offset, int length) {
    ByteBuffer buffer = allocate(length);
    buffer.duplicate().put(content, offset, length);
    return readOnlySource ? buffer.asReadOnlyBuffer() : buffer;
  }

  private ByteBuffer allocate(int size) {
    if (!slice) {
      return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }
    int total = size + 4 * MARGIN;
    ByteBuffer memory = direct ? ByteBuffer.allocateDirect(total) : ByteBuffer.allocate(total);
    while (memory.hasRemaining()) {
      memory.put(GUARD);
    }
    // A slice with an array offset, in which the usable part again begins and ends inside.
    memory.position(MARGIN).limit(total - MARGIN);
    ByteBuffer inner = memory.slice();
    inner.position(MARGIN).limit(MARGIN + size);
    return inner;
  }

  /** Asserts that nothing before {@code start} or after {@code buffer}'s limit was written. */
  public void assertMarginsIntact(ByteBuffer buffer, int start) {
    if (!slice) {
      return;
    }
    for (int i = 0; i < Math.min(MARGIN, start); i++) {
      assertEquals(GUARD, buffer.get(i), "byte written before the buffer's position");
    }
    ByteBuffer whole = buffer.duplicate();
    whole.clear();
    for (int i = Math.max(buffer.limit(), whole.capacity() - MARGIN); i < whole.capacity(); i++) {
      assertEquals(GUARD, whole.get(i), "byte written after the buffer's limit");
    }
  }
}
