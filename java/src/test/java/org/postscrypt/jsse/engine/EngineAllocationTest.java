package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.Allocated;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** What established engines allocate, and that they know their buffers apart. */
@Tag("alone")
class EngineAllocationTest {
  private static final int ROUNDS = 2000;
  /** Two {@code SSLEngineResult}, and a little for what else the JVM does. */
  private static final int MOST = 2 * 40 + 16;

  private static EnginePump connected(Tls version) throws Exception {
    Pairing ours = new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT);
    return new TlsCase(ours, version, KeyType.EC, BufferKind.values()[0]).connected();
  }

  private static void transfer(SSLEngine from, SSLEngine to, ByteBuffer source, ByteBuffer record, ByteBuffer plain)
      throws SSLException {
    source.clear();
    record.clear();
    plain.clear();
    from.wrap(source, record);
    record.flip();
    to.unwrap(record, plain);
  }

  @ParameterizedTest
  @EnumSource
  void onlyResultsAreAllocated(Tls version) throws Exception {
    EnginePump pump = connected(version);
    SSLEngine from = pump.client().engine();
    SSLEngine to = pump.server().engine();
    for (boolean direct : new boolean[] {true, false}) {
      ByteBuffer source = direct ? ByteBuffer.allocateDirect(1000) : ByteBuffer.allocate(1000);
      ByteBuffer record = direct ? ByteBuffer.allocateDirect(17000) : ByteBuffer.allocate(17000);
      ByteBuffer plain = direct ? ByteBuffer.allocateDirect(17000) : ByteBuffer.allocate(17000);
      for (int i = 0; i < 100; i++) {
        transfer(from, to, source, record, plain);
      }
      long each = Long.MAX_VALUE;
      long start = System.nanoTime();
      for (int attempt = 0; attempt == 0 || each > MOST && Allocated.isWorthALook(start); attempt++) {
        long before = Allocated.soFar();
        for (int i = 0; i < ROUNDS; i++) {
          transfer(from, to, source, record, plain);
        }
        each = (Allocated.soFar() - before) / ROUNDS;
      }
      assertTrue(each <= MOST + Allocated.slack(), each + " bytes for a wrap and an unwrap, direct: " + direct);
      assertEquals(1000, plain.position());
    }
  }

  @ParameterizedTest
  @EnumSource
  void buffersThatChangeAreToldApart(Tls version) throws Exception {
    EnginePump pump = connected(version);
    SSLEngine from = pump.client().engine();
    SSLEngine to = pump.server().engine();
    ByteBuffer[] kept = new ByteBuffer[3];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = ByteBuffer.allocateDirect(17000);
    }
    for (int i = 0; i < 600; i++) {
      // Runs of the same buffer, then others each time, some of them never seen before.
      ByteBuffer source = i % 7 == 0 ? ByteBuffer.allocateDirect(100) : kept[i / 100 % 3].duplicate();
      source.clear();
      source.limit(64);
      for (int k = 0; k < 64; k++) {
        source.put(k, (byte) (i + k));
      }
      ByteBuffer record = i / 50 % 2 == 0 ? kept[(i + 1) % 3] : ByteBuffer.allocateDirect(17000);
      ByteBuffer plain = i / 25 % 2 == 0 ? kept[(i + 2) % 3] : ByteBuffer.allocateDirect(17000).slice();
      record.clear();
      record.position(200);
      plain.clear();
      plain.position(9000);
      from.wrap(source, record);
      record.flip();
      record.position(200);
      to.unwrap(record, plain);
      assertEquals(9064, plain.position());
      for (int k = 0; k < 64; k++) {
        assertEquals((byte) (i + k), plain.get(9000 + k), "round " + i);
      }
    }
  }
}
