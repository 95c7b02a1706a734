package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.DESedeKeySpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.postscrypt.jce.Ours;

class KeysAndParametersTest {
  @Test
  void generatorsAgreeWithTheJdkOnSizes() throws Exception {
    String[] names = {
      "HmacMD5", "HmacSHA1", "HmacSHA224", "HmacSHA256", "HmacSHA384", "HmacSHA512", "HmacSHA512/256", "HmacSHA3-256",
      "HmacSHA3-384", "HmacSHA3-512", "ARCFOUR", "ChaCha20", "DESede"
    };
    for (String name : names) {
      KeyGenerator ours = KeyGenerator.getInstance(name, Ours.PROVIDER);
      KeyGenerator theirs = KeyGenerator.getInstance(name, "SunJCE");
      SecretKey key = ours.generateKey();
      assertEquals(theirs.generateKey().getEncoded().length, key.getEncoded().length, name);
      assertEquals(name.equals("ARCFOUR") ? "ARC4" : name, key.getAlgorithm());
      assertFalse(Arrays.equals(key.getEncoded(), ours.generateKey().getEncoded()));
      assertThrows(InvalidAlgorithmParameterException.class, () -> ours.init(new IvParameterSpec(new byte[16])));
      for (int bits : new int[] {-8, 0, 1, 8, 39, 40, 41, 112, 128, 168, 192, 256, 1024, 1025, 2048}) {
        int expected;
        try {
          theirs.init(bits);
          expected = theirs.generateKey().getEncoded().length;
        } catch (IllegalArgumentException e) { // InvalidParameterException is one.
          assertThrows(InvalidParameterException.class, () -> ours.init(bits), name + " " + bits);
          continue;
        }
        ours.init(bits);
        assertEquals(expected, ours.generateKey().getEncoded().length, name + " " + bits);
      }
    }
  }

  @Test
  void desEdeParity() throws Exception {
    KeyGenerator generator = KeyGenerator.getInstance("TripleDES", Ours.PROVIDER);
    for (int bits : new int[] {112, 168}) {
      generator.init(bits);
      for (int round = 0; round < 20; round++) {
        byte[] key = generator.generateKey().getEncoded();
        for (byte b : key) {
          assertEquals(1, Integer.bitCount(b & 0xff) % 2);
        }
        assertEquals(bits == 112, Arrays.equals(Arrays.copyOf(key, 8), Arrays.copyOfRange(key, 16, 24)));
      }
    }
  }

  @Test
  void desEdeFactory() throws Exception {
    SecretKeyFactory ours = SecretKeyFactory.getInstance("DESede", Ours.PROVIDER);
    SecretKeyFactory theirs = SecretKeyFactory.getInstance("DESede", "SunJCE");
    for (int i = 0; i < 50; i++) {
      DESedeKeySpec spec = new DESedeKeySpec(Ours.bytes(i, 24));
      SecretKey key = ours.generateSecret(spec);
      SecretKey expected = theirs.generateSecret(spec);
      assertArrayEquals(expected.getEncoded(), key.getEncoded());
      assertArrayEquals(expected.getEncoded(), ours.translateKey(expected).getEncoded());
      DESedeKeySpec back = (DESedeKeySpec) ours.getKeySpec(expected, DESedeKeySpec.class);
      assertArrayEquals(expected.getEncoded(), back.getKey());
      assertArrayEquals(expected.getEncoded(),
          ours.generateSecret(new SecretKeySpec(Ours.bytes(i, 24), "DESede")).getEncoded());
      assertEquals(new SecretKeySpec(key.getEncoded(), "DESede"), ours.getKeySpec(key, SecretKeySpec.class));
    }
    SecretKeySpec aes = new SecretKeySpec(new byte[24], "AES");
    SecretKeySpec shorter = new SecretKeySpec(new byte[16], "DESede");
    assertThrows(InvalidKeySpecException.class, () -> ours.getKeySpec(aes, DESedeKeySpec.class));
    assertThrows(InvalidKeySpecException.class, () -> ours.getKeySpec(shorter, DESedeKeySpec.class));
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(shorter));
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(null));
    assertThrows(InvalidKeyException.class, () -> ours.translateKey(aes));
    assertThrows(InvalidKeyException.class, () -> ours.translateKey(null));
  }

  @Test
  void ivParametersAgreeWithTheJdk() throws Exception {
    String[] names = {"AES", "DESede", "ChaCha20-Poly1305"};
    int[] lengths = {16, 8, 12};
    for (int i = 0; i < names.length; i++) {
      IvParameterSpec spec = new IvParameterSpec(Ours.bytes(i, lengths[i]));
      AlgorithmParameters ours = AlgorithmParameters.getInstance(names[i], Ours.PROVIDER);
      AlgorithmParameters theirs = AlgorithmParameters.getInstance(names[i], "SunJCE");
      ours.init(spec);
      theirs.init(spec);
      assertArrayEquals(theirs.getEncoded(), ours.getEncoded());
      assertArrayEquals(spec.getIV(), ours.getEncoded("RAW"));
      AlgorithmParameters back = AlgorithmParameters.getInstance(names[i], Ours.PROVIDER);
      back.init(theirs.getEncoded(), "ASN.1");
      assertArrayEquals(spec.getIV(), back.getParameterSpec(IvParameterSpec.class).getIV());
      AlgorithmParameters raw = AlgorithmParameters.getInstance(names[i], Ours.PROVIDER);
      raw.init(spec.getIV(), "RAW");
      assertArrayEquals(theirs.getEncoded(), raw.getEncoded());
      assertTrue(raw.toString().contains(Ours.hex(spec.getIV())));
      for (String bad : new String[] {"", "04", "0410", "04020102ff", "0500", "04020102", "30030401ff"}) {
        AlgorithmParameters none = AlgorithmParameters.getInstance(names[i], Ours.PROVIDER);
        assertThrows(IOException.class, () -> none.init(Ours.hex(bad)), bad);
      }
      AlgorithmParameters none = AlgorithmParameters.getInstance(names[i], Ours.PROVIDER);
      assertThrows(InvalidParameterSpecException.class, () -> none.init(new IvParameterSpec(new byte[11])));
      assertThrows(InvalidParameterSpecException.class, () -> none.init(new GCMParameterSpec(128, new byte[16])));
      assertThrows(IOException.class, () -> none.init(new byte[16], "PEM"));
      assertThrows(InvalidParameterSpecException.class, () -> raw.getParameterSpec(GCMParameterSpec.class));
    }
    for (String name : new String[] {
        "TripleDES", "TDEA", "1.2.840.113549.3.7", "2.16.840.1.101.3.4.1.2", "2.16.840.1.101.3.4.1", "ChaCha20"}) {
      AlgorithmParameters.getInstance(name, Ours.PROVIDER);
    }
  }

  @Test
  void ccmParametersAgreeWithBouncyCastle() throws Exception {
    for (int bits : new int[] {32, 64, 96, 128}) {
      GCMParameterSpec spec = new GCMParameterSpec(bits, Ours.bytes(bits, 13));
      AlgorithmParameters ours = AlgorithmParameters.getInstance("CCM", Ours.PROVIDER);
      ours.init(spec);
      AlgorithmParameters theirs = AlgorithmParameters.getInstance("CCM", new BouncyCastleProvider());
      theirs.init(ours.getEncoded());
      assertArrayEquals(theirs.getEncoded(), ours.getEncoded());
      AlgorithmParameters back = AlgorithmParameters.getInstance("2.16.840.1.101.3.4.1.7", Ours.PROVIDER);
      back.init(theirs.getEncoded());
      assertEquals(bits, back.getParameterSpec(GCMParameterSpec.class).getTLen());
      assertNotEquals(0, back.toString().length());
    }
    AlgorithmParameters ours = AlgorithmParameters.getInstance("CCM", Ours.PROVIDER);
    assertThrows(InvalidParameterSpecException.class, () -> ours.init(new GCMParameterSpec(40, new byte[13])));
  }
}
