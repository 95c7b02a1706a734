package org.postscrypt.bench;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A message through a secure channel and back, in memory, with AES-256-GCM or what a box uses; direct buffers. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChannelBench {
  @Param({"box", "tls-rpk", "tls-ecdsa", "tls-rsa"})
  String provider;

  @Param({"1024", "10240", "1048576", "5242880"})
  int size;

  private Channels.Channel channel;
  private ByteBuffer message;
  private ByteBuffer received;

  @Setup
  public void setup() throws Exception {
    channel = Channels.of(provider).call();
    message = ByteBuffer.allocateDirect(size);
    for (int i = 0; i < size; i++) {
      message.put(i, (byte) (i * 31 + (i >>> 8)));
    }
    // TLS asks for room for a whole record.
    received = ByteBuffer.allocateDirect(size + Channels.PACKET);
    roundTrip();
    received.flip();
    message.clear();
    if (!received.equals(message)) {
      throw new IllegalStateException("another message");
    }
  }

  @Benchmark
  public int roundTrip() throws Exception {
    for (int way = 0; way < 2; way++) {
      message.clear();
      received.clear();
      channel.carry(way == 0, message, received);
      if (received.position() != size) {
        throw new IllegalStateException(received.position() + " of " + size + " bytes");
      }
    }
    return received.position();
  }
}
