package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachBuffer;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.TlsCase;

/** Records and buffers that do not fit each other: underflow, overflow, boundaries. */
class EngineRecordsTest {
  @EachBuffer
  void everyPrefixOfARecordUnderflows(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide server = pump.server();
    byte[] data = Bytes.pattern(64);
    byte[] record = pump.client().record(data);
    for (int n = 0; n < record.length; n++) {
      ByteBuffer src = server.networkSource(Arrays.copyOf(record, n));
      SSLEngineResult result = server.unwrap(src, new ByteBuffer[] {server.applicationBuffer()}, 0, 1);
      assertEquals(Status.BUFFER_UNDERFLOW, result.getStatus(), "prefix of " + n + " bytes");
    }
    server.wire().add(record);
    pump.deliver(server);
    assertArrayEquals(data, server.takeReceived());
  }

  @EachBuffer
  void smallDestinationOverflowsWrapAndLosesNothing(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide client = pump.client();
    byte[] data = Bytes.pattern(1000);
    ByteBuffer src = c.buffers().source(data);
    for (int size : new int[] {0, 1, 4, 5, 20, 500, 1000}) {
      SSLEngineResult result = client.wrap(new ByteBuffer[] {src}, 0, 1, c.buffers().destination(size));
      assertEquals(Status.BUFFER_OVERFLOW, result.getStatus(), "destination of " + size + " bytes");
    }
    assertEquals(1000, client.wrapAndSend(src).bytesConsumed());
    pump.deliver(pump.server());
    assertArrayEquals(data, pump.server().takeReceived());
  }

  @EachBuffer
  void smallDestinationOverflowsUnwrapAndLosesNothing(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide server = pump.server();
    byte[] data = Bytes.pattern(1000);
    byte[] record = pump.client().record(data);
    ByteBuffer src = server.networkSource(record);
    for (int size : new int[] {0, 1, 500, 999}) {
      SSLEngineResult result = server.unwrap(src, new ByteBuffer[] {c.buffers().destination(size)}, 0, 1);
      assertEquals(Status.BUFFER_OVERFLOW, result.getStatus(), "destination of " + size + " bytes");
    }
    ByteBuffer[] parts = {c.buffers().destination(499), c.buffers().destination(0), c.buffers().destination(500)};
    assertEquals(Status.BUFFER_OVERFLOW, server.unwrap(src, parts, 0, parts.length).getStatus());
    ByteBuffer dst = server.applicationBuffer();
    int start = dst.position();
    SSLEngineResult result = server.unwrap(src, new ByteBuffer[] {dst}, 0, 1);
    assertEquals(Status.OK, result.getStatus());
    assertArrayEquals(data, EngineSide.written(dst, start));
  }

  @EachVersion
  void announcedSizesAreEnoughForTheLargestRecord(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    SSLSession session = pump.client().engine().getSession();
    assertTrue(session.getApplicationBufferSize() >= Bytes.MAX_PLAINTEXT);
    assertTrue(session.getPacketBufferSize() > Bytes.MAX_PLAINTEXT + Bytes.HEADER);
    int application = session.getApplicationBufferSize();
    int packet = session.getPacketBufferSize();
    // SunJSSE puts a few bytes less than the most into a TLS 1.3 record.
    SSLEngineResult sent = pump.client().wrapAndSend(ByteBuffer.wrap(Bytes.pattern(Bytes.MAX_PLAINTEXT)));
    assertTrue(sent.bytesConsumed() > 16_000 && sent.bytesProduced() <= packet, sent::toString);
    assertEquals(sent.bytesConsumed(), pump.server().unwrapNext().bytesProduced());
    assertEquals(application, session.getApplicationBufferSize(), "sizes are constant");
    assertEquals(packet, session.getPacketBufferSize(), "sizes are constant");
  }

  @EachBuffer
  void oneUnwrapOpensOneRecord(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide server = pump.server();
    byte[] first = pump.client().record(Bytes.pattern(11));
    byte[] second = pump.client().record(Bytes.pattern(12));
    ByteBuffer src = server.networkSource(Bytes.concat(first, second));
    ByteBuffer dst = server.applicationBuffer();
    int start = dst.position();
    SSLEngineResult result = server.unwrap(src, new ByteBuffer[] {dst}, 0, 1);
    assertEquals(first.length, result.bytesConsumed());
    assertEquals(11, result.bytesProduced());
    result = server.unwrap(src, new ByteBuffer[] {dst}, 0, 1);
    assertEquals(second.length, result.bytesConsumed());
    assertEquals(12, result.bytesProduced());
    assertArrayEquals(Bytes.concat(Bytes.pattern(11), Bytes.pattern(12)), EngineSide.written(dst, start));
    assertEquals(Status.BUFFER_UNDERFLOW, server.unwrap(src, new ByteBuffer[] {dst}, 0, 1).getStatus());
  }

  @EachVersion
  void recordSplitAnywhereIsReadOnceComplete(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide server = pump.server();
    for (int cut : new int[] {1, 4, 5, 6, 50, 100}) {
      byte[] record = pump.client().record(Bytes.pattern(90));
      server.wire().add(record, 0, cut);
      assertEquals(Status.BUFFER_UNDERFLOW, server.unwrapNext().getStatus());
      server.wire().add(record, cut, record.length - cut);
      assertEquals(90, server.unwrapNext().bytesProduced());
    }
    assertEquals(6 * 90, server.takeReceived().length);
  }

  @EachVersion
  void oneAndAHalfRecords(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide server = pump.server();
    byte[] first = pump.client().record(Bytes.pattern(500));
    byte[] second = pump.client().record(Bytes.pattern(600));
    server.wire().add(first);
    server.wire().add(second, 0, 300);
    assertEquals(500, server.unwrapNext().bytesProduced());
    assertEquals(Status.BUFFER_UNDERFLOW, server.unwrapNext().getStatus());
    server.wire().add(second, 300, second.length - 300);
    assertEquals(600, server.unwrapNext().bytesProduced());
    assertArrayEquals(Bytes.concat(Bytes.pattern(500), Bytes.pattern(600)), server.takeReceived());
  }

  @EachVersion
  void sourceAndDestinationOfDifferentKinds(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] data = Bytes.pattern(3000);
    ByteBuffer direct = ByteBuffer.allocateDirect(3000);
    direct.put(data).flip();
    ByteBuffer record = ByteBuffer.allocate(pump.client().engine().getSession().getPacketBufferSize());
    pump.client().engine().wrap(direct, record);
    record.flip();
    ByteBuffer into = ByteBuffer.allocateDirect(pump.server().engine().getSession().getApplicationBufferSize());
    assertEquals(3000, pump.server().engine().unwrap(record, into).bytesProduced());
    assertArrayEquals(data, EngineSide.written(into, 0));

    ByteBuffer[] mixed = {ByteBuffer.wrap(data, 0, 1000), ByteBuffer.wrap(data, 1000, 2000).asReadOnlyBuffer()};
    ByteBuffer directRecord = ByteBuffer.allocateDirect(pump.client().engine().getSession().getPacketBufferSize());
    assertEquals(3000, pump.client().engine().wrap(mixed, directRecord).bytesConsumed());
    directRecord.flip();
    ByteBuffer[] dsts = {ByteBuffer.allocateDirect(1500), pump.server().applicationBuffer()};
    assertEquals(3000, pump.server().engine().unwrap(directRecord, dsts).bytesProduced());
    assertArrayEquals(data, Bytes.concat(EngineSide.written(dsts[0], 0), EngineSide.written(dsts[1], 0)));
  }

  @EachVersion
  void byteOrderAndMarkOfBuffersDoNotMatter(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    ByteBuffer src = ByteBuffer.wrap(Bytes.pattern(40)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer record = pump.client().packetBuffer().order(ByteOrder.LITTLE_ENDIAN);
    pump.client().engine().wrap(src, record);
    assertEquals(ByteOrder.LITTLE_ENDIAN, src.order());
    record.flip();
    ByteBuffer dst = pump.server().applicationBuffer().order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(40, pump.server().engine().unwrap(record, dst).bytesProduced());
    assertArrayEquals(Bytes.pattern(40), EngineSide.written(dst, 0));
  }
}
