package org.postscrypt.jsse;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;

/**
 * What the parts of one socket share: its engine and its transport, how far the connection has come, and why it ended.
 *
 * <p>Any thread may call, with any lock or none: see {@link SocketIo}.
 */
final class SocketState {
  /** Bytes of a record's header. */
  static final int HEADER = 5;

  /** Most bytes of a record's content. */
  static final int MAX_PLAINTEXT = 1 << 14;

  /** Most bytes that a record can have by its header. */
  static final int MAX_RECORD = HEADER + 0xffff;

  /** Records of one bulk read or write of the transport. */
  static final int BULK = 4;

  static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /** What ends a connection that failed. */
  interface Ending {
    /** Called once at most, by the thread that met {@code cause}, with the locks that it has. */
    void failed(IOException cause);
  }

  final SSLEngine engine;
  final Socket transport;

  /** Whether closing closes the transport. */
  final boolean ownsTransport;

  private final SocketChannel channel;
  private final Ending ending;

  private volatile boolean begun;
  private volatile boolean established;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicReference<IOException> failure = new AtomicReference<>();

  SocketState(SSLEngine engine, Socket transport, boolean ownsTransport, Ending ending) {
    this.engine = engine;
    this.transport = transport;
    this.ownsTransport = ownsTransport;
    this.ending = ending;
    channel = transport.getChannel();
  }

  // --- the handshake ---

  boolean hasBegun() {
    return begun;
  }

  void begin() {
    begun = true;
  }

  boolean isEstablished() {
    return established;
  }

  void establish() {
    established = true;
  }

  /** Runs what the engine delegates. */
  void runTasks() {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  // --- the transport ---

  boolean isBlocking() {
    return channel == null || channel.isBlocking();
  }

  /** A channel in non-blocking mode is the caller's mistake: found before anything is consumed. */
  void checkBlocking() {
    if (!isBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  // --- the end ---

  /** Whether {@code close()} was called. */
  boolean isClosed() {
    return closed.get();
  }

  /** Whether {@code close()} was called or the connection failed. */
  boolean isOver() {
    return closed.get() || failure.get() != null;
  }

  /** The first failure, which ended the connection; null if there was none. */
  IOException failure() {
    return failure.get();
  }

  /** Notes that {@code close()} was called; false if there is nothing left to close. */
  boolean close() {
    return closed.compareAndSet(false, true) && failure.get() == null;
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

  static SocketException closedException() {
    return new SocketException("Socket is closed");
  }

  /**
   * The first failure ends the connection.
   *
   * @return false if it was closed or had failed before
   */
  boolean fail(IOException cause) {
    if (closed.get() || !failure.compareAndSet(null, cause)) {
      return false;
    }
    ending.failed(cause);
    return true;
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
