package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Closing: close_notify in each direction, half-close, truncation. */
class EngineClosureTest {
  @EachVersion
  void closeAfterTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide client = pump.client();
    EngineSide server = pump.server();
    assertFalse(client.engine().isOutboundDone());
    client.engine().closeOutbound();
    assertEquals(HandshakeStatus.NEED_WRAP, client.engine().getHandshakeStatus());
    assertFalse(client.engine().isOutboundDone(), "close_notify has not been wrapped yet");
    SSLEngineResult result = client.wrapAndSend();
    assertEquals(Status.CLOSED, result.getStatus());
    assertTrue(result.bytesProduced() > 0);
    assertTrue(client.engine().isOutboundDone());
    assertFalse(client.engine().isInboundDone());

    result = server.unwrapNext();
    assertEquals(Status.CLOSED, result.getStatus());
    assertTrue(server.engine().isInboundDone());
    server.closeAndFlush();
    assertTrue(server.engine().isOutboundDone());
    assertEquals(HandshakeStatus.NOT_HANDSHAKING, server.engine().getHandshakeStatus());

    assertEquals(Status.CLOSED, client.unwrapNext().getStatus());
    assertTrue(client.engine().isInboundDone());
    assertEquals(HandshakeStatus.NOT_HANDSHAKING, client.engine().getHandshakeStatus());
    client.engine().closeInbound();
    server.engine().closeInbound();
  }

  @EachVersion
  void serverMayCloseFirst(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.server().closeAndFlush();
    assertEquals(Status.CLOSED, pump.client().unwrapNext().getStatus());
    pump.client().closeAndFlush();
    assertEquals(Status.CLOSED, pump.server().unwrapNext().getStatus());
    assertTrue(pump.client().engine().isInboundDone() && pump.client().engine().isOutboundDone());
    assertTrue(pump.server().engine().isInboundDone() && pump.server().engine().isOutboundDone());
  }

  @EachVersion
  void afterClosureEverythingIsClosedWithoutBytes(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.client().closeAndFlush();
    pump.server().unwrapNext();
    pump.server().closeAndFlush();
    pump.client().unwrapNext();
    for (EngineSide side : new EngineSide[] {pump.client(), pump.server()}) {
      for (int i = 0; i < 3; i++) {
        ByteBuffer data = ByteBuffer.wrap(Bytes.pattern(10));
        SSLEngineResult result = side.wrap(new ByteBuffer[] {data}, 0, 1, side.packetBuffer());
        assertEquals(Status.CLOSED, result.getStatus());
        assertEquals(0, result.bytesProduced());
        assertEquals(0, result.bytesConsumed());
        result = side.unwrap(ByteBuffer.wrap(Bytes.pattern(100)), new ByteBuffer[] {side.applicationBuffer()}, 0, 1);
        assertEquals(Status.CLOSED, result.getStatus());
        assertEquals(0, result.bytesConsumed());
        assertEquals(0, result.bytesProduced());
      }
    }
  }

  @EachVersion
  void closeOutboundIsIdempotent(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide client = pump.client();
    client.engine().closeOutbound();
    client.engine().closeOutbound();
    client.flush();
    int once = client.wire().size() + pump.server().wire().size();
    client.engine().closeOutbound();
    assertEquals(Status.CLOSED, client.wrapAndSend().getStatus());
    assertEquals(once, client.wire().size() + pump.server().wire().size(), "one close_notify");
    pump.server().unwrapNext();
    assertEquals(0, pump.server().wire().size());
  }

  @EachVersion
  void noDataAfterCloseOutbound(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.client().engine().closeOutbound();
    ByteBuffer data = ByteBuffer.wrap(Bytes.pattern(10));
    SSLEngineResult result = pump.client().wrapAndSend(data);
    assertEquals(0, result.bytesConsumed());
    assertEquals(10, data.remaining());
    assertEquals(Status.CLOSED, result.getStatus());
    pump.server().unwrapNext();
    assertTrue(pump.server().engine().isInboundDone());
    assertEquals(0, pump.server().takeReceived().length);
  }

  @EachVersion
  void dataBeforeCloseNotifyIsDelivered(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] data = Bytes.pattern(5000);
    pump.client().wrapAndSend(ByteBuffer.wrap(data));
    pump.client().closeAndFlush();
    assertEquals(Status.OK, pump.server().unwrapNext().getStatus());
    assertFalse(pump.server().engine().isInboundDone());
    assertArrayEquals(data, pump.server().takeReceived());
    assertEquals(Status.CLOSED, pump.server().unwrapNext().getStatus());
  }

  /** RFC 5246 section 7.2.1: the answer to close_notify is close_notify, at once. */
  @EachPairing
  void closeNotifyIsAnsweredInTls12(TlsCase c) throws Exception {
    EnginePump pump = c.at(Tls.V12).connected();
    pump.client().closeAndFlush();
    pump.server().unwrapNext();
    pump.settle();
    assertTrue(pump.server().engine().isOutboundDone());
    assertTrue(pump.client().engine().isInboundDone());
  }

  /** RFC 8446 section 6.1: close_notify closes one direction; the other may go on. */
  @EachPairing
  void halfCloseStillReceivesInTls13(TlsCase c) throws Exception {
    for (boolean clientCloses : new boolean[] {true, false}) {
      EnginePump pump = c.connected();
      EngineSide closer = clientCloses ? pump.client() : pump.server();
      EngineSide other = pump.peerOf(closer);
      closer.closeAndFlush();
      assertEquals(Status.CLOSED, other.unwrapNext().getStatus());
      assertFalse(other.engine().isOutboundDone());
      for (int i = 1; i < 4; i++) {
        byte[] data = Bytes.pattern(i * 7000);
        ByteBuffer src = ByteBuffer.wrap(data);
        while (src.hasRemaining()) {
          assertEquals(Status.OK, other.wrapAndSend(src).getStatus());
        }
        pump.deliver(closer);
        assertArrayEquals(data, closer.takeReceived());
      }
      assertFalse(closer.engine().isInboundDone());
      other.closeAndFlush();
      assertEquals(Status.CLOSED, closer.unwrapNext().getStatus());
      assertTrue(closer.engine().isInboundDone());
    }
  }

  @EachVersion
  void recordsInFlightArriveAfterCloseOutbound(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] data = Bytes.pattern(3000);
    pump.server().wrapAndSend(ByteBuffer.wrap(data));
    pump.client().closeAndFlush();
    SSLEngineResult result = pump.client().unwrapNext();
    assertEquals(Status.OK, result.getStatus());
    assertArrayEquals(data, pump.client().takeReceived());
  }

  @EachVersion
  void closeInboundWithoutCloseNotifyIsTruncation(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    assertThrows(SSLException.class, () -> pump.client().engine().closeInbound());
    assertTrue(pump.client().engine().isInboundDone());
    pump.client().engine().closeInbound();
    pump.client().closeAndFlush();
    assertTrue(pump.client().engine().isOutboundDone());
  }

  @EachVersion
  void closeInboundAfterOurCloseOutboundWithoutAnswer(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.client().closeAndFlush();
    assertThrows(SSLException.class, () -> pump.client().engine().closeInbound());
    assertTrue(pump.client().engine().isInboundDone());
    assertTrue(pump.client().engine().isOutboundDone());
  }

  @EachVersion
  void closeInboundAfterCloseNotifyIsFine(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.server().closeAndFlush();
    pump.client().unwrapNext();
    pump.client().engine().closeInbound();
    pump.client().engine().closeInbound();
    assertTrue(pump.client().engine().isInboundDone());
  }

  @EachVersion
  void nothingBeginsAfterClosing(TlsCase c) throws Exception {
    for (boolean inbound : new boolean[] {true, false}) {
      EnginePump pump = c.engines().open();
      SSLEngine engine = pump.client().engine();
      if (inbound) {
        engine.closeInbound();
      } else {
        engine.closeOutbound();
      }
      assertThrows(SSLException.class, engine::beginHandshake);
    }
  }

  @EachVersion
  void closeBeforeAnything(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    for (EngineSide side : new EngineSide[] {pump.client(), pump.server()}) {
      side.engine().closeOutbound();
      side.flush();
      assertTrue(side.engine().isOutboundDone());
      SSLEngineResult result = side.wrapAndSend();
      assertEquals(Status.CLOSED, result.getStatus());
      assertEquals(0, result.bytesProduced());
      try {
        side.engine().closeInbound();
      } catch (SSLException e) {
        // The Javadoc allows it, for no close_notify has come; SunJSSE lets it pass as nothing has begun.
        assertTrue(e.getMessage() != null);
      }
      assertTrue(side.engine().isInboundDone());
      assertEquals(0, side.finished());
    }
  }

  @EachVersion
  void closeInTheMiddleOfTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    EngineSide client = pump.client();
    EngineSide server = pump.server();
    client.wrapAndSend();
    client.closeAndFlush();
    assertTrue(client.engine().isOutboundDone());
    pump.settleOrFail();
    assertEquals(0, client.finished());
    assertEquals(0, server.finished());
    assertTrue(server.failure() instanceof SSLException || server.engine().isInboundDone(), () -> server.history());
    assertNotEquals(HandshakeStatus.NEED_TASK, server.engine().getHandshakeStatus());
  }

  @EachVersion
  void serverClosesInTheMiddleOfTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    EngineSide client = pump.client();
    EngineSide server = pump.server();
    client.wrapAndSend();
    server.unwrapNext();
    server.runTasks();
    server.closeAndFlush();
    assertTrue(server.engine().isOutboundDone());
    pump.settleOrFail();
    // The rest of the handshake may still pass (SunJSSE's flight had left before close_notify); but the client is told.
    assertTrue(client.failure() instanceof SSLException || client.engine().isInboundDone(), () -> client.history());
  }

  @EachVersion
  void closeInboundInTheMiddleOfTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    pump.client().wrapAndSend();
    assertThrows(SSLException.class, () -> pump.client().engine().closeInbound());
    assertTrue(pump.client().engine().isInboundDone());
    pump.client().closeAndFlush();
    assertTrue(pump.client().engine().isOutboundDone());
  }

  @EachVersion
  void closeNotifyNeedsRoom(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.client().engine().closeOutbound();
    ByteBuffer[] none = {ByteBuffer.allocate(0)};
    assertEquals(Status.BUFFER_OVERFLOW, pump.client().wrap(none, 0, 1, ByteBuffer.allocate(3)).getStatus());
    assertFalse(pump.client().engine().isOutboundDone());
    assertEquals(Status.CLOSED, pump.client().wrapAndSend().getStatus());
    assertEquals(Status.CLOSED, pump.server().unwrapNext().getStatus());
  }
}
