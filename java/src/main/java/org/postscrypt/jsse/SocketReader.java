package org.postscrypt.jsse;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
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
 * The reading half of a socket: unwraps what its {@link SocketInput} receives.
 *
 * <p>Any thread may call; its lock, the read lock of {@link SocketIo}, is held across blocking input and the engine's unwrap.
 */
final class SocketReader {
  /** Least difference of record and plaintext: a tag and, from TLS 1.3, the content type. */
  private static final int MIN_OVERHEAD = 16;

  private final SocketState state;
  private final SSLEngine engine;
  private final SocketWriter writer;

  /** Guards the fields without {@code volatile}, and the input. */
  private final ReentrantLock lock = new ReentrantLock();

  private final SocketInput input;

  /** Decrypted and not yet read: {@code available} bytes from {@code appFrom}. */
  private ByteBuffer app = SocketState.EMPTY;

  private int appFrom;
  private volatile int available; // volatile for available()
  private volatile boolean closeNotified;
  private final byte[] one = new byte[1];
  private final CallersArray target = new CallersArray();

  SocketReader(SocketState state, SocketInput input, SocketWriter writer) {
    this.state = state;
    this.input = input;
    this.writer = writer;
    engine = state.engine;
  }

  /** Whether {@link #shutdownInput} was called. */
  boolean isShutdown() {
    return input.isShutdown();
  }

  private static <E extends SSLException> E eof(E exception) {
    exception.initCause(new EOFException("No close_notify before the end of the stream"));
    return exception;
  }

  // --- handshake ---

  /** One unwrap, or some input for the next one; what the engine wants now. */
  HandshakeStatus unwrapHandshake() throws IOException {
    lock.lock();
    try {
      SSLEngineResult result = engine.unwrap(input.received(), SocketState.EMPTY);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        // Nothing can be delivered yet, but an engine may ask for the room.
        ByteBuffer room = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        result = engine.unwrap(input.received(), room);
        if (result.bytesProduced() > 0) {
          app = room;
          appFrom = 0;
          available = result.bytesProduced();
        }
      }
      HandshakeStatus status = result.getHandshakeStatus();
      boolean idle = result.getStatus() == Status.OK && result.bytesConsumed() == 0 && result.bytesProduced() == 0
          && status == HandshakeStatus.NEED_UNWRAP;
      if (result.getStatus() == Status.BUFFER_UNDERFLOW || idle) {
        if (!input.fill()) {
          state.checkUsable();
          if (input.isShutdown()) {
            throw new SocketException("Socket input is already shutdown");
          }
          throw eof(new SSLHandshakeException("Remote host terminated the handshake"));
        }
        return engine.getHandshakeStatus();
      }
      if (result.getStatus() == Status.CLOSED) {
        state.checkUsable();
        throw new SSLHandshakeException("Received close_notify during the handshake");
      }
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        throw new SSLException("Record larger than the engine's buffer size");
      }
      return status;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Looks for an alert in what is there already, unless another thread is reading.
   *
   * @throws SSLException what the engine makes of it
   */
  void unwrapAlert() throws IOException {
    if (!lock.tryLock()) {
      return;
    }
    try {
      for (int i = 0; i < 16; i++) {
        SSLEngineResult result = engine.unwrap(input.received(), SocketState.EMPTY);
        boolean more = result.getStatus() == Status.BUFFER_UNDERFLOW
            ? input.fillWithoutBlocking()
            : result.bytesConsumed() > 0;
        if (!more) {
          break;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  // --- data ---

  /** As {@link InputStream#available}: decrypted bytes, without blocking. */
  int available() throws IOException {
    int count = available;
    if (state.isClosed() || input.isShutdown()) {
      return 0;
    }
    IOException failure = state.failure();
    if (count == 0 && failure != null) {
      throw SocketState.again(failure);
    }
    return count;
  }

  /**
   * As {@link InputStream#read(byte[], int, int)}, with checked arguments, a length above zero and a complete
   * handshake.
   */
  int read(byte[] b, int off, int len) throws IOException {
    lock.lock();
    try {
      if (state.isClosed()) {
        state.checkUsable();
      }
      if (input.isShutdown()) {
        return -1;
      }
      if (available > 0) {
        return takeApp(b, off, len);
      }
      state.checkUsable();
      state.checkBlocking();
      return closeNotified ? -1 : readRecords(b, off, len);
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw state.failWith(e);
    } catch (Error e) {
      state.fail(new SSLException("Reading failed", e));
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** As {@link InputStream#read()}, with a complete handshake. */
  int read() throws IOException {
    lock.lock();
    try {
      int count = read(one, 0, 1);
      return count < 0 ? -1 : one[0] & 0xff;
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
      if (length < 0 && !input.fill()) {
        return endOfInput();
      }
      if (length < 0) {
        continue;
      }
      boolean direct = len >= length - SocketState.HEADER - MIN_OVERHEAD;
      ByteBuffer to = direct ? target.of(b, off, len) : emptyApp(length);
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
          if (!input.fill()) {
            return endOfInput();
          }
          continue;
        case BUFFER_OVERFLOW:
          throw new SSLProtocolException("Record larger than the engine's buffer size");
        case CLOSED:
          state.checkUsable();
          if (!input.isShutdown()) {
            closeNotified = true;
          }
          break;
        default:
          break;
      }
      HandshakeStatus status = result.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        state.runTasks();
        status = engine.getHandshakeStatus();
      }
      boolean idle = result.bytesConsumed() == 0 && produced == 0;
      if (status == HandshakeStatus.NEED_WRAP) {
        writer.wrapForReader(idle);
      }
      if (produced > 0) {
        return direct ? produced : takeApp(b, off, len);
      }
      if (closeNotified || input.isShutdown()) {
        return -1;
      }
      stalls = idle ? stalls + 1 : 0;
      if (stalls > 8) {
        throw new SSLException("The engine does not progress: " + status);
      }
    }
  }

  /** -1 if reading was ended here, else the connection was cut. */
  private int endOfInput() throws IOException {
    state.checkUsable();
    if (input.isShutdown()) {
      return -1;
    }
    throw eof(new SSLProtocolException("Remote host closed the connection without close_notify"));
  }

  private ByteBuffer emptyApp(int size) {
    if (app.capacity() < size) {
      app = ByteBuffer.allocate((size + 4095) & ~4095);
    }
    app.clear();
    return app;
  }

  // --- the end ---

  /**
   * Ends reading; takes no lock, as another thread may hold it for as long as it waits for input.
   *
   * @throws SSLException if the peer has not sent its close_notify: what was read so far may be cut
   */
  void shutdownInput() throws IOException {
    if (input.isShutdown() || state.isOver()) {
      return;
    }
    input.shutDown();
    boolean truncated = state.hasBegun() && !closeNotified;
    Socket transport = state.transport;
    try {
      engine.closeInbound();
    } catch (SSLException e) {
      if (truncated) {
        throw e;
      }
      // The engine has not yet seen what the reader has; not ours to report.
    } finally {
      if (state.ownsTransport && !transport.isInputShutdown() && !transport.isClosed()) {
        transport.shutdownInput();
      }
    }
    if (truncated) {
      throw new SSLException("closing inbound before receiving peer's close_notify");
    }
  }

  /** Throws away input, unless another thread is reading: see {@link SocketInput#deplete}. */
  void deplete(int linger) {
    if (lock.tryLock()) {
      try {
        input.deplete(linger);
      } catch (IOException | RuntimeException e) {
        // Closed or reset by the peer, or out of patience: nothing more to throw away.
      } finally {
        lock.unlock();
      }
    }
  }

  /** Reads up to the peer's close_notify, for some time, so that the transport can be used without TLS after it. */
  void awaitPeer(long grace) {
    long start = System.nanoTime();
    if (!SocketState.tryLock(lock, Math.max(grace, 2 * SocketInput.SLICE))) {
      return; // the reader is in a task of the application: it finds the socket closed after that
    }
    try {
      ByteBuffer waste = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
      while (state.isEstablished() && !closeNotified && !input.isShutdown()) {
        waste.clear();
        SSLEngineResult result = engine.unwrap(input.received(), waste);
        if (result.getStatus() == Status.CLOSED) {
          closeNotified = true;
        } else if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
          long left = grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          if (left <= 0 || !input.fillWithin(left)) {
            break;
          }
        } else if (result.getStatus() == Status.BUFFER_OVERFLOW || result.bytesConsumed() == 0) {
          break;
        }
      }
    } catch (IOException | RuntimeException e) {
      // No close_notify in time, or not one that can be read: the socket is closed either way.
    } finally {
      lock.unlock();
    }
  }

  /** Lets memory go, but for what can still be read, unless another thread is reading. */
  void dropBuffers() {
    if (lock.tryLock()) {
      try {
        input.drop();
        target.forget();
        if (state.isClosed()) {
          available = 0;
        }
        if (available == 0) {
          app = SocketState.EMPTY;
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
