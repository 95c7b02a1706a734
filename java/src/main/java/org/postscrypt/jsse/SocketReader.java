package org.postscrypt.jsse;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
 * The reading half of {@link SocketIo}: unwrap, and what was decrypted and not yet read.
 *
 * <p>Buffers are borrowed from {@link BufferPool} and given back as soon as nothing is in them, at the latest when the lock is
 * released.
 */
final class SocketReader {
  /** Least difference of record and plaintext: a tag and, from TLS 1.3, the content type. */
  private static final int MIN_OVERHEAD = 16;

  private final SocketIo io;
  private final SSLEngine engine;
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether nothing will be read any more: whoever has the lock gives everything back. */
  private volatile boolean dropped;

  private final SocketInput input; // guarded by the lock, as what follows it

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
    engine = io.engine;
    input = new SocketInput(io, consumed);
  }

  /** Bytes of all buffers that are held now, for tests. */
  int held() {
    return input.held() + app.capacity();
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
    input.giveBackEmpty();
    if (available == 0) {
      giveBackApp();
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
    input.giveBackAll();
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
      SSLEngineResult result = engine.unwrap(input.received(), SocketIo.EMPTY);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        // Nothing can be delivered yet, but an engine may ask for the room.
        result = engine.unwrap(input.received(), emptyApp(engine.getSession().getApplicationBufferSize()));
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
        SSLEngineResult result = engine.unwrap(input.received(), SocketIo.EMPTY);
        boolean more = result.getStatus() == Status.BUFFER_UNDERFLOW
            ? input.ready() > 0 && fill()
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
      int length = input.recordLength();
      if (length < 0) {
        if (!fill()) {
          return end();
        }
        continue;
      }
      boolean direct = len >= length - SocketIo.HEADER - MIN_OVERHEAD;
      ByteBuffer to = direct ? wrapTarget(b, off, len) : emptyApp(length);
      int before = to.position();
      SSLEngineResult result = engine.unwrap(input.received(), to);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        direct = false;
        to = emptyApp(Math.max(length, engine.getSession().getApplicationBufferSize()));
        before = 0;
        result = engine.unwrap(input.received(), to);
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

  /** Adds input, when nothing decrypted is waiting; false at the end of the stream. */
  private boolean fill() throws IOException {
    if (available == 0) {
      giveBackApp();
    }
    return input.fill();
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
      input.deplete(linger, waste.array());
    } catch (IOException | RuntimeException e) {
      // Closed or reset by the peer, or out of patience: nothing more to throw away.
    } finally {
      BufferPool.RECORDS.give(waste);
      unlock();
    }
  }

  /** Reads up to the peer's close_notify, for some time, so that the transport can be used without TLS after it. */
  void awaitPeer(long grace) {
    long start = System.nanoTime();
    if (!SocketIo.tryLock(lock, Math.max(grace, 2 * SocketInput.SLICE))) {
      return; // the reader is in a task of the application: it finds the socket closed after that
    }
    try {
      available = 0; // closed: nobody reads it any more
      int size = engine.getSession().getApplicationBufferSize();
      while (io.isEstablished() && !io.closeNotified && !io.inputShutdown) {
        SSLEngineResult result = engine.unwrap(input.received(), emptyApp(size));
        if (result.getStatus() == Status.CLOSED) {
          io.closeNotified = true;
        } else if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
          long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          if (left <= 0) {
            break;
          }
          if (!input.fillWithin(left)) {
            break;
          }
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
