package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;

/** Every way of calling a cipher, for all of them: the answer is the peer's. */
class CipherPatternTest {
  private static final String ALL = "org.postscrypt.jce.symmetric.Subject#all";
  private static final String AEADS = "org.postscrypt.jce.symmetric.Subject#aeads";

  private int numbers;

  @ParameterizedTest
  @MethodSource(ALL)
  void randomOperationsAgreeWithThePeer(Subject subject) throws Exception {
    Random random = new Random(29);
    Cipher cipher = subject.ours();
    for (int round = 0; round < 60; round++) {
      int number = ++numbers;
      int most = subject.name().contains("CCM") ? 15 : 17;
      byte[] plain = Ours.bytes(round, random.nextInt(1 << random.nextInt(most)) / subject.unit() * subject.unit());
      byte[] sealed = subject.sealed(number, plain);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
        subject.init(cipher, mode, number);
        byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : sealed;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int at = 0;
        while (at < input.length && random.nextInt(4) != 0) {
          int length = Math.min(input.length - at, 1 + random.nextInt(20000));
          output.write(cipher.update(input, at, length));
          at += length;
        }
        int bound = cipher.getOutputSize(input.length - at);
        byte[] last = cipher.doFinal(input, at, input.length - at);
        assertTrue(last.length <= bound, last.length + " of " + bound);
        output.write(last);
        assertArrayEquals(mode == Cipher.ENCRYPT_MODE ? sealed : plain, output.toByteArray());
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void splitAtEveryOffset(Subject subject) throws Exception {
    byte[] plain = Ours.bytes(9, 304);
    int number = ++numbers;
    byte[] sealed = subject.sealed(number, plain);
    int step = subject.unit() == 1 && !subject.aead() ? 1 : 3;
    for (int split = 0; split <= sealed.length; split += step) {
      int first = Math.min(split, 304);
      number = ++numbers;
      byte[] expected = subject.specs() == null ? sealed : subject.sealed(number, plain);
      Cipher cipher = subject.ours(Cipher.ENCRYPT_MODE, number);
      byte[] out = new byte[sealed.length];
      int written = cipher.update(plain, 0, first, out, 0);
      assertEquals(subject.aead() ? subject.update() ? first : 0 : first / blockOf(cipher) * blockOf(cipher), written);
      int slack = slack(cipher, subject, first, written);
      assertEquals(sealed.length - written, cipher.getOutputSize(304 - first) - slack);
      written += cipher.doFinal(plain, first, 304 - first, out, written);
      assertEquals(sealed.length, written);
      assertArrayEquals(expected, out);

      subject.init(cipher, Cipher.DECRYPT_MODE, number);
      written = cipher.update(expected, 0, split, out, 0);
      assertTrue(!subject.aead() || written == 0, "nothing before the tag is right");
      written += cipher.doFinal(expected, split, expected.length - split, out, written);
      assertEquals(304, written);
      assertArrayEquals(plain, Arrays.copyOf(out, 304));
      // Without another init, decryption is back where init left it.
      if (subject.aead()) {
        cipher.updateAAD(Subject.AAD);
      }
      assertArrayEquals(plain, cipher.doFinal(expected));
    }
  }

  private static int blockOf(Cipher cipher) {
    return cipher.getAlgorithm().contains("CTR") || cipher.getBlockSize() == 0 ? 1 : cipher.getBlockSize();
  }

  /** What getOutputSize may answer beyond the length: only where something is held is it rounded. */
  private static int slack(Cipher cipher, Subject subject, int first, int written) {
    return subject.update() || first == 0
        ? 0
        : cipher.getOutputSize(304 - first) - (304 + subject.tag() - written);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void everyKindOfBuffer(Subject subject) throws Exception {
    for (Ours.Kind from : Ours.Kind.values()) {
      for (Ours.Kind to : Ours.Kind.values()) {
        if (!to.writable()) {
          continue;
        }
        for (int size : new int[] {0, 16, 48, 2000, 2048, 5008, 40000}) {
          if (from.ordinal() + to.ordinal() > 5 && size > 5008) {
            continue;
          }
          byte[] plain = Ours.bytes(size, size);
          int number = ++numbers;
          byte[] sealed = subject.sealed(number, plain);
          for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
            byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : sealed;
            byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : plain;
            int part = input.length / 3;
            Cipher cipher = subject.ours(mode, number);
            ByteBuffer in = from.of(input);
            ByteBuffer out = to.room(expected.length);
            in.limit(3 + part);
            int written = cipher.update(in, out);
            assertEquals(0, in.remaining());
            in.limit(3 + input.length);
            written += cipher.doFinal(in, out);
            assertEquals(expected.length, written);
            assertEquals(0, in.remaining() + out.remaining());
            assertArrayEquals(expected, Ours.written(out), from + " to " + to + ", " + size);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void everyOverlapIsCopySafe(Subject subject) throws Exception {
    for (boolean direct : new boolean[] {false, true}) {
      for (int size : new int[] {0, 16, 48, 256, 2048, 5008}) {
        byte[] plain = Ours.bytes(size, size);
        int number = ++numbers;
        byte[] sealed = subject.sealed(number, plain);
        for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
          byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : sealed;
          byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : plain;
          for (int shift = -17; shift <= 17; shift++) {
            for (int before : new int[] {0, 5}) {
              if (before > input.length) {
                continue;
              }
              ByteBuffer memory = direct ? ByteBuffer.allocateDirect(size + 100) : ByteBuffer.allocate(size + 100);
              // A cipher that has some bytes already, so that output and input do not march together.
              Cipher cipher = subject.ours(mode, number);
              ByteArrayOutputStream head = new ByteArrayOutputStream();
              if (before > 0) {
                head.write(cipher.update(input, 0, before));
              }
              ByteBuffer in = memory.duplicate();
              in.position(20);
              in.put(input, before, input.length - before).flip().position(20);
              ByteBuffer out = memory.duplicate();
              out.position(20 + shift);
              int written = cipher.doFinal(in, out);
              byte[] tail = new byte[written];
              out.position(20 + shift);
              out.get(tail);
              head.write(tail);
              assertArrayEquals(expected, head.toByteArray(),
                  "direct " + direct + ", mode " + mode + ", size " + size + ", shift " + shift + ", " + before);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void largeInputs(Subject subject) throws Exception {
    boolean slow = subject.name().startsWith("DES") || subject.name().contains("SIV");
    int size = subject.name().contains("CCM") ? 65520 : slow ? 100000 : (1 << 20) + 160;
    byte[] plain = Ours.bytes(size, size);
    for (int shift : new int[] {Integer.MIN_VALUE, 0, -17, 17, 5000, -5000}) {
      int number = ++numbers;
      byte[] sealed = subject.sealed(number, plain);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
        byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : sealed;
        byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : plain;
        Cipher cipher = subject.ours(mode, number);
        if (shift == Integer.MIN_VALUE) {
          assertArrayEquals(expected, cipher.doFinal(input));
          continue;
        }
        byte[] memory = new byte[size + 20000];
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(cipher.update(input, 0, 7));
        System.arraycopy(input, 7, memory, 6000, input.length - 7);
        int written = cipher.update(memory, 6000, input.length - 7, memory, 6000 + shift);
        head.write(memory, 6000 + shift, written);
        head.write(cipher.doFinal());
        assertArrayEquals(expected, head.toByteArray(), "mode " + mode + ", shift " + shift);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void shortBuffersChangeNothing(Subject subject) throws Exception {
    for (int size : subject.sizes()) {
      byte[] plain = Ours.bytes(size, size);
      int number = ++numbers;
      byte[] sealed = subject.sealed(number, plain);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
        byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : sealed;
        byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : plain;
        Cipher cipher = subject.ours(mode, number);
        int part = Math.min(20, input.length);
        byte[] out = new byte[expected.length];
        int written = cipher.update(input, 0, part, out, 0);
        int left = expected.length - written;
        for (int room : new int[] {0, left - 17, left - 16, left - 9, left - 1}) {
          if (room >= 0 && room < left) {
            byte[] small = new byte[room];
            assertThrows(ShortBufferException.class,
                () -> cipher.doFinal(input, part, input.length - part, small, 0), size + ", room " + room);
            assertArrayEquals(new byte[room], small);
            ByteBuffer in = ByteBuffer.wrap(input, part, input.length - part);
            ByteBuffer tiny = ByteBuffer.allocateDirect(room);
            assertThrows(ShortBufferException.class, () -> cipher.doFinal(in, tiny));
            assertEquals(part, in.position());
            assertEquals(0, tiny.position());
          }
        }
        if (part == 20 && written > 0) {
          Cipher again = subject.ours(mode, number);
          byte[] small = new byte[written - 1];
          assertThrows(ShortBufferException.class, () -> again.update(input, 0, part, small, 0));
          assertThrows(ShortBufferException.class,
              () -> again.update(ByteBuffer.wrap(input, 0, part), ByteBuffer.wrap(small)));
          byte[] head = again.update(input, 0, part);
          assertArrayEquals(expected, join(head, again.doFinal(input, part, input.length - part)));
        }
        // An exact fit is enough, also where padding is removed.
        assertEquals(left, cipher.doFinal(input, part, input.length - part, out, written));
        assertArrayEquals(expected, out);
      }
    }
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void streams(Subject subject) throws Exception {
    int size = 60000 / 16 * 16;
    byte[] plain = Ours.bytes(size, size);
    int number = ++numbers;
    byte[] sealed = subject.sealed(number, plain);
    for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
      byte[] input = mode == Cipher.ENCRYPT_MODE ? plain : sealed;
      byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : plain;
      try (InputStream in = new CipherInputStream(new ByteArrayInputStream(input), subject.ours(mode, number))) {
        assertArrayEquals(expected, in.readAllBytes());
      }
      ByteArrayOutputStream sink = new ByteArrayOutputStream();
      try (OutputStream out = new CipherOutputStream(sink, subject.ours(mode, number))) {
        for (int at = 0; at < input.length; at += 999) {
          out.write(input, at, Math.min(999, input.length - at));
        }
      }
      assertArrayEquals(expected, sink.toByteArray());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void wrapAndUnwrap(Subject subject) throws Exception {
    Cipher cipher = subject.ours();
    SecretKeySpec secret = new SecretKeySpec(Ours.bytes(3, 32), "HmacSHA256");
    int number = ++numbers;
    cipher.init(Cipher.WRAP_MODE, subject.key(), subject.spec(number));
    byte[] wrapped = cipher.wrap(secret);
    cipher.init(Cipher.UNWRAP_MODE, subject.key(), subject.spec(number));
    assertEquals(secret, cipher.unwrap(wrapped, "HmacSHA256", Cipher.SECRET_KEY));
    if (subject.aead()) {
      wrapped[3] ^= 1;
      assertThrows(InvalidKeyException.class, () -> cipher.unwrap(wrapped, "HmacSHA256", Cipher.SECRET_KEY));
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void outputSizesNeverWrap(Subject subject) throws Exception {
    for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
      Cipher cipher = subject.ours(mode, ++numbers);
      cipher.update(new byte[33]);
      for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 40, 1 << 30}) {
        int size = cipher.getOutputSize(length);
        assertTrue(size >= length - 16, length + ": " + size);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void keysAndModesMayChange(Subject subject) throws Exception {
    Cipher cipher = subject.ours();
    byte[] plain = Ours.bytes(1, 48);
    for (int round = 0; round < 40; round++) {
      byte[] bytes = subject.key().getEncoded();
      bytes[0] = (byte) (round / 10);
      Subject other = new Subject(subject.name(), subject.peerName(), subject.peer(),
          new SecretKeySpec(bytes, subject.key().getAlgorithm()), subject.specs(), subject.unit(), subject.tag(), true);
      int number = ++numbers;
      byte[] sealed = other.sealed(number, plain);
      if (round % 3 == 0) {
        other.init(cipher, Cipher.ENCRYPT_MODE, number);
        cipher.update(plain, 0, 20);
      }
      other.init(cipher, Cipher.DECRYPT_MODE, number);
      assertArrayEquals(plain, cipher.doFinal(sealed));
      number = ++numbers;
      other.init(cipher, Cipher.ENCRYPT_MODE, number);
      assertArrayEquals(other.sealed(number, plain), cipher.doFinal(plain));
    }
  }

  @ParameterizedTest
  @MethodSource(AEADS)
  void badTagsReleaseNothingAndTheCipherGoesOn(Subject subject) throws Exception {
    for (int size : new int[] {0, 1, 100, 2030, 3000, 60000}) {
      byte[] plain = Ours.bytes(size, size);
      int number = ++numbers;
      byte[] good = subject.sealed(number, plain);
      Cipher cipher = subject.ours(Cipher.DECRYPT_MODE, number);
      boolean first = true;
      for (int at : new int[] {0, size / 2, size, size + subject.tag() - 1}) {
        byte[] bad = good.clone();
        bad[at] ^= 4;
        for (int part : new int[] {0, size / 2}) {
          byte[] out = new byte[size];
          if (!first) {
            cipher.updateAAD(Subject.AAD);
          }
          first = false;
          cipher.update(bad, 0, part);
          assertThrows(AEADBadTagException.class, () -> cipher.doFinal(bad, part, bad.length - part, out, 0));
          assertArrayEquals(new byte[size], out, "no byte of plaintext");
          cipher.updateAAD(Subject.AAD);
          byte[] memory = bad.clone();
          assertThrows(AEADBadTagException.class, () -> cipher.doFinal(memory, 0, memory.length, memory, 0));
          assertFalse(size > 16 && Arrays.equals(Arrays.copyOf(memory, 16), Arrays.copyOf(plain, 16)));
        }
        cipher.updateAAD(Subject.AAD);
        assertArrayEquals(plain, cipher.doFinal(good), "back to where init left it");
      }
      cipher.updateAAD(Ours.bytes(77, 5));
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(good), "wrong additional data");
    }
    for (int length = 0; length < subject.tag(); length++) {
      Cipher cipher = subject.ours(Cipher.DECRYPT_MODE, ++numbers);
      byte[] input = new byte[length];
      assertThrows(AEADBadTagException.class, () -> cipher.doFinal(input));
      cipher.update(input);
      assertThrows(AEADBadTagException.class, cipher::doFinal);
    }
  }

  @ParameterizedTest
  @MethodSource(AEADS)
  void additionalData(Subject subject) throws Exception {
    byte[] plain = Ours.bytes(1, 70);
    for (int length : new int[] {0, 1, 15, 16, 17, 2047, 2048, 2049, 9000}) {
      byte[] aad = Ours.bytes(length, length);
      int number = ++numbers;
      Cipher peer = subject.peer() == null
          ? subject.ours()
          : Cipher.getInstance(subject.peerName(), subject.peer());
      peer.init(Cipher.ENCRYPT_MODE, subject.key(), subject.spec(number));
      peer.updateAAD(aad);
      byte[] expected = peer.doFinal(plain);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
        for (int piece : new int[] {7, 1000, 10000}) {
          Cipher cipher = subject.ours();
          cipher.init(mode, subject.key(), subject.spec(number));
          for (int at = 0; at < length; at += piece) {
            byte[] bytes = Arrays.copyOfRange(aad, at, Math.min(length, at + piece));
            cipher.updateAAD(Ours.Kind.values()[at / piece % Ours.Kind.values().length].of(bytes));
          }
          byte[] result = cipher.doFinal(mode == Cipher.ENCRYPT_MODE ? plain : expected);
          assertArrayEquals(mode == Cipher.ENCRYPT_MODE ? expected : plain, result, length + " in " + piece);
        }
      }
    }
    for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
      Cipher cipher = subject.ours(mode, ++numbers);
      cipher.update(new byte[1]);
      assertThrows(IllegalStateException.class, () -> cipher.updateAAD(new byte[1]));
    }
  }
}
