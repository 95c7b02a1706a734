package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.AllocatedBuffer;
import org.postscrypt.BufferAllocator;
import org.postscrypt.Postscrypt;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Several buffers at once, in every position to each other, and where buffers in between come from. */
class EngineBuffersTest {
  private static final int HOLE = 7;

  private static EnginePump connected(Tls version) throws Exception {
    return new TlsCase(Pairing.all().get(0), version, KeyType.EC, BufferKind.HEAP).connected();
  }

  private static byte[] opened(SSLEngine engine, ByteBuffer record) throws Exception {
    ByteBuffer plain = ByteBuffer.allocate(17_000);
    SSLEngineResult result = engine.unwrap(record, plain);
    assertEquals(Status.OK, result.getStatus());
    return Arrays.copyOf(plain.array(), plain.position());
  }

  /** Sources that are parts of the destination: each byte is read before it is overwritten. */
  @ParameterizedTest
  @EnumSource
  void sourcesInTheDestinationsMemory(Tls version) throws Exception {
    EnginePump pump = connected(version);
    for (boolean direct : new boolean[] {false, true}) {
      for (boolean readOnly : new boolean[] {false, true}) {
        for (int from : new int[] {0, 3, 5, 13, 200, 2000, 5000}) {
          byte[] data = Bytes.pattern(3000);
          ByteBuffer memory = direct ? ByteBuffer.allocateDirect(9000) : ByteBuffer.allocate(9000);
          ByteBuffer[] sources = new ByteBuffer[3];
          // In memory the last comes first.
          for (int i = 0; i < 3; i++) {
            ByteBuffer part = memory.duplicate();
            part.position(from + (2 - i) * (1000 + HOLE));
            part.limit(part.position() + 1000);
            part.duplicate().put(data, i * 1000, 1000);
            sources[i] = readOnly ? part.asReadOnlyBuffer() : part;
          }
          SSLEngineResult result = pump.client().engine().wrap(sources, memory);
          assertEquals(Status.OK, result.getStatus());
          assertEquals(3000, result.bytesConsumed());
          memory.flip();
          assertArrayEquals(data, opened(pump.server().engine(), memory), "direct " + direct + ", from " + from);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsWrittenWhereARecordDoesNotFit(Tls version) throws Exception {
    EnginePump pump = connected(version);
    ByteBuffer[] sources = {ByteBuffer.wrap(Bytes.pattern(500)), ByteBuffer.wrap(Bytes.pattern(500))};
    for (int room = 0; room <= 1000 + 20; room += 60) {
      ByteBuffer destination = ByteBuffer.allocate(room);
      assertEquals(Status.BUFFER_OVERFLOW, pump.client().engine().wrap(sources, destination).getStatus());
      assertArrayEquals(new byte[room], destination.array(), "room " + room);
      assertEquals(0, destination.position());
    }
    // From just enough to more than enough there is one record, whichever way it is made.
    for (int room = 1022; room < 1200; room++) {
      ByteBuffer destination = ByteBuffer.allocate(room);
      SSLEngineResult result = pump.client().engine().wrap(sources, destination);
      if (result.getStatus() == Status.OK) {
        assertEquals(1000, result.bytesConsumed());
        destination.flip();
        assertEquals(1000, opened(pump.server().engine(), destination).length);
        sources[0].rewind();
        sources[1].rewind();
      } else {
        assertTrue(room < 1100, "room " + room);
      }
    }
  }

  private static final class Counting extends BufferAllocator {
    private int taken;
    private int given;

    @Override
    public AllocatedBuffer allocateDirectBuffer(int capacity) {
      taken++;
      AllocatedBuffer buffer = BufferAllocator.unpooled().allocateDirectBuffer(capacity + 100);
      return new AllocatedBuffer() {
        @Override
        public ByteBuffer nioBuffer() {
          return buffer.nioBuffer();
        }

        @Override
        public void release() {
          given++;
          // Whoever still uses it reads zeros.
          ByteBuffer all = buffer.nioBuffer().duplicate();
          all.clear();
          all.put(new byte[all.capacity()]);
        }
      };
    }
  }

  @AfterEach
  void noDefaultAllocator() {
    Postscrypt.setDefaultBufferAllocator(null);
  }

  private static void set(SSLEngine engine, BufferAllocator allocator) {
    TlsParameters parameters = (TlsParameters) engine.getSSLParameters();
    parameters.setBufferAllocator(allocator);
    engine.setSSLParameters(parameters);
    assertSame(allocator, ((TlsParameters) engine.getSSLParameters()).getBufferAllocator());
  }

  /** A record from several sources into little room, and back into several destinations of which the first has none. */
  private static void moveTightly(EnginePump pump) throws Exception {
    byte[] data = Bytes.pattern(1000);
    ByteBuffer[] sources = {ByteBuffer.wrap(data, 0, 400), ByteBuffer.wrap(data, 400, 600)};
    ByteBuffer record = ByteBuffer.allocate(1000 + 100);
    assertEquals(1000, pump.client().engine().wrap(sources, record).bytesConsumed());
    record.flip();
    ByteBuffer[] destinations = {ByteBuffer.allocate(300), ByteBuffer.allocateDirect(400), ByteBuffer.allocate(500)};
    assertEquals(1000, pump.server().engine().unwrap(record, destinations).bytesProduced());
    Bytes read = new Bytes();
    for (ByteBuffer destination : destinations) {
      destination.flip();
      byte[] part = new byte[destination.remaining()];
      destination.get(part);
      read.add(part);
    }
    assertArrayEquals(data, read.take());
  }

  @Test
  void theAllocatorGetsEachBufferBack() throws Exception {
    EnginePump pump = connected(Tls.V13);
    Counting client = new Counting();
    Counting server = new Counting();
    set(pump.client().engine(), client);
    set(pump.server().engine(), server);
    for (int i = 1; i <= 5; i++) {
      moveTightly(pump);
      assertEquals(i, client.taken);
      assertEquals(i, client.given);
      assertEquals(i, server.taken);
      assertEquals(i, server.given);
    }
  }

  @Test
  void withRoomNoBufferIsTaken() throws Exception {
    EnginePump pump = connected(Tls.V13);
    Counting allocator = new Counting();
    Postscrypt.setDefaultBufferAllocator(allocator);
    byte[] data = Bytes.pattern(1000);
    ByteBuffer[] sources = {ByteBuffer.wrap(data, 0, 400), ByteBuffer.wrap(data, 400, 600)};
    ByteBuffer record = ByteBuffer.allocate(17_000);
    assertEquals(1000, pump.client().engine().wrap(sources, record).bytesConsumed());
    record.flip();
    ByteBuffer[] destinations = {ByteBuffer.allocate(0), ByteBuffer.allocate(2000), ByteBuffer.allocate(500)};
    assertEquals(1000, pump.server().engine().unwrap(record, destinations).bytesProduced());
    assertArrayEquals(data, Arrays.copyOf(destinations[1].array(), destinations[1].position()));
    assertEquals(0, allocator.taken);
    moveTightly(pump);
    assertEquals(2, allocator.taken, "the default is used by engines that exist");
    assertEquals(2, allocator.given);
  }

  @Test
  void anAllocatorThatFailsChangesNothing() throws Exception {
    EnginePump pump = connected(Tls.V13);
    set(
        pump.client().engine(),
        new BufferAllocator() {
          @Override
          public AllocatedBuffer allocateDirectBuffer(int capacity) {
            throw new UnsupportedOperationException("empty");
          }
        });
    byte[] data = Bytes.pattern(1000);
    ByteBuffer[] sources = {ByteBuffer.wrap(data, 0, 400), ByteBuffer.wrap(data, 400, 600)};
    SSLEngine client = pump.client().engine();
    assertThrows(UnsupportedOperationException.class, () -> client.wrap(sources, ByteBuffer.allocate(1100)));
    assertEquals(400, sources[0].remaining());
    ByteBuffer record = ByteBuffer.allocate(17_000);
    assertEquals(1000, client.wrap(sources, record).bytesConsumed());
    record.flip();
    assertArrayEquals(data, opened(pump.server().engine(), record));
  }

  @Test
  void anAllocatorThatGivesTheWrongThingIsRefused() throws Exception {
    EnginePump pump = connected(Tls.V13);
    int[] given = {0};
    for (ByteBuffer wrong :
        new ByteBuffer[] {
          ByteBuffer.allocate(20_000), ByteBuffer.allocateDirect(100), ByteBuffer.allocateDirect(20_000).asReadOnlyBuffer()
        }) {
      set(
          pump.client().engine(),
          new BufferAllocator() {
            @Override
            public AllocatedBuffer allocateDirectBuffer(int capacity) {
              return new AllocatedBuffer() {
                @Override
                public ByteBuffer nioBuffer() {
                  return wrong;
                }

                @Override
                public void release() {
                  given[0]++;
                }
              };
            }
          });
      assertThrows(IllegalStateException.class, () -> moveTightly(pump));
    }
    assertEquals(3, given[0]);
    assertNull(Postscrypt.getDefaultBufferAllocator());
  }
}
