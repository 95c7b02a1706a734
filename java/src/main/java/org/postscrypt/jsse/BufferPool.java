package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Heap buffers that the process's sockets borrow while they have something to do: an idle one holds none.
 *
 * <p>Any thread may take and give back; nobody waits. A buffer has one holder at a time, who does not touch it after giving it back; it
 * need not come back at all. What is kept is bounded: {@link #RECORDS} and {@link #PLAINTEXT} keep 3 MB together at most, what comes back
 * beyond that is left to the garbage collector. What was decrypted never shares a buffer with what a transport's streams are given.
 */
final class BufferPool {
  /** Bytes of a buffer for one record. */
  static final int RECORD = TlsSession.PACKET_BUFFER_SIZE;

  /** Bytes of a buffer for several records. */
  static final int BULK = 4 * RECORD;

  /** What comes from, and goes to, the network. */
  static final BufferPool RECORDS = new BufferPool(64, 16);

  /** What was decrypted. Its buffers are zeroed by the holder before they are given back. */
  static final BufferPool PLAINTEXT = new BufferPool(32, 0);

  /** Tests only: told of each buffer before it is lent and before others can take it again. */
  interface Watch {
    void taken(BufferPool pool, ByteBuffer buffer);

    void given(BufferPool pool, ByteBuffer buffer);
  }

  private static volatile Watch watch;

  private final AtomicReferenceArray<ByteBuffer> records;
  private final AtomicReferenceArray<ByteBuffer> bulk;

  /** How many of each kind are kept: powers of two, or zero. */
  private BufferPool(int records, int bulk) {
    this.records = new AtomicReferenceArray<>(records);
    this.bulk = new AtomicReferenceArray<>(bulk);
  }

  static void setWatch(Watch newWatch) {
    watch = newWatch;
  }

  /** A cleared buffer of at least so many bytes, with an array and no array offset. What is in it is undefined. */
  ByteBuffer take(int size) {
    ByteBuffer buffer;
    if (size <= RECORD) {
      buffer = take(records, RECORD);
    } else if (size <= BULK) {
      buffer = take(bulk, BULK);
    } else {
      return ByteBuffer.allocate(size);
    }
    Watch watching = watch;
    if (watching != null) {
      watching.taken(this, buffer);
    }
    return buffer;
  }

  private static ByteBuffer take(AtomicReferenceArray<ByteBuffer> slots, int size) {
    int start = start();
    for (int i = 0; i < slots.length(); i++) {
      int slot = start + i & slots.length() - 1;
      ByteBuffer buffer = slots.get(slot);
      if (buffer != null && slots.compareAndSet(slot, buffer, null)) {
        buffer.clear();
        return buffer;
      }
    }
    return ByteBuffer.allocate(size);
  }

  /** Takes a buffer back, which the caller forgets. One that did not come from here is only forgotten. */
  void give(ByteBuffer buffer) {
    AtomicReferenceArray<ByteBuffer> slots = buffer.capacity() == RECORD ? records : buffer.capacity() == BULK ? bulk : null;
    if (slots == null) {
      return;
    }
    Watch watching = watch;
    if (watching != null) {
      watching.given(this, buffer);
    }
    int start = start();
    for (int i = 0; i < slots.length(); i++) {
      int slot = start + i & slots.length() - 1;
      if (slots.get(slot) == null && slots.compareAndSet(slot, null, buffer)) {
        return;
      }
    }
  }

  /** Where a thread looks first: mostly where it put the last one, in its processor's cache. */
  private static int start() {
    return (int) (Thread.currentThread().getId() * 0x9E3779B97F4A7C15L >>> 40);
  }
}
