package org.postscrypt.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DigestAndMacTest {
  private static final String[] DIGESTS = {
    "MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256", "SHA3-256", "SHA3-384", "SHA3-512",
    "BLAKE2B-256"
  };
  private static final String[] MACS = {
    "HmacMD5", "HmacSHA1", "HmacSHA224", "HmacSHA256", "HmacSHA384", "HmacSHA512", "HmacSHA512/256",
    "HmacSHA3-256", "HmacSHA3-384", "HmacSHA3-512"
  };
  private static final java.security.Provider BC = new org.bouncycastle.jce.provider.BouncyCastleProvider();

  private static MessageDigest theirDigest(String name) throws GeneralSecurityException {
    return name.startsWith("BLAKE") ? MessageDigest.getInstance(name, BC) : MessageDigest.getInstance(name, "SUN");
  }

  /** A digest or a MAC under one key: what is common to both. */
  interface Function {
    void update(byte b);

    void update(byte[] b, int offset, int length);

    void update(ByteBuffer b);

    byte[] finish();

    void reset();

    Function copy() throws CloneNotSupportedException;
  }

  private static Function of(MessageDigest digest) {
    return new Function() {
      @Override
      public void update(byte b) {
        digest.update(b);
      }

      @Override
      public void update(byte[] b, int offset, int length) {
        digest.update(b, offset, length);
      }

      @Override
      public void update(ByteBuffer b) {
        digest.update(b);
      }

      @Override
      public byte[] finish() {
        return digest.digest();
      }

      @Override
      public void reset() {
        digest.reset();
      }

      @Override
      public Function copy() throws CloneNotSupportedException {
        return of((MessageDigest) digest.clone());
      }
    };
  }

  private static Function of(Mac mac) {
    return new Function() {
      @Override
      public void update(byte b) {
        mac.update(b);
      }

      @Override
      public void update(byte[] b, int offset, int length) {
        mac.update(b, offset, length);
      }

      @Override
      public void update(ByteBuffer b) {
        mac.update(b);
      }

      @Override
      public byte[] finish() {
        return mac.doFinal();
      }

      @Override
      public void reset() {
        mac.reset();
      }

      @Override
      public Function copy() throws CloneNotSupportedException {
        return of((Mac) mac.clone());
      }
    };
  }

  private record Pair(String name, Function ours, Function theirs) {
    @Override
    public String toString() {
      return name;
    }

    byte[] expected(byte[] message) {
      theirs.update(message, 0, message.length);
      return theirs.finish();
    }
  }

  static Stream<Pair> functions() throws GeneralSecurityException {
    List<Pair> pairs = new ArrayList<>();
    for (String name : DIGESTS) {
      pairs.add(new Pair(name, of(MessageDigest.getInstance(name, Ours.PROVIDER)),
          of(theirDigest(name))));
    }
    for (String name : MACS) {
      Mac ours = Mac.getInstance(name, Ours.PROVIDER);
      Mac theirs = Mac.getInstance(name, "SunJCE");
      SecretKeySpec key = new SecretKeySpec(Ours.bytes(1, 37), name);
      ours.init(key);
      theirs.init(key);
      pairs.add(new Pair(name, of(ours), of(theirs)));
    }
    for (int length : new int[] {16, 24, 32}) {
      Mac ours = Mac.getInstance("AESCMAC", Ours.PROVIDER);
      Mac theirs = Mac.getInstance("AESCMAC", BC);
      SecretKeySpec key = new SecretKeySpec(Ours.bytes(1, length), "AES");
      ours.init(key);
      theirs.init(key);
      pairs.add(new Pair("CMAC " + length, of(ours), of(theirs)));
    }
    return pairs.stream();
  }

  @Test
  void knownDigests() throws Exception {
    List<String[]> rows = Ours.vectors("digests.txt");
    assertTrue(rows.size() > 30);
    for (String[] row : rows) {
      byte[] message;
      if (row[1].startsWith("\"")) {
        message = row[1].replace("\"", "").getBytes(StandardCharsets.US_ASCII);
      } else {
        String[] repeated = row[1].split("x");
        message = repeated[1].repeat(Integer.parseInt(repeated[0])).getBytes(StandardCharsets.US_ASCII);
      }
      assertEquals(row[2], Ours.hex(MessageDigest.getInstance(row[0], Ours.PROVIDER).digest(message)), row[0]);
      assertEquals(row[2], Ours.hex(MessageDigest.getInstance(row[0], "SUN").digest(message)), "the JDK's " + row[0]);
    }
  }

  @Test
  void knownMacs() throws Exception {
    List<String[]> rows = Ours.vectors("hmacs.txt");
    assertTrue(rows.size() > 40);
    for (String[] row : rows) {
      Mac mac = Mac.getInstance(row[0], Ours.PROVIDER);
      mac.init(rawKey(Ours.hex(row[1])));
      assertEquals(row[3], Ours.hex(mac.doFinal(Ours.hex(row[2]))), row[0]);
      assertEquals(row[3], Ours.hex(mac.doFinal(Ours.hex(row[2]))), "the keyed state is kept");
      Mac theirs = Mac.getInstance(row[0], "SunJCE");
      theirs.init(rawKey(Ours.hex(row[1])));
      assertEquals(row[3], Ours.hex(theirs.doFinal(Ours.hex(row[2]))), "the JDK's " + row[0]);
    }
  }

  /** A key of no class that we know; unlike SecretKeySpec it may be empty. */
  private static SecretKey rawKey(byte[] bytes) {
    return new SecretKey() {
      private static final long serialVersionUID = 1;

      @Override
      public String getAlgorithm() {
        return "any";
      }

      @Override
      public String getFormat() {
        return "RAW";
      }

      @Override
      public byte[] getEncoded() {
        return bytes.clone();
      }
    };
  }

  @ParameterizedTest
  @MethodSource("functions")
  void sizesAgree(Pair pair) {
    for (int length : new int[] {0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 511, 512, 513, 1023, 1024, 2047,
        2048, 2049, 4096, 65535, 65536, 65537, 70000}) {
      byte[] message = Ours.bytes(length, length + 7);
      byte[] cut = java.util.Arrays.copyOfRange(message, 7, length + 7);
      pair.ours.update(message, 7, length);
      assertArrayEquals(pair.expected(cut), pair.ours.finish(), "length " + length);
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void randomPiecesAgree(Pair pair) {
    java.util.Random random = new java.util.Random(17);
    for (int round = 0; round < 60; round++) {
      byte[] message = Ours.bytes(round, random.nextInt(70001));
      for (int at = 0; at < message.length; ) {
        int length = Math.min(message.length - at, 1 + random.nextInt(1 << random.nextInt(15)));
        if (length == 1) {
          pair.ours.update(message[at]);
        } else if (random.nextBoolean()) {
          pair.ours.update(message, at, length);
        } else {
          Ours.Kind kind = Ours.Kind.values()[random.nextInt(Ours.Kind.values().length)];
          ByteBuffer buffer = kind.of(java.util.Arrays.copyOfRange(message, at, at + length));
          pair.ours.update(buffer);
          assertEquals(0, buffer.remaining());
        }
        at += length;
      }
      assertArrayEquals(pair.expected(message), pair.ours.finish());
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void splitAtEveryOffsetWithCloneAndReset(Pair pair) throws Exception {
    for (int size : new int[] {200, 1300}) {
      byte[] message = Ours.bytes(3, size);
      byte[] expected = pair.expected(message);
      for (int split = 0; split <= size; split++) {
        pair.ours.update(message, 0, split);
        Function copy = pair.ours.copy();
        pair.ours.update(message, 0, 100);
        pair.ours.reset();
        copy.update(message, split, size - split);
        Function second = copy.copy();
        assertArrayEquals(expected, copy.finish());
        assertArrayEquals(expected, second.finish());
        assertArrayEquals(pair.expected(new byte[0]), copy.finish(), "after doFinal the message is empty");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void failuresChangeNothing(Pair pair) {
    byte[] message = Ours.bytes(5, 3000);
    for (int first : new int[] {5, 2000}) {
      pair.ours.update(message, 0, first);
      // The JCA's own classes check most ranges (IllegalArgumentException).
      assertThrows(RuntimeException.class, () -> pair.ours.update(message, 2999, 2));
      assertThrows(RuntimeException.class, () -> pair.ours.update(message, -1, 2));
      assertThrows(RuntimeException.class, () -> pair.ours.update(message, 1, Integer.MAX_VALUE));
      if (pair.name.startsWith("Hmac") || pair.name.startsWith("CMAC")) {
        pair.ours.update(null, 0, 1); // javax.crypto.Mac ignores it.
      } else {
        assertThrows(RuntimeException.class, () -> pair.ours.update(null, 0, 1));
      }
      pair.ours.update(message, first, 3000 - first);
      assertArrayEquals(pair.expected(message), pair.ours.finish());
    }
  }

  @Test
  void digestIntoAnArray() throws Exception {
    for (String name : DIGESTS) {
      MessageDigest digest = MessageDigest.getInstance(name, Ours.PROVIDER);
      int length = digest.getDigestLength();
      byte[] out = new byte[length + 10];
      digest.update((byte) 1);
      assertThrows(DigestException.class, () -> digest.digest(out, 3, length - 1));
      assertEquals(length, digest.digest(out, 3, length));
      byte[] expected = theirDigest(name).digest(new byte[] {1});
      assertArrayEquals(expected, java.util.Arrays.copyOfRange(out, 3, 3 + length));
      assertEquals(0, out[2] | out[3 + length], "nothing around it");
    }
  }

  @Test
  void macKeys() throws Exception {
    for (String name : MACS) {
      Mac mac = Mac.getInstance(name, Ours.PROVIDER);
      assertThrows(IllegalStateException.class, () -> mac.update((byte) 1));
      assertThrows(InvalidKeyException.class, () -> mac.init(null));
      SecretKeySpec key = new SecretKeySpec(Ours.bytes(1, 200), "any");
      assertThrows(InvalidAlgorithmParameterException.class, () -> mac.init(key, new IvParameterSpec(new byte[16])));
      mac.init(key);
      mac.update((byte) 1);
      assertThrows(InvalidKeyException.class, () -> mac.init(keyWithout("RAW", null)));
      assertThrows(InvalidKeyException.class, () -> mac.init(keyWithout(null, null)));
      assertThrows(InvalidKeyException.class, () -> mac.init(keyWithout("X.509", new byte[3])));
      assertThrows(InvalidKeyException.class, () -> mac.init(publicKey()));
      mac.init(key);
      Mac theirs = Mac.getInstance(name, "SunJCE");
      theirs.init(key);
      assertArrayEquals(theirs.doFinal(), mac.doFinal(), "init starts an empty message");
      Mac unkeyed = (Mac) Mac.getInstance(name, Ours.PROVIDER).clone();
      unkeyed.init(key);
      assertArrayEquals(theirs.doFinal(), unkeyed.doFinal());
      byte[] small = new byte[mac.getMacLength() - 1];
      assertThrows(javax.crypto.ShortBufferException.class, () -> mac.doFinal(small, 0));
    }
  }

  private static SecretKey keyWithout(String format, byte[] encoded) {
    return new SecretKey() {
      private static final long serialVersionUID = 1;

      @Override
      public String getAlgorithm() {
        return "any";
      }

      @Override
      public String getFormat() {
        return format;
      }

      @Override
      public byte[] getEncoded() {
        return encoded;
      }
    };
  }

  private static Key publicKey() throws GeneralSecurityException {
    return java.security.KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic();
  }

  /** Inputs of RFC 4493 section 4 and SP 800-38B appendix D; values checked against independent implementations. */
  @Test
  void cmac() throws Exception {
    Mac mac = Mac.getInstance("AESCMAC", Ours.PROVIDER);
    String[][] rows = {
      {"2b7e151628aed2a6abf7158809cf4f3c", "", "bb1d6929e95937287fa37d129b756746"},
      {"2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"},
      {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "", "d17ddf46adaacde531cac483de7a9367"},
      {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "6bc1bee22e409f96e93d7e117393172a",
        "28a7023f452e8f82bd4bf28d8c37c35c"},
    };
    for (String[] row : rows) {
      mac.init(new SecretKeySpec(Ours.hex(row[0]), "AES"));
      assertEquals(row[2], Ours.hex(mac.doFinal(Ours.hex(row[1]))));
      assertEquals(row[2], Ours.hex(mac.doFinal(Ours.hex(row[1]))), "the keyed state is kept");
    }
    for (int length : new int[] {1, 15, 17, 64}) {
      SecretKeySpec key = new SecretKeySpec(new byte[length], "AES");
      assertThrows(InvalidKeyException.class, () -> mac.init(key));
      assertThrows(IllegalStateException.class, mac::doFinal, "no key is left");
    }
    mac.init(new SecretKeySpec(Ours.hex(rows[0][0]), "AES"));
    assertEquals(rows[0][2], Ours.hex(mac.doFinal()));
  }
}
