package org.postscrypt.bench;

import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Data through established engines: AES-128-GCM, TLS 1.2 with RSA as in the published comparisons. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBench {
  @Param({"postscrypt", "conscrypt", "netty", "jdk"})
  String provider;

  @Param({"TLSv1.3", "TLSv1.2"})
  String version;

  /** {@code pooled}: slices of Netty's pool of arrays, and a pool for the engine's own temporary memory where it takes one. */
  @Param({"direct", "heap", "pooled"})
  String buffers;

  @Param({"64", "512", "1024", "4096", "16384"})
  int size;

  private SSLEngine client;
  private SSLEngine server;
  private ByteBuffer source;
  private ByteBuffer record;
  private ByteBuffer plain;

  @Setup
  public void setup() throws Exception {
    String key = version.equals("TLSv1.3") ? "EC" : "RSA";
    Engines engines =
        new Engines(new Pki(key), new Engines.Wire(), provider, version, key, "x25519", false, buffers.equals("pooled"));
    client = engines.client();
    server = engines.server();
    engines.handshake(client, server);
    if (!client.getSession().getCipherSuite().contains("AES_128_GCM")) {
      throw new UnsupportedOperationException(client.getSession().getCipherSuite());
    }
    source = allocate(size);
    for (int i = 0; i < size; i++) {
      source.put((byte) (i * 31 + size));
    }
    record = allocate(40 * 1024);
    plain = allocate(Math.max(server.getSession().getApplicationBufferSize(), 16384 + 64));
    // A first record of data lets both sides say what they have left; then the work is verified.
    for (int i = 0; i < 3; i++) {
      wrapUnwrap();
      plain.flip();
      source.flip();
      if (!plain.equals(source)) {
        throw new IllegalStateException("other data came out than went in");
      }
    }
  }

  private ByteBuffer allocate(int capacity) {
    return switch (buffers) {
      case "direct" -> ByteBuffer.allocateDirect(capacity);
      case "heap" -> ByteBuffer.allocate(capacity);
      default -> PooledByteBufAllocator.DEFAULT.heapBuffer(capacity, capacity).nioBuffer(0, capacity);
    };
  }

  private void wrapData() throws SSLException {
    source.clear();
    record.clear();
    while (source.hasRemaining()) {
      // More than once for a key update, and by the JDK for 16384 bytes.
      SSLEngineResult result = client.wrap(source, record);
      if (result.getStatus() != SSLEngineResult.Status.OK || result.bytesProduced() == 0) {
        throw new IllegalStateException(result.toString());
      }
    }
  }

  @Benchmark
  public ByteBuffer wrap() throws SSLException {
    wrapData();
    return record;
  }

  @Benchmark
  public ByteBuffer wrapUnwrap() throws SSLException {
    wrapData();
    record.flip();
    plain.clear();
    while (record.hasRemaining()) {
      SSLEngineResult result = server.unwrap(record, plain);
      if (result.getStatus() != SSLEngineResult.Status.OK) {
        throw new IllegalStateException(result.toString());
      }
    }
    if (plain.position() != size) {
      throw new IllegalStateException("unwrapped " + plain.position());
    }
    return plain;
  }
}
