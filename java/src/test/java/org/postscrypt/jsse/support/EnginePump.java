package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** Two engines and the wire between them, moved step by step in one thread; ends whatever the engines do. */
public final class EnginePump {
  private static final int MAX_STEPS = 2000;

  private final EngineSide client;
  private final EngineSide server;

  EnginePump(TlsCase which, SSLEngine client, SSLEngine server, TaskMode tasks) {
    this.client = new EngineSide("client", client, which.pairing().client(), which.buffers(), tasks);
    this.server = new EngineSide("server", server, which.pairing().server(), which.buffers(), tasks);
    this.client.connect(this.server);
    this.server.connect(this.client);
  }

  /** The client. */
  public EngineSide client() {
    return client;
  }

  /** The server. */
  public EngineSide server() {
    return server;
  }

  /** The other one. */
  public EngineSide peerOf(EngineSide side) {
    return side == client ? server : client;
  }

  /** Begins the handshake on both sides. */
  public void begin() throws SSLException {
    client.engine().beginHandshake();
    server.engine().beginHandshake();
  }

  /** A whole handshake, which must succeed, and whatever follows it at once (tickets). */
  public void handshake() throws SSLException {
    begin();
    settle();
    assertEstablished();
  }

  /** Moves both sides until neither has anything to do. */
  public void settle() throws SSLException {
    for (int i = 0; i < MAX_STEPS; i++) {
      if (!(client.step() | server.step())) {
        return;
      }
    }
    throw new AssertionError("no end after " + MAX_STEPS + " steps: " + state());
  }

  /** As {@link #settle()}; exceptions are kept at their side, whose alert still travels. */
  public void settleOrFail() {
    for (int i = 0; i < MAX_STEPS; i++) {
      if (!(client.stepOrFail() | server.stepOrFail())) {
        return;
      }
    }
    throw new AssertionError("no end after " + MAX_STEPS + " steps: " + state());
  }

  /** A handshake that fails on at least one side; look at {@link EngineSide#failure()}. */
  public void failHandshake() throws SSLException {
    begin();
    settleOrFail();
    assertTrue(client.failure() != null || server.failure() != null, () -> "the handshake went well: " + state());
  }

  /** Asserts that both sides have finished a handshake, each exactly once, and without an exception. */
  public void assertEstablished() {
    for (EngineSide side : new EngineSide[] {client, server}) {
      assertNull(side.failure());
      assertEquals(0, side.wire().size());
      if (!side.vendor().isStrict()) {
        continue;
      }
      assertEquals(HandshakeStatus.NOT_HANDSHAKING, side.engine().getHandshakeStatus(), this::state);
      // SunJSSE's client says FINISHED again when it has read a TLS 1.3 session ticket.
      boolean again = side == client && side.vendor() == Peer.JDK && side.isTls13();
      assertTrue(again ? side.finished() >= 1 : side.finished() == 1, () -> "FINISHED once: " + side.history());
    }
  }

  /** Sends {@code data} from one side to the other and asserts that it arrives. */
  public void send(EngineSide from, byte[] data) throws SSLException {
    ByteBuffer src = from.buffers().source(data);
    EngineSide to = peerOf(from);
    int records = 0;
    do {
      SSLEngineResult result = from.wrapAndSend(src);
      assertEquals(Status.OK, result.getStatus());
      boolean late = !from.vendor().isStrict() && result.bytesProduced() > 0;
      assertTrue(data.length == 0 || result.bytesConsumed() > 0 || late, () -> "no progress: " + result);
      assertTrue(++records < 1000, "bounded");
      deliver(to);
    } while (src.hasRemaining());
    assertArrayEquals(data, to.takeReceived());
  }

  /** Unwraps all that is on the wire towards {@code to}. */
  public void deliver(EngineSide to) throws SSLException {
    while (to.wire().size() > 0) {
      SSLEngineResult result = to.unwrapNext();
      assertEquals(Status.OK, result.getStatus());
      assertTrue(result.bytesConsumed() > 0, () -> "no progress: " + result);
      to.runTasks();
    }
  }

  /** Moves both sides until {@code side} has failed, and returns its exception. */
  public Exception failureOf(EngineSide side) {
    settleOrFail();
    assertNotNull(side.failure(), this::state);
    return side.failure();
  }

  private String state() {
    return "client " + client.engine().getHandshakeStatus() + " " + client.failures() + ", server "
        + server.engine().getHandshakeStatus() + " " + server.failures();
  }
}
