package org.postscrypt.jsse;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLProtocolException;

/**
 * What a {@link SocketReader} receives: records, whole or in part. Used under its lock.
 *
 * <p>Whoever waits for a record to begin holds {@value #FIRST} bytes only, so a longer record that was waited for takes two reads of the
 * transport. While input keeps coming, whatever is there is read at once, to a buffer that is borrowed.
 */
final class SocketInput {
  /** How often a reader of a transport that we must not close looks whether it should go on, in milliseconds. */
  static final int SLICE = 200;

  /** Room for what is waited for. */
  private static final int FIRST = 1024;

  /** Input that is thrown away before closing, so that the peer is not sent a reset instead of our last words. */
  private static final int MAX_DEPLETED = 1 << 18;

  private final SocketIo io;
  private final Socket transport;
  private final boolean ownsTransport;
  private final InputStream in;

  /** Read before we were made; null when used up. */
  private InputStream consumed;

  /** Received and not yet unwrapped, from position to limit: {@code first}, or borrowed, or empty. */
  private ByteBuffer received = SocketIo.EMPTY;

  /** Our own, made when first needed. */
  private ByteBuffer first;

  /** Whether more input is to be expected without waiting. */
  private boolean flowing;

  private int fullReads;

  SocketInput(SocketIo io, InputStream consumed) throws IOException {
    this.io = io;
    this.consumed = consumed;
    transport = io.transport;
    ownsTransport = io.ownsTransport;
    in = transport.getInputStream();
  }

  /** Received and not yet unwrapped, up to the next call that adds input or gives back. */
  ByteBuffer received() {
    return received;
  }

  /** Bytes of all buffers that are held now, for tests. */
  int held() {
    ByteBuffer own = first;
    ByteBuffer current = received;
    return current.capacity() + (own == null || own == current ? 0 : own.capacity());
  }

  /** Gives back what nothing is in. */
  void giveBackEmpty() {
    if (!received.hasRemaining()) {
      giveBack();
    }
  }

  /** Throws away what is there, and holds nothing. */
  void giveBackAll() {
    giveBack();
    received = SocketIo.EMPTY;
    first = null;
  }

  private void giveBack() {
    ByteBuffer done = received;
    if (done != first && done != SocketIo.EMPTY) {
      received = SocketIo.EMPTY;
      BufferPool.RECORDS.give(done);
    }
  }

  /** Bytes of the record at the start of the input, -1 if it is not complete. */
  int recordLength() {
    int have = received.remaining();
    if (have < SocketIo.HEADER) {
      return -1;
    }
    int at = received.position() + 3;
    int length = SocketIo.HEADER + ((received.get(at) & 0xff) << 8 | received.get(at + 1) & 0xff);
    // A length that is too large is for the engine to refuse, now and not after so many bytes.
    return length <= have || length > SocketIo.HEADER + SocketIo.MAX_PLAINTEXT + 2048
        ? Math.min(length, SocketIo.MAX_RECORD)
        : -1;
  }

  /** Adds input; false at the end of the stream. */
  boolean fill() throws IOException {
    int space = prepare();
    int count = receive(received.array(), received.limit(), space);
    if (count <= 0) {
      return false;
    }
    received.limit(received.limit() + count);
    boolean full = count == space;
    flowing = ownsTransport && (full || received != first && lacking() < 0);
    fullReads = full && received != first ? fullReads + 1 : 0;
    if (fullReads >= SocketIo.BULK && ownsTransport && received.capacity() < BufferPool.BULK) {
      grow(BufferPool.BULK);
    }
    return true;
  }

  /** How many bytes may be added at the limit of the input, at least one. */
  private int prepare() throws IOException {
    if (!received.hasRemaining()) {
      int ready = flowing ? ready() : 0;
      if (ready <= FIRST) {
        giveBack();
        if (first == null) {
          first = ByteBuffer.allocate(FIRST);
        }
        received = first;
        flowing = false;
      } else if (received == first || received == SocketIo.EMPTY) {
        received = BufferPool.RECORDS.take(BufferPool.RECORD);
      }
      received.position(0).limit(0);
    } else if (received.position() > 0) {
      received.compact().flip();
    }
    if (received == first && (flowing || received.limit() + missing() > FIRST)) {
      grow(Math.max(io.engine.getSession().getPacketBufferSize(), BufferPool.RECORD));
    } else if (received.limit() == received.capacity()) {
      grow(2 * received.capacity());
    }
    int space = received.capacity() - received.limit();
    return ownsTransport ? space : Math.min(space, missing());
  }

  /** Bytes that can be read without waiting, as far as is known. */
  int ready() {
    try {
      return in.available();
    } catch (IOException e) {
      return 0; // the read that follows says what is wrong
    }
  }

  private void grow(int size) throws IOException {
    if (received.capacity() >= SocketIo.BULK * SocketIo.MAX_RECORD) {
      throw new SSLProtocolException("Record larger than the engine's buffer size");
    }
    ByteBuffer larger = BufferPool.RECORDS.take(size);
    larger.put(received).flip();
    giveBack();
    received = larger;
  }

  /**
   * What the record at the start of the input lacks: a transport that outlives us must not lose what follows our last
   * record.
   */
  private int missing() {
    return Math.max(1, lacking());
  }

  /** As {@link #missing}; zero or less if the record is complete and how much more there is. */
  private int lacking() {
    int have = received.remaining();
    if (have < SocketIo.HEADER) {
      return SocketIo.HEADER - have;
    }
    int at = received.position();
    int type = received.get(at) & 0xff;
    int length = (type & 0x80) != 0
        ? 2 + ((type & 0x7f) << 8 | received.get(at + 1) & 0xff) // a client hello in SSL 2.0 format
        : SocketIo.HEADER + ((received.get(at + 3) & 0xff) << 8 | received.get(at + 4) & 0xff);
    return length - have;
  }

  private int receive(byte[] b, int off, int len) throws IOException {
    try {
      int count = receiveConsumed(b, off, len);
      if (count > 0) {
        return count;
      }
      return ownsTransport ? in.read(b, off, len) : receiveSliced(b, off, len);
    } catch (SSLException e) {
      throw e; // ours, or of a TLS socket underneath
    } catch (InterruptedIOException e) {
      io.checkUsable();
      throw e; // what was read so far stays
    } catch (IOException e) {
      io.checkUsable();
      if (io.inputShutdown) {
        return -1;
      }
      io.fail(e);
      throw e;
    }
  }

  private int receiveConsumed(byte[] b, int off, int len) throws IOException {
    int count = consumed == null ? -1 : consumed.read(b, off, len);
    if (count <= 0) {
      consumed = null;
    }
    return count;
  }

  private int receiveSliced(byte[] b, int off, int len) throws IOException {
    long start = System.nanoTime();
    for (;;) {
      io.checkUsable();
      int limit = io.timeout;
      long left = limit == 0 ? SLICE : limit - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      transport.setSoTimeout((int) Math.max(1, Math.min(SLICE, left)));
      try {
        return in.read(b, off, len);
      } catch (SocketTimeoutException e) {
        if (limit != 0 && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= limit) {
          throw e;
        }
        if (io.inputShutdown) {
          return -1;
        }
      }
    }
  }

  /** Adds input, waiting for some milliseconds at most; false at the end of the stream. Changes the transport's time-out. */
  boolean fillWithin(long millis) throws IOException {
    int space = prepare();
    int count = receiveConsumed(received.array(), received.limit(), space);
    if (count <= 0) {
      transport.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
      count = in.read(received.array(), received.limit(), space);
    }
    if (count <= 0) {
      return false;
    }
    received.limit(received.limit() + count);
    return true;
  }

  /**
   * Throws away input: what is there, and what comes until the peer closes or some milliseconds have passed.
   */
  void deplete(int linger, byte[] waste) throws IOException {
    received.position(0).limit(0);
    long start = System.nanoTime();
    for (int left = MAX_DEPLETED; left > 0 && !transport.isClosed(); ) {
      int ready = in.available();
      if (ready <= 0) {
        long patience = linger - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (patience <= 0) {
          return;
        }
        transport.setSoTimeout((int) patience);
      }
      int count = in.read(waste, 0, ready <= 0 ? waste.length : Math.min(ready, waste.length));
      if (count <= 0) {
        return;
      }
      left -= count;
    }
  }
}
