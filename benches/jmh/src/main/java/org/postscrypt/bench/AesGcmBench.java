package org.postscrypt.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** AES-128-GCM in one call, the same key, a fresh IV each time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AesGcmBench {
  @Param({"postscrypt", "conscrypt", "accp", "jdk"})
  String provider;

  @Param({"heap", "direct"})
  String buffers;

  @Param({"64", "1024", "4096", "16384", "1048576"})
  int size;

  private final SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
  private final byte[] iv = new byte[12];
  private Cipher cipher;
  private byte[] in;
  private byte[] out;
  private ByteBuffer from;
  private ByteBuffer to;

  @Setup
  public void setup() throws Exception {
    cipher = Cipher.getInstance("AES/GCM/NoPadding", Crypto.provider(provider, "SunJCE"));
    in = new byte[size];
    for (int i = 0; i < size; i++) {
      in[i] = (byte) (i * 31);
    }
    out = new byte[size + 16];
    if (buffers.equals("direct")) {
      from = ByteBuffer.allocateDirect(size).put(in);
      to = ByteBuffer.allocateDirect(size + 16);
    }
    seal();
    if (to != null) {
      to.flip();
      to.get(out);
    }
    Cipher reference = Cipher.getInstance("AES/GCM/NoPadding", Crypto.provider("jdk", "SunJCE"));
    reference.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, iv));
    if (!Arrays.equals(reference.doFinal(out), in)) {
      throw new IllegalStateException("sealed wrongly");
    }
  }

  private void nextIv() {
    for (int i = 0; i < iv.length && ++iv[i] == 0; i++) {}
  }

  @Benchmark
  public int seal() throws Exception {
    nextIv();
    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
    if (to == null) {
      return cipher.doFinal(in, 0, size, out);
    }
    from.clear();
    to.clear();
    return cipher.doFinal(from, to);
  }
}
