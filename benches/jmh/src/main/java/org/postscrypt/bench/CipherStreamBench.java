package org.postscrypt.bench;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
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

/** A message decrypted (AES-128-GCM) by the JDK's {@code CipherInputStream}, which chooses how much it feeds at a time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CipherStreamBench {
  @Param({"postscrypt", "conscrypt", "accp", "jdk"})
  String provider;

  @Param({"16384", "1048576"})
  int size;

  private final SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
  private final GCMParameterSpec iv = new GCMParameterSpec(128, new byte[12]);
  private final byte[] buffer = new byte[8192];
  private Cipher cipher;
  private byte[] sealed;
  private byte[] plain;

  @Setup
  public void setup() throws Exception {
    plain = new byte[size];
    Arrays.fill(plain, (byte) 7);
    Cipher reference = Cipher.getInstance("AES/GCM/NoPadding", Crypto.provider("jdk", "SunJCE"));
    reference.init(Cipher.ENCRYPT_MODE, key, iv);
    sealed = reference.doFinal(plain);
    cipher = Cipher.getInstance("AES/GCM/NoPadding", Crypto.provider(provider, "SunJCE"));
    cipher.init(Cipher.DECRYPT_MODE, key, iv);
    try (CipherInputStream in = new CipherInputStream(new ByteArrayInputStream(sealed), cipher)) {
      if (!Arrays.equals(in.readAllBytes(), plain)) {
        throw new IllegalStateException("opened wrongly");
      }
    }
  }

  @Benchmark
  public int open() throws Exception {
    cipher.init(Cipher.DECRYPT_MODE, key, iv);
    int total = 0;
    try (CipherInputStream in = new CipherInputStream(new ByteArrayInputStream(sealed), cipher)) {
      for (int n; (n = in.read(buffer)) > 0; ) {
        total += n;
      }
    }
    if (total != size) {
      throw new IllegalStateException(total + " bytes");
    }
    return total;
  }
}
