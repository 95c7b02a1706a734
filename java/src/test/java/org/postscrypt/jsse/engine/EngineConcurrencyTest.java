package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.TlsCase;

/** SSLEngine's "Concurrency Notes": wrap and unwrap of one engine may run at the same time. */
class EngineConcurrencyTest {
  private static final int RECORDS = 300;
  private static final int SIZE = 3000;
  private static final int SECONDS = 10;

  private static byte[] message(int i) {
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, (byte) i);
    return bytes;
  }

  private static Void wrapAll(SSLEngine engine, BlockingQueue<byte[]> to) throws Exception {
    for (int i = 0; i < RECORDS; i++) {
      ByteBuffer dst = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      SSLEngineResult result = engine.wrap(ByteBuffer.wrap(message(i)), dst);
      assertEquals(Status.OK, result.getStatus());
      assertEquals(SIZE, result.bytesConsumed());
      to.add(EngineSide.written(dst, 0));
    }
    return null;
  }

  private static Void unwrapAll(SSLEngine engine, BlockingQueue<byte[]> from) throws Exception {
    for (int i = 0; i < RECORDS; i++) {
      byte[] record = from.poll(SECONDS, TimeUnit.SECONDS);
      ByteBuffer dst = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
      SSLEngineResult result = engine.unwrap(ByteBuffer.wrap(record), dst);
      assertEquals(Status.OK, result.getStatus());
      assertEquals(record.length, result.bytesConsumed());
      assertArrayEquals(message(i), EngineSide.written(dst, 0));
    }
    return null;
  }

  @EachVersion
  void wrapAndUnwrapAtTheSameTime(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    SSLEngine client = pump.client().engine();
    SSLEngine server = pump.server().engine();
    BlockingQueue<byte[]> up = new LinkedBlockingQueue<>();
    BlockingQueue<byte[]> down = new LinkedBlockingQueue<>();
    List<FutureTask<Void>> tasks = List.of(
        Loopback.async(() -> wrapAll(client, up)),
        Loopback.async(() -> unwrapAll(server, up)),
        Loopback.async(() -> wrapAll(server, down)),
        Loopback.async(() -> unwrapAll(client, down)));
    for (FutureTask<Void> task : tasks) {
      Loopback.await(task);
    }
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }

  @EachVersion
  void manyConnectionsOfOneContextAtOnce(TlsCase c) throws Exception {
    SSLContext client = c.sockets().clientContext();
    SSLContext server = c.sockets().serverContext();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int size = 1000 + i;
      tasks.add(Loopback.async(() -> {
        for (int n = 0; n < 5; n++) {
          EnginePump pump = c.engines().open(client, server);
          pump.handshake();
          pump.send(pump.client(), Bytes.pattern(size));
          pump.send(pump.server(), Bytes.pattern(size));
          pump.client().closeAndFlush();
          pump.settle();
        }
        return null;
      }));
    }
    for (FutureTask<Void> task : tasks) {
      Loopback.await(task);
    }
  }
}
