package org.postscrypt;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.ShortBufferException;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The sending direction of a box, from a {@link BoxHandshake}. What it writes must reach the other side's
 * {@link BoxOpener} whole and in order.
 *
 * <p>A message, which may be empty or of any size, becomes records of up to {@value #MAX_RECORD_PLAINTEXT} bytes of
 * plaintext, each {@value #RECORD_OVERHEAD} bytes longer. {@link #end} says that no message follows; without it the
 * other side reports truncation. Threads take turns, a record or a message at a time.
 */
public final class BoxSealer implements AutoCloseable {
  /** Bytes that a record has beside its plaintext: 4 of header, 16 of tag. */
  public static final int RECORD_OVERHEAD = 20;

  /** Bytes of plaintext that a record may have. */
  public static final int MAX_RECORD_PLAINTEXT = 65536;

  static final int PART = 0;
  static final int LAST = 1;
  static final int END = 2;

  private static final NativeRef.Free FREE = NativeCrypto::boxSealerFree;

  private final NativeRef ref;
  /** Whether a message was begun whose last record has not been sealed. */
  private boolean inMessage;
  private boolean ended;
  /** The stream whose message that is. */
  private MessageStream stream;

  BoxSealer(long handle) {
    ref = new NativeRef(handle, FREE);
  }

  /**
   * Length in bytes of a sealed message, from {@link #seal(byte[])}, by the length of the message.
   *
   * @throws IllegalArgumentException if that is negative
   */
  public static long sealedLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("negative length");
    }
    long records = length == 0 ? 1 : (length - 1) / MAX_RECORD_PLAINTEXT + 1;
    return Math.addExact(length, records * RECORD_OVERHEAD);
  }

  /** Seals a message; the answer is all of its records. */
  public byte[] seal(byte[] message) {
    return seal(message, 0, message.length);
  }

  /**
   * Seals a message; the answer is all of its records, {@link #sealedLength} bytes.
   *
   * @throws IndexOutOfBoundsException if the range is not in the array
   * @throws IllegalArgumentException if the answer would be longer than an array can be
   * @throws IllegalStateException if a message of a stream or of records is not over, or the box was ended or closed
   */
  public synchronized byte[] seal(byte[] message, int offset, int length) {
    if ((offset | length) < 0 || length > message.length - offset) {
      throw new IndexOutOfBoundsException("offset " + offset + ", length " + length + ", available " + message.length);
    }
    betweenMessages();
    long sealedLength = sealedLength(length);
    if (sealedLength > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("too long for an array: use a stream");
    }
    byte[] sealed = new byte[(int) sealedLength];
    int at = 0;
    int done = 0;
    do {
      int part = Math.min(MAX_RECORD_PLAINTEXT, length - done);
      int kind = done + part == length ? LAST : PART;
      at += NativeCrypto.boxSeal(ref.handle(), ref, kind, message, null, offset + done, part, sealed, null, at);
      done += part;
    } while (done < length);
    return sealed;
  }

  /**
   * Seals one record: up to {@value #MAX_RECORD_PLAINTEXT} of the bytes that remain in {@code plaintext}. For channels
   * that are neither streams nor made of arrays; buffers may be heap or direct, and share memory.
   *
   * @param last whether the message ends with the bytes that remain in {@code plaintext}; if there are more than fit,
   *     the record is a part and the rest goes into the next
   * @return whether the message is over
   * @throws ShortBufferException if {@code sealed} has less room than the record needs; nothing was changed
   * @throws IllegalArgumentException if nothing remains and it is not the last part
   * @throws java.nio.ReadOnlyBufferException if {@code sealed} is read-only
   * @throws IllegalStateException if a stream's message is not over, or the box was ended or closed
   */
  public synchronized boolean sealRecord(ByteBuffer plaintext, ByteBuffer sealed, boolean last)
      throws ShortBufferException {
    if (stream != null) {
      throw new IllegalStateException("a message is being written through a stream");
    }
    if (sealed.isReadOnly()) {
      throw new java.nio.ReadOnlyBufferException();
    }
    int length = Math.min(MAX_RECORD_PLAINTEXT, plaintext.remaining());
    boolean over = last && length == plaintext.remaining();
    if (sealed.remaining() < length + RECORD_OVERHEAD) {
      throw new ShortBufferException(
          "a record has " + (length + RECORD_OVERHEAD) + " bytes, there is room for " + sealed.remaining());
    }
    BoxBuffer in = new BoxBuffer(plaintext, length);
    BoxBuffer out = new BoxBuffer(sealed);
    try {
      NativeCrypto.boxSeal(
          ref.handle(), ref, over ? LAST : PART,
          in.array, in.buffer, in.offset, length, out.array, out.buffer, out.offset);
    } finally {
      in.clear();
    }
    plaintext.position(plaintext.position() + length);
    sealed.position(sealed.position() + length + RECORD_OVERHEAD);
    inMessage = !over;
    return over;
  }

  /**
   * One message as a stream, in constant memory: what is written to the answer is sealed and written to {@code sink}, a
   * record for each {@value #MAX_RECORD_PLAINTEXT} bytes, or at {@code flush} fewer. Closing it ends the message, and
   * flushes but does not close {@code sink}. After an IOException from {@code sink} the message cannot be continued.
   *
   * @throws IllegalStateException if another message is not over, or the box was ended or closed
   */
  public synchronized OutputStream messageStream(OutputStream sink) {
    Objects.requireNonNull(sink, "sink");
    betweenMessages();
    stream = new MessageStream(sink);
    inMessage = true;
    return stream;
  }

  /**
   * The record, of {@value #RECORD_OVERHEAD} bytes, that says that no message follows.
   *
   * @throws IllegalStateException if a message is not over, or the box was ended or closed
   */
  public synchronized byte[] end() {
    betweenMessages();
    byte[] record = new byte[RECORD_OVERHEAD];
    NativeCrypto.boxSeal(ref.handle(), ref, END, record, null, 0, 0, record, null, 0);
    ended = true;
    return record;
  }

  private void betweenMessages() {
    if (ended) {
      throw new IllegalStateException("the box was ended");
    }
    if (ref.handle() == 0) {
      throw new IllegalStateException("the box is closed");
    }
    if (inMessage) {
      throw new IllegalStateException("a message is not over");
    }
  }

  /** Zeroes the keys; again is a no-op. Sends nothing: {@link #end} first. */
  @Override
  public synchronized void close() {
    ref.close();
  }

  private synchronized int record(byte[] plaintext, int length, boolean last, byte[] sealed) {
    return NativeCrypto.boxSeal(ref.handle(), ref, last ? LAST : PART, plaintext, null, 0, length, sealed, null, 0);
  }

  /** Lets the next message begin: only when the last record of the former one was handed on. */
  private synchronized void streamIsOver() {
    stream = null;
    inMessage = false;
  }

  private final class MessageStream extends OutputStream {
    private final OutputStream sink;
    private final byte[] plaintext = new byte[MAX_RECORD_PLAINTEXT];
    private final byte[] sealed = new byte[MAX_RECORD_PLAINTEXT + RECORD_OVERHEAD];
    /** Held while the sink blocks: no monitor, for virtual threads. */
    private final ReentrantLock lock = new ReentrantLock();
    private int length;
    private boolean over;

    MessageStream(OutputStream sink) {
      this.sink = sink;
    }

    private void seal(boolean last) throws IOException {
      int written;
      try {
        written = record(plaintext, length, last, sealed);
      } catch (IllegalStateException e) {
        throw new IOException(e.getMessage(), e);
      }
      Arrays.fill(plaintext, 0, length, (byte) 0);
      length = 0;
      sink.write(sealed, 0, written);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      if ((offset | count) < 0 || count > bytes.length - offset) {
        throw new IndexOutOfBoundsException();
      }
      lock.lock();
      try {
        if (over) {
          throw new IOException("the message is over");
        }
        for (int done = 0; done < count; ) {
          if (length == plaintext.length) {
            seal(false);
          }
          int part = Math.min(count - done, plaintext.length - length);
          System.arraycopy(bytes, offset + done, plaintext, length, part);
          length += part;
          done += part;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void flush() throws IOException {
      lock.lock();
      try {
        if (!over && length > 0) {
          seal(false);
        }
        sink.flush();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() throws IOException {
      lock.lock();
      try {
        if (!over) {
          over = true;
          try {
            seal(true);
          } finally {
            streamIsOver();
          }
          sink.flush();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
