package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postscrypt.jsse.support.Jvm;

/**
 * {@link ShortCalls} does what {@link NativeCrypto} does, by whichever way it goes here; and goes the way that it was told. What wrong
 * arguments give: {@link NativeArgumentsTest}.
 */
@Timeout(120)
class ShortCallsTest {
  private static final boolean HAS_FOREIGN = Runtime.version().feature() >= 22;

  /** Around the sizes that are treated differently on one way or the other. */
  private static final int[] SIZES = {0, 1, 15, 16, 64, 511, 2047, 2048, 2049, 16384, 18431, 18432, 18433, 40000};

  private static final Random RANDOM = new Random(20);

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  private static ByteBuffer direct(byte[] bytes, int position, int length) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    buffer.clear().position(position).limit(position + length);
    return buffer;
  }

  private static byte[] all(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.duplicate().clear().get(bytes);
    return bytes;
  }

  // --- which way ---

  /** The property of this JVM decides; where it is not set, what other tests did. */
  @Test
  void theWayIsTheOneThatWasAskedFor() {
    String wanted = System.getProperty(ShortCalls.PROPERTY, "");
    if (!HAS_FOREIGN || wanted.equals("false")) {
      assertEquals(false, ShortCalls.isForeign(), ShortCalls::describe);
      assertTrue(ShortCalls.describe().startsWith("JNI ("), ShortCalls::describe);
    } else if (wanted.equals("true") && Runtime.version().feature() >= 24) {
      // Before, it takes --enable-native-access.
      assertEquals(true, ShortCalls.isForeign(), ShortCalls::describe);
      assertEquals("java.lang.foreign", ShortCalls.describe());
    }
  }

  private static void assumeOverlay() {
    assumeTrue(HAS_FOREIGN, "JDK 22 and newer");
    String overlay = "/META-INF/versions/22/org/postscrypt/nat/ShortCalls.class";
    assertNotNull(ShortCalls.class.getResource(overlay), "built by a JDK without java.lang.foreign");
  }

  private static String waysOf(String... arguments) throws Exception {
    return Jvm.run(Ways.class, Arrays.asList(arguments)).lines().reduce((a, b) -> b).orElse("");
  }

  @Test
  void manyCallsMakeItWorthLinking() throws Exception {
    assumeOverlay();
    assertEquals("false, later true", waysOf("--enable-native-access=ALL-UNNAMED"));
  }

  @Test
  void canBeHadFromTheFirstCallOn() throws Exception {
    assumeOverlay();
    assertEquals("true, later true", waysOf("--enable-native-access=ALL-UNNAMED", "-D" + ShortCalls.PROPERTY + "=true"));
  }

  @Test
  void canBeSwitchedOff() throws Exception {
    assertEquals("false, later false", waysOf("-D" + ShortCalls.PROPERTY + "=false"));
  }

  /** JDK 24 and newer: permission for the library is permission for all of it, and nothing is printed. */
  @Test
  void worksWhereNativeAccessIsDeniedToOthers() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "JDK 24 and newer");
    String output = Jvm.run(Ways.class, List.of("--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"));
    assertEquals("false, later true", output.trim());
  }

  /** Prints which way calls go at first, and once there were many. */
  static final class Ways {
    public static void main(String[] arguments) throws InterruptedException {
      byte[] output = new byte[32];
      boolean[] ways = new boolean[2];
      ShortCalls.digestOneShot(NativeCrypto.SHA256, new byte[1], 0, 1, output, 0);
      ways[0] = ShortCalls.isForeign();
      for (int i = 0; i < 200_000; i++) {
        ShortCalls.digestOneShot(NativeCrypto.SHA256, new byte[1], 0, 1, output, 0);
      }
      // Ends at once if it is never to come.
      for (int i = 0; i < 3000 && !ShortCalls.isForeign() && ShortCalls.describe().startsWith("JNI,"); i++) {
        Thread.sleep(10);
      }
      ways[1] = ShortCalls.isForeign();
      byte[] expected = new byte[32];
      NativeCrypto.digestOneShot(NativeCrypto.SHA256, new byte[1], 0, 1, expected, 0);
      ShortCalls.digestOneShot(NativeCrypto.SHA256, new byte[1], 0, 1, output, 0);
      System.out.println(ways[0] + ", later " + ways[1] + (Arrays.equals(expected, output) ? "" : ", wrong"));
    }
  }

  // --- the same as by JNI ---

  @Test
  void digests() {
    for (int algorithm = NativeCrypto.MD5; algorithm <= NativeCrypto.BLAKE2B_256; algorithm++) {
      for (int size : SIZES) {
        byte[] input = random(size + 7);
        byte[] expected = random(100);
        byte[] actual = expected.clone();
        int length = NativeCrypto.digestOneShot(algorithm, input, 3, size, expected, 5);
        assertEquals(length, ShortCalls.digestOneShot(algorithm, input, 3, size, actual, 5));
        assertArrayEquals(expected, actual, algorithm + ", " + size);
        byte[] exact = new byte[length];
        assertEquals(length, ShortCalls.digestOneShot(algorithm, input, 3, size, exact, 0));
        byte[] short1 = new byte[length];
        assertThrows(
            IndexOutOfBoundsException.class, () -> ShortCalls.digestOneShot(NativeCrypto.SHA512, input, 3, 0, short1, 1));
        assertArrayEquals(new byte[length], short1);
        // Over itself.
        int place = Math.max(size, length);
        byte[] both = Arrays.copyOf(Arrays.copyOfRange(input, 3, 3 + size), place);
        ShortCalls.digestOneShot(algorithm, both, 0, size, both, 0);
        assertArrayEquals(exact, Arrays.copyOf(both, length));
      }
    }
    for (int wrong : new int[] {-1, 11, Integer.MAX_VALUE}) {
      assertThrows(
          IllegalArgumentException.class, () -> ShortCalls.digestOneShot(wrong, new byte[1], 0, 1, new byte[64], 0));
    }
  }

  @Test
  void codes() throws Exception {
    for (int algorithm : new int[] {NativeCrypto.MD5, NativeCrypto.SHA256, NativeCrypto.SHA3_512, NativeCrypto.AES_CMAC}) {
      long handle = NativeCrypto.macNew(algorithm);
      NativeRef mac = new NativeRef(handle, NativeCrypto::macFree);
      byte[] output = random(64);
      byte[] before = output.clone();
      assertThrows(
          IllegalStateException.class,
          () -> ShortCalls.macFinish(handle, mac, true, new byte[20], 0, 20, output, 0),
          "no key");
      assertArrayEquals(before, output);
      NativeCrypto.macSetKey(handle, mac, random(16));
      for (int size : SIZES) {
        byte[] input = random(size + 7);
        byte[] expected = random(100);
        byte[] actual = expected.clone();
        int length = NativeCrypto.macFinish(handle, mac, true, input, 3, size, expected, 5);
        assertEquals(length, ShortCalls.macFinish(handle, mac, true, input, 3, size, actual, 5));
        assertArrayEquals(expected, actual, algorithm + ", " + size);
        // What was begun is given up by a start, and gone on with otherwise.
        NativeCrypto.macUpdate(handle, mac, true, input, null, 0, 2);
        ShortCalls.macFinish(handle, mac, true, input, 3, size, actual, 5);
        assertArrayEquals(expected, actual);
        NativeCrypto.macUpdate(handle, mac, true, input, null, 3, size);
        ShortCalls.macFinish(handle, mac, false, input, 0, 0, actual, 5);
        assertArrayEquals(expected, actual);
      }
    }
  }

  private static final class Sealer {
    final long handle = NativeCrypto.aeadNew(NativeCrypto.AES_GCM);
    final NativeRef ref = new NativeRef(handle, NativeCrypto::aeadFree);
    final int tagLength;
    final long keyId;

    Sealer(int tagLength) throws Exception {
      this.tagLength = tagLength;
      keyId = NativeCrypto.aeadSetKey(handle, ref, random(16), tagLength);
    }

    int seal(boolean jni, byte[] aad, byte[] in, ByteBuffer inBuffer, int from, int length, byte[] out, ByteBuffer outBuffer,
        int to) {
      return jni
          ? NativeCrypto.aeadSeal(handle, ref, keyId, tagLength, 7, 8, null, aad, aad.length, in, inBuffer, from, length, out,
              outBuffer, to)
          : ShortCalls.aeadSeal(handle, ref, keyId, tagLength, 7, 8, null, aad, aad.length, in, inBuffer, from, length, out,
              outBuffer, to);
    }

    int open(boolean jni, byte[] aad, byte[] in, ByteBuffer inBuffer, int from, int length, byte[] out, ByteBuffer outBuffer,
        int to) throws AEADBadTagException {
      return jni
          ? NativeCrypto.aeadOpen(handle, ref, keyId, tagLength, 7, 8, null, aad, aad.length, in, inBuffer, from, length, out,
              outBuffer, to)
          : ShortCalls.aeadOpen(handle, ref, keyId, tagLength, 7, 8, null, aad, aad.length, in, inBuffer, from, length, out,
              outBuffer, to);
    }
  }

  @Test
  void sealsAndOpens() throws Exception {
    for (int tagLength : new int[] {12, 16}) {
      Sealer sealer = new Sealer(tagLength);
      for (int size : SIZES) {
        for (int aadLength : new int[] {0, 1, 13, 2048}) {
          byte[] aad = random(aadLength);
          byte[] plain = random(size + 9);
          byte[] expected = random(size + 40);
          byte[] actual = expected.clone();
          int sealed = sealer.seal(true, aad, plain, null, 4, size, expected, null, 6);
          assertEquals(sealed, sealer.seal(false, aad, plain, null, 4, size, actual, null, 6));
          assertArrayEquals(expected, actual, "arrays, " + size);

          ByteBuffer from = direct(plain, 4, size);
          ByteBuffer to = direct(new byte[size + 40], 6, sealed);
          assertEquals(sealed, sealer.seal(false, aad, null, from, 4, size, null, to, 6));
          assertArrayEquals(Arrays.copyOfRange(expected, 6, 6 + sealed), Arrays.copyOfRange(all(to), 6, 6 + sealed));
          assertArrayEquals(new byte[34 - tagLength], Arrays.copyOfRange(all(to), 6 + sealed, size + 40));
          // The range counts, not the position.
          ByteBuffer elsewhere = direct(new byte[size + 40], 1, size + 39);
          sealer.seal(false, aad, null, from.duplicate().position(0), 4, size, null, elsewhere, 6);
          assertArrayEquals(all(to), all(elsewhere));
          // Mixed.
          byte[] mixed = new byte[sealed];
          sealer.seal(false, aad, null, from, 4, size, mixed, null, 0);
          assertArrayEquals(Arrays.copyOfRange(expected, 6, 6 + sealed), mixed);

          // In place, and overlapping either way.
          for (int shift : new int[] {0, 5, 20}) {
            byte[] forward = Arrays.copyOf(Arrays.copyOfRange(plain, 4, 4 + size), size + 40);
            sealer.seal(false, aad, forward, null, 0, size, forward, null, shift);
            assertArrayEquals(mixed, Arrays.copyOfRange(forward, shift, shift + sealed), "by " + shift);
            assertEquals(size, sealer.open(false, aad, forward, null, shift, sealed, forward, null, 0));
            assertArrayEquals(Arrays.copyOfRange(plain, 4, 4 + size), Arrays.copyOf(forward, size), "back by " + shift);
          }

          byte[] opened = new byte[size + 3];
          assertEquals(size, sealer.open(false, aad, actual, null, 6, sealed, opened, null, 2));
          assertArrayEquals(Arrays.copyOfRange(plain, 4, 4 + size), Arrays.copyOfRange(opened, 2, 2 + size));
          ByteBuffer plainBuffer = direct(new byte[size + 3], 2, size);
          assertEquals(size, sealer.open(false, aad, null, to, 6, sealed, null, plainBuffer, 2));
          assertArrayEquals(opened, all(plainBuffer));
        }
      }
    }
  }

  @Test
  void aWrongTagIsTheSameEitherWay() throws Exception {
    Sealer sealer = new Sealer(16);
    byte[] aad = random(5);
    for (int size : new int[] {0, 1, 100, 3000, 16384}) {
      byte[] sealed = new byte[size + 16];
      sealer.seal(true, aad, random(size), null, 0, size, sealed, null, 0);
      sealed[size / 2] ^= 1;
      String message = assertThrows(
          AEADBadTagException.class,
          () -> sealer.open(true, aad, sealed, null, 0, sealed.length, new byte[size], null, 0)).getMessage();
      byte[] before = random(size);
      byte[] after = before.clone();
      AEADBadTagException e = assertThrows(
          AEADBadTagException.class,
          () -> sealer.open(false, aad, sealed, null, 0, sealed.length, after, null, 0));
      assertEquals(message, e.getMessage());
      assertTrue(Arrays.equals(before, after) || Arrays.equals(new byte[size], after), "nothing unauthenticated is seen");
      ByteBuffer to = direct(before, 0, size);
      ByteBuffer from = direct(sealed, 0, sealed.length);
      assertThrows(
          AEADBadTagException.class, () -> sealer.open(false, aad, null, from, 0, sealed.length, null, to, 0));
      assertTrue(Arrays.equals(before, all(to)) || Arrays.equals(new byte[size], all(to)));
      sealed[size / 2] ^= 1;
      assertEquals(size, sealer.open(false, aad, sealed, null, 0, sealed.length, after, null, 0), "usable after that");
    }
    for (int length = 0; length < 16; length++) {
      int tooShort = length;
      assertThrows(
          AEADBadTagException.class,
          () -> sealer.open(false, aad, new byte[16], null, 0, tooShort, new byte[16], null, 0));
    }
  }

  @Test
  void buffersThatAreTooSmallOrNotDirect() throws Exception {
    Sealer sealer = new Sealer(16);
    byte[] none = new byte[0];
    ByteBuffer from = ByteBuffer.allocateDirect(64);
    ByteBuffer to = ByteBuffer.allocateDirect(79);
    assertThrows(IndexOutOfBoundsException.class, () -> sealer.seal(false, none, null, from, 0, 64, null, to, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> sealer.seal(false, none, null, from, 1, 64, null, to, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> sealer.seal(false, none, new byte[64], null, 0, 64, new byte[79], null, 0));
    assertArrayEquals(new byte[79], all(to));
    assertThrows(
        IllegalArgumentException.class,
        () -> sealer.seal(false, none, null, ByteBuffer.allocate(64), 0, 48, null, to, 0));
    assertThrows(NullPointerException.class, () -> sealer.seal(false, none, null, null, 0, 48, null, to, 0));
    assertThrows(NullPointerException.class, () -> sealer.seal(false, none, null, from, 0, 48, null, null, 0));
    // A limit is no bound here, only the capacity is.
    from.limit(3);
    to.position(70).limit(71);
    assertEquals(64, sealer.seal(false, none, null, from, 0, 48, null, to, 0));
  }

  @Test
  void otherNoncesAndAlgorithms() throws Exception {
    long handle = NativeCrypto.aeadNew(NativeCrypto.XCHACHA20_POLY1305);
    NativeRef ref = new NativeRef(handle, NativeCrypto::aeadFree);
    long keyId = NativeCrypto.aeadSetKey(handle, ref, new byte[32], 16);
    byte[] in = new byte[10];
    byte[] out = new byte[26];
    assertEquals(
        26,
        ShortCalls.aeadSeal(handle, ref, keyId, 16, 0, 0, new byte[24], null, 0, in, null, 0, 10, out, null, 0));
    Class<?> jni = assertThrows(
        Exception.class,
        () -> NativeCrypto.aeadSeal(handle, ref, keyId, 16, 0, 0, null, in, 0, in, null, 0, 10, out, null, 0)).getClass();
    assertThrows(
        (Class<? extends Throwable>) jni.asSubclass(Throwable.class),
        () -> ShortCalls.aeadSeal(handle, ref, keyId, 16, 0, 0, null, in, 0, in, null, 0, 10, out, null, 0));
  }

  /** What a run gives: the count, or the exception's class and message; and the output as it is then. */
  private record Outcome(String result, List<Byte> output) {}

  private static final class Runner {
    final long handle;
    final NativeRef ref;
    final long keyId;

    Runner(int algorithm, boolean padded, byte[] key, boolean encrypt) throws Exception {
      handle = NativeCrypto.cipherNew(algorithm, padded);
      ref = new NativeRef(handle, NativeCrypto::cipherFree);
      keyId = NativeCrypto.cipherSetKey(handle, ref, key, encrypt);
    }

    private Outcome run(boolean jni, byte[] iv, byte[] in, ByteBuffer inBuffer, int from, int length, byte[] out,
        ByteBuffer outBuffer, int to, int room) {
      String result;
      try {
        int count = jni
            ? NativeCrypto.cipherRun(handle, ref, keyId, iv, 1, in, inBuffer, from, length, out, outBuffer, to, room)
            : ShortCalls.cipherRun(handle, ref, keyId, iv, 1, in, inBuffer, from, length, out, outBuffer, to, room);
        result = Integer.toString(count);
      } catch (Exception e) {
        result = e.toString();
      }
      byte[] bytes = out != null ? out : all(outBuffer);
      Byte[] boxed = new Byte[bytes.length];
      Arrays.setAll(boxed, i -> bytes[i]);
      return new Outcome(result, List.of(boxed));
    }

    /** The same bytes at {@code to} of an array, or in the input's own, or in a direct buffer; whatever that gives, it is the same. */
    String check(byte[] iv, byte[] in, int length, int room) {
      Outcome expected = run(true, iv, in, null, 4, length, new byte[room + 9], null, 5, room);
      assertEquals(expected, run(false, iv, in, null, 4, length, new byte[room + 9], null, 5, room));
      ByteBuffer to = ByteBuffer.allocateDirect(room + 9).position(5);
      assertEquals(expected, run(false, iv, null, direct(in, 4, length), 4, length, null, to, 5, room), "direct");
      assertEquals(expected, run(false, iv, in, null, 4, length, null, to.duplicate().clear().put(new byte[room + 9]).position(5), 5, room), "mixed");
      for (int shift : new int[] {0, -3, 3, 20}) {
        byte[] one = Arrays.copyOf(in, in.length + room + 30);
        byte[] other = one.clone();
        assertEquals(
            run(true, iv, one, null, 4, length, one, null, 4 + shift, room),
            run(false, iv, other, null, 4, length, other, null, 4 + shift, room), "by " + shift);
      }
      return expected.result;
    }
  }

  @Test
  void ciphers() throws Exception {
    int[] sizes = {0, 1, 8, 15, 16, 64, 100, 512, 8192, 8200, 16384, 18432, 18433};
    int[] keys = {16, 32, 16, 24, 24, 16, 32};
    int[] ivs = {0, 16, 16, 0, 8, 0, 12};
    for (int algorithm = NativeCrypto.AES_ECB; algorithm <= NativeCrypto.CHACHA20; algorithm++) {
      for (boolean padded : new boolean[] {false, true}) {
        byte[] key = random(keys[algorithm]);
        byte[] iv = ivs[algorithm] == 0 ? null : random(ivs[algorithm]);
        Runner encrypting = new Runner(algorithm, padded, key, true);
        Runner decrypting = new Runner(algorithm, padded, key, false);
        int done = 0;
        for (int size : sizes) {
          byte[] plain = random(size + 9);
          String count = encrypting.check(iv, plain, size, size + 16);
          encrypting.check(iv, plain, size, Math.max(0, size - 1));
          encrypting.check(iv, plain, size, size);
          decrypting.check(iv, plain, size, size);
          if (count.matches("\\d+")) {
            int length = Integer.parseInt(count);
            byte[] sealed = new byte[length + 9];
            ShortCalls.cipherRun(
                encrypting.handle, encrypting.ref, encrypting.keyId, iv, 1, plain, null, 4, size, sealed, null, 4, length);
            for (int room : new int[] {size, length, length + 9}) {
              assertEquals(Integer.toString(size), decrypting.check(iv, sealed, length, room));
            }
            decrypting.check(iv, sealed, length, Math.max(0, size - 1));
            done++;
          }
        }
        assertTrue(done >= 5, "cipher " + algorithm);
        byte[] in = random(73);
        encrypting.check(new byte[1], in, 64, 80);
        encrypting.check(new byte[100], in, 64, 80);
        encrypting.check(null, in, 64, 80);
        encrypting.check(new byte[0], in, 64, 80);
      }
    }
  }

  /** Begun anew by each run, whatever was going on; and not begun is not begun for who updates. */
  @Test
  void cipherRunsBeginAnew() throws Exception {
    Runner cipher = new Runner(NativeCrypto.AES_CTR, false, random(16), true);
    byte[] iv = random(16);
    byte[] in = random(50);
    byte[] expected = new byte[50];
    byte[] out = new byte[50];
    NativeCrypto.cipherRun(cipher.handle, cipher.ref, cipher.keyId, iv, 0, in, null, 0, 50, expected, null, 0, 50);
    NativeCrypto.cipherUpdate(cipher.handle, cipher.ref, in, null, 0, 7, out, null, 0, 7);
    ShortCalls.cipherRun(cipher.handle, cipher.ref, cipher.keyId, iv, 0, in, null, 0, 50, out, null, 0, 50);
    assertArrayEquals(expected, out);
    Arrays.fill(out, (byte) 0);
    NativeCrypto.cipherFinish(cipher.handle, cipher.ref, in, null, 0, 50, out, null, 0, 50);
    assertArrayEquals(expected, out, "back to where the run began");
    assertThrows(
        IllegalStateException.class,
        () -> ShortCalls.cipherRun(cipher.handle, cipher.ref, cipher.keyId + 1, iv, 0, in, null, 0, 50, out, null, 0, 50));
  }
}
