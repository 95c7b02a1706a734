package org.postscrypt;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.AEADBadTagException;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The receiving direction of a box, from a {@link BoxHandshake}: takes what the other side's {@link BoxSealer} wrote.
 *
 * <p>Records that were changed, repeated, left out, put in another order or come from another channel or direction are
 * refused, and with the first such one the box fails for good: every later call gives an {@link IllegalStateException}.
 * That nothing is missing at the end is known when the end record was opened. Threads take turns.
 */
public final class BoxOpener implements AutoCloseable {
  /** What {@link #openRecord} found. */
  public enum Result {
    /** The record is not there yet as a whole; nothing was changed. */
    NEED_INPUT,
    /** There is not enough room for its plaintext; nothing was changed. */
    NEED_ROOM,
    /** Bytes of a message that goes on. */
    PART,
    /** The last bytes of a message, perhaps none. */
    LAST,
    /** The other side sends no more. */
    END
  }

  private static final NativeRef.Free FREE = NativeCrypto::boxOpenerFree;
  private static final int HEADER = 4;
  private static final int MAX_RECORD = BoxSealer.MAX_RECORD_PLAINTEXT + BoxSealer.RECORD_OVERHEAD;
  /** Room that a stream has at first: most messages are short. */
  private static final int FIRST = 1024;

  private final NativeRef ref;
  /** Whether parts of a message were opened, but not its last. */
  private boolean inMessage;
  private boolean ended;
  private boolean failed;
  /** The stream that reads the message. */
  private MessageStream stream;

  BoxOpener(long handle) {
    ref = new NativeRef(handle, FREE);
  }

  /** Whether the other side said that no message follows, and so nothing was cut off. */
  public synchronized boolean isEnded() {
    return ended;
  }

  /**
   * Opens one message, all of its records and nothing else.
   *
   * @return the message; null if it is the end record
   * @throws AEADBadTagException if it is not the other side's next message, whole; the box fails for good
   * @throws IllegalStateException if the box failed, ended, or was closed, or a message of a stream or of records is
   *     not over
   */
  public synchronized byte[] open(byte[] message) throws AEADBadTagException {
    return open(message, 0, message.length);
  }

  /**
   * As {@link #open(byte[])}, of a range.
   *
   * @throws IndexOutOfBoundsException if that is not in the array
   */
  public synchronized byte[] open(byte[] message, int offset, int length) throws AEADBadTagException {
    if ((offset | length) < 0 || length > message.length - offset) {
      throw new IndexOutOfBoundsException("offset " + offset + ", length " + length + ", available " + message.length);
    }
    usable();
    betweenMessages();
    int total = 0;
    int end = offset + length;
    boolean more = true;
    for (int at = offset; at < end; ) {
      int plain = more && end - at >= HEADER ? plaintextLength(message, at) : -1;
      if (plain < 0 || plain > end - at - BoxSealer.RECORD_OVERHEAD) {
        throw fail("not a whole message");
      }
      more = message[at] == BoxSealer.PART;
      total += plain;
      at += plain + BoxSealer.RECORD_OVERHEAD;
    }
    if (more) {
      throw fail("not a whole message");
    }
    byte[] opened = new byte[total];
    int kind = BoxSealer.PART;
    int done = 0;
    for (int at = offset; at < end; ) {
      int plain = plaintextLength(message, at);
      try {
        kind = record(message, null, at, plain, opened, null, done);
      } catch (AEADBadTagException e) {
        Arrays.fill(opened, (byte) 0);
        throw e;
      }
      done += plain;
      at += plain + BoxSealer.RECORD_OVERHEAD;
    }
    if (kind == BoxSealer.END && total > 0) {
      throw fail("a message was cut off");
    }
    return kind == BoxSealer.END ? null : opened;
  }

  /**
   * Opens one record, if {@code sealed} has all of it and {@code plaintext} room for its bytes. For channels that are
   * neither streams nor made of arrays; buffers may be heap or direct, and share memory. What was opened is authentic;
   * that the message is complete is known at {@link Result#LAST}.
   *
   * @throws AEADBadTagException if it is not the other side's next record; the box fails for good
   * @throws java.nio.ReadOnlyBufferException if {@code plaintext} is read-only
   * @throws IllegalStateException if the box failed, ended, or was closed, or a stream's message is not over
   */
  public synchronized Result openRecord(ByteBuffer sealed, ByteBuffer plaintext) throws AEADBadTagException {
    usable();
    if (stream != null) {
      throw new IllegalStateException("a message is being read through a stream");
    }
    if (plaintext.isReadOnly()) {
      throw new java.nio.ReadOnlyBufferException();
    }
    if (sealed.remaining() < HEADER) {
      return Result.NEED_INPUT;
    }
    byte[] header = new byte[HEADER];
    sealed.duplicate().get(header);
    int plain = plaintextLength(header, 0);
    if (plain < 0) {
      throw fail("not a record");
    }
    if (sealed.remaining() < plain + BoxSealer.RECORD_OVERHEAD) {
      return Result.NEED_INPUT;
    }
    if (plaintext.remaining() < plain) {
      return Result.NEED_ROOM;
    }
    BoxBuffer in = new BoxBuffer(sealed, plain + BoxSealer.RECORD_OVERHEAD);
    BoxBuffer out = new BoxBuffer(plaintext);
    int kind = record(in.array, in.buffer, in.offset, plain, out.array, out.buffer, out.offset);
    sealed.position(sealed.position() + plain + BoxSealer.RECORD_OVERHEAD);
    plaintext.position(plaintext.position() + plain);
    return kind == BoxSealer.PART ? Result.PART : kind == BoxSealer.LAST ? Result.LAST : Result.END;
  }

  /**
   * The next message as a stream, in constant memory; null if the other side ended the box. Its bytes are authentic
   * when they are read; its end (-1) means that the message is complete. An {@link EOFException} tells that
   * {@code source} was cut off, an {@link IOException} caused by an {@link AEADBadTagException} that a record is not
   * the next one. Whatever of the former stream's message was not read is read and dropped first. Closing the answer
   * does not close {@code source}, and skips the rest of the message when the next is asked for.
   *
   * @param source the same for all of a box's messages; no more than a message's records are read from it
   * @throws IOException if {@code source} fails or is cut off, or a record is not the other side's next
   * @throws IllegalStateException if the box failed, ended, or was closed, or a message of records is not over
   */
  public InputStream messageStream(InputStream source) throws IOException {
    Objects.requireNonNull(source, "source");
    MessageStream next = new MessageStream(source);
    for (MessageStream former; (former = reserve(next)) != null; ) {
      former.drain();
    }
    return next.begin() ? next : null;
  }

  /** Lets {@code next} alone read records; or the stream whose message is not over, which does. */
  private synchronized MessageStream reserve(MessageStream next) {
    if (stream != null) {
      return stream;
    }
    usable();
    betweenMessages();
    stream = next;
    return null;
  }

  private synchronized void streamIsOver() {
    stream = null;
  }

  private synchronized void streamFailed() {
    failed = true;
    stream = null;
  }

  private void betweenMessages() {
    if (inMessage || stream != null) {
      throw new IllegalStateException("a message is not over");
    }
  }

  private void usable() {
    if (failed) {
      throw new IllegalStateException("the box failed");
    }
    if (ended) {
      throw new IllegalStateException("the box was ended by the other side");
    }
    if (ref.handle() == 0) {
      throw new IllegalStateException("the box is closed");
    }
  }

  private AEADBadTagException fail(String why) {
    failed = true;
    return new AEADBadTagException(why);
  }

  /** What a header tells of the plaintext's length in bytes; -1 if no record has that header. Not authentic yet. */
  private static int plaintextLength(byte[] bytes, int at) {
    int kind = bytes[at];
    int length = (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
    boolean fits = length <= BoxSealer.MAX_RECORD_PLAINTEXT
        && (kind == BoxSealer.PART ? length > 0 : kind == BoxSealer.LAST || kind == BoxSealer.END && length == 0);
    return fits ? length : -1;
  }

  private int record(
      byte[] in, ByteBuffer inBuffer, int at, int plain, byte[] out, ByteBuffer outBuffer, int outAt)
      throws AEADBadTagException {
    int kind;
    try {
      kind = NativeCrypto.boxOpen(
          ref.handle(), ref, in, inBuffer, at, plain + BoxSealer.RECORD_OVERHEAD, out, outBuffer, outAt);
    } catch (AEADBadTagException e) {
      failed = true;
      throw e;
    }
    if (kind == BoxSealer.END && inMessage) {
      throw fail("a message was cut off");
    }
    ended = kind == BoxSealer.END;
    inMessage = kind == BoxSealer.PART;
    return kind;
  }

  /** Zeroes the keys; again is a no-op. */
  @Override
  public synchronized void close() {
    ref.close();
  }

  private final class MessageStream extends InputStream {
    private final InputStream source;
    /** Held while the source blocks: no monitor, for virtual threads. */
    private final ReentrantLock lock = new ReentrantLock();
    /**
     * A record, which is opened in place: plaintext from {@code position} to {@code limit}. Grows up to a whole one.
     */
    private byte[] sealed = new byte[FIRST];
    private int position;
    private int limit;
    private boolean over;
    private boolean closed;

    MessageStream(InputStream source) {
      this.source = source;
    }

    /** Reads the first record; false if that is the end. */
    boolean begin() throws IOException {
      lock.lock();
      try {
        next();
        return !isEnded();
      } finally {
        lock.unlock();
      }
    }

    /** Reads and opens the next record; any failure is the box's. */
    private void next() throws IOException {
      boolean opened = false;
      try {
        readFully(sealed, 0, HEADER);
        int plain = plaintextLength(sealed, 0);
        if (plain < 0) {
          throw new AEADBadTagException("not a record");
        }
        int length = plain + BoxSealer.RECORD_OVERHEAD;
        if (length > sealed.length) {
          sealed = Arrays.copyOf(sealed, Math.max(length, Math.min(2 * sealed.length, MAX_RECORD)));
        }
        readFully(sealed, HEADER, length - HEADER);
        int kind;
        synchronized (BoxOpener.this) {
          usable();
          kind = record(sealed, null, 0, plain, sealed, null, HEADER);
        }
        position = HEADER;
        limit = HEADER + plain;
        over = kind != BoxSealer.PART;
        if (over) {
          streamIsOver();
        }
        opened = true;
      } catch (AEADBadTagException | IllegalStateException e) {
        throw new IOException(e.getMessage(), e);
      } finally {
        if (!opened) {
          streamFailed();
        }
      }
    }

    private void readFully(byte[] into, int offset, int count) throws IOException {
      for (int done = 0; done < count; ) {
        int read = source.read(into, offset + done, count - done);
        if (read < 0) {
          throw new EOFException("the box was cut off");
        }
        done += read;
      }
    }

    /** Whether there are bytes to hand out, after reading until there are or the message is over. */
    private boolean fill() throws IOException {
      while (position == limit) {
        if (over) {
          return false;
        }
        next();
      }
      return true;
    }

    void drain() throws IOException {
      lock.lock();
      try {
        while (fill()) {
          position = limit;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      if ((offset | count) < 0 || count > bytes.length - offset) {
        throw new IndexOutOfBoundsException();
      }
      lock.lock();
      try {
        if (closed) {
          throw new IOException("stream is closed");
        }
        if (count == 0) {
          return 0;
        }
        if (!fill()) {
          return -1;
        }
        int part = Math.min(count, limit - position);
        System.arraycopy(sealed, position, bytes, offset, part);
        Arrays.fill(sealed, position, position + part, (byte) 0);
        position += part;
        return part;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int available() {
      lock.lock();
      try {
        return closed ? 0 : limit - position;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        Arrays.fill(sealed, position, limit, (byte) 0);
      } finally {
        lock.unlock();
      }
    }
  }
}
