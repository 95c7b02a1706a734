package org.postscrypt.jsse;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;

/**
 * The reading half of {@link SocketIo}: network input, unwrap, and what was decrypted and not yet read.
 *
 * <p>Its buffers are borrowed from {@link BufferPool} and given back as soon as nothing is in them, at the latest when the lock is
 * released. Whoever waits for a record to begin holds {@value #FIRST} bytes only, so a record that is longer, and was waited for, takes
 * two reads of the transport. While input keeps coming, what there is is read at once.
 */
final class SocketReader {
  /** How often a reader of a transport that we must not close looks whether it should go on, in milliseconds. */
  private static final int SLICE = 200;

  /** Room for what is waited for. */
  private static final int FIRST = 1024;

  /** Least difference of record and plaintext: a tag and, from TLS 1.3, the content type. */
  private static final int MIN_OVERHEAD = 16;

  /** Input that is thrown away before closing, so that the peer is not sent a reset instead of our last words. */
  private static final int MAX_DEPLETED = 1 << 18;

  private final SocketIo io;
  private final SSLEngine engine;
  private final Socket transport;
  private final boolean ownsTransport;
  private final InputStream in;
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether nothing will be read any more: whoever has the lock gives everything back. */
  private volatile boolean dropped;

  /** Read before we were made; null when used up. Guarded by the lock, as what follows it. */
  private InputStream consumed;

  /** Received and not yet unwrapped, from position to limit: {@code first}, or borrowed, or empty. */
  private ByteBuffer netIn = SocketIo.EMPTY;

  /** Our own, made when first needed. */
  private ByteBuffer first;

  /** Whether more input is to be expected without waiting. */
  private boolean flowing;

  private int fullReads;

  /** Decrypted and not yet read: {@code available} bytes from {@code appFrom}. Borrowed, or empty. */
  private ByteBuffer app = SocketIo.EMPTY;

  private int appFrom;
  private volatile int available; // volatile for available()

  /** How much of {@code app} may have been written to. */
  private int appUsed;

  private final byte[] oneIn = new byte[1];
  private byte[] lastTarget;
  private ByteBuffer target;

  SocketReader(SocketIo io, InputStream consumed) throws IOException {
    this.io = io;
    this.consumed = consumed;
    engine = io.engine;
    transport = io.transport;
    ownsTransport = io.ownsTransport;
    in = transport.getInputStream();
  }

  /** Bytes of all buffers that are held now, for tests. */
  int held() {
    return netIn.capacity() + app.capacity() + (first == null || first == netIn ? 0 : first.capacity());
  }

  /** Gives back what is not in use, then the lock. */
  private void unlock() {
    if (dropped) {
      giveBackAll();
    } else {
      giveBack();
    }
    lock.unlock();
    if (dropped) {
      drop();
    }
  }

  private void giveBack() {
    if (!netIn.hasRemaining()) {
      giveBackIn();
    }
    if (available == 0) {
      giveBackApp();
    }
  }

  private void giveBackIn() {
    ByteBuffer done = netIn;
    if (done != first && done != SocketIo.EMPTY) {
      netIn = SocketIo.EMPTY;
      BufferPool.RECORDS.give(done);
    }
  }

  private void giveBackApp() {
    ByteBuffer done = app;
    if (done != SocketIo.EMPTY) {
      app = SocketIo.EMPTY;
      Arrays.fill(done.array(), 0, appUsed, (byte) 0);
      appUsed = 0;
      BufferPool.PLAINTEXT.give(done);
    }
  }

  /** At the end; what was decrypted before a failure can still be read. */
  private void giveBackAll() {
    giveBackIn();
    netIn = SocketIo.EMPTY;
    first = null;
    lastTarget = null;
    target = null;
    if (io.isClosedHere()) {
      available = 0;
    }
    if (available == 0) {
      giveBackApp();
    }
  }

  /** Nothing more will be read from the network: gives everything back, now or when a thread is done here. */
  void drop() {
    dropped = true;
    if (lock.tryLock()) {
      try {
        giveBackAll();
      } finally {
        lock.unlock();
      }
    }
  }

  // --- handshake ---

  /** One unwrap, or more input for it. */
  HandshakeStatus handshake() throws IOException {
    lock.lock();
    try {
      SSLEngineResult result = engine.unwrap(netIn, SocketIo.EMPTY);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        // Nothing can be delivered yet, but an engine may ask for the room.
        result = engine.unwrap(netIn, emptyApp(engine.getSession().getApplicationBufferSize()));
        appFrom = 0;
        available = result.bytesProduced();
      }
      HandshakeStatus status = result.getHandshakeStatus();
      boolean idle = result.getStatus() == Status.OK && result.bytesConsumed() == 0 && result.bytesProduced() == 0
          && status == HandshakeStatus.NEED_UNWRAP;
      if (result.getStatus() == Status.BUFFER_UNDERFLOW || idle) {
        if (!fill()) {
          io.checkUsable();
          io.checkInput();
          throw eof(new SSLHandshakeException("Remote host terminated the handshake"));
        }
        return engine.getHandshakeStatus();
      }
      if (result.getStatus() == Status.CLOSED) {
        io.checkUsable();
        throw new SSLHandshakeException("Received close_notify during the handshake");
      }
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        throw new SSLException("Record larger than the engine's buffer size");
      }
      return status;
    } finally {
      unlock();
    }
  }

  /** A peer that gives up sends an alert and closes: looks for that without waiting; returns it, or null. */
  SSLException pendingAlert(IOException cause) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      for (int i = 0; i < 16; i++) {
        SSLEngineResult result = engine.unwrap(netIn, SocketIo.EMPTY);
        boolean more = result.getStatus() == Status.BUFFER_UNDERFLOW
            ? in.available() > 0 && fill()
            : result.bytesConsumed() > 0;
        if (!more) {
          break;
        }
      }
    } catch (SSLException e) {
      return e;
    } catch (IOException e) {
      cause.addSuppressed(e);
    } finally {
      unlock();
    }
    return null;
  }

  private static <E extends SSLException> E eof(E exception) {
    exception.initCause(new EOFException("No close_notify before the end of the stream"));
    return exception;
  }

  // --- application data ---

  /** Decrypted bytes that can be read without blocking. */
  int available() {
    return available;
  }

  /** See {@link SocketIo#read(byte[], int, int)}. */
  int read(byte[] b, int off, int len) throws IOException {
    lock.lock();
    try {
      if (io.isClosedHere()) {
        io.checkUsable();
      }
      if (io.inputShutdown) {
        return -1;
      }
      if (available > 0) {
        return takeApp(b, off, len);
      }
      io.checkUsable();
      io.checkBlocking();
      return io.closeNotified ? -1 : readRecords(b, off, len);
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw io.failWith(e);
    } catch (Error e) {
      io.fail(new SSLException("Reading failed", e));
      throw e;
    } finally {
      unlock();
    }
  }

  /** See {@link SocketIo#read()}. */
  int read() throws IOException {
    lock.lock();
    try {
      int count = read(oneIn, 0, 1);
      return count < 0 ? -1 : oneIn[0] & 0xff;
    } finally {
      lock.unlock();
    }
  }

  private int takeApp(byte[] b, int off, int len) {
    int count = Math.min(len, available);
    System.arraycopy(app.array(), appFrom, b, off, count);
    appFrom += count;
    available -= count;
    return count;
  }

  private int readRecords(byte[] b, int off, int len) throws IOException {
    for (int stalls = 0; ; ) {
      int length = recordLength();
      if (length < 0) {
        if (!fill()) {
          return end();
        }
        continue;
      }
      boolean direct = len >= length - SocketIo.HEADER - MIN_OVERHEAD;
      ByteBuffer to = direct ? wrapTarget(b, off, len) : emptyApp(length);
      int before = to.position();
      SSLEngineResult result = engine.unwrap(netIn, to);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        direct = false;
        to = emptyApp(Math.max(length, engine.getSession().getApplicationBufferSize()));
        before = 0;
        result = engine.unwrap(netIn, to);
      }
      int produced = to.position() - before;
      if (!direct) {
        appFrom = 0;
        available = produced;
      }
      switch (result.getStatus()) {
        case BUFFER_UNDERFLOW:
          if (!fill()) {
            return end();
          }
          continue;
        case BUFFER_OVERFLOW:
          throw new SSLProtocolException("Record larger than the engine's buffer size");
        case CLOSED:
          io.checkUsable();
          if (!io.inputShutdown) {
            io.closeNotified = true;
          }
          break;
        default:
          break;
      }
      HandshakeStatus status = result.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        io.runTasks();
        status = engine.getHandshakeStatus();
      }
      boolean idle = result.bytesConsumed() == 0 && produced == 0;
      if (status == HandshakeStatus.NEED_WRAP) {
        io.writer.wrapFromReader(idle);
      }
      if (produced > 0) {
        return direct ? produced : takeApp(b, off, len);
      }
      if (io.closeNotified || io.inputShutdown) {
        return -1;
      }
      stalls = idle ? stalls + 1 : 0;
      if (stalls > 8) {
        throw new SSLException("The engine does not progress: " + status);
      }
    }
  }

  /** What a read answers at the end of the transport's stream. */
  private int end() throws IOException {
    io.checkUsable();
    if (io.inputShutdown) {
      return -1;
    }
    throw eof(new SSLProtocolException("Remote host closed the connection without close_notify"));
  }

  /** Bytes of the record at the start of the input, -1 if it is not complete. */
  private int recordLength() {
    int have = netIn.remaining();
    if (have < SocketIo.HEADER) {
      return -1;
    }
    int at = netIn.position() + 3;
    int length = SocketIo.HEADER + ((netIn.get(at) & 0xff) << 8 | netIn.get(at + 1) & 0xff);
    // A length that is too large is for the engine to refuse, now and not after so many bytes.
    return length <= have || length > SocketIo.HEADER + SocketIo.MAX_PLAINTEXT + 2048
        ? Math.min(length, SocketIo.MAX_RECORD)
        : -1;
  }

  private ByteBuffer wrapTarget(byte[] b, int off, int len) {
    ByteBuffer to = target;
    if (lastTarget != b) {
      to = ByteBuffer.wrap(b);
      lastTarget = b.length <= SocketIo.MAX_REMEMBERED ? b : null;
      target = lastTarget == null ? null : to;
    }
    to.limit(off + len).position(off);
    return to;
  }

  private ByteBuffer emptyApp(int size) {
    if (app.capacity() < size) {
      giveBackApp();
      app = BufferPool.PLAINTEXT.take(size);
    }
    // An engine may use more of it than it says in the end.
    appUsed = Math.max(appUsed, size);
    app.clear();
    return app;
  }

  // --- network input ---

  /** Adds input; false at the end of the stream. Nothing decrypted may be waiting. */
  private boolean fill() throws IOException {
    if (available == 0) {
      giveBackApp();
    }
    int space = prepareIn();
    int count = receive(netIn.array(), netIn.limit(), space);
    if (count <= 0) {
      return false;
    }
    netIn.limit(netIn.limit() + count);
    boolean full = count == space;
    flowing = ownsTransport && (full || netIn != first && lacking() < 0);
    fullReads = full && netIn != first ? fullReads + 1 : 0;
    if (fullReads == SocketIo.BULK && ownsTransport && netIn.capacity() < BufferPool.BULK) {
      growIn(BufferPool.BULK);
    }
    return true;
  }

  /** How many bytes may be added at the limit of the input, at least one. */
  private int prepareIn() throws IOException {
    if (!netIn.hasRemaining()) {
      int ready = flowing ? ready() : 0;
      if (ready <= FIRST) {
        giveBackIn();
        if (first == null) {
          first = ByteBuffer.allocate(FIRST);
        }
        netIn = first;
        flowing = false;
      } else if (netIn == first || netIn == SocketIo.EMPTY) {
        netIn = BufferPool.RECORDS.take(ready <= BufferPool.RECORD ? BufferPool.RECORD : BufferPool.BULK);
      }
      netIn.position(0).limit(0);
    } else if (netIn.position() > 0) {
      netIn.compact().flip();
    }
    if (netIn == first && (flowing || netIn.limit() + missing() > FIRST)) {
      growIn(Math.max(engine.getSession().getPacketBufferSize(), BufferPool.RECORD));
    } else if (netIn.limit() == netIn.capacity()) {
      growIn(2 * netIn.capacity());
    }
    int space = netIn.capacity() - netIn.limit();
    return ownsTransport ? space : Math.min(space, missing());
  }

  /** Bytes that can be read without waiting, as far as is known. */
  private int ready() {
    try {
      return in.available();
    } catch (IOException e) {
      return 0; // the read that follows says what is wrong
    }
  }

  private void growIn(int size) throws IOException {
    if (netIn.capacity() >= SocketIo.BULK * SocketIo.MAX_RECORD) {
      throw new SSLProtocolException("Record larger than the engine's buffer size");
    }
    ByteBuffer larger = BufferPool.RECORDS.take(size);
    larger.put(netIn).flip();
    giveBackIn();
    netIn = larger;
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
    int have = netIn.remaining();
    if (have < SocketIo.HEADER) {
      return SocketIo.HEADER - have;
    }
    int at = netIn.position();
    int type = netIn.get(at) & 0xff;
    int length = (type & 0x80) != 0
        ? 2 + ((type & 0x7f) << 8 | netIn.get(at + 1) & 0xff) // a client hello in SSL 2.0 format
        : SocketIo.HEADER + ((netIn.get(at + 3) & 0xff) << 8 | netIn.get(at + 4) & 0xff);
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

  // --- the end ---

  /**
   * Throws away input, unless a thread is reading: what is there, and what comes until the peer closes or some milliseconds have
   * passed. TCP answers unread or late input with a reset, which overtakes what we wrote last.
   */
  void deplete(int linger) {
    if (!lock.tryLock()) {
      return;
    }
    ByteBuffer waste = BufferPool.RECORDS.take(BufferPool.RECORD);
    try {
      netIn.position(0).limit(0);
      deplete(linger, waste.array());
    } catch (IOException | RuntimeException e) {
      // Closed or reset by the peer, or out of patience: nothing more to throw away.
    } finally {
      BufferPool.RECORDS.give(waste);
      unlock();
    }
  }

  private void deplete(int linger, byte[] waste) throws IOException {
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

  /** Reads up to the peer's close_notify, for some time, so that the transport can be used without TLS after it. */
  void awaitPeer(long grace) {
    long start = System.nanoTime();
    if (!SocketIo.tryLock(lock, Math.max(grace, 2 * SLICE))) {
      return; // the reader is in a task of the application: it finds the socket closed after that
    }
    try {
      available = 0; // closed: nobody reads it any more
      int size = engine.getSession().getApplicationBufferSize();
      while (io.isEstablished() && !io.closeNotified && !io.inputShutdown) {
        SSLEngineResult result = engine.unwrap(netIn, emptyApp(size));
        if (result.getStatus() == Status.CLOSED) {
          io.closeNotified = true;
        } else if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
          long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          if (left <= 0) {
            break;
          }
          int space = prepareIn();
          int count = receiveConsumed(netIn.array(), netIn.limit(), space);
          if (count <= 0) {
            transport.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            count = in.read(netIn.array(), netIn.limit(), space);
          }
          if (count <= 0) {
            break;
          }
          netIn.limit(netIn.limit() + count);
        } else if (result.getStatus() == Status.BUFFER_OVERFLOW || result.bytesConsumed() == 0) {
          break;
        }
      }
    } catch (IOException | RuntimeException e) {
      // No close_notify in time, or not one that can be read: the socket is closed either way.
    } finally {
      unlock();
    }
  }
}
