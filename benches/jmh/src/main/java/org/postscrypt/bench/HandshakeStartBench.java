package org.postscrypt.bench;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The first step of a handshake: an engine is made and its first flight is out. Contexts are ready. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
// Frequent collections: some engines hold file descriptors until they are finalised.
@Fork(jvmArgsAppend = "-Xmn16m")
public class HandshakeStartBench {
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  @Param({"postscrypt", "conscrypt", "netty", "jdk"})
  String provider;

  @Param({"TLSv1.3", "TLSv1.2"})
  String version;

  @Param({"EC", "RSA"})
  String key;

  private Engines engines;
  private final ByteBuffer wire = ByteBuffer.allocateDirect(64 * 1024);
  private final ByteBuffer plain = ByteBuffer.allocateDirect(17 * 1024);
  private ByteBuffer hello;

  @Setup
  public void setup() throws Exception {
    engines = new Engines(provider, version, key, "x25519", false);
    client();
    hello = ByteBuffer.allocateDirect(wire.position());
    wire.flip();
    hello.put(wire);
    server();
  }

  private void finish(SSLEngine engine, HandshakeStatus expected) throws SSLException {
    while (true) {
      Engines.runTasks(engine);
      int before = wire.position();
      engine.wrap(NOTHING, wire);
      Engines.runTasks(engine);
      if (wire.position() == before) {
        break;
      }
      if (engine.getHandshakeStatus() == expected) {
        break;
      }
    }
    if (wire.position() < 80 || engine.getHandshakeStatus() != expected) {
      throw new IllegalStateException(wire.position() + " bytes, then " + engine.getHandshakeStatus());
    }
    engine.closeOutbound();
  }

  /** The client hello is out. */
  @Benchmark
  public SSLEngine client() throws Exception {
    SSLEngine engine = engines.client();
    wire.clear();
    engine.beginHandshake();
    finish(engine, HandshakeStatus.NEED_UNWRAP);
    return engine;
  }

  /** A client hello is in, and the server's flight out: its key share and signature are in this. */
  @Benchmark
  public SSLEngine server() throws Exception {
    SSLEngine engine = engines.server();
    hello.clear();
    wire.clear();
    plain.clear();
    engine.beginHandshake();
    engine.unwrap(hello, plain);
    finish(engine, HandshakeStatus.NEED_UNWRAP);
    return engine;
  }
}
