package org.postscrypt.jsse;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * The handshake of a socket, over its two halves. Its lock is the outermost: one thread handshakes, and runs the engine's tasks
 * with no other lock held.
 */
final class SocketHandshake {
  private final SocketState state;
  private final SSLEngine engine;
  private final SocketReader reader;
  private final SocketWriter writer;
  private final ReentrantLock lock = new ReentrantLock();

  SocketHandshake(SocketState state, SocketReader reader, SocketWriter writer) {
    this.state = state;
    this.reader = reader;
    this.writer = writer;
    engine = state.engine;
  }

  /** Whether this thread is in the middle of it: a task's. */
  boolean isHere() {
    return lock.isHeldByCurrentThread();
  }

  /**
   * Handshakes unless that is done. After a {@link java.net.SocketTimeoutException} another call resumes.
   *
   * @return whether it was this call that completed the handshake
   */
  boolean handshake() throws IOException {
    if (state.isEstablished()) {
      state.checkUsable();
      return false;
    }
    if (isHere()) {
      throw new SSLException("The handshake on this thread is not complete");
    }
    lock.lock();
    try {
      state.checkUsable();
      if (state.isEstablished()) {
        return false;
      }
      if (reader.isShutdown()) {
        throw new SocketException("Socket input is already shutdown");
      }
      if (writer.isShutdown()) {
        throw new SocketException("Socket output is already shutdown");
      }
      state.checkBlocking();
      run();
      state.establish();
      return true;
    } catch (IllegalBlockingModeException e) {
      throw e;
    } catch (SSLException | RuntimeException e) {
      throw state.failWith(e);
    } catch (Error e) {
      state.fail(new SSLException("Handshake failed", e));
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void run() throws IOException {
    if (!state.hasBegun()) {
      state.begin();
      engine.beginHandshake();
    }
    HandshakeStatus status = engine.getHandshakeStatus();
    for (;;) {
      state.checkUsable();
      switch (status) {
        case NEED_TASK:
          state.runTasks();
          status = engine.getHandshakeStatus();
          break;
        case NEED_WRAP:
          status = wrap();
          break;
        case FINISHED:
        case NOT_HANDSHAKING:
          return;
        default:
          status = reader.unwrapHandshake();
          break;
      }
    }
  }

  private HandshakeStatus wrap() throws IOException {
    writer.lock();
    try {
      return writer.wrapHandshake();
    } catch (SSLException e) {
      throw e;
    } catch (IOException e) {
      throw writeFailed(e);
    } finally {
      writer.unlock();
    }
  }

  /** A peer that gives up sends an alert and closes; our write may fail before we have read it. */
  private IOException writeFailed(IOException cause) throws IOException {
    state.checkUsable();
    try {
      reader.unwrapAlert();
    } catch (SSLException e) {
      e.addSuppressed(cause);
      return e;
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    state.fail(cause);
    return cause;
  }
}
