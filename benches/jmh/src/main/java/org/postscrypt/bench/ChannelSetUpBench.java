package org.postscrypt.bench;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Setting up a secure channel, both ends, in memory. The box and raw public keys authenticate both ends; certificates (a chain of two,
 * checked by the JDK's PKIX) the server alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChannelSetUpBench {
  @Param({"box", "tls-rpk", "tls-ecdsa", "tls-rsa"})
  String provider;

  private Callable<Channels.Channel> maker;

  @Setup
  public void setup() throws Exception {
    maker = Channels.of(provider);
  }

  @Benchmark
  public Channels.Channel run() throws Exception {
    Channels.Channel channel = maker.call();
    channel.close();
    return channel;
  }
}
