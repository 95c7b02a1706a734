package org.postscrypt.nat;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

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
  /** Several lists, so that threads that make and free objects seldom wait for each other; a power of two. */
  private static final Live[] LIVE = new Live[16];

  static {
    for (int i = 0; i < LIVE.length; i++) {
      LIVE[i] = new Live();
    }
  }

  /** Boxes that are not freed: what keeps them reachable. A doubly linked ring around {@code head}; its own lock. */
  private static final class Live {
    private final Box head = new Box();
    private int size;

    synchronized void add(Box box) {
      Box first = head.next;
      box.previous = head;
      box.next = first;
      first.previous = box;
      head.next = box;
      size++;
    }

    /** The handle, the first time; then zero. */
    synchronized long take(Box box) {
      long handle = box.handle;
      if (handle != 0) {
        box.handle = 0;
        box.previous.next = box.next;
        box.next.previous = box.previous;
        box.previous = null;
        box.next = null;
        size--;
      }
      return handle;
    }

    synchronized int size() {
      return size;
    }
  }

  private static final class Box extends PhantomReference<NativeRef> {
    private volatile long handle;
    private final Free free;
    private final Live list;
    private Box previous;
    private Box next;

    /** The head of a list. */
    Box() {
      super(null, QUEUE);
      free = null;
      list = null;
      previous = this;
      next = this;
    }

    Box(NativeRef owner, long handle, Free free) {
      super(owner, QUEUE);
      this.handle = handle;
      this.free = free;
      // Addresses of objects of one size differ in these bits.
      list = LIVE[(int) ((handle >>> 6) ^ (handle >>> 12)) & (LIVE.length - 1)];
      list.add(this);
    }

    void release() {
      long h = list.take(this);
      if (h != 0) {
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
    freeUnreachable();
    box = new Box(this, handle, free);
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

  private static void freeUnreachable() {
    for (Reference<?> dead; (dead = QUEUE.poll()) != null; ) {
      ((Box) dead).release();
    }
  }

  /** Frees what became unreachable; returns how many native objects are alive after that. */
  public static int drain() {
    freeUnreachable();
    int alive = 0;
    for (Live list : LIVE) {
      alive += list.size();
    }
    return alive;
  }
}
