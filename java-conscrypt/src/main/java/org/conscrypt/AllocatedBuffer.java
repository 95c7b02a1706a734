package org.conscrypt;

import java.nio.ByteBuffer;
import java.util.Objects;

/** A buffer of a {@link BufferAllocator}, given back by {@link #release}. */
public abstract class AllocatedBuffer {
  /** For subclasses. */
  public AllocatedBuffer() {}

  /** The buffer; the same one at each call. Not to be used once released. */
  public abstract ByteBuffer nioBuffer();

  /**
   * Nothing, here: subclasses that count references may count one more.
   *
   * @deprecated never called
   */
  @Deprecated
  public AllocatedBuffer retain() {
    return this;
  }

  /** Gives the buffer back. */
  public abstract AllocatedBuffer release();

  /**
   * An existing buffer, whose release does nothing.
   *
   * @throws NullPointerException if it is null
   */
  public static AllocatedBuffer wrap(ByteBuffer buffer) {
    return new Wrapped(Objects.requireNonNull(buffer, "buffer"));
  }

  private static final class Wrapped extends AllocatedBuffer {
    private final ByteBuffer buffer;

    Wrapped(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public ByteBuffer nioBuffer() {
      return buffer;
    }

    @Override
    public AllocatedBuffer release() {
      return this;
    }
  }
}
