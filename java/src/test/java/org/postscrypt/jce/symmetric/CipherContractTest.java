package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;

/** What the ciphers refuse and how, and where they stand afterwards. */
class CipherContractTest {
  private static final SecretKeySpec AES = new SecretKeySpec(Ours.bytes(1, 16), "AES");
  private static final SecretKeySpec CHACHA = new SecretKeySpec(Ours.bytes(1, 32), "ChaCha20");

  private static Cipher cipher(String name) throws Exception {
    return Cipher.getInstance(name, Ours.PROVIDER);
  }

  /**
   * Inputs of SP 800-38A appendices F.1, F.2, F.5 (first two blocks); values checked against independent
   * implementations. SP 800-67 by way of the JDK is in the pattern tests.
   */
  @Test
  void knownAnswers() throws Exception {
    byte[] plain = Ours.hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    String k128 = "2b7e151628aed2a6abf7158809cf4f3c";
    String k192 = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b";
    String k256 = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
    String iv = "000102030405060708090a0b0c0d0e0f";
    String counter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
    String[][] rows = {
      {"ECB", k128, null, "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"},
      {"ECB", k192, null, "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"},
      {"ECB", k256, null, "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"},
      {"CBC", k128, iv, "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"},
      {"CBC", k192, iv, "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"},
      {"CBC", k256, iv, "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"},
      {"CTR", k128, counter, "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"},
      {"CTR", k192, counter, "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"},
      {"CTR", k256, counter, "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"},
    };
    for (String[] row : rows) {
      AlgorithmParameterSpec spec = row[2] == null ? null : new IvParameterSpec(Ours.hex(row[2]));
      SecretKeySpec key = new SecretKeySpec(Ours.hex(row[1]), "AES");
      for (String name : new String[] {"AES", "AES_" + row[1].length() * 4}) {
        Cipher cipher = cipher(name + "/" + row[0] + "/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, spec);
        assertEquals(row[3], Ours.hex(cipher.doFinal(plain)));
        cipher.init(Cipher.DECRYPT_MODE, key, spec);
        assertArrayEquals(plain, cipher.doFinal(Ours.hex(row[3])));
      }
    }
  }

  /**
   * Inputs of RFC 8439 sections 2.4.2 and 2.8.2, draft-irtf-cfrg-xchacha-03 appendix A.3.1, RFC 8452 appendix C.1 and
   * RFC 6229; values checked against independent implementations.
   */
  @Test
  void knownAnswersOfStreamCiphersAndAeads() throws Exception {
    byte[] text = ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
        + "sunscreen would be it.").getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    byte[] counting = new byte[32];
    byte[] counting80 = new byte[32];
    for (int i = 0; i < 32; i++) {
      counting[i] = (byte) i;
      counting80[i] = (byte) (0x80 + i);
    }
    Cipher chacha = cipher("ChaCha20");
    chacha.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(counting, "ChaCha20"),
        new ChaCha20ParameterSpec(Ours.hex("000000000000004a00000000"), 1));
    String sealed = Ours.hex(chacha.doFinal(text));
    assertEquals("6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b", sealed.substring(0, 64));
    assertEquals("874d", sealed.substring(sealed.length() - 4));

    byte[] aad = Ours.hex("50515253c0c1c2c3c4c5c6c7");
    Cipher poly = cipher("ChaCha20-Poly1305");
    poly.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(counting80, "x"),
        new IvParameterSpec(Ours.hex("070000004041424344454647")));
    poly.updateAAD(aad);
    sealed = Ours.hex(poly.doFinal(text));
    assertEquals("d31a8d34648e60db7b86afbc53ef7ec2", sealed.substring(0, 32));
    assertEquals("1ae10b594f09e26a7e902ecbd0600691", sealed.substring(sealed.length() - 32));

    Cipher xchacha = cipher("XChaCha20-Poly1305");
    for (boolean pieces : new boolean[] {false, true}) {
      IvParameterSpec nonce = new IvParameterSpec(Ours.hex("404142434445464748494a4b4c4d4e4f5051525354555657"));
      xchacha.init(Cipher.DECRYPT_MODE, new SecretKeySpec(counting, "x"), nonce);
      xchacha.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(counting80, "x"), nonce);
      xchacha.updateAAD(aad);
      sealed = pieces
          ? Ours.hex(xchacha.update(text, 0, 50)) + Ours.hex(xchacha.doFinal(text, 50, text.length - 50))
          : Ours.hex(xchacha.doFinal(text));
      assertEquals("bd6d179d3e83d43b9576579493c0e939", sealed.substring(0, 32));
      assertEquals("c0875924c1c7987947deafd8780acf49", sealed.substring(sealed.length() - 32));
    }

    Cipher siv = cipher("AES/GCM-SIV/NoPadding");
    siv.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(Ours.hex("01000000000000000000000000000000"), "AES"),
        new GCMParameterSpec(128, Ours.hex("030000000000000000000000")));
    assertEquals("b5d839330ac7b786578782fff6013b815b287c22493a364c",
        Ours.hex(siv.doFinal(Ours.hex("0100000000000000"))));

    Cipher arc4 = cipher("RC4");
    arc4.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(Ours.hex("0102030405"), "RC4"));
    for (int i = 0; i < 2; i++) {
      assertEquals("b2396305f03dc027ccc3524a0a1118a8", Ours.hex(arc4.doFinal(new byte[16])), "back to the start");
    }
  }

  @ParameterizedTest
  @MethodSource("org.postscrypt.jce.symmetric.Subject#all")
  void initRefusesWhatItCannotUse(Subject subject) throws Exception {
    Cipher cipher = subject.ours();
    assertNull(cipher.getIV());
    assertNull(subject.name().startsWith("X") ? null : cipher.getIV());
    assertThrows(IllegalStateException.class, () -> cipher.update(new byte[1]));
    for (int length : new int[] {1, 4, 15, 17, 33, 129}) {
      if (!subject.name().equals("ARCFOUR") || length < 5 || length > 128) {
        SecretKeySpec key = new SecretKeySpec(new byte[length], subject.key().getAlgorithm());
        assertThrows(InvalidKeyException.class,
            () -> cipher.init(Cipher.ENCRYPT_MODE, key, subject.spec(1)), "" + length);
      }
    }
    assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, (Key) null, subject.spec(1)));
    assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(
        Cipher.ENCRYPT_MODE, subject.key(), new javax.crypto.spec.PBEParameterSpec(new byte[8], 1)));
    if (subject.specs() == null) {
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.ENCRYPT_MODE, subject.key(), new IvParameterSpec(new byte[16])));
      cipher.init(Cipher.DECRYPT_MODE, subject.key());
      assertNull(cipher.getIV());
      assertNull(cipher.getParameters());
    } else {
      for (int length : new int[] {0, 7, 11, 15, 17, 23, 25}) {
        if (!subject.name().startsWith("AES/GCM/") || length == 0) {
          assertThrows(InvalidAlgorithmParameterException.class,
              () -> cipher.init(Cipher.ENCRYPT_MODE, subject.key(), new IvParameterSpec(new byte[length])));
        }
      }
      assertThrows(IllegalStateException.class, () -> cipher.update(new byte[1]), "a failed init leaves nothing");
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.DECRYPT_MODE, subject.key()));
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.DECRYPT_MODE, subject.key(), (AlgorithmParameterSpec) null));
      randomIvs(subject, cipher);
    }
    if (!subject.aead()) {
      cipher.init(Cipher.ENCRYPT_MODE, subject.key(), subject.spec(9));
      assertThrows(UnsupportedOperationException.class, () -> cipher.updateAAD(new byte[1]));
    }
  }

  private static void randomIvs(Subject subject, Cipher cipher) throws Exception {
    byte[] plain = Ours.bytes(1, 48);
    cipher.init(Cipher.ENCRYPT_MODE, subject.key());
    byte[] first = cipher.getIV();
    byte[] sealed = cipher.doFinal(plain);
    AlgorithmParameters parameters = cipher.getParameters();
    assertSame(Ours.PROVIDER.getClass(), parameters.getProvider().getClass());
    assertArrayEquals(first, parameters.getParameterSpec(IvParameterSpec.class).getIV());
    cipher.init(Cipher.ENCRYPT_MODE, subject.key());
    assertFalse(Arrays.equals(first, cipher.getIV()));
    // Through the encoding, as a message would carry it.
    AlgorithmParameters read = AlgorithmParameters.getInstance(parameters.getAlgorithm(), Ours.PROVIDER);
    read.init(parameters.getEncoded());
    cipher.init(Cipher.DECRYPT_MODE, subject.key(), read);
    assertArrayEquals(plain, cipher.doFinal(sealed));
    cipher.init(Cipher.DECRYPT_MODE, subject.key(), new IvParameterSpec(first));
    assertArrayEquals(plain, cipher.doFinal(sealed));
    cipher.init(Cipher.ENCRYPT_MODE, subject.key(), new SecureRandom() {
      private static final long serialVersionUID = 1;

      @Override
      public void nextBytes(byte[] bytes) {
        Arrays.fill(bytes, (byte) 7);
      }
    });
    assertEquals("07".repeat(first.length), Ours.hex(cipher.getIV()));
  }

  @Test
  void blocksAndPadding() throws Exception {
    for (String mode : new String[] {"ECB", "CBC"}) {
      AlgorithmParameterSpec spec = mode.equals("ECB") ? null : new IvParameterSpec(new byte[16]);
      Cipher plain = cipher("AES/" + mode + "/NoPadding");
      Cipher padded = cipher("AES/" + mode + "/PKCS5Padding");
      plain.init(Cipher.ENCRYPT_MODE, AES, spec);
      byte[] good = plain.doFinal(new byte[32]);
      for (int length : new int[] {1, 15, 17}) {
        assertThrows(IllegalBlockSizeException.class, () -> plain.doFinal(new byte[length]));
        assertThrows(IllegalBlockSizeException.class,
            () -> plain.doFinal(new byte[length], 0, length, new byte[99], 0));
        assertArrayEquals(good, plain.doFinal(new byte[32]), "back to where init left it");
      }
      padded.init(Cipher.ENCRYPT_MODE, AES, spec);
      byte[] message = padded.doFinal(Ours.bytes(2, 20));
      assertEquals(16, padded.doFinal().length, "an empty message is all padding");
      padded.init(Cipher.DECRYPT_MODE, AES, spec);
      for (int length : new int[] {1, 15, 17, 31}) {
        assertThrows(IllegalBlockSizeException.class, () -> padded.doFinal(message, 0, length));
        assertArrayEquals(Ours.bytes(2, 20), padded.doFinal(message));
      }
      for (boolean split : new boolean[] {false, true}) {
        byte[] out = new byte[48];
        int written = split ? padded.update(good, 0, 20, out, 0) : 0;
        int from = split ? 20 : 0;
        assertThrows(BadPaddingException.class, () -> padded.doFinal(good, from, 32 - from, out, written));
        assertArrayEquals(Ours.bytes(2, 20), padded.doFinal(message), "back to where init left it");
      }
      assertThrows(BadPaddingException.class, () -> padded.doFinal(ByteBuffer.wrap(good), ByteBuffer.allocate(48)));
      assertEquals(0, padded.doFinal().length, "nothing decrypts to nothing");
      assertEquals(16, padded.getBlockSize());
      // A change of the last byte of many: padding of every length is tried.
      for (int value = 0; value < 256; value++) {
        byte[] changed = message.clone();
        changed[mode.equals("CBC") ? 15 : 31] ^= (byte) value;
        try {
          assertNotNull(padded.doFinal(changed));
        } catch (BadPaddingException e) {
          assertArrayEquals(Ours.bytes(2, 20), padded.doFinal(message));
        }
      }
    }
  }

  @Test
  void keystreamsAreNotUsedTwice() throws Exception {
    AlgorithmParameterSpec[] specs = {
      new ChaCha20ParameterSpec(new byte[12], 1), new IvParameterSpec(new byte[12]), new IvParameterSpec(new byte[24])
    };
    String[] names = {"ChaCha20", "ChaCha20-Poly1305", "XChaCha20-Poly1305"};
    for (int i = 0; i < names.length; i++) {
      AlgorithmParameterSpec spec = specs[i];
      Cipher cipher = cipher(names[i]);
      assertEquals(0, cipher.getBlockSize());
      cipher.init(Cipher.ENCRYPT_MODE, CHACHA, spec);
      byte[] sealed = cipher.doFinal(new byte[5]);
      assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[5]));
      assertThrows(IllegalStateException.class, () -> cipher.update(new byte[5]));
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, CHACHA, spec));
      assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[5]), "a failed init leaves nothing");
      SecretKeySpec equal = new SecretKeySpec(CHACHA.getEncoded(), "x");
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.WRAP_MODE, equal, spec));
      for (int round = 0; round < 2; round++) {
        cipher.init(Cipher.DECRYPT_MODE, CHACHA, spec);
        assertArrayEquals(new byte[5], cipher.doFinal(sealed));
        assertArrayEquals(new byte[5], cipher.doFinal(sealed));
      }
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, CHACHA, spec),
          "decrypting in between changes nothing");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "x"), spec);
      cipher.doFinal();
    }
    Cipher end = cipher("ChaCha20");
    end.init(Cipher.ENCRYPT_MODE, CHACHA, new ChaCha20ParameterSpec(new byte[12], -1));
    assertEquals(64, end.update(new byte[64]).length);
    assertThrows(IllegalStateException.class, () -> end.update(new byte[1]), "the counter would wrap");
    assertThrows(IllegalStateException.class, end::doFinal, "and init comes next");
  }

  /** RFC 8452: a repeated nonce tells only whether messages are equal. */
  @Test
  void gcmSivStandsRepeatedNonces() throws Exception {
    Cipher cipher = cipher("AES/GCM-SIV/NoPadding");
    GCMParameterSpec spec = new GCMParameterSpec(128, new byte[12]);
    cipher.init(Cipher.ENCRYPT_MODE, AES, spec);
    byte[] first = cipher.doFinal(new byte[40]);
    assertArrayEquals(first, cipher.doFinal(new byte[40]));
    cipher.init(Cipher.ENCRYPT_MODE, AES, spec);
    assertArrayEquals(first, cipher.doFinal(new byte[40]));
    SecretKeySpec middle = new SecretKeySpec(new byte[24], "AES");
    assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, middle, spec));
    for (int bits : new int[] {96, 120}) {
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.ENCRYPT_MODE, AES, new GCMParameterSpec(bits, new byte[12])));
    }
  }

  @Test
  void ccmHasLimits() throws Exception {
    Cipher cipher = cipher("AES/CCM/NoPadding");
    GCMParameterSpec spec = new GCMParameterSpec(64, new byte[13]);
    cipher.init(Cipher.ENCRYPT_MODE, AES, spec);
    assertEquals(65535 + 8, cipher.doFinal(new byte[65535]).length);
    GCMParameterSpec next = new GCMParameterSpec(64, Ours.bytes(1, 13));
    cipher.init(Cipher.ENCRYPT_MODE, AES, next);
    assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[65536]));
    cipher.init(Cipher.ENCRYPT_MODE, AES, new GCMParameterSpec(64, Ours.bytes(2, 13)));
    cipher.update(new byte[65000]);
    assertThrows(IllegalStateException.class, () -> cipher.update(new byte[536]));
    for (int bits : new int[] {0, 48, 96, 112, 136}) {
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> cipher.init(Cipher.ENCRYPT_MODE, AES, new GCMParameterSpec(bits, new byte[13])));
    }
    SecretKeySpec long256 = new SecretKeySpec(new byte[32], "AES");
    assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, long256, next));
  }

  /** Without a provider the JCA takes a service and tells it mode and padding in the caller's words. */
  @Test
  void everyNameIsFoundWithoutAProvider() throws Exception {
    assertTrue(Security.insertProviderAt(Ours.PROVIDER, 1) >= 0);
    try {
      int names = 0;
      for (Object entry : Ours.PROVIDER.keySet()) {
        String key = (String) entry;
        if (key.indexOf(' ') < 0 && (key.startsWith("Cipher.") || key.startsWith("Alg.Alias.Cipher."))) {
          String name = key.substring(key.indexOf("Cipher.") + "Cipher.".length());
          assertSame(Ours.PROVIDER, Cipher.getInstance(name).getProvider(), name);
          names++;
        }
      }
      assertTrue(names > 60, "names: " + names);
    } finally {
      Security.removeProvider(Ours.PROVIDER.getName());
    }
  }

  @Test
  void namesThatPeersKnow() throws Exception {
    String[] names = {
      "AES", "AES/CBC/PKCS7Padding", "AES_192/ECB/PKCS7Padding", "DESede", "DESede/CBC/PKCS7Padding",
      "TripleDES/CBC/PKCS5Padding", "ARC4", "RC4", "ARCFOUR", "1.2.840.113549.3.4", "OID.2.16.840.1.101.3.4.1.42",
      "AESWrap", "AESWrapPad", "AESWrap_256", "2.16.840.1.101.3.4.1.8", "ChaCha20/Poly1305/NoPadding",
      "1.2.840.113549.1.9.16.3.18", "ChaCha20-Poly1305/None/NoPadding", "ARCFOUR/ECB/NoPadding", "AES_256/KWP/NoPadding"
    };
    for (String name : names) {
      Cipher.getInstance(name, Ours.PROVIDER);
    }
    for (String name : new String[] {"AES/CFB/NoPadding", "ChaCha20/CBC/NoPadding", "RC4/CBC/NoPadding", "DES"}) {
      assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance(name, Ours.PROVIDER));
    }
    // "AES" alone is what it is with SunJCE.
    Cipher ours = cipher("AES");
    ours.init(Cipher.ENCRYPT_MODE, AES);
    Cipher theirs = Cipher.getInstance("AES", "SunJCE");
    theirs.init(Cipher.ENCRYPT_MODE, AES);
    assertArrayEquals(theirs.doFinal(new byte[20]), ours.doFinal(new byte[20]));
  }
}
