package org.conscrypt;

import java.nio.ByteBuffer;

/**
 * Where engines get buffers that they need for a short time: see {@link
 * Conscrypt#setBufferAllocator(javax.net.ssl.SSLEngine, BufferAllocator)}.
 */
public abstract class BufferAllocator {
  private static final BufferAllocator UNPOOLED =
      new BufferAllocator() {
        @Override
        public AllocatedBuffer allocateDirectBuffer(int capacity) {
          return AllocatedBuffer.wrap(ByteBuffer.allocateDirect(capacity));
        }
      };

  /** For subclasses. */
  public BufferAllocator() {}

  /** An allocator that makes a new buffer each time. */
  public static BufferAllocator unpooled() {
    return UNPOOLED;
  }

  /** A direct buffer of that many bytes, at least. */
  public abstract AllocatedBuffer allocateDirectBuffer(int capacity);

  /** A buffer on the heap of that many bytes. */
  public AllocatedBuffer allocateHeapBuffer(int capacity) {
    return AllocatedBuffer.wrap(ByteBuffer.allocate(capacity));
  }
}
