package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.function.Executable;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.TlsCase;

/** Wrong arguments and wrong states; none of them may harm the connection. */
class EngineArgumentsTest {
  private static final ByteBuffer BUFFER = ByteBuffer.allocate(20_000);

  @EachVersion
  void nullBuffersAreIllegal(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    for (SSLEngine engine : new SSLEngine[] {pump.client().engine(), pump.server().engine()}) {
      illegal(() -> engine.wrap((ByteBuffer) null, BUFFER));
      illegal(() -> engine.wrap(ByteBuffer.allocate(1), null));
      illegal(() -> engine.wrap((ByteBuffer[]) null, BUFFER));
      illegal(() -> engine.wrap(new ByteBuffer[] {ByteBuffer.allocate(1)}, null));
      illegal(() -> engine.wrap(new ByteBuffer[] {ByteBuffer.allocate(1), null}, BUFFER));
      illegal(() -> engine.wrap(null, 0, 1, BUFFER));
      illegal(() -> engine.wrap(new ByteBuffer[] {null, BUFFER}, 0, 2, BUFFER));
      illegal(() -> engine.unwrap(null, BUFFER));
      illegal(() -> engine.unwrap(BUFFER, (ByteBuffer) null));
      illegal(() -> engine.unwrap(BUFFER, (ByteBuffer[]) null));
      illegal(() -> engine.unwrap(BUFFER, new ByteBuffer[] {BUFFER.duplicate(), null}));
      illegal(() -> engine.unwrap(null, new ByteBuffer[] {BUFFER}, 0, 1));
      illegal(() -> engine.unwrap(BUFFER, null, 0, 1));
      illegal(() -> engine.unwrap(BUFFER, new ByteBuffer[] {null, BUFFER.duplicate()}, 0, 2));
    }
    assertStillWorks(pump);
  }

  /** The Javadoc promises IllegalArgumentException; SSLEngine's own give NullPointerException for null arrays. */
  private static void illegal(Executable call) {
    RuntimeException e = assertThrows(RuntimeException.class, call);
    assertTrue(e instanceof IllegalArgumentException || e instanceof NullPointerException, e::toString);
  }

  @EachVersion
  void rangesOutsideTheArrayAreOutOfBounds(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
    int[][] wrong = {{-1, 1}, {0, -1}, {0, 3}, {2, 1}, {3, 0}, {1, Integer.MAX_VALUE}, {Integer.MAX_VALUE, 1}};
    for (SSLEngine engine : new SSLEngine[] {pump.client().engine(), pump.server().engine()}) {
      for (int[] range : wrong) {
        assertThrows(IndexOutOfBoundsException.class, () -> engine.wrap(two, range[0], range[1], BUFFER.duplicate()));
        assertThrows(IndexOutOfBoundsException.class, () -> engine.unwrap(BUFFER.duplicate(), two, range[0], range[1]));
      }
    }
    assertStillWorks(pump);
  }

  @EachVersion
  void readOnlyDestinations(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    for (SSLEngine engine : new SSLEngine[] {pump.client().engine(), pump.server().engine()}) {
      ByteBuffer data = ByteBuffer.allocate(10);
      assertThrows(ReadOnlyBufferException.class, () -> engine.wrap(data, BUFFER.asReadOnlyBuffer()));
      assertEquals(10, data.remaining());
    }
    byte[] record = pump.client().record(Bytes.pattern(10));
    ByteBuffer src = ByteBuffer.wrap(record);
    SSLEngine server = pump.server().engine();
    assertThrows(ReadOnlyBufferException.class, () -> server.unwrap(src, BUFFER.asReadOnlyBuffer()));
    ByteBuffer[] second = {ByteBuffer.allocate(4), ByteBuffer.allocate(20_000).asReadOnlyBuffer()};
    assertThrows(ReadOnlyBufferException.class, () -> server.unwrap(src, second));
    assertEquals(record.length, src.remaining());
    assertEquals(10, server.unwrap(src, ByteBuffer.allocate(20_000)).bytesProduced());
    assertStillWorks(pump);
  }

  @EachPairing
  void modeMustBeSetFirst(TlsCase c) throws Exception {
    SSLEngine engine = c.sockets().clientContext().createSSLEngine();
    assertThrows(IllegalStateException.class, engine::beginHandshake);
    assertThrows(IllegalStateException.class, () -> engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000)));
    assertThrows(IllegalStateException.class, () -> engine.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000)));
    engine.setUseClientMode(true);
    assertTrue(engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000)).bytesProduced() > 0);
  }

  @EachPairing
  void beforeTheHandshakeWrongArgumentsChangeNothing(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    illegal(() -> pump.client().engine().wrap(BUFFER.duplicate(), null));
    illegal(() -> pump.server().engine().unwrap((ByteBuffer) null, BUFFER.duplicate()));
    assertThrows(
        ReadOnlyBufferException.class,
        () -> pump.client().engine().wrap(ByteBuffer.allocate(0), BUFFER.asReadOnlyBuffer()));
    pump.handshake();
    assertStillWorks(pump);
  }

  private static void assertStillWorks(EnginePump pump) throws Exception {
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }
}
