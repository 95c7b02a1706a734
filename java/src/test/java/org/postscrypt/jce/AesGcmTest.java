package org.postscrypt.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AesGcmTest {
  private static final SecretKey KEY = new SecretKeySpec(Ours.bytes(1, 16), "AES");
  private static final byte[] AAD = Ours.bytes(2, 21);
  /** Around every border: block, stack copy (2048), critical section (1 MiB). */
  private static final int[] SIZES = {
    0, 1, 15, 16, 17, 64, 1000, 2031, 2032, 2033, 2047, 2048, 2049, 2064, 5000, 70000
  };
  private static final int[] LARGE = {(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (1 << 20) + (1 << 18), (1 << 21) + 77};

  private int nonces;

  private GCMParameterSpec fresh() {
    return new GCMParameterSpec(128, ByteBuffer.allocate(12).putInt(++nonces).array());
  }

  private static Cipher ours() throws GeneralSecurityException {
    return Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
  }

  private static Cipher ours(int mode, AlgorithmParameterSpec spec) throws GeneralSecurityException {
    Cipher cipher = ours();
    cipher.init(mode, KEY, spec);
    return cipher;
  }

  private static byte[] theirs(Key key, AlgorithmParameterSpec spec, byte[] aad, byte[] plain)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
    cipher.init(Cipher.ENCRYPT_MODE, key, spec);
    cipher.updateAAD(aad);
    return cipher.doFinal(plain);
  }

  private static byte[] sealed(AlgorithmParameterSpec spec, byte[] plain) throws GeneralSecurityException {
    return theirs(KEY, spec, AAD, plain);
  }

  // --- answers ---

  @Test
  void knownAnswers() throws Exception {
    List<String[]> rows = Ours.vectors("aes-gcm.txt");
    assertTrue(rows.size() > 10);
    for (String[] row : rows) {
      SecretKey key = new SecretKeySpec(Ours.hex(row[0]), "AES");
      for (int bits = 96; bits <= 128; bits += 8) {
        GCMParameterSpec spec = new GCMParameterSpec(bits, Ours.hex(row[1]));
        Cipher cipher = ours();
        cipher.init(Cipher.ENCRYPT_MODE, key, spec);
        cipher.updateAAD(Ours.hex(row[2]));
        byte[] sealed = cipher.doFinal(Ours.hex(row[3]));
        assertEquals(row[4] + row[5].substring(0, bits / 4), Ours.hex(sealed));
        assertEquals(Ours.hex(sealed), Ours.hex(theirs(key, spec, Ours.hex(row[2]), Ours.hex(row[3]))), "the JDK's");
        cipher.init(Cipher.DECRYPT_MODE, key, spec);
        cipher.updateAAD(Ours.hex(row[2]));
        assertEquals(row[3], Ours.hex(cipher.doFinal(sealed)));
      }
    }
  }

  @Test
  void randomOperationsAgreeWithTheJdk() throws Exception {
    java.util.Random random = new java.util.Random(23);
    Cipher cipher = ours();
    for (int round = 0; round < 400; round++) {
      SecretKey key = new SecretKeySpec(Ours.bytes(round % 7, 16 + 8 * random.nextInt(3)), "AES");
      byte[] nonce = Ours.bytes(round, random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 12);
      GCMParameterSpec spec = new GCMParameterSpec(96 + 8 * random.nextInt(5), nonce);
      byte[] aad = Ours.bytes(round, random.nextInt(5) == 0 ? random.nextInt(9000) : random.nextInt(40));
      byte[] plain = Ours.bytes(round, random.nextInt(1 << random.nextInt(18)));
      byte[] expected = theirs(key, spec, aad, plain);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
        cipher.init(mode, key, spec);
        for (int at = 0; at < aad.length; ) {
          int length = Math.min(aad.length - at, 1 + random.nextInt(3000));
          if (random.nextBoolean()) {
            cipher.updateAAD(aad, at, length);
          } else {
            Ours.Kind kind = Ours.Kind.values()[random.nextInt(Ours.Kind.values().length)];
            cipher.updateAAD(kind.of(Arrays.copyOfRange(aad, at, at + length)));
          }
          at += length;
        }
        byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : expected;
        ByteBuffer output = ByteBuffer.allocate(expected.length + 3);
        int at = 0;
        while (at < input.length && random.nextInt(4) != 0) {
          int length = Math.min(input.length - at, 1 + random.nextInt(20000));
          output.put(cipher.update(input, at, length));
          at += length;
        }
        output.put(cipher.doFinal(input, at, input.length - at));
        byte[] wanted = mode == Cipher.ENCRYPT_MODE ? expected : plain;
        assertArrayEquals(wanted, Arrays.copyOf(output.array(), output.position()));
      }
    }
  }

  @Test
  void largeInputs() throws Exception {
    for (int size : LARGE) {
      byte[] plain = Ours.bytes(size, size);
      GCMParameterSpec spec = fresh();
      byte[] expected = sealed(spec, plain);
      Cipher cipher = ours(Cipher.ENCRYPT_MODE, spec);
      cipher.updateAAD(AAD);
      assertArrayEquals(expected, cipher.doFinal(plain));
      cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
      cipher.updateAAD(AAD);
      assertArrayEquals(plain, cipher.doFinal(expected));
      // In place, and shifted inside one array.
      for (int shift : new int[] {0, -17, 17, 5000}) {
        byte[] memory = new byte[size + 20000];
        System.arraycopy(plain, 0, memory, 6000, size);
        spec = fresh();
        expected = sealed(spec, plain);
        cipher.init(Cipher.ENCRYPT_MODE, KEY, spec);
        cipher.updateAAD(AAD);
        int written;
        if (shift == 5000) {
          written = cipher.update(memory, 6000, size - 10, memory, 6000 + shift);
          written += cipher.doFinal(Arrays.copyOfRange(plain, size - 10, size), 0, 10, memory, 6000 + shift + written);
        } else {
          written = cipher.doFinal(memory, 6000, size, memory, 6000 + shift);
        }
        assertArrayEquals(expected, Arrays.copyOfRange(memory, 6000 + shift, 6000 + shift + written));
        cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
        cipher.updateAAD(AAD);
        assertEquals(size, cipher.doFinal(memory, 6000 + shift, written, memory, 6000));
        assertArrayEquals(plain, Arrays.copyOfRange(memory, 6000, 6000 + size));
      }
    }
  }

  /** What is decrypted in several steps goes straight to the output, and does not stay there if the tag is wrong. */
  @ParameterizedTest
  @EnumSource
  void largeMessagesOfEveryKindOfBuffer(Ours.Kind from) throws Exception {
    for (Ours.Kind to : Ours.Kind.values()) {
      if (!to.writable()) {
        continue;
      }
      for (int size : new int[] {(1 << 20) + 1, (1 << 20) + (1 << 18), (1 << 20) + (1 << 18) + 15}) {
        byte[] plain = Ours.bytes(size, size);
        GCMParameterSpec spec = fresh();
        byte[] good = sealed(spec, plain);
        Cipher cipher = ours(Cipher.DECRYPT_MODE, spec);
        for (int at : new int[] {0, size - 1, size + 15}) {
          byte[] bad = good.clone();
          bad[at] ^= 1;
          ByteBuffer out = to.room(size);
          int position = out.position();
          byte[] dirty = new byte[size];
          Arrays.fill(dirty, (byte) 0xee);
          out.duplicate().put(dirty);
          ByteBuffer in = from.of(bad);
          cipher.updateAAD(AAD);
          assertThrows(AEADBadTagException.class, () -> cipher.doFinal(in, out));
          assertEquals(size + 16, in.remaining());
          assertEquals(position, out.position());
          byte[] left = new byte[size];
          out.duplicate().get(left);
          assertArrayEquals(new byte[size], left, "nothing of " + from + " in " + to);
        }
        ByteBuffer out = to.room(size);
        ByteBuffer in = from.of(good);
        cipher.updateAAD(AAD);
        assertThrows(ShortBufferException.class, () -> cipher.doFinal(in, to.room(size - 1)));
        assertEquals(size, cipher.doFinal(in, out));
        assertEquals(0, in.remaining());
        assertArrayEquals(plain, Ours.written(out), from + " to " + to + ", " + size);
      }
    }
  }

  @Test
  void largeMessagesWhateverTheOverlap() throws Exception {
    int size = (1 << 20) + (1 << 18) + 5;
    byte[] plain = Ours.bytes(3, size);
    GCMParameterSpec spec = fresh();
    byte[] good = sealed(spec, plain);
    byte[] bad = good.clone();
    bad[size] ^= 1;
    Cipher cipher = ours(Cipher.DECRYPT_MODE, spec);
    int[] shifts = java.util.stream.IntStream.concat(
        java.util.stream.IntStream.rangeClosed(-17, 17), java.util.stream.IntStream.of(1 << 18, -(1 << 18), size, size + 15, size + 16)).toArray();
    for (int shift : shifts) {
      for (boolean direct : new boolean[] {false, true}) {
        int before = Math.max(0, -shift);
        int total = before + size + 16 + Math.max(0, shift);
        ByteBuffer memory = direct ? ByteBuffer.allocateDirect(total) : ByteBuffer.allocate(total);
        for (byte[] sealed : new byte[][] {bad, good}) {
          memory.clear().position(before);
          memory.duplicate().put(sealed);
          ByteBuffer in = memory.duplicate().limit(before + size + 16);
          ByteBuffer out = memory.duplicate().position(before + shift).limit(before + shift + size);
          byte[] result = new byte[size];
          cipher.updateAAD(AAD);
          if (sealed == good) {
            assertEquals(size, cipher.doFinal(in, out.duplicate()));
            out.get(result);
            assertArrayEquals(plain, result, "shifted by " + shift);
          } else {
            byte[] was = new byte[size];
            out.duplicate().get(was);
            assertThrows(AEADBadTagException.class, () -> cipher.doFinal(in, out.duplicate()));
            out.duplicate().get(result);
            assertTrue(Arrays.equals(result, was) || Arrays.equals(result, new byte[size]), "shifted by " + shift);
          }
        }
      }
    }
  }

  /** A start may be in the native half already, and hold nothing: much additional data, or updates of nothing. */
  @Test
  void largeMessagesAfterMuchAdditionalData() throws Exception {
    byte[] aad = Ours.bytes(4, 5000);
    for (int size : new int[] {0, 1, 1000, (1 << 20) + 3}) {
      byte[] plain = Ours.bytes(size, size);
      GCMParameterSpec spec = fresh();
      byte[] sealed = theirs(KEY, spec, aad, plain);
      Cipher cipher = ours(Cipher.DECRYPT_MODE, spec);
      byte[] out = new byte[size];
      cipher.updateAAD(aad);
      sealed[size] ^= 1;
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(sealed, 0, size + 16, out, 0));
      assertArrayEquals(new byte[size], out);
      sealed[size] ^= 1;
      cipher.updateAAD(aad);
      cipher.update(new byte[0]);
      assertEquals(size, cipher.doFinal(sealed, 0, size + 16, out, 0));
      assertArrayEquals(plain, out);
    }
  }

  /** Whatever comes of it: the plaintext, or a wrong tag and zeros. */
  @Test
  void inputThatAnotherThreadChanges() throws Exception {
    int size = 1 << 21;
    byte[] plain = Ours.bytes(5, size);
    GCMParameterSpec spec = fresh();
    byte[] sealed = sealed(spec, plain);
    java.util.concurrent.atomic.AtomicBoolean stop = new java.util.concurrent.atomic.AtomicBoolean();
    Thread other = new Thread(() -> {
      for (int i = 0; !stop.get(); i = (i + 4099) % sealed.length) {
        sealed[i] ^= 1;
        sealed[i] ^= 1;
      }
    });
    other.start();
    try {
      Cipher cipher = ours(Cipher.DECRYPT_MODE, spec);
      byte[] out = new byte[size];
      for (int round = 0; round < 20; round++) {
        Arrays.fill(out, (byte) 0xee);
        cipher.updateAAD(AAD);
        try {
          cipher.doFinal(sealed, 0, sealed.length, out, 0);
        } catch (AEADBadTagException e) {
          assertArrayEquals(new byte[size], out);
        }
      }
    } finally {
      stop.set(true);
      other.join();
    }
  }

  // --- patterns ---

  @Test
  void splitAtEveryOffset() throws Exception {
    byte[] plain = Ours.bytes(9, 300);
    for (int split = 0; split <= 316; split++) {
      GCMParameterSpec spec = fresh();
      byte[] expected = sealed(spec, plain);
      int first = Math.min(split, 300);
      Cipher cipher = ours(Cipher.ENCRYPT_MODE, spec);
      cipher.updateAAD(AAD, 0, split % AAD.length);
      cipher.updateAAD(AAD, split % AAD.length, AAD.length - split % AAD.length);
      byte[] out = new byte[316];
      int written = cipher.update(plain, 0, first, out, 0);
      assertEquals(first, written, "encryption streams");
      written += cipher.doFinal(plain, first, 300 - first, out, written);
      assertEquals(316, written);
      assertArrayEquals(expected, out);

      cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
      cipher.updateAAD(AAD);
      assertEquals(0, cipher.update(expected, 0, split, out, 0), "nothing before the tag is right");
      assertEquals(300, cipher.doFinal(expected, split, 316 - split, out, 0));
      assertArrayEquals(plain, Arrays.copyOf(out, 300));
      // Without another init, decryption is back where init left it.
      cipher.updateAAD(AAD);
      assertArrayEquals(plain, cipher.doFinal(expected));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfBuffer(Ours.Kind from) throws Exception {
    for (Ours.Kind to : Ours.Kind.values()) {
      if (!to.writable()) {
        continue;
      }
      for (int size : SIZES) {
        byte[] plain = Ours.bytes(size, size);
        GCMParameterSpec spec = fresh();
        byte[] expected = sealed(spec, plain);
        for (int part : new int[] {0, size / 3}) {
          Cipher cipher = ours(Cipher.ENCRYPT_MODE, spec);
          cipher.updateAAD(from.of(AAD));
          ByteBuffer in = from.of(plain);
          ByteBuffer out = to.room(size + 16);
          in.limit(3 + part);
          assertEquals(part, cipher.update(in, out));
          in.limit(3 + size);
          assertEquals(size - part + 16, cipher.doFinal(in, out));
          assertEquals(0, in.remaining() + out.remaining());
          assertArrayEquals(expected, Ours.written(out), from + " to " + to + ", " + size);

          cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
          cipher.updateAAD(AAD);
          in = from.of(expected);
          out = to.room(size);
          in.limit(3 + part);
          assertEquals(0, cipher.update(in, out));
          in.limit(3 + size + 16);
          assertEquals(size, cipher.doFinal(in, out));
          assertArrayEquals(plain, Ours.written(out), from + " to " + to + ", " + size);
        }
      }
    }
  }

  @Test
  void everyOverlapIsCopySafe() throws Exception {
    for (boolean direct : new boolean[] {false, true}) {
      for (int size : SIZES) {
        byte[] plain = Ours.bytes(size, size);
        for (int shift = -17; shift <= 17; shift++) {
          for (int part : new int[] {0, size / 2}) {
            GCMParameterSpec spec = fresh();
            byte[] expected = sealed(spec, plain);
            ByteBuffer memory = direct ? ByteBuffer.allocateDirect(size + 64) : ByteBuffer.allocate(size + 64);
            Cipher cipher = ours(Cipher.ENCRYPT_MODE, spec);
            cipher.updateAAD(AAD);
            ByteBuffer in = memory.duplicate();
            in.position(20);
            in.put(plain).flip().position(20);
            ByteBuffer out = memory.duplicate();
            out.position(20 + shift);
            if (part == 0) {
              assertEquals(size + 16, cipher.doFinal(in, out));
            } else {
              // The last piece is elsewhere, as the first one's output may lie over it.
              in.limit(20 + part);
              assertEquals(part, cipher.update(in, out));
              cipher.doFinal(ByteBuffer.wrap(plain, part, size - part), out);
            }
            byte[] sealed = new byte[size + 16];
            ByteBuffer view = memory.duplicate();
            view.position(20 + shift);
            view.get(sealed);
            assertArrayEquals(expected, sealed, "direct " + direct + ", size " + size + ", shift " + shift);

            cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
            cipher.updateAAD(AAD);
            in = memory.duplicate();
            in.limit(20 + shift + size + 16).position(20 + shift);
            out = memory.duplicate();
            out.position(20);
            if (part != 0) {
              in.limit(20 + shift + part);
              cipher.update(in, out);
              in.limit(20 + shift + size + 16);
            }
            assertEquals(size, cipher.doFinal(in, out));
            view.clear().position(20);
            byte[] opened = new byte[size];
            view.get(opened);
            assertArrayEquals(plain, opened, "direct " + direct + ", size " + size + ", shift " + shift);
          }
        }
      }
    }
  }

  // --- failures ---

  @Test
  void shortBuffersChangeNothing() throws Exception {
    for (int size : SIZES) {
      byte[] plain = Ours.bytes(size, size);
      for (int part : new int[] {0, size / 2}) {
        GCMParameterSpec spec = fresh();
        byte[] expected = sealed(spec, plain);
        byte[] small = new byte[size + 15];
        Cipher cipher = ours(Cipher.ENCRYPT_MODE, spec);
        cipher.updateAAD(AAD);
        if (part > 1) {
          assertThrows(ShortBufferException.class, () -> cipher.update(plain, 0, part, new byte[part - 1], 0));
          assertThrows(ShortBufferException.class,
              () -> cipher.update(ByteBuffer.wrap(plain, 0, part), ByteBuffer.allocateDirect(part - 1)));
        }
        byte[] out = new byte[size + 16];
        int written = cipher.update(plain, 0, part, out, 0);
        assertThrows(ShortBufferException.class, () -> cipher.doFinal(plain, part, size - part, small, part));
        assertThrows(ShortBufferException.class,
            () -> cipher.doFinal(ByteBuffer.wrap(plain, part, size - part), ByteBuffer.allocate(size - part + 15)));
        assertArrayEquals(new byte[size + 15], small);
        cipher.doFinal(plain, part, size - part, out, written);
        assertArrayEquals(expected, out);

        cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
        cipher.updateAAD(AAD);
        cipher.update(expected, 0, part);
        if (size > 0) {
          assertThrows(ShortBufferException.class,
              () -> cipher.doFinal(expected, part, expected.length - part, new byte[size - 1], 0));
          ByteBuffer in = ByteBuffer.wrap(expected, part, expected.length - part);
          assertThrows(ShortBufferException.class, () -> cipher.doFinal(in, ByteBuffer.allocateDirect(size - 1)));
          assertEquals(part, in.position());
        }
        assertArrayEquals(plain, cipher.doFinal(expected, part, expected.length - part));
      }
    }
  }

  @Test
  void badTagsReleaseNothingAndTheCipherGoesOn() throws Exception {
    for (int size : new int[] {0, 1, 100, 2030, 3000, 70000, (1 << 20) + 5}) {
      byte[] plain = Ours.bytes(size, size);
      GCMParameterSpec spec = fresh();
      byte[] good = sealed(spec, plain);
      Cipher cipher = ours(Cipher.DECRYPT_MODE, spec);
      for (int at : new int[] {0, size / 2, size, size + 15}) {
        byte[] bad = good.clone();
        bad[at] ^= 4;
        for (int part : new int[] {0, size / 2}) {
          byte[] out = new byte[size];
          cipher.updateAAD(AAD);
          cipher.update(bad, 0, part);
          assertThrows(AEADBadTagException.class, () -> cipher.doFinal(bad, part, bad.length - part, out, 0));
          assertArrayEquals(new byte[size], out, "no byte of plaintext");
          ByteBuffer direct = ByteBuffer.allocateDirect(size);
          cipher.updateAAD(AAD);
          ByteBuffer in = ByteBuffer.allocateDirect(bad.length).put(bad).flip();
          assertThrows(AEADBadTagException.class, () -> cipher.doFinal(in, direct));
          assertEquals(0, direct.position());
          assertEquals(ByteBuffer.wrap(new byte[size]), direct);
          // In place: what was ciphertext must not have become plaintext.
          cipher.updateAAD(AAD);
          byte[] memory = bad.clone();
          assertThrows(AEADBadTagException.class, () -> cipher.doFinal(memory, 0, memory.length, memory, 0));
          assertFalse(size > 16 && Arrays.equals(Arrays.copyOf(memory, 16), Arrays.copyOf(plain, 16)));
        }
        cipher.updateAAD(AAD);
        assertArrayEquals(plain, cipher.doFinal(good), "back to where init left it");
      }
      cipher.updateAAD(Ours.bytes(77, 5));
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(good), "wrong additional data");
    }
    for (int length = 0; length < 16; length++) {
      Cipher cipher = ours(Cipher.DECRYPT_MODE, fresh());
      byte[] input = new byte[length];
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(input));
      cipher.update(input);
      assertThrows(AEADBadTagException.class, cipher::doFinal);
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(input, 0, input.length, new byte[0], 0));
    }
  }

  @Test
  void noncesAreNotUsedTwice() throws Exception {
    GCMParameterSpec spec = fresh();
    Cipher cipher = ours(Cipher.ENCRYPT_MODE, spec);
    cipher.doFinal(new byte[5]);
    assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[5]));
    assertThrows(IllegalStateException.class, () -> cipher.update(new byte[5]));
    assertThrows(IllegalStateException.class, () -> cipher.updateAAD(new byte[5]));
    assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, spec));
    assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[5]), "a failed init leaves nothing");
    SecretKey equal = new SecretKeySpec(KEY.getEncoded(), "AES");
    assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, equal, spec));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> cipher.init(Cipher.WRAP_MODE, KEY, new IvParameterSpec(spec.getIV())));
    cipher.init(Cipher.DECRYPT_MODE, KEY, spec);
    assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, spec));
    cipher.init(Cipher.ENCRYPT_MODE, KEY, fresh());
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), spec);
    cipher.doFinal();
    cipher.init(Cipher.ENCRYPT_MODE, KEY);
    byte[] first = cipher.getIV();
    assertEquals(12, first.length);
    assertArrayEquals(first, cipher.getParameters().getParameterSpec(GCMParameterSpec.class).getIV());
    assertSame(Ours.PROVIDER.getClass(), cipher.getParameters().getProvider().getClass());
    byte[] sealed = cipher.doFinal(new byte[3]);
    AlgorithmParameters parameters = cipher.getParameters();
    cipher.init(Cipher.ENCRYPT_MODE, KEY);
    assertFalse(Arrays.equals(first, cipher.getIV()));
    cipher.init(Cipher.DECRYPT_MODE, KEY, parameters);
    assertArrayEquals(new byte[3], cipher.doFinal(sealed));
    cipher.init(Cipher.ENCRYPT_MODE, KEY, new SecureRandom() {
      private static final long serialVersionUID = 1;

      @Override
      public void nextBytes(byte[] bytes) {
        Arrays.fill(bytes, (byte) 7);
      }
    });
    assertEquals("07".repeat(12), Ours.hex(cipher.getIV()));
  }

  @Test
  void initRefusesWhatItCannotUse() throws Exception {
    Cipher cipher = ours();
    assertNull(cipher.getIV());
    assertThrows(IllegalStateException.class, () -> cipher.update(new byte[1]));
    for (int length : new int[] {1, 15, 17, 31, 33, 64}) {
      SecretKey key = new SecretKeySpec(new byte[length], "AES");
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, key, fresh()));
    }
    assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, (Key) null, fresh()));
    assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.DECRYPT_MODE, KEY));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> cipher.init(Cipher.DECRYPT_MODE, KEY, (AlgorithmParameterSpec) null));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> cipher.init(Cipher.DECRYPT_MODE, KEY, (AlgorithmParameters) null));
    for (int bits : new int[] {0, 32, 64, 95, 97, 136, 256}) {
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(bits, new byte[12])));
    }
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[0])));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, new javax.crypto.spec.PBEParameterSpec(new byte[8], 1)));
    for (int bits : new int[] {128, 192, 256}) {
      Cipher only = Cipher.getInstance("AES_" + bits + "/GCM/NoPadding", Ours.PROVIDER);
      for (int length : new int[] {16, 24, 32}) {
        SecretKey key = new SecretKeySpec(new byte[length], "AES");
        if (length * 8 == bits) {
          only.init(Cipher.ENCRYPT_MODE, key);
        } else {
          assertThrows(InvalidKeyException.class, () -> only.init(Cipher.ENCRYPT_MODE, key));
        }
      }
    }
  }

  @Test
  void orderOfCalls() throws Exception {
    Cipher cipher = ours(Cipher.ENCRYPT_MODE, fresh());
    cipher.updateAAD(AAD);
    cipher.update(new byte[1]);
    assertThrows(IllegalStateException.class, () -> cipher.updateAAD(AAD));
    Cipher opening = ours(Cipher.DECRYPT_MODE, fresh());
    opening.update(new byte[1]);
    assertThrows(IllegalStateException.class, () -> opening.updateAAD(AAD));
    opening.init(Cipher.DECRYPT_MODE, KEY, fresh());
    opening.updateAAD(AAD);
  }

  @Test
  void tagLengthAndKeyMayChange() throws Exception {
    Cipher cipher = ours();
    byte[] plain = Ours.bytes(1, 50);
    for (int round = 0; round < 60; round++) {
      SecretKey key = new SecretKeySpec(Ours.bytes(round / 10, 16 + 8 * (round / 10 % 3)), "AES");
      byte[] nonce = Ours.bytes(round, 12);
      GCMParameterSpec spec = new GCMParameterSpec(96 + 8 * (round % 5), nonce);
      cipher.init(Cipher.ENCRYPT_MODE, key, spec);
      cipher.updateAAD(AAD);
      if (round % 3 == 0) {
        assertEquals(1, cipher.update(new byte[1]).length);
        cipher.init(Cipher.DECRYPT_MODE, key, spec);
      } else {
        assertArrayEquals(theirs(key, spec, AAD, plain), cipher.doFinal(plain));
      }
    }
  }

  // --- sizes ---

  @Test
  void outputSizes() throws Exception {
    Cipher cipher = ours(Cipher.ENCRYPT_MODE, fresh());
    assertEquals(16, cipher.getOutputSize(0));
    assertEquals(116, cipher.getOutputSize(100));
    cipher.update(new byte[1000]);
    assertEquals(116, cipher.getOutputSize(100));
    assertEquals(Integer.MAX_VALUE, cipher.getOutputSize(Integer.MAX_VALUE));
    cipher.init(Cipher.DECRYPT_MODE, KEY, fresh());
    assertEquals(0, cipher.getOutputSize(0));
    assertEquals(84, cipher.getOutputSize(100));
    assertEquals(Integer.MAX_VALUE - 16, cipher.getOutputSize(Integer.MAX_VALUE));
    int grew = 0;
    for (int total = 0, size = 0; total < 1 << 20; ) {
      cipher.update(new byte[512]);
      total += 512;
      int next = cipher.getOutputSize(512);
      assertTrue(next >= total + 512 - 16 && next < 1.5 * (total + 512), total + ": " + next);
      if (next > size) {
        size = next;
        grew++;
      }
    }
    assertTrue(grew < 30, "grew " + grew + " times");
    assertTrue(cipher.getOutputSize(Integer.MAX_VALUE) > 0);
  }

  // --- keys ---

  @Test
  void wrapAndUnwrap() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    Cipher cipher = ours();
    Object[][] keys = {
      {new SecretKeySpec(Ours.bytes(3, 32), "HmacSHA256"), Cipher.SECRET_KEY},
      {pair.getPrivate(), Cipher.PRIVATE_KEY},
      {pair.getPublic(), Cipher.PUBLIC_KEY}
    };
    for (Object[] row : keys) {
      Key key = (Key) row[0];
      GCMParameterSpec spec = fresh();
      cipher.init(Cipher.WRAP_MODE, KEY, spec);
      byte[] wrapped = cipher.wrap(key);
      assertThrows(IllegalStateException.class, () -> cipher.wrap(key));
      cipher.init(Cipher.UNWRAP_MODE, KEY, spec);
      Key back = cipher.unwrap(wrapped, key.getAlgorithm(), (int) row[1]);
      assertArrayEquals(key.getEncoded(), back.getEncoded());
      assertEquals(key.getAlgorithm(), back.getAlgorithm());
      byte[] changed = wrapped.clone();
      changed[3] ^= 1;
      assertThrows(InvalidKeyException.class, () -> cipher.unwrap(changed, key.getAlgorithm(), (int) row[1]));
    }
    GCMParameterSpec last = fresh();
    cipher.init(Cipher.UNWRAP_MODE, KEY, last);
    byte[] junk = theirs(KEY, last, new byte[0], new byte[40]);
    assertThrows(InvalidKeyException.class, () -> cipher.unwrap(junk, "EC", Cipher.PRIVATE_KEY));
    assertThrows(java.security.NoSuchAlgorithmException.class, () -> cipher.unwrap(junk, "none", Cipher.PUBLIC_KEY));
  }
}
