package org.postscrypt;

import java.nio.ByteBuffer;

/**
 * Where the direct buffers come from that an engine uses between its caller's buffers: an application with a pool of them can plug it
 * in, by {@link TlsParameters#setBufferAllocator} or {@link Postscrypt#setDefaultBufferAllocator}.
 *
 * <p>Hardly anything needs one. Records go straight between the caller's buffers, direct or not, one or many; a buffer is only taken
 * to wrap from several buffers of which one may overlap the destination, or into a destination with little room to spare, and to unwrap
 * into several buffers of which the first has not room for the record. It is taken for one call of {@code wrap} or {@code
 * unwrap}, and given back before that returns. It holds plaintext then and is not overwritten.
 *
 * <p>Thread-safe: it is called by the threads that call the engines, under the engine's lock. So it must neither call the engine nor
 * wait for a thread that does.
 */
public abstract class BufferAllocator {
  private static final BufferAllocator UNPOOLED =
      new BufferAllocator() {
        @Override
        public AllocatedBuffer allocateDirectBuffer(int capacity) {
          return new Unpooled(ByteBuffer.allocateDirect(capacity));
        }
      };

  /** For subclasses. */
  protected BufferAllocator() {}

  /**
   * A writable direct buffer of at least {@code capacity} bytes. What it throws is thrown by the engine's method, which has changed nothing
   * then.
   */
  public abstract AllocatedBuffer allocateDirectBuffer(int capacity);

  /** An allocator that makes each buffer anew, and leaves it to the garbage collector. */
  public static BufferAllocator unpooled() {
    return UNPOOLED;
  }

  private static final class Unpooled extends AllocatedBuffer {
    private final ByteBuffer buffer;

    Unpooled(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public ByteBuffer nioBuffer() {
      return buffer;
    }

    @Override
    public void release() {}
  }
}
