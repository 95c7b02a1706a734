package org.postscrypt.jsse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Drives one engine over the streams of one connected socket: joins the parts that do so, and ends the connection.
 *
 * <pre>
 * SocketIo ── SocketHandshake ──▶ SocketReader ── SocketInput ── SocketTimeout
 *                     └───────────▶ SocketWriter ◀─┘ (what the engine has to say while reading)
 * </pre>
 *
 * <p>All of them know {@link SocketState}, which tells this class of a failure.
 *
 * <p><b>Locks,</b> outermost first, each private to the class that has it but for the handshake's use of the write lock:
 *
 * <ol>
 *   <li>{@link SocketHandshake}'s: one thread handshakes, it also runs the handshake's tasks, with no other lock held;
 *   <li>{@link SocketReader}'s, the read lock (network input, unwrap; the fields of {@code SocketReader} and {@link
 *       SocketInput}), <em>or</em> {@link SocketWriter}'s, the write lock (wrap, network output; the fields of {@code
 *       SocketWriter});
 *   <li>{@link SocketTimeout}'s monitor: the time-outs of a transport that we do not own.
 * </ol>
 *
 * <p>The first two are held across blocking I/O; {@link #close} takes none of them for longer than its grace period. A
 * thread with the write lock never waits for the read lock. A thread with the read lock waits for the write lock only when the engine
 * cannot go on without a wrap, and no longer than SO_TIMEOUT, if that is set; else it takes it if it is free, or leaves a note
 * ({@code wrapWanted}) that whoever releases it honours. Tasks that come after the handshake run under the lock of who met them. What is
 * volatile or atomic is under no lock: {@code SocketState}, and in the halves what other threads look at.
 */
final class SocketIo {
  /** How long {@code close()} and fatal alerts wait for a writer or a peer that does not read, in milliseconds. */
  private static final long GRACE = 700;

  /** How long a failed connection is kept for the peer to take the alert, in milliseconds. */
  private static final int ALERT_LINGER = 200;

  private final SocketState state;
  private final SocketTimeout timeout;
  private final SocketWriter writer;
  private final SocketReader reader;
  private final SocketHandshake handshake;

  /**
   * Takes over a connected transport. Nothing is sent yet.
   *
   * @param consumed bytes already read from the transport, or null
   * @param ownsTransport whether closing closes the transport
   */
  SocketIo(SSLEngine engine, Socket transport, InputStream consumed, boolean ownsTransport) throws IOException {
    state = new SocketState(engine, transport, ownsTransport, this::failed);
    InputStream in = transport.getInputStream();
    OutputStream out = transport.getOutputStream();
    timeout = new SocketTimeout(state);
    writer = new SocketWriter(state, timeout, out);
    reader = new SocketReader(state, new SocketInput(state, timeout, in, consumed), writer);
    handshake = new SocketHandshake(state, reader, writer);
  }

  // --- state ---

  boolean isEstablished() {
    return state.isEstablished();
  }

  boolean hasBegun() {
    return state.hasBegun();
  }

  /** Whether {@code close()} was called or the connection failed. */
  boolean isClosed() {
    return state.isOver();
  }

  boolean isInputShutdown() {
    return reader.isShutdown() || state.isOver();
  }

  boolean isOutputShutdown() {
    return writer.isShutdown() || state.isOver();
  }

  boolean isHandshakingHere() {
    return handshake.isHere();
  }

  /** As {@link Socket#setSoTimeout}. */
  void setTimeout(int millis) throws SocketException {
    timeout.set(millis);
  }

  /** As {@link Socket#getSoTimeout}. */
  int getTimeout() throws SocketException {
    return timeout.get();
  }

  // --- the parts' work ---

  /** As {@link SocketHandshake#handshake}. */
  boolean handshake() throws IOException {
    return handshake.handshake();
  }

  /** What is read from: once {@link #handshake} is done. */
  SocketReader reader() {
    return reader;
  }

  /** What is written to: once {@link #handshake} is done. */
  SocketWriter writer() {
    return writer;
  }

  // --- the end ---

  /**
   * Closes: close_notify if it can be sent within the grace period (SO_LINGER where set), then the transport if we
   * own it.
   *
   * <p>Whatever other threads do on this socket ends with a {@link SocketException}.
   *
   * @throws SSLException if the transport is not ours and our side of the TLS stream on it could not be ended
   */
  void close() throws IOException {
    if (!state.close()) {
      return;
    }
    long grace = grace();
    long start = System.nanoTime();
    boolean sent = false;
    try {
      sent = writer.sendLast(grace, true);
    } finally {
      if (state.ownsTransport) {
        endTransport(0);
      } else {
        reader.awaitPeer(Math.max(1, grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
        timeout.restore();
      }
      closeEngine();
      dropBuffers();
    }
    if (!sent && !state.ownsTransport && !state.transport.isClosed()) {
      throw new SSLException("close_notify message cannot be sent, the underlying socket is not usable");
    }
  }

  private long grace() {
    try {
      int linger = state.transport.getSoLinger();
      return linger < 0 ? GRACE : TimeUnit.SECONDS.toMillis(linger);
    } catch (SocketException e) {
      return GRACE; // not an option of this transport, or it is closed and nothing will block
    }
  }

  /** Ends a connection that failed: a pending alert is sent, the transport closed if we own it. */
  private void failed(IOException cause) {
    boolean sent = cause instanceof SSLException && writer.sendLast(GRACE, false);
    if (state.ownsTransport) {
      endTransport(sent ? ALERT_LINGER : 0);
    } else {
      timeout.restore();
    }
    closeEngine();
    dropBuffers();
  }

  /** Closes the transport; waits up to some milliseconds for the peer to have read and closed. */
  private void endTransport(int linger) {
    reader.deplete(linger);
    try {
      state.transport.close();
    } catch (IOException | RuntimeException e) {
      // Closed as far as it can be.
    }
  }

  /** Lets the engine free what it holds. */
  private void closeEngine() {
    state.engine.closeOutbound();
    try {
      state.engine.closeInbound();
    } catch (SSLException e) {
      // That the peer had not finished is known, and what closing means.
    }
  }

  private void dropBuffers() {
    reader.dropBuffers();
    writer.dropBuffers();
  }
}
