package org.postscrypt.bench;

import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Handshakes in memory, both sides, engines made and thrown away; contexts are ready. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
// Frequent collections: some engines hold file descriptors until they are finalised.
@Fork(jvmArgsAppend = "-Xmn16m")
public class HandshakeBench {
  @Param({"postscrypt", "conscrypt", "netty", "jdk"})
  String provider;

  @Param({"TLSv1.3", "TLSv1.2"})
  String version;

  @Param({"EC", "RSA"})
  String key;

  @Param({"x25519", "X25519MLKEM768"})
  String group;

  /** Full without a check of the chain, full with the JDK's PKIX check, resumed. */
  @Param({"full", "pkix", "resumed"})
  String kind;

  private Engines engines;
  private boolean resumed;

  @Setup
  public void setup() throws Exception {
    if (version.equals("TLSv1.2") && !group.equals("x25519")) {
      throw new UnsupportedOperationException("TLS 1.2 has no such group");
    }
    resumed = kind.equals("resumed");
    engines = new Engines(provider, version, key, group, kind.equals("pkix"));
    run();
    run();
  }

  @Benchmark
  public SSLEngine run() throws Exception {
    long before = engines.trust.checks.get();
    SSLEngine client = engines.client();
    SSLEngine server = engines.server();
    if (!resumed) {
      // Nobody finds a session under this.
      client.getSession();
    }
    engines.handshake(client, server);
    if (resumed) {
      engines.deliverTickets(client, server);
    }
    long checks = engines.trust.checks.get() - before;
    if (resumed ? checks != 0 && before > 0 : checks != 1) {
      throw new UnsupportedOperationException(checks + " chains were checked");
    }
    if (!resumed) {
      client.getSession().invalidate();
      server.getSession().invalidate();
    }
    client.closeOutbound();
    server.closeOutbound();
    return client;
  }
}
