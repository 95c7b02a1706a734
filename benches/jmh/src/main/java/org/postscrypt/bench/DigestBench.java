package org.postscrypt.bench;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** SHA-256 and HMAC-SHA-256 of one message; objects and key are reused. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DigestBench {
  @Param({"postscrypt", "conscrypt", "accp", "jdk"})
  String provider;

  @Param({"64", "1024", "16384"})
  int size;

  private MessageDigest digest;
  private Mac mac;
  private byte[] in;

  @Setup
  public void setup() throws Exception {
    in = new byte[size];
    SecretKeySpec key = new SecretKeySpec(new byte[32], "HmacSHA256");
    digest = MessageDigest.getInstance("SHA-256", Crypto.provider(provider, "SUN"));
    mac = Mac.getInstance("HmacSHA256", Crypto.provider(provider, "SunJCE"));
    mac.init(key);
    Mac reference = Mac.getInstance("HmacSHA256", Crypto.provider("jdk", "SunJCE"));
    reference.init(key);
    if (!Arrays.equals(sha256(), MessageDigest.getInstance("SHA-256", Crypto.provider("jdk", "SUN")).digest(in))
        || !Arrays.equals(hmacSha256(), reference.doFinal(in))) {
      throw new IllegalStateException("another digest");
    }
  }

  @Benchmark
  public byte[] sha256() {
    return digest.digest(in);
  }

  @Benchmark
  public byte[] hmacSha256() {
    return mac.doFinal(in);
  }
}
