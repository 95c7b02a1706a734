package org.postscrypt.jsse;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
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
 * The writing half of a socket: wraps and writes to the transport, data and what the engine has to say itself.
 *
 * <p>Any thread may call; its lock, the write lock of {@link SocketIo}, is held across blocking output and the engine's wrap.
 */
final class SocketWriter {
  private final SocketState state;
  private final SSLEngine engine;
  private final SocketTimeout timeout;
  private final OutputStream out;

  /** Guards the fields without {@code volatile}. */
  private final ReentrantLock lock = new ReentrantLock();

  /** A note of a thread that found the lock taken, for whoever releases it: the engine has something to say. */
  private volatile boolean wrapWanted;

  private volatile boolean shutdown;

  /** Why nothing can be written any more, while reading may still tell the true reason. */
  private IOException writeFailure;

  /** Wrapped and not yet written: up to position. */
  private ByteBuffer netOut = SocketState.EMPTY;

  private int packetSize;
  private final byte[] one = new byte[1];
  private final CallersArray source = new CallersArray();

  SocketWriter(SocketState state, SocketTimeout timeout, OutputStream out) {
    this.state = state;
    this.timeout = timeout;
    this.out = out;
    engine = state.engine;
  }

  /** Whether {@link #shutdownOutput} ended writing. */
  boolean isShutdown() {
    return shutdown;
  }

  // --- the lock ---

  void lock() {
    lock.lock();
  }

  /** Releases the lock, and does what another thread wanted meanwhile. */
  void unlock() {
    lock.unlock();
    serveWrapWanted();
  }

  private void serveWrapWanted() {
    while (wrapWanted && lock.tryLock()) {
      try {
        wrapQuietly();
      } finally {
        lock.unlock();
      }
    }
  }

  // --- handshake ---

  /**
   * One wrap; what it made leaves when the engine wants something else, so a flight is one write. The caller has the lock, and
   * releases it when it knows why a write failed.
   */
  HandshakeStatus wrapHandshake() throws IOException {
    checkNotFailed();
    reserve(1);
    SSLEngineResult result = engine.wrap(SocketState.EMPTY, netOut);
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      makeRoom();
      return HandshakeStatus.NEED_WRAP;
    }
    HandshakeStatus status = result.getHandshakeStatus();
    if (status != HandshakeStatus.NEED_WRAP || result.getStatus() == Status.CLOSED) {
      flush();
    }
    if (result.getStatus() == Status.CLOSED) {
      state.checkUsable();
      throw new SSLHandshakeException("Connection closed during the handshake");
    }
    return status;
  }

  // --- data ---

  /**
   * As {@link OutputStream#write(byte[], int, int)}, with checked arguments, a length above zero and a complete
   * handshake.
   */
  void write(byte[] b, int off, int len) throws IOException {
    lock.lock();
    try {
      checkWritable();
      state.checkBlocking();
      writeRecords(b, off, len);
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw state.failWith(e);
    } catch (Error e) {
      state.fail(new SSLException("Writing failed", e));
      throw e;
    } finally {
      unlock();
    }
  }

  /** As {@link OutputStream#write(int)}, with a complete handshake. */
  void write(int b) throws IOException {
    lock.lock();
    try {
      one[0] = (byte) b;
      write(one, 0, 1);
    } finally {
      unlock();
    }
  }

  private void checkWritable() throws IOException {
    state.checkUsable();
    checkNotFailed();
    if (shutdown) {
      throw new SocketException("Connection or outbound has closed");
    }
  }

  private void checkNotFailed() throws IOException {
    if (writeFailure != null) {
      throw SocketState.again(writeFailure);
    }
  }

  private void writeRecords(byte[] b, int off, int len) throws IOException {
    reserve(Math.min(SocketState.BULK, (len + SocketState.MAX_PLAINTEXT - 1) / SocketState.MAX_PLAINTEXT));
    int packet = packetSize();
    ByteBuffer from = source.of(b, off, len);
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
          state.checkUsable();
          throw new SocketException("Connection or outbound has closed");
        default:
          break;
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        state.runTasks();
      }
      stalls = result.bytesConsumed() == 0 && result.bytesProduced() == 0 ? stalls + 1 : 0;
      if (stalls > 8) {
        throw new SSLException("Renegotiation is not supported: " + result.getHandshakeStatus());
      }
    }
    flush();
  }

  // --- output ---

  /** Bytes of the largest record: asked once per connection, an engine's overflow corrects it. */
  private int packetSize() {
    if (packetSize == 0 || !state.isEstablished()) {
      packetSize = engine.getSession().getPacketBufferSize();
    }
    return packetSize;
  }

  /** Room for some records in all, when the output is empty. */
  private void reserve(int records) {
    int size = records * packetSize();
    if (netOut.capacity() < size && netOut.position() == 0) {
      netOut = ByteBuffer.allocate(size);
    }
  }

  /** After an overflow: by writing what is there, else by a larger buffer. */
  private void makeRoom() throws IOException {
    if (netOut.position() > 0) {
      flush();
    } else if (netOut.capacity() >= SocketState.BULK * SocketState.MAX_RECORD) {
      throw new SSLException("Record larger than the engine's buffer size");
    } else {
      netOut = ByteBuffer.allocate(Math.max(2 * netOut.capacity(), engine.getSession().getPacketBufferSize()));
    }
  }

  /** Writes what was wrapped; any failure but a channel's wrong mode ends writing for good: a record may be cut. */
  private void flush() throws IOException {
    int size = netOut.position();
    if (size == 0) {
      return;
    }
    checkNotFailed();
    state.checkBlocking();
    try {
      out.write(netOut.array(), 0, size);
      out.flush();
    } catch (IllegalBlockingModeException e) {
      throw e; // before the first byte: kept for the next call
    } catch (IOException e) {
      writeFailure = e;
      state.checkUsable();
      throw e;
    } catch (RuntimeException e) {
      writeFailure = new IOException(e);
      throw writeFailure;
    }
    netOut.clear();
  }

  // --- what the engine has to say ---

  /**
   * Writes what the engine has to say, by this thread, which is reading, or by the one that is writing now.
   *
   * @param wait whether the engine cannot go on without it
   */
  void wrapForReader(boolean wait) throws IOException {
    wrapWanted = true;
    serveWrapWanted();
    if (!wait) {
      return;
    }
    int limit = timeout.get();
    if (limit == 0) {
      lock.lock();
    } else if (!SocketState.tryLock(lock, limit)) {
      state.checkUsable();
      throw new SocketTimeoutException("Another thread is still writing");
    }
    try {
      wrapQuietly();
      state.checkUsable();
      checkNotFailed();
    } finally {
      unlock();
    }
  }

  private void wrapQuietly() {
    wrapWanted = false;
    try {
      wrapPending();
    } catch (SSLException e) {
      state.fail(e);
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
    SSLEngineResult result = engine.wrap(SocketState.EMPTY, netOut);
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      makeRoom();
      return true;
    }
    return result.getStatus() == Status.OK && result.bytesProduced() > 0;
  }

  private void wrapCloseNotify() throws IOException {
    if (state.hasBegun()) {
      for (int i = 0; i < 64 && !engine.isOutboundDone(); i++) {
        if (!wrapNothing()) {
          break;
        }
      }
    }
    flush();
  }

  // --- the end ---

  /**
   * Ends writing with close_notify; reading goes on as far as the protocol version allows.
   *
   * <p>Waits for a thread that is writing, at most for SO_LINGER where that is set.
   */
  void shutdownOutput() throws IOException {
    if (shutdown || state.isOver()) {
      return;
    }
    state.checkBlocking();
    int linger = state.transport.getSoLinger();
    if (linger < 0) {
      lock.lock();
    } else if (!SocketState.tryLock(lock, TimeUnit.SECONDS.toMillis(linger))) {
      throw new SSLException("SO_LINGER time-out, close_notify message cannot be sent");
    }
    try {
      if (shutdown || state.isOver()) {
        return;
      }
      shutdown = true;
      engine.closeOutbound();
      checkNotFailed();
      wrapCloseNotify();
      if (state.ownsTransport) {
        state.transport.shutdownOutput();
      }
    } catch (SSLException e) {
      throw state.failWith(e);
    } finally {
      unlock();
    }
  }

  /** Wraps and writes close_notify or a pending alert; false if that was not possible in time. */
  boolean sendLast(long grace, boolean closeNotify) {
    Socket transport = state.transport;
    if (transport.isClosed() || !state.isBlocking()) {
      return false;
    }
    long start = System.nanoTime();
    if (!SocketState.tryLock(lock, grace)) {
      breakWrite();
      return false;
    }
    try {
      if (writeFailure != null) {
        return false;
      }
      if (shutdown && closeNotify) {
        return true;
      }
      long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      Future<?> watch = CloseWatch.after(Math.max(100, left), this::breakWrite);
      try {
        if (closeNotify) {
          engine.closeOutbound();
          wrapCloseNotify();
        } else {
          wrapPending();
        }
        if (state.ownsTransport && !transport.isOutputShutdown()) {
          transport.shutdownOutput();
        }
        return true;
      } finally {
        watch.cancel(false);
      }
    } catch (IOException | RuntimeException e) {
      return false; // the peer is gone or the engine broken: either way nothing can be said any more
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a write that blocks: the record is cut, so the output is of no more use even to a transport that is not
   * ours.
   */
  private void breakWrite() {
    Socket transport = state.transport;
    try {
      if (state.ownsTransport) {
        transport.close();
      } else if (!transport.isClosed()) {
        transport.shutdownOutput();
      }
    } catch (IOException | RuntimeException e) {
      // Nothing else can be done to it.
    }
  }

  /** Lets memory go, unless another thread is writing. */
  void dropBuffers() {
    if (lock.tryLock()) {
      try {
        netOut = SocketState.EMPTY;
        source.forget();
      } finally {
        lock.unlock();
      }
    }
  }
}
