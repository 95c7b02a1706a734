package org.postscrypt;

import java.nio.ByteBuffer;

/** A buffer that a {@link BufferAllocator} lends. Used by one thread at a time. */
public abstract class AllocatedBuffer {
  /** For allocators. */
  protected AllocatedBuffer() {}

  /** The buffer: the same one at each call, for use until {@link #release()}. Its position, limit and content are whoever uses it's. */
  public abstract ByteBuffer nioBuffer();

  /** Gives the buffer back to the allocator. Called once, possibly on another thread than the one that allocated; must not throw. */
  public abstract void release();
}
