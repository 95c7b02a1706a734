package org.postscrypt.jsse;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * The writing half of {@link SocketIo}: wrap and network output.
 *
 * <p>Its buffer is borrowed from {@link BufferPool} and given back when all of it was written.
 */
final class SocketWriter {
  private final SocketIo io;
  private final SSLEngine engine;
  private final OutputStream out;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean wrapWanted;

  /** Whether nothing will be written any more: whoever has the lock gives everything back. */
  private volatile boolean dropped;

  /** Why nothing can be written any more, while reading may still tell the true reason; guarded by the lock. */
  private IOException failure;

  /** Wrapped and not yet written: up to position. Borrowed, or empty. Guarded by the lock, as what follows it. */
  private ByteBuffer netOut = SocketIo.EMPTY;

  private int packetSize;
  private final byte[] oneOut = new byte[1];
  private byte[] lastSource;
  private ByteBuffer source;

  SocketWriter(SocketIo io) throws IOException {
    this.io = io;
    engine = io.engine;
    out = io.transport.getOutputStream();
  }

  /** Bytes of the buffer that is held now, for tests. */
  int held() {
    return netOut.capacity();
  }

  /** Gives back what is not in use, then the lock. */
  private void release() {
    if (dropped) {
      giveBackAll();
    } else if (netOut.position() == 0 || failure != null) {
      giveBack();
    }
    lock.unlock();
    if (dropped) {
      drop();
    }
  }

  private void giveBack() {
    ByteBuffer done = netOut;
    if (done != SocketIo.EMPTY) {
      netOut = SocketIo.EMPTY;
      BufferPool.RECORDS.give(done);
    }
  }

  private void giveBackAll() {
    giveBack();
    lastSource = null;
    source = null;
  }

  /** Nothing more will be written: gives everything back, now or when a thread is done here. */
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

  /** One wrap; what it made leaves when the engine wants something else, so a flight is one write. */
  HandshakeStatus handshake() throws IOException {
    lock.lock();
    try {
      checkFailure();
      reserve(1);
      SSLEngineResult result = engine.wrap(SocketIo.EMPTY, netOut);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        makeRoom();
        return HandshakeStatus.NEED_WRAP;
      }
      HandshakeStatus status = result.getHandshakeStatus();
      if (status != HandshakeStatus.NEED_WRAP || result.getStatus() == Status.CLOSED) {
        flush();
      }
      if (result.getStatus() == Status.CLOSED) {
        io.checkUsable();
        throw new SSLHandshakeException("Connection closed during the handshake");
      }
      return status;
    } catch (SSLException e) {
      throw e;
    } catch (IOException e) {
      throw handshakeWriteFailed(e);
    } finally {
      unlock();
    }
  }

  /** A peer that gives up sends an alert and closes; our write may fail before we have read it. */
  private IOException handshakeWriteFailed(IOException cause) throws IOException {
    io.checkUsable();
    SSLException alert = io.reader.pendingAlert(cause);
    if (alert != null) {
      alert.addSuppressed(cause);
      return alert;
    }
    io.fail(cause);
    return cause;
  }

  // --- application data ---

  /** See {@link SocketIo#write(byte[], int, int)}. */
  void write(byte[] b, int off, int len) throws IOException {
    lock.lock();
    try {
      io.checkUsable();
      checkFailure();
      if (io.outputShutdown) {
        throw new SocketException("Connection or outbound has closed");
      }
      io.checkBlocking();
      writeRecords(b, off, len);
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw io.failWith(e);
    } catch (Error e) {
      io.fail(new SSLException("Writing failed", e));
      throw e;
    } finally {
      unlock();
    }
  }

  /** See {@link SocketIo#write(int)}. */
  void write(int b) throws IOException {
    lock.lock();
    try {
      oneOut[0] = (byte) b;
      write(oneOut, 0, 1);
    } finally {
      unlock();
    }
  }

  private void checkFailure() throws IOException {
    if (failure != null) {
      throw SocketIo.again(failure);
    }
  }

  private void writeRecords(byte[] b, int off, int len) throws IOException {
    reserve(Math.min(SocketIo.BULK, (len + SocketIo.MAX_PLAINTEXT - 1) / SocketIo.MAX_PLAINTEXT));
    int packet = packetSize();
    ByteBuffer from = wrapSource(b, off, len);
    int stalls = 0;
    while (from.hasRemaining()) {
      if (netOut.position() > 0 && netOut.remaining() < packet) {
        flush();
      }
      SSLEngineResult result = engine.wrap(from, netOut);
      switch (result.getStatus()) {
        case BUFFER_OVERFLOW:
          makeRoom();
          continue;
        case CLOSED:
          flush();
          io.checkUsable();
          throw new SocketException("Connection or outbound has closed");
        default:
          break;
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        io.runTasks();
      }
      stalls = result.bytesConsumed() == 0 && result.bytesProduced() == 0 ? stalls + 1 : 0;
      if (stalls > 8) {
        throw new SSLException("Renegotiation is not supported: " + result.getHandshakeStatus());
      }
    }
    flush();
  }

  private ByteBuffer wrapSource(byte[] b, int off, int len) {
    ByteBuffer from = source;
    if (lastSource != b) {
      from = ByteBuffer.wrap(b);
      lastSource = b.length <= SocketIo.MAX_REMEMBERED ? b : null;
      source = lastSource == null ? null : from;
    }
    from.limit(off + len).position(off);
    return from;
  }

  // --- network output ---

  /** Bytes of the largest record: asked once per connection, an engine's overflow corrects it. */
  private int packetSize() {
    if (packetSize == 0 || !io.isEstablished()) {
      packetSize = engine.getSession().getPacketBufferSize();
    }
    return packetSize;
  }

  /** Room for some records in all, when the output is empty. */
  private void reserve(int records) {
    int size = records * packetSize();
    if (netOut.capacity() < size && netOut.position() == 0) {
      giveBack();
      netOut = BufferPool.RECORDS.take(size);
    }
  }

  /** After an overflow: by writing what is there, else by a larger buffer. */
  private void makeRoom() throws IOException {
    if (netOut.position() > 0) {
      flush();
    } else if (netOut.capacity() >= SocketIo.BULK * SocketIo.MAX_RECORD) {
      throw new SSLException("Record larger than the engine's buffer size");
    } else {
      int size = Math.max(2 * netOut.capacity(), engine.getSession().getPacketBufferSize());
      giveBack();
      netOut = BufferPool.RECORDS.take(size);
    }
  }

  /** Writes what was wrapped; any failure but a channel's wrong mode ends writing for good: a record may be cut. */
  private void flush() throws IOException {
    int size = netOut.position();
    if (size == 0) {
      return;
    }
    checkFailure();
    io.checkBlocking();
    try {
      out.write(netOut.array(), 0, size);
      out.flush();
    } catch (IllegalBlockingModeException e) {
      throw e; // before the first byte: kept for the next call
    } catch (IOException e) {
      failure = e;
      io.checkUsable();
      throw e;
    } catch (RuntimeException e) {
      failure = new IOException(e);
      throw failure;
    }
    netOut.clear();
  }

  // --- what the engine has to say besides application data ---

  /**
   * Writes what the engine has to say, by this thread or by the one that is writing now.
   *
   * @param wait whether the engine cannot go on without it
   */
  void wrapFromReader(boolean wait) throws IOException {
    wrapWanted = true;
    serveWrapWanted();
    if (!wait) {
      return;
    }
    int limit = io.getTimeout();
    if (limit == 0) {
      lock.lock();
    } else if (!SocketIo.tryLock(lock, limit)) {
      io.checkUsable();
      throw new SocketTimeoutException("Another thread is still writing");
    }
    try {
      wrapQuietly();
      io.checkUsable();
      checkFailure();
    } finally {
      unlock();
    }
  }

  private void unlock() {
    release();
    serveWrapWanted();
  }

  private void serveWrapWanted() {
    while (wrapWanted && lock.tryLock()) {
      try {
        wrapQuietly();
      } finally {
        release();
      }
    }
  }

  private void wrapQuietly() {
    wrapWanted = false;
    try {
      wrapPending();
    } catch (SSLException e) {
      io.fail(e);
    } catch (IOException e) {
      // Remembered as the write failure: it is the next write that fails, not a read that happened to see this.
    }
  }

  /** Wraps and writes what is pending besides application data. */
  private void wrapPending() throws IOException {
    for (int i = 0; i < 64 && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
      if (!wrapNothing()) {
        break;
      }
    }
    flush();
  }

  private boolean wrapNothing() throws IOException {
    reserve(1);
    SSLEngineResult result = engine.wrap(SocketIo.EMPTY, netOut);
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      makeRoom();
      return true;
    }
    return result.getStatus() == Status.OK && result.bytesProduced() > 0;
  }

  // --- the end ---

  private void wrapCloseNotify() throws IOException {
    if (io.hasBegun()) {
      for (int i = 0; i < 64 && !engine.isOutboundDone(); i++) {
        if (!wrapNothing()) {
          break;
        }
      }
    }
    flush();
  }

  /** Ends writing with close_notify, after a thread that is writing: at most for {@code linger} seconds unless that is negative. */
  void shutdownOutput(int linger) throws IOException {
    if (linger < 0) {
      lock.lock();
    } else if (!SocketIo.tryLock(lock, TimeUnit.SECONDS.toMillis(linger))) {
      throw new SSLException("SO_LINGER time-out, close_notify message cannot be sent");
    }
    try {
      if (io.isOutputShutdown()) {
        return;
      }
      io.outputShutdown = true;
      engine.closeOutbound();
      checkFailure();
      wrapCloseNotify();
      if (io.ownsTransport) {
        io.transport.shutdownOutput();
      }
    } catch (SSLException e) {
      throw io.failWith(e);
    } finally {
      unlock();
    }
  }

  /**
   * Writes close_notify or a pending alert, and ends the transport's output if we own it; false if that was not possible.
   *
   * @param grace how long to wait for a thread that is writing, in milliseconds
   * @param breakWrite ends a write that blocks for longer
   */
  boolean sendLast(boolean closeNotify, long grace, Runnable breakWrite) {
    long start = System.nanoTime();
    if (!SocketIo.tryLock(lock, grace)) {
      breakWrite.run();
      return false;
    }
    try {
      if (failure != null) {
        return false;
      }
      if (io.outputShutdown && closeNotify) {
        return true;
      }
      long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      Future<?> watch = CloseWatch.after(Math.max(100, left), breakWrite);
      try {
        if (closeNotify) {
          engine.closeOutbound();
          wrapCloseNotify();
        } else {
          wrapPending();
        }
        if (io.ownsTransport && !io.transport.isOutputShutdown()) {
          io.transport.shutdownOutput();
        }
        return true;
      } finally {
        watch.cancel(false);
      }
    } catch (IOException | RuntimeException e) {
      return false; // the peer is gone or the engine broken: either way nothing can be said any more
    } finally {
      release();
    }
  }
}
