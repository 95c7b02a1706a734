package org.postscrypt.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postscrypt.Allocated;
import org.postscrypt.jsse.support.Jvm;

/** The JDK's cipher streams, which feed 512 bytes at a time: results, and garbage as a multiple of the input. */
class CipherStreamTest {
  private static final int SIZE = 1 << 20;
  private static final SecretKey KEY = new SecretKeySpec(Ours.bytes(1, 32), "AES");
  private static final byte[] PLAIN = Ours.bytes(4, SIZE);

  private static Cipher cipher(String provider, int mode, GCMParameterSpec spec) throws Exception {
    Cipher cipher = provider == null
        ? Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER)
        : Cipher.getInstance("AES/GCM/NoPadding", provider);
    cipher.init(mode, KEY, spec);
    return cipher;
  }

  @Test
  void decryptingStream() throws Exception {
    GCMParameterSpec spec = new GCMParameterSpec(128, new byte[12]);
    byte[] sealed = cipher("SunJCE", Cipher.ENCRYPT_MODE, spec).doFinal(PLAIN);
    byte[] out = new byte[SIZE + 1];
    Cipher cipher = cipher(null, Cipher.DECRYPT_MODE, spec);
    long before = Allocated.soFar();
    int length;
    try (InputStream in = new CipherInputStream(new ByteArrayInputStream(sealed), cipher)) {
      length = in.readNBytes(out, 0, out.length);
    }
    double ratio = (double) (Allocated.soFar() - before) / SIZE;
    assertEquals(SIZE, length);
    assertArrayEquals(PLAIN, Arrays.copyOf(out, SIZE));
    assertTrue(ratio < 6, "allocated " + ratio + " times the input");
  }

  @Test
  void encryptingStreamsAllocateNextToNothing() throws Exception {
    GCMParameterSpec spec = new GCMParameterSpec(128, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    byte[] expected = cipher("SunJCE", Cipher.ENCRYPT_MODE, spec).doFinal(PLAIN);
    Cipher cipher = cipher(null, Cipher.ENCRYPT_MODE, spec);
    byte[] out = new byte[SIZE + 17];
    long before = Allocated.soFar();
    int length;
    try (InputStream in = new CipherInputStream(new ByteArrayInputStream(PLAIN), cipher)) {
      length = in.readNBytes(out, 0, out.length);
    }
    double ratio = (double) (Allocated.soFar() - before) / SIZE;
    assertEquals(SIZE + 16, length);
    assertArrayEquals(expected, Arrays.copyOf(out, SIZE + 16));
    assertTrue(ratio < 0.5, "allocated " + ratio + " times the input");

    // update into the caller's array: constant, whatever the length.
    Cipher again = cipher(null, Cipher.ENCRYPT_MODE, new GCMParameterSpec(128, new byte[13]));
    byte[] piece = new byte[4096];
    again.update(piece, 0, piece.length, piece, 0);
    before = Allocated.soFar();
    for (int i = 0; i < 1000; i++) {
      again.update(piece, 0, piece.length, piece, 0);
    }
    assertTrue(Allocated.soFar() - before < 64 * 1024, "streaming allocates " + (Allocated.soFar() - before));
  }

  @Test
  void outputStreams() throws Exception {
    for (int step : new int[] {1000, 8192}) {
      GCMParameterSpec spec = new GCMParameterSpec(96, Ours.bytes(step, 12));
      byte[] expected = cipher("SunJCE", Cipher.ENCRYPT_MODE, spec).doFinal(PLAIN);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
        byte[] input = mode == Cipher.ENCRYPT_MODE ? PLAIN : expected;
        ByteArrayOutputStream sink = new ByteArrayOutputStream(SIZE + 16);
        Cipher cipher = cipher(null, mode, spec);
        long before = Allocated.soFar();
        try (OutputStream out = new CipherOutputStream(sink, cipher)) {
          for (int at = 0; at < input.length; at += step) {
            out.write(input, at, Math.min(step, input.length - at));
          }
        }
        double ratio = (double) (Allocated.soFar() - before) / SIZE;
        assertArrayEquals(mode == Cipher.ENCRYPT_MODE ? expected : PLAIN, sink.toByteArray());
        assertTrue(ratio < (mode == Cipher.ENCRYPT_MODE ? 1 : 6), "allocated " + ratio + " times the input");
      }
    }
  }

  @Test
  void streamsReportBadTags() throws Exception {
    GCMParameterSpec spec = new GCMParameterSpec(128, new byte[12]);
    byte[] sealed = cipher("SunJCE", Cipher.ENCRYPT_MODE, spec).doFinal(PLAIN);
    sealed[77] ^= 1;
    InputStream in = new CipherInputStream(
        new ByteArrayInputStream(sealed), cipher(null, Cipher.DECRYPT_MODE, spec));
    IOException e = assertThrows(IOException.class, in::readAllBytes);
    assertTrue(e.getCause() instanceof AEADBadTagException);
  }

  @Test
  @Tag("alone")
  void oneStepIntoAnArrayAllocatesNothingElse() throws Exception {
    byte[] in = new byte[1024];
    byte[] out = new byte[1040];
    Cipher cipher = cipher(null, Cipher.ENCRYPT_MODE, new GCMParameterSpec(128, new byte[12]));
    GCMParameterSpec[] specs = new GCMParameterSpec[2000];
    for (int i = 0; i < specs.length; i++) {
      specs[i] = new GCMParameterSpec(128, Ours.bytes(i, 12));
    }
    long each = Long.MAX_VALUE;
    long start = System.nanoTime();
    for (int attempt = 0; attempt == 0 || each > 64 && Allocated.isWorthALook(start); attempt++) {
      long before = 0;
      for (int i = 0; i < specs.length; i++) {
        if (i == specs.length / 2) {
          before = Allocated.soFar();
        }
        cipher.init(Cipher.ENCRYPT_MODE, KEY, specs[i]);
        cipher.doFinal(in, 0, in.length, out, 0);
      }
      each = (Allocated.soFar() - before) / (specs.length / 2);
    }
    // GCMParameterSpec.getIV copies 12 bytes (32 with the header).
    assertTrue(each <= 64 + Allocated.slack(), each + " bytes an operation");
  }

  @Test
  void aGibibyteIsSealedInASmallHeap() throws Exception {
    Jvm.run(CipherStreamTest.class, List.of("-Xmx64m", "-XX:MaxDirectMemorySize=8m"), List.of(), 120);
  }

  @Test
  void aLargeMessageIsOpenedWithoutAnotherOfNativeMemory() throws Exception {
    assumeTrue(Files.exists(STATUS), "nobody tells how much memory there was");
    Jvm.run(LargeMessage.class, List.of("-Xms160m", "-Xmx160m", "-Xmn16m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"));
  }

  private static final Path STATUS = Path.of("/proc/self/status");

  /** What the other JVM does: 96 MiB in place. */
  static final class LargeMessage {
    private static long peak() throws IOException {
      return Files.readAllLines(STATUS).stream()
          .filter(l -> l.startsWith("VmHWM:"))
          .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) >> 10)
          .sum();
    }

    public static void main(String[] arguments) throws Exception {
      int length = 96 << 20;
      byte[] memory = new byte[length + 16];
      sealing("AES/GCM/NoPadding").doFinal(new byte[2 << 20]);
      long before = peak();
      assertEquals(length + 16, sealing("AES/GCM/NoPadding").doFinal(memory, 0, length, memory, 0));
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
      GCMParameterSpec spec = new GCMParameterSpec(128, new byte[12]);
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(Ours.bytes(1, 32), "AES"), spec);
      assertEquals(length, cipher.doFinal(memory, 0, length + 16, memory, 0));
      for (int i = 0; i < length; i++) {
        if (memory[i] != 0) {
          throw new AssertionError("another message, at " + i);
        }
      }
      Arrays.fill(memory, (byte) 7);
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(memory, 0, length + 16, memory, 0));
      assertEquals(0, memory[0] | memory[length / 2] | memory[length - 1]);
      assertEquals(7, memory[length]);
      long grown = peak() - before;
      assertTrue(grown < 32, "more by " + grown + " MiB");
    }
  }

  /** What the other JVM does: the same bytes through both kinds of stream give the same tag. */
  public static void main(String[] arguments) throws Exception {
    for (String name : List.of("AES/GCM/NoPadding", "ChaCha20-Poly1305")) {
      Tail written = new Tail();
      byte[] block = new byte[1 << 16];
      try (OutputStream out = new CipherOutputStream(written, sealing(name))) {
        for (long sent = 0; sent < GIBIBYTE; sent += block.length) {
          out.write(block);
        }
      }
      Tail read = new Tail();
      try (InputStream in = new CipherInputStream(new Zeros(), sealing(name))) {
        in.transferTo(read);
      }
      assertEquals(GIBIBYTE + 16, written.count, name);
      assertEquals(GIBIBYTE + 16, read.count, name);
      assertArrayEquals(written.tail, read.tail, name);
    }
  }

  private static final long GIBIBYTE = 1L << 30;

  private static Cipher sealing(String name) throws Exception {
    Cipher cipher = Cipher.getInstance(name, Ours.PROVIDER);
    boolean gcm = name.startsWith("AES");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(Ours.bytes(1, 32), gcm ? "AES" : "ChaCha20"),
        gcm ? new GCMParameterSpec(128, new byte[12]) : new IvParameterSpec(new byte[12]));
    return cipher;
  }

  /** Counts, and keeps the last 16 bytes. */
  private static final class Tail extends OutputStream {
    final byte[] tail = new byte[16];
    long count;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      count += length;
      int kept = Math.min(length, tail.length);
      System.arraycopy(tail, kept, tail, 0, tail.length - kept);
      System.arraycopy(bytes, offset + length - kept, tail, tail.length - kept, kept);
    }
  }

  /** A gibibyte of zeros. */
  private static final class Zeros extends InputStream {
    private long left = GIBIBYTE;

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      int count = (int) Math.min(left, length);
      Arrays.fill(bytes, offset, offset + count, (byte) 0);
      left -= count;
      return count == 0 ? -1 : count;
    }
  }
}
