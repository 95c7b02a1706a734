package org.postscrypt.bench;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
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

/**
 * A message through the JDK's {@code CipherInputStream} and {@code CipherOutputStream}, AES-128-GCM. The output stream feeds the cipher
 * what the application writes; the input stream feeds it what it likes (512 bytes at a time up to JDK 17, then 8192), however much the
 * application reads.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CipherStreamBench {
  @Param({"postscrypt", "conscrypt", "accp", "jdk"})
  String provider;

  @Param({"16384", "1048576"})
  int size;

  /** Bytes that the application reads or writes at a time. */
  @Param({"512", "2048", "8192", "32768", "65536"})
  int buffer;

  private final SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
  private final byte[] iv = new byte[12];
  private final GCMParameterSpec sealedWith = new GCMParameterSpec(128, iv.clone());
  private final Sink sink = new Sink();
  private Cipher cipher;
  private byte[] chunk;
  private byte[] plain;
  private byte[] sealed;

  /** Counts, and keeps what it is given where there is room for that. */
  private static final class Sink extends OutputStream {
    int count;
    byte[] kept;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] b, int off, int len) {
      if (kept != null) {
        System.arraycopy(b, off, kept, count, len);
      }
      count += len;
    }
  }

  @Setup
  public void setup() throws Exception {
    chunk = new byte[buffer];
    plain = new byte[size];
    for (int i = 0; i < size; i++) {
      plain[i] = (byte) (i * 31 + (i >>> 8));
    }
    Cipher reference = Cipher.getInstance("AES/GCM/NoPadding", Crypto.provider("jdk", "SunJCE"));
    reference.init(Cipher.ENCRYPT_MODE, key, sealedWith);
    sealed = reference.doFinal(plain);
    cipher = Cipher.getInstance("AES/GCM/NoPadding", Crypto.provider(provider, "SunJCE"));
    cipher.init(Cipher.DECRYPT_MODE, key, sealedWith);
    try (InputStream in = new CipherInputStream(new ByteArrayInputStream(sealed), cipher)) {
      verify(in.readAllBytes(), plain);
    }
    sink.kept = new byte[sealed.length];
    outputDecrypt();
    verify(Arrays.copyOf(sink.kept, sink.count), plain);
    outputEncrypt();
    reference.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, iv));
    verify(reference.doFinal(sink.kept), plain);
    inputEncrypt();
    inputDecrypt();
    sink.kept = null;
  }

  private static void verify(byte[] result, byte[] expected) {
    if (!Arrays.equals(result, expected)) {
      throw new IllegalStateException("another result");
    }
  }

  private void initEncryption() throws Exception {
    for (int i = 0; i < iv.length && ++iv[i] == 0; i++) {}
    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
  }

  private int read(byte[] from, int expected) throws Exception {
    int total = 0;
    try (InputStream in = new CipherInputStream(new ByteArrayInputStream(from), cipher)) {
      for (int n; (n = in.read(chunk)) > 0; ) {
        total += n;
      }
    }
    return counted(total, expected);
  }

  private int write(byte[] from, int expected) throws Exception {
    sink.count = 0;
    try (OutputStream out = new CipherOutputStream(sink, cipher)) {
      for (int i = 0; i < from.length; i += chunk.length) {
        out.write(from, i, Math.min(chunk.length, from.length - i));
      }
    }
    return counted(sink.count, expected);
  }

  private static int counted(int total, int expected) {
    if (total != expected) {
      throw new IllegalStateException(total + " bytes of " + expected);
    }
    return total;
  }

  @Benchmark
  public int inputDecrypt() throws Exception {
    cipher.init(Cipher.DECRYPT_MODE, key, sealedWith);
    return read(sealed, size);
  }

  @Benchmark
  public int inputEncrypt() throws Exception {
    initEncryption();
    return read(plain, sealed.length);
  }

  @Benchmark
  public int outputDecrypt() throws Exception {
    cipher.init(Cipher.DECRYPT_MODE, key, sealedWith);
    return write(sealed, size);
  }

  @Benchmark
  public int outputEncrypt() throws Exception {
    initEncryption();
    return write(plain, sealed.length);
  }
}
