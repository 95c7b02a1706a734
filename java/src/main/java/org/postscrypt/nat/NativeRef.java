package org.postscrypt.nat;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owns one native object: freed once, by {@link #close()} or after this reference became unreachable, never by a finaliser.
 *
 * <p>Unreachable ones are freed while new ones are made, so no thread exists for it. {@code close()} is only for owners whose
 * lock covers every use; objects shared by threads are left to the garbage collector.
 */
public final class NativeRef implements AutoCloseable {
  /** Frees the object behind a handle. */
  public interface Free {
    /** Called once, on any thread. */
    void free(long handle);
  }

  private static final ReferenceQueue<NativeRef> QUEUE = new ReferenceQueue<>();
  private static final Set<Box> LIVE = Collections.newSetFromMap(new ConcurrentHashMap<>());

  private static final class Box extends PhantomReference<NativeRef> {
    private volatile long handle;
    private final Free free;

    Box(NativeRef owner, long handle, Free free) {
      super(owner, QUEUE);
      this.handle = handle;
      this.free = free;
    }

    synchronized void release() {
      long h = handle;
      if (h != 0) {
        handle = 0;
        LIVE.remove(this);
        free.free(h);
      }
    }
  }

  private final Box box;

  /**
   * Takes ownership of {@code handle}.
   *
   * @throws NullPointerException if {@code handle} is zero
   */
  public NativeRef(long handle, Free free) {
    if (handle == 0) {
      throw new NullPointerException("handle");
    }
    drain();
    box = new Box(this, handle, free);
    LIVE.add(box);
  }

  /** The handle, or zero once closed. Pass this object beside it into the native. */
  public long handle() {
    return box.handle;
  }

  /** Frees the native object; again is a no-op. No native may be using it. */
  @Override
  public void close() {
    box.release();
  }

  /** Frees what became unreachable; returns how many native objects are alive after that. */
  public static int drain() {
    for (Reference<?> dead; (dead = QUEUE.poll()) != null; ) {
      ((Box) dead).release();
    }
    return LIVE.size();
  }
}
