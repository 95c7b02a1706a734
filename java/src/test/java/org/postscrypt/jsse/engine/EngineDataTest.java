package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachBuffer;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.TlsCase;

/** Application data through established engines. */
class EngineDataTest {
  private static final int[] SIZES = {0, 1, 64, 1000, 16384, 16385, 100_000};

  @EachBuffer
  void everySizeBothWays(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    for (int size : SIZES) {
      pump.send(pump.client(), Bytes.pattern(size));
      pump.send(pump.server(), Bytes.pattern(size));
    }
  }

  @EachKey
  void everySizeBothWaysWithEveryKey(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    for (int size : SIZES) {
      pump.send(pump.server(), Bytes.pattern(size));
      pump.send(pump.client(), Bytes.pattern(size));
    }
  }

  @EachVersion
  void manyRecordsInARow(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    for (int i = 0; i < 1000; i++) {
      pump.send(i % 3 == 0 ? pump.server() : pump.client(), Bytes.pattern(i));
    }
  }

  @EachBuffer
  void manySmallSourcesFillOneRecord(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] data = Bytes.pattern(300 * 400);
    ByteBuffer[] srcs = new ByteBuffer[300];
    for (int i = 0; i < srcs.length; i++) {
      srcs[i] = c.buffers().source(data, i * 400, 400);
    }
    for (int sent = 0, wraps = 0; sent < data.length; wraps++) {
      assertTrue(wraps < 20, "not one record for each source");
      ByteBuffer dst = pump.client().packetBuffer();
      int start = dst.position();
      SSLEngineResult result = pump.client().wrap(srcs, 0, srcs.length, dst);
      assertEquals(Status.OK, result.getStatus());
      byte[] record = EngineSide.written(dst, start);
      assertEquals(record.length, Bytes.recordLength(record, 0), "one record by one wrap");
      assertTrue(result.bytesConsumed() > 400 || sent + result.bytesConsumed() == data.length, "gathers");
      assertTrue(result.bytesConsumed() <= Bytes.MAX_PLAINTEXT);
      sent += result.bytesConsumed();
      pump.server().wire().add(record);
    }
    pump.deliver(pump.server());
    assertArrayEquals(data, pump.server().takeReceived());
  }

  @EachBuffer
  void oneRecordScattersOverManyDestinations(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] data = Bytes.pattern(16_000);
    byte[] record = pump.client().record(data);
    ByteBuffer[] dsts = new ByteBuffer[50];
    int[] starts = new int[50];
    for (int i = 0; i < dsts.length; i++) {
      dsts[i] = i == 49 ? pump.server().applicationBuffer() : c.buffers().destination(300 + i);
      starts[i] = dsts[i].position();
    }
    SSLEngineResult result = pump.server().unwrap(pump.server().networkSource(record), dsts, 0, dsts.length);
    assertEquals(Status.OK, result.getStatus());
    assertEquals(record.length, result.bytesConsumed());
    assertEquals(data.length, result.bytesProduced());
    Bytes read = new Bytes();
    boolean partly = false;
    for (int i = 0; i < dsts.length; i++) {
      byte[] part = EngineSide.written(dsts[i], starts[i]);
      assertFalse(partly && part.length > 0, "filled in order");
      partly = dsts[i].hasRemaining();
      read.add(part);
    }
    assertArrayEquals(data, read.take());
  }

  @EachVersion
  void onlyTheRangeOfSourcesIsRead(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    ByteBuffer[] srcs = new ByteBuffer[5];
    for (int i = 0; i < srcs.length; i++) {
      byte[] content = new byte[10];
      Arrays.fill(content, (byte) i);
      srcs[i] = c.buffers().source(content);
    }
    ByteBuffer dst = pump.client().packetBuffer();
    SSLEngineResult result = pump.client().wrap(srcs, 1, 3, dst);
    assertEquals(30, result.bytesConsumed());
    assertEquals(10, srcs[0].remaining());
    assertEquals(10, srcs[4].remaining());
    pump.server().wire().add(EngineSide.written(dst, 0));
    pump.deliver(pump.server());
    byte[] expected = new byte[30];
    Arrays.fill(expected, 0, 10, (byte) 1);
    Arrays.fill(expected, 10, 20, (byte) 2);
    Arrays.fill(expected, 20, 30, (byte) 3);
    assertArrayEquals(expected, pump.server().takeReceived());
  }

  @EachVersion
  void nullsOutsideTheRangeDoNotMatter(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    ByteBuffer[] srcs = {null, c.buffers().source(Bytes.pattern(20)), null};
    ByteBuffer dst = pump.client().packetBuffer();
    assertEquals(20, pump.client().wrap(srcs, 1, 1, dst).bytesConsumed());
    ByteBuffer into = pump.server().applicationBuffer();
    ByteBuffer[] dsts = {null, null, into, null};
    SSLEngineResult result = pump.server().unwrap(
        pump.server().networkSource(EngineSide.written(dst, 0)), dsts, 2, 1);
    assertEquals(20, result.bytesProduced());
    assertArrayEquals(Bytes.pattern(20), EngineSide.written(into, 0));
  }

  @EachVersion
  void arrayVariantsWithoutRangeUseAll(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    ByteBuffer[] srcs = {ByteBuffer.wrap(Bytes.pattern(7)), ByteBuffer.allocate(0), ByteBuffer.wrap(Bytes.pattern(9))};
    ByteBuffer record = pump.client().packetBuffer();
    assertEquals(16, pump.client().engine().wrap(srcs, record).bytesConsumed());
    record.flip();
    ByteBuffer[] dsts = {ByteBuffer.allocate(3), ByteBuffer.allocate(0), pump.server().applicationBuffer()};
    SSLEngineResult result = pump.server().engine().unwrap(record, dsts);
    assertEquals(16, result.bytesProduced());
    assertEquals(3, dsts[0].position());
    assertEquals(13, dsts[2].position());
    byte[] all = Bytes.concat(EngineSide.written(dsts[0], 0), EngineSide.written(dsts[2], 0));
    assertArrayEquals(Bytes.concat(Bytes.pattern(7), Bytes.pattern(9)), all);
  }

  @EachVersion
  void emptySourceIsNoError(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    for (int i = 0; i < 5; i++) {
      // Whether this makes an empty record or nothing is the engine's choice.
      SSLEngineResult result = pump.client().wrapAndSend(ByteBuffer.allocate(0));
      assertEquals(Status.OK, result.getStatus());
      assertEquals(HandshakeStatus.NOT_HANDSHAKING, result.getHandshakeStatus());
    }
    pump.deliver(pump.server());
    assertEquals(0, pump.server().takeReceived().length);
    pump.send(pump.client(), Bytes.pattern(30));
  }

  @EachVersion
  void dataInFlightBothWaysAtOnce(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] data = Bytes.pattern(5000);
    for (int i = 0; i < 4; i++) {
      pump.client().wrapAndSend(c.buffers().source(data));
      pump.server().wrapAndSend(c.buffers().source(data));
    }
    pump.deliver(pump.client());
    pump.deliver(pump.server());
    byte[] twice = Bytes.concat(data, data);
    assertArrayEquals(Bytes.concat(twice, twice), pump.client().takeReceived());
    assertArrayEquals(Bytes.concat(twice, twice), pump.server().takeReceived());
  }

  /** TLS 1.3 has no renegotiation: SunJSSE sends KeyUpdate. In TLS 1.2 an engine may renegotiate or refuse. */
  @EachPairing
  void repeatedHandshakeRequestDoesNotDisturbData(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.client().engine().beginHandshake();
    pump.settle();
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }
}
