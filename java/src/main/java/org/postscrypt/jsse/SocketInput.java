package org.postscrypt.jsse;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLProtocolException;

/**
 * What comes from a transport, until it is unwrapped. Its one user is the {@link SocketReader}, under whose lock it is.
 *
 * <p>Reads as much as there is from a transport of ours. One that outlives us must not lose what follows our last record: of it no
 * more is read than the next record lacks, in slices of its owner's time-out, as closing cannot break such a read.
 */
final class SocketInput {
  /** How often a reader of a transport that we must not close looks whether it should go on, in milliseconds. */
  static final int SLICE = 200;

  /** Input that is thrown away before closing, so that the peer is not sent a reset instead of our last words. */
  private static final int MAX_DEPLETED = 1 << 18;

  private final SocketState state;
  private final SocketTimeout timeout;
  private final InputStream in;
  private InputStream consumed; // null when used up

  /** From position to limit. */
  private ByteBuffer received = SocketState.EMPTY;

  private int fullReads;
  private volatile boolean shutdown;

  /** {@code consumed}: bytes already read from the transport, or null. */
  SocketInput(SocketState state, SocketTimeout timeout, InputStream in, InputStream consumed) {
    this.state = state;
    this.timeout = timeout;
    this.in = in;
    this.consumed = consumed;
  }

  /** What was received and not yet unwrapped; another buffer after each {@code fill}. */
  ByteBuffer received() {
    return received;
  }

  /** Whether reading was ended here. */
  boolean isShutdown() {
    return shutdown;
  }

  /** Ends reading: whoever reads finds the end of the stream. Under no lock. */
  void shutDown() {
    shutdown = true;
  }

  void drop() {
    received = SocketState.EMPTY;
  }

  /** Bytes of the record at the start, -1 if it is not complete. */
  int recordLength() {
    int have = received.remaining();
    if (have < SocketState.HEADER) {
      return -1;
    }
    int at = received.position() + 3;
    int length = SocketState.HEADER + ((received.get(at) & 0xff) << 8 | received.get(at + 1) & 0xff);
    // A length that is too large is for the engine to refuse, now and not after so many bytes.
    return length <= have || length > SocketState.HEADER + SocketState.MAX_PLAINTEXT + 2048
        ? Math.min(length, SocketState.MAX_RECORD)
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
    fullReads = count == space ? fullReads + 1 : 0;
    if (fullReads == SocketState.BULK && state.ownsTransport && received.capacity() < SocketState.BULK * SocketState.MAX_PLAINTEXT) {
      grow(SocketState.BULK * received.capacity());
    }
    return true;
  }

  /** Adds input that is there already; false if none is. */
  boolean fillWithoutBlocking() throws IOException {
    return in.available() > 0 && fill();
  }

  /** Adds input of a transport that we do not own, within some milliseconds; false at the end of the stream. */
  boolean fillWithin(long millis) throws IOException {
    int space = prepare();
    int count = receiveConsumed(received.array(), received.limit(), space);
    if (count <= 0) {
      timeout.apply((int) Math.min(millis, Integer.MAX_VALUE));
      count = in.read(received.array(), received.limit(), space);
    }
    if (count <= 0) {
      return false;
    }
    received.limit(received.limit() + count);
    return true;
  }

  /** How many bytes may be added at the limit, at least one. */
  private int prepare() throws IOException {
    if (received == SocketState.EMPTY) {
      received = ByteBuffer.allocate(Math.max(state.engine.getSession().getPacketBufferSize(), 512));
      received.limit(0);
    }
    if (!received.hasRemaining()) {
      received.position(0).limit(0);
    } else if (received.position() > 0) {
      received.compact().flip();
    }
    if (received.limit() == received.capacity()) {
      grow(2 * received.capacity());
    }
    int space = received.capacity() - received.limit();
    return state.ownsTransport ? space : Math.min(space, missing());
  }

  private void grow(int size) throws IOException {
    if (received.capacity() >= SocketState.BULK * SocketState.MAX_RECORD) {
      throw new SSLProtocolException("Record larger than the engine's buffer size");
    }
    ByteBuffer larger = ByteBuffer.allocate(size);
    larger.put(received).flip();
    received = larger;
  }

  /** What the record at the start lacks. */
  private int missing() {
    int have = received.remaining();
    if (have < SocketState.HEADER) {
      return SocketState.HEADER - have;
    }
    int at = received.position();
    int first = received.get(at) & 0xff;
    int length = (first & 0x80) != 0
        ? 2 + ((first & 0x7f) << 8 | received.get(at + 1) & 0xff) // a client hello in SSL 2.0 format
        : SocketState.HEADER + ((received.get(at + 3) & 0xff) << 8 | received.get(at + 4) & 0xff);
    return Math.max(1, length - have);
  }

  private int receive(byte[] b, int off, int len) throws IOException {
    try {
      int count = receiveConsumed(b, off, len);
      if (count > 0) {
        return count;
      }
      return state.ownsTransport ? in.read(b, off, len) : receiveSliced(b, off, len);
    } catch (SSLException e) {
      throw e; // ours, or of a TLS socket underneath
    } catch (InterruptedIOException e) {
      state.checkUsable();
      throw e; // what was read so far stays
    } catch (IOException e) {
      state.checkUsable();
      if (shutdown) {
        return -1;
      }
      state.fail(e);
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
      state.checkUsable();
      int limit = timeout.owners();
      long left = limit == 0 ? SLICE : limit - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      timeout.apply((int) Math.max(1, Math.min(SLICE, left)));
      try {
        return in.read(b, off, len);
      } catch (SocketTimeoutException e) {
        if (limit != 0 && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= limit) {
          throw e;
        }
        if (shutdown) {
          return -1;
        }
      }
    }
  }

  /**
   * Throws away input: what is there, and what comes until the peer closes or some milliseconds have passed. TCP
   * answers unread or late input with a reset, which overtakes what we wrote last.
   */
  void deplete(int linger) throws IOException {
    byte[] waste = received.capacity() > 0 ? received.array() : new byte[512];
    received.position(0).limit(0);
    long start = System.nanoTime();
    for (int left = MAX_DEPLETED; left > 0 && !state.transport.isClosed(); ) {
      int ready = in.available();
      if (ready <= 0) {
        long patience = linger - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (patience <= 0) {
          return;
        }
        state.transport.setSoTimeout((int) patience);
      }
      int count = in.read(waste, 0, ready <= 0 ? waste.length : Math.min(ready, waste.length));
      if (count <= 0) {
        return;
      }
      left -= count;
    }
  }
}
