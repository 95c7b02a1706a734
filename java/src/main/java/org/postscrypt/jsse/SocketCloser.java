package org.postscrypt.jsse;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** The end of a {@link SocketIo}: of one direction, of both, or by a failure. */
final class SocketCloser {
  /** How long {@code close()} and fatal alerts wait for a writer or a peer that does not read, in milliseconds. */
  private static final long GRACE = 700;

  /** How long a failed connection is kept for the peer to take the alert, in milliseconds. */
  private static final int ALERT_LINGER = 200;

  private final SocketIo io;
  private final SSLEngine engine;
  private final Socket transport;
  private final boolean ownsTransport;

  SocketCloser(SocketIo io) {
    this.io = io;
    engine = io.engine;
    transport = io.transport;
    ownsTransport = io.ownsTransport;
  }

  /**
   * Ends writing with close_notify; reading goes on as far as the protocol version allows.
   *
   * <p>Waits for a thread that is writing, at most for SO_LINGER where that is set.
   */
  void shutdownOutput() throws IOException {
    if (io.isOutputShutdown()) {
      return;
    }
    io.checkBlocking();
    io.writer.shutdownOutput(transport.getSoLinger());
  }

  /**
   * Ends reading.
   *
   * @throws SSLException if the peer has not sent its close_notify: what was read so far may be cut
   */
  void shutdownInput() throws IOException {
    if (io.isInputShutdown()) {
      return;
    }
    io.inputShutdown = true;
    boolean truncated = io.hasBegun() && !io.closeNotified;
    try {
      engine.closeInbound();
    } catch (SSLException e) {
      if (truncated) {
        throw e;
      }
      // The engine has not yet seen what the reader has; not ours to report.
    } finally {
      if (ownsTransport && !transport.isInputShutdown() && !transport.isClosed()) {
        transport.shutdownInput();
      }
    }
    if (truncated) {
      throw new SSLException("closing inbound before receiving peer's close_notify");
    }
  }

  /**
   * Closes: close_notify if it can be sent within the grace period (SO_LINGER where set), then the transport if we
   * own it.
   *
   * <p>Whatever other threads do on this socket ends with a {@link SocketException}.
   *
   * @throws SSLException if the transport is not ours and our side of the TLS stream on it could not be ended
   */
  void close() throws IOException {
    if (!io.beginClose()) {
      return;
    }
    long grace = grace();
    long start = System.nanoTime();
    boolean sent = false;
    try {
      sent = sendLast(grace, true);
    } finally {
      if (ownsTransport) {
        endTransport(0);
      } else {
        io.reader.awaitPeer(Math.max(1, grace - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
      }
      if (!ownsTransport) {
        restoreTimeout();
      }
      closeEngine();
      dropBuffers();
    }
    if (!sent && !ownsTransport && !transport.isClosed()) {
      throw new SSLException("close_notify message cannot be sent, the underlying socket is not usable");
    }
  }

  private long grace() {
    try {
      int linger = transport.getSoLinger();
      return linger < 0 ? GRACE : TimeUnit.SECONDS.toMillis(linger);
    } catch (SocketException e) {
      return GRACE; // not an option of this transport, or it is closed and nothing will block
    }
  }

  /** Wraps and writes close_notify or a pending alert; false if that was not possible in time. */
  private boolean sendLast(long grace, boolean closeNotify) {
    return !transport.isClosed() && !io.isNonBlocking() && io.writer.sendLast(closeNotify, grace, this::breakWrite);
  }

  /**
   * Ends a write that blocks: the record is cut, so the output is of no more use even to a transport that is not
   * ours.
   */
  private void breakWrite() {
    try {
      if (ownsTransport) {
        transport.close();
      } else if (!transport.isClosed()) {
        transport.shutdownOutput();
      }
    } catch (IOException | RuntimeException e) {
      // Nothing else can be done to it.
    }
  }

  /** Closes the transport; waits up to some milliseconds for the peer to have read and closed. */
  private void endTransport(int linger) {
    io.reader.deplete(linger);
    try {
      transport.close();
    } catch (IOException | RuntimeException e) {
      // Closed as far as it can be.
    }
  }

  private void restoreTimeout() {
    try {
      transport.setSoTimeout(io.timeout);
    } catch (SocketException e) {
      // Closed by its owner.
    }
  }

  /** Lets the engine free what it holds. */
  private void closeEngine() {
    engine.closeOutbound();
    try {
      engine.closeInbound();
    } catch (SSLException e) {
      // That the peer had not finished is known, and what closing means.
    }
  }

  private void dropBuffers() {
    io.reader.drop();
    io.writer.drop();
  }

  /**
   * After the connection failed: a pending alert is sent, the transport closed if we own it.
   *
   * @param mayAlert whether the failure is one that the peer is told of
   */
  void failed(boolean mayAlert) {
    boolean sent = mayAlert && sendLast(GRACE, false);
    if (ownsTransport) {
      endTransport(sent ? ALERT_LINGER : 0);
    } else {
      restoreTimeout();
    }
    closeEngine();
    dropBuffers();
  }
}
