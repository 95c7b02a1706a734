package org.postscrypt.jsse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;

/**
 * Drives one engine over the streams of one connected socket: state and handshake here, the directions in {@link SocketReader} and
 * {@link SocketWriter}, the end in {@link SocketCloser}.
 *
 * <p>Locks, outermost first: {@code handshakeLock} (one thread handshakes, it also runs the engine's tasks, with no
 * other lock held), then the reader's (network input, unwrap) <em>or</em> the writer's (wrap, network
 * output). They are held across blocking I/O; {@link #close} takes none of them for longer than its grace period. A
 * thread with the reader's lock takes the writer's only if it is free: otherwise it leaves a note ({@code wrapWanted})
 * that whoever releases the writer's lock honours. A thread with the writer's lock never waits for the reader's.
 */
final class SocketIo {
  static final int HEADER = 5;
  static final int MAX_PLAINTEXT = 1 << 14;
  static final int MAX_RECORD = HEADER + 0xffff;

  /** Records of one bulk read or write of the transport. */
  static final int BULK = 4;

  /**
   * A caller's array up to this size is remembered, to wrap it once for many calls. (Larger ones: a wrap costs little beside their
   * contents, and an idle socket would keep them.)
   */
  static final int MAX_REMEMBERED = 1 << 13;

  static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  final SSLEngine engine;
  final Socket transport;
  final boolean ownsTransport;
  final SocketReader reader;
  final SocketWriter writer;
  private final SocketCloser closer;
  private final SocketChannel channel;

  private final ReentrantLock handshakeLock = new ReentrantLock();

  private volatile boolean begun;
  private volatile boolean established;
  volatile boolean closeNotified;
  volatile boolean inputShutdown;
  volatile boolean outputShutdown;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicReference<IOException> failure = new AtomicReference<>();

  /** Only for a transport that we do not own: its own time-out is used for slices. */
  volatile int timeout;

  /**
   * Takes over a connected transport. Nothing is sent yet.
   *
   * @param consumed bytes already read from the transport, or null
   * @param ownsTransport whether closing closes the transport
   */
  SocketIo(SSLEngine engine, Socket transport, InputStream consumed, boolean ownsTransport) throws IOException {
    this.engine = engine;
    this.transport = transport;
    this.ownsTransport = ownsTransport;
    channel = transport.getChannel();
    reader = new SocketReader(this, consumed);
    writer = new SocketWriter(this);
    closer = new SocketCloser(this);
    timeout = ownsTransport ? 0 : transport.getSoTimeout();
  }

  // --- state ---

  boolean isEstablished() {
    return established;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Whether {@code close()} was called or the connection failed. */
  boolean isClosed() {
    return closed.get() || failure.get() != null;
  }

  /** Whether {@code close()} was called before the connection failed. */
  boolean isClosedHere() {
    return closed.get();
  }

  /** Sets what {@link #isClosedHere} tells; false if there is nothing to close any more. */
  boolean beginClose() {
    return closed.compareAndSet(false, true) && failure.get() == null;
  }

  /** Whether the transport is a channel in non-blocking mode, which cannot be written to now. */
  boolean isNonBlocking() {
    return channel != null && !channel.isBlocking();
  }

  /** Bytes of the buffers that are held now, borrowed or our own; for tests. */
  int heldBytes() {
    return reader.held() + writer.held();
  }

  boolean isInputShutdown() {
    return inputShutdown || isClosed();
  }

  boolean isOutputShutdown() {
    return outputShutdown || isClosed();
  }

  boolean isHandshakingHere() {
    return handshakeLock.isHeldByCurrentThread();
  }

  void setTimeout(int millis) throws SocketException {
    if (ownsTransport) {
      transport.setSoTimeout(millis);
    } else if (millis < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    } else if (isClosed()) {
      throw closedException();
    } else {
      timeout = millis;
    }
  }

  int getTimeout() throws SocketException {
    return ownsTransport ? transport.getSoTimeout() : timeout;
  }

  void checkUsable() throws IOException {
    IOException cause = failure.get();
    if (cause != null) {
      throw again(cause);
    }
    if (closed.get()) {
      throw closedException();
    }
  }

  private static SocketException closedException() {
    return new SocketException("Socket is closed");
  }

  void checkInput() throws SocketException {
    if (inputShutdown) {
      throw new SocketException("Socket input is already shutdown");
    }
  }

  /** A channel in non-blocking mode is the caller's mistake: found before anything is consumed. */
  void checkBlocking() {
    if (isNonBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  /** The same failure for another call: own stack trace, same kind and text. */
  static IOException again(IOException first) {
    String text = first.getMessage();
    IOException again;
    if (first instanceof SSLHandshakeException) {
      again = new SSLHandshakeException(text);
    } else if (first instanceof SSLProtocolException) {
      again = new SSLProtocolException(text);
    } else if (first instanceof SSLPeerUnverifiedException) {
      again = new SSLPeerUnverifiedException(text);
    } else if (first instanceof SSLKeyException) {
      again = new SSLKeyException(text);
    } else if (first instanceof SSLException) {
      again = new SSLException(text);
    } else if (first instanceof SocketException) {
      again = new SocketException(text);
    } else {
      again = new IOException(text);
    }
    again.initCause(first);
    return again;
  }

  // --- handshake ---

  /**
   * Handshakes unless that is done. After a {@link SocketTimeoutException} another call resumes.
   *
   * @return whether it was this call that completed the handshake
   */
  boolean handshake() throws IOException {
    if (established) {
      checkUsable();
      return false;
    }
    if (isHandshakingHere()) {
      throw new SSLException("The handshake on this thread is not complete");
    }
    handshakeLock.lock();
    try {
      checkUsable();
      if (established) {
        return false;
      }
      checkInput();
      if (outputShutdown) {
        throw new SocketException("Socket output is already shutdown");
      }
      checkBlocking();
      runHandshake();
      established = true;
      return true;
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw failWith(e);
    } catch (Error e) {
      fail(new SSLException("Handshake failed", e));
      throw e;
    } finally {
      handshakeLock.unlock();
    }
  }

  private void runHandshake() throws IOException {
    if (!begun) {
      begun = true;
      engine.beginHandshake();
    }
    HandshakeStatus status = engine.getHandshakeStatus();
    for (;;) {
      checkUsable();
      switch (status) {
        case NEED_TASK:
          runTasks();
          status = engine.getHandshakeStatus();
          break;
        case NEED_WRAP:
          status = writer.handshake();
          break;
        case FINISHED:
        case NOT_HANDSHAKING:
          return;
        default:
          status = reader.handshake();
          break;
      }
    }
  }

  void runTasks() {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  // --- reading and writing ---

  /** As {@link InputStream#available}: decrypted bytes, without blocking. */
  int available() throws IOException {
    int count = reader.available();
    if (closed.get() || inputShutdown) {
      return 0;
    }
    if (count == 0 && failure.get() != null) {
      throw again(failure.get());
    }
    return count;
  }

  /**
   * As {@link InputStream#read(byte[], int, int)}, with checked arguments, a length above zero and a complete
   * handshake.
   */
  int read(byte[] b, int off, int len) throws IOException {
    return reader.read(b, off, len);
  }

  /** As {@link InputStream#read()}, with a complete handshake. */
  int read() throws IOException {
    return reader.read();
  }

  /**
   * As {@link OutputStream#write(byte[], int, int)}, with checked arguments, a length above zero and a complete
   * handshake.
   */
  void write(byte[] b, int off, int len) throws IOException {
    writer.write(b, off, len);
  }

  /** As {@link OutputStream#write(int)}, with a complete handshake. */
  void write(int b) throws IOException {
    writer.write(b);
  }

  // --- the end ---

  /** See {@link SocketCloser#shutdownOutput}. */
  void shutdownOutput() throws IOException {
    closer.shutdownOutput();
  }

  /** See {@link SocketCloser#shutdownInput}. */
  void shutdownInput() throws IOException {
    closer.shutdownInput();
  }

  /** See {@link SocketCloser#close}. */
  void close() throws IOException {
    closer.close();
  }

  /** Ends the connection because of {@code e}; returns what to throw. */
  IOException failWith(Exception e) {
    IOException cause = e instanceof IOException ? (IOException) e : new SSLException(e.toString(), e);
    if (fail(cause)) {
      return cause;
    }
    IOException first = failure.get();
    if (first == null) {
      return closedException();
    }
    return e == first || e.getCause() == first ? cause : again(first);
  }

  /**
   * The first failure ends the connection: a pending alert is sent, the transport closed if we own it.
   *
   * @return false if it was closed or had failed before
   */
  boolean fail(IOException cause) {
    if (closed.get() || !failure.compareAndSet(null, cause)) {
      return false;
    }
    closer.failed(cause instanceof SSLException);
    return true;
  }

  /** As {@code tryLock} with a time-out that an interrupt cuts short; the interrupt stays pending. */
  static boolean tryLock(ReentrantLock lock, long millis) {
    if (lock.tryLock()) {
      return true;
    }
    try {
      return lock.tryLock(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
