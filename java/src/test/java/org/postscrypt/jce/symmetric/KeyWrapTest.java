package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.postscrypt.jce.Ours;

class KeyWrapTest {
  private static final String[] NAMES = {"AES/KW/NoPadding", "AES/KWP/NoPadding"};
  private static final SecretKeySpec KEY = new SecretKeySpec(Ours.bytes(4, 16), "AES");

  private static Cipher cipher(String name) throws Exception {
    return Cipher.getInstance(name, Ours.PROVIDER);
  }

  /** Inputs of RFC 3394 section 4 and RFC 5649 section 6; values checked against independent implementations. */
  @Test
  void knownAnswers() throws Exception {
    String[][] rows = {
      {"AESWrap_128", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
        "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"},
      {"AESWrap_192", "000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
        "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"},
      {"AESWrap", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "00112233445566778899aabbccddeeff0001020304050607",
        "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"},
      {"AESWrapPad", "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8", "466f7250617369",
        "afbeb0f07dfbf5419200f2ccb50bb24f"},
    };
    for (String[] row : rows) {
      Cipher cipher = cipher(row[0]);
      SecretKeySpec key = new SecretKeySpec(Ours.hex(row[1]), "AES");
      cipher.init(Cipher.WRAP_MODE, key);
      assertEquals(row[3], Ours.hex(cipher.wrap(new SecretKeySpec(Ours.hex(row[2]), "x"))));
      cipher.init(Cipher.UNWRAP_MODE, key);
      assertEquals(row[2], Ours.hex(cipher.unwrap(Ours.hex(row[3]), "x", Cipher.SECRET_KEY).getEncoded()));
    }
  }

  @Test
  void agreesWithTheJdkBothWays() throws Exception {
    for (String name : NAMES) {
      Cipher ours = cipher(name);
      Cipher theirs = Cipher.getInstance(name, "SunJCE");
      int step = name.contains("KWP") ? 1 : 8;
      for (int length = step == 1 ? 1 : 16; length < 300; length += step) {
        SecretKeySpec key = new SecretKeySpec(Ours.bytes(length, 16 + length / step % 3 * 8), "AES");
        byte[] plain = Ours.bytes(length, length);
        ours.init(Cipher.ENCRYPT_MODE, key);
        theirs.init(Cipher.ENCRYPT_MODE, key);
        byte[] wrapped = theirs.doFinal(plain);
        assertEquals(wrapped.length, ours.getOutputSize(length));
        assertArrayEquals(wrapped, ours.doFinal(plain));
        int split = length / 3;
        assertEquals(0, split == 0 ? 0 : ours.update(plain, 0, split).length);
        byte[] out = new byte[wrapped.length];
        assertThrows(ShortBufferException.class,
            () -> ours.doFinal(plain, split, plain.length - split, new byte[wrapped.length - 1], 0));
        assertEquals(out.length, ours.doFinal(plain, split, length - split, out, 0));
        assertArrayEquals(wrapped, out);
        for (Ours.Kind kind : Ours.Kind.values()) {
          ByteBuffer to = ByteBuffer.allocateDirect(wrapped.length + 3).position(3);
          ByteBuffer from = kind.of(plain);
          ours.update(from.duplicate().limit(3 + split), to);
          assertEquals(wrapped.length, ours.doFinal(from.position(3 + split), to));
          assertEquals(0, from.remaining());
          assertArrayEquals(wrapped, Ours.written(to));
        }
        // In place, and over it.
        byte[] memory = new byte[length + 60];
        System.arraycopy(plain, 0, memory, 20, length);
        int target = 20 - length % 17;
        ours.doFinal(memory, 20, length, memory, target);
        assertArrayEquals(wrapped, java.util.Arrays.copyOfRange(memory, target, target + out.length));

        ours.init(Cipher.DECRYPT_MODE, key);
        assertArrayEquals(plain, ours.doFinal(wrapped));
        assertArrayEquals(plain, ours.doFinal(wrapped), "back to where init left it");
        wrapped[length % wrapped.length] ^= 8;
        assertThrows(IllegalBlockSizeException.class, () -> ours.doFinal(wrapped));
      }
    }
  }

  @Test
  void refusals() throws Exception {
    for (String name : NAMES) {
      boolean padded = name.contains("KWP");
      Cipher cipher = cipher(name);
      cipher.init(Cipher.ENCRYPT_MODE, KEY);
      assertEquals(padded ? "a65959a6" : "a6a6a6a6a6a6a6a6", Ours.hex(cipher.getIV()));
      assertArrayEquals(cipher.getIV(), cipher.getParameters().getParameterSpec(IvParameterSpec.class).getIV());
      for (int length : padded ? new int[] {0} : new int[] {0, 1, 8, 15, 17, 23}) {
        assertThrows(IllegalBlockSizeException.class, () -> cipher.doFinal(new byte[length]));
      }
      byte[] good = cipher.doFinal(new byte[24]);
      cipher.init(Cipher.DECRYPT_MODE, KEY);
      for (int length : new int[] {0, 1, 7, 8, 17, 25}) {
        assertThrows(IllegalBlockSizeException.class, () -> cipher.doFinal(new byte[length]));
      }
      assertArrayEquals(new byte[24], cipher.doFinal(good));
      cipher.init(Cipher.UNWRAP_MODE, KEY);
      assertThrows(InvalidKeyException.class, () -> cipher.unwrap(new byte[5], "AES", Cipher.SECRET_KEY));
      assertThrows(InvalidKeyException.class, () -> cipher.unwrap(new byte[24], "AES", Cipher.SECRET_KEY));
      assertThrows(InvalidKeyException.class, () -> cipher.unwrap(good, "EC", Cipher.PRIVATE_KEY));
      for (int length : new int[] {1, 15, 33}) {
        SecretKeySpec bad = new SecretKeySpec(new byte[length], "AES");
        assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.WRAP_MODE, bad));
      }
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.WRAP_MODE, KEY, new IvParameterSpec(new byte[7])));
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.WRAP_MODE, KEY, new javax.crypto.spec.PBEParameterSpec(new byte[8], 1)));
      for (int bits : new int[] {128, 192, 256}) {
        Cipher only = cipher(name.replace("AES", "AES_" + bits));
        assertEquals(bits == 128, accepts(only, KEY));
      }
    }
    // KW with another initial value; KWP takes none.
    IvParameterSpec other = new IvParameterSpec(Ours.bytes(6, 8));
    Cipher ours = cipher(NAMES[0]);
    ours.init(Cipher.ENCRYPT_MODE, KEY, other);
    Cipher theirs = Cipher.getInstance(NAMES[0], "SunJCE");
    theirs.init(Cipher.ENCRYPT_MODE, KEY, other);
    assertArrayEquals(theirs.doFinal(new byte[32]), ours.doFinal(new byte[32]));
    assertThrows(InvalidAlgorithmParameterException.class, () -> cipher(NAMES[1]).init(
        Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[4])));
  }

  private static boolean accepts(Cipher cipher, SecretKeySpec key) {
    try {
      cipher.init(Cipher.WRAP_MODE, key);
      return true;
    } catch (InvalidKeyException e) {
      return false;
    }
  }

  @Test
  void privateAndPublicKeys() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    Cipher cipher = cipher(NAMES[1]);
    cipher.init(Cipher.WRAP_MODE, KEY);
    byte[] privateKey = cipher.wrap(pair.getPrivate());
    byte[] publicKey = cipher.wrap(pair.getPublic());
    cipher.init(Cipher.UNWRAP_MODE, KEY);
    assertEquals(pair.getPrivate(), cipher.unwrap(privateKey, "EC", Cipher.PRIVATE_KEY));
    assertEquals(pair.getPublic(), cipher.unwrap(publicKey, "EC", Cipher.PUBLIC_KEY));
  }
}
