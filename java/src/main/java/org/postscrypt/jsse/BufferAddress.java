package org.postscrypt.jsse;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.postscrypt.nat.ShortCalls;

/**
 * Remembers the address of the direct buffer that was used last, as applications tend to use the same one again, and asking the
 * JVM takes as long as sealing a small record's tag. Does not keep the buffer alive. Used under its engine's lock.
 */
final class BufferAddress {
  private static final int MOST_SKIPPED = 64;

  private WeakReference<ByteBuffer> buffer;
  private long address;
  /** Whether remembering paid since it was last done. */
  private boolean hit;
  /** How many unknown buffers to let pass before one is remembered: doubles while it does not pay. */
  private int pause;
  private int skip;

  /** Where {@code direct} begins; zero if that is to be asked for. */
  long of(ByteBuffer direct) {
    WeakReference<ByteBuffer> known = buffer;
    if (known != null && known.get() == direct) {
      hit = true;
      return address;
    }
    return other(direct);
  }

  private long other(ByteBuffer direct) {
    if (skip > 0) {
      skip--;
      return 0;
    }
    if (buffer != null) {
      pause = hit ? 0 : Math.min(MOST_SKIPPED, 2 * pause + 1);
    }
    hit = false;
    skip = pause;
    address = ShortCalls.tlsBufferAddress(direct);
    buffer = new WeakReference<>(direct);
    return address;
  }
}
