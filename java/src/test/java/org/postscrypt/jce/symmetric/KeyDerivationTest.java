package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.interfaces.PBEKey;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.postscrypt.Hkdf;
import org.postscrypt.ScryptKeySpec;
import org.postscrypt.jce.Ours;

class KeyDerivationTest {
  /** Inputs of RFC 5869 appendix A, test cases 1, 2, 3, 4 and 7; values checked against independent implementations. */
  @Test
  void hkdfKnownAnswers() throws Exception {
    byte[] b0 = new byte[80];
    byte[] from60 = new byte[80];
    byte[] from00 = new byte[80];
    for (int i = 0; i < 80; i++) {
      from00[i] = (byte) i;
      from60[i] = (byte) (0x60 + i);
      b0[i] = (byte) (0xb0 + i);
    }
    Object[][] rows = {
      {"SHA-256", Ours.hex("0b".repeat(22)), Ours.hex("000102030405060708090a0b0c"), Ours.hex("f0f1f2f3f4f5f6f7f8f9"),
        42,
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
      {"HmacSHA256", from00, from60, b0, 82, "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09"
            + "b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"},
      {"sha256", Ours.hex("0b".repeat(22)), new byte[0], null, 42,
        "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"},
      {"SHA-1", Ours.hex("0b".repeat(11)), Ours.hex("000102030405060708090a0b0c"), Ours.hex("f0f1f2f3f4f5f6f7f8f9"), 42,
        "9b6c18c432a7bf8f0e71c8eb88f4b30baa2ba243",
        "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896"},
      {"SHA1", Ours.hex("0c".repeat(22)), null, new byte[0], 42, "2adccada18779e7c2077ad2eb19d3f3e731385dd",
        "2c91117204d745f3500d636a62f64f0ab3bae548aa53d423b0d1f27ebba6f5e5673a081d70cce7acfc48"},
    };
    for (Object[] row : rows) {
      Hkdf hkdf = Hkdf.getInstance((String) row[0]);
      byte[] key = hkdf.extract((byte[]) row[2], (byte[]) row[1]);
      assertEquals(row[5], Ours.hex(key));
      assertEquals(key.length, hkdf.hashLength());
      assertEquals(row[6], Ours.hex(hkdf.expand(key, (byte[]) row[3], (int) row[4])));
      byte[] both = hkdf.extractAndExpand((byte[]) row[2], (byte[]) row[1], (byte[]) row[3], (int) row[4]);
      assertEquals(row[6], Ours.hex(both));
    }
  }

  @Test
  void hkdfArguments() throws Exception {
    for (String hash : new String[] {"SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "HmacSHA512/256"}) {
      Hkdf hkdf = Hkdf.getInstance(hash);
      byte[] key = hkdf.extract(null, new byte[0]);
      assertEquals(hkdf.maxLength(), hkdf.expand(key, null, hkdf.maxLength()).length);
      for (int length : new int[] {Integer.MIN_VALUE, -1, 0, hkdf.maxLength() + 1, Integer.MAX_VALUE}) {
        assertThrows(IllegalArgumentException.class, () -> hkdf.expand(key, null, length));
        assertThrows(IllegalArgumentException.class, () -> hkdf.extractAndExpand(null, key, null, length));
      }
      assertThrows(IllegalArgumentException.class, () -> hkdf.expand(Arrays.copyOf(key, key.length - 1), null, 1));
      assertThrows(NullPointerException.class, () -> hkdf.expand(null, null, 1));
      assertThrows(NullPointerException.class, () -> hkdf.extract(null, null));
      assertTrue(hkdf.toString().contains("SHA"));
    }
    for (String none : new String[] {"", "MD5", "SHA-3", "SHA-512/224"}) {
      assertThrows(NoSuchAlgorithmException.class, () -> Hkdf.getInstance(none));
    }
    assertThrows(NullPointerException.class, () -> Hkdf.getInstance(null));
  }

  /** Inputs of RFC 6070 and RFC 7914 section 11; values checked against independent implementations. */
  @Test
  void pbkdf2KnownAnswers() throws Exception {
    Object[][] rows = {
      {"SHA1", "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"},
      {"SHA1", "password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"},
      {"SHA1", "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"},
      {"SHA1", "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
        "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"},
      {"SHA1", "pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"},
      {"SHA256", "passwd", "salt", 1,
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
            + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"},
    };
    for (Object[] row : rows) {
      String expected = (String) row[4];
      PBEKeySpec spec = new PBEKeySpec(
          ((String) row[1]).toCharArray(), ((String) row[2]).getBytes("US-ASCII"), (int) row[3], expected.length() * 4);
      SecretKey key = SecretKeyFactory.getInstance("PBKDF2WithHmac" + row[0], Ours.PROVIDER).generateSecret(spec);
      assertEquals(expected, Ours.hex(key.getEncoded()));
    }
  }

  @Test
  void pbkdf2AgreesWithTheJdk() throws Exception {
    String[] passwords = {"", "x", "correct horse", "\u00e4\u20ac\ud83d\ude00", "lone \ud800", "x".repeat(200)};
    for (String digest : new String[] {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"}) {
      String name = "PBKDF2WithHmac" + digest;
      SecretKeyFactory ours = SecretKeyFactory.getInstance(name, Ours.PROVIDER);
      SecretKeyFactory theirs = SecretKeyFactory.getInstance(name, "SunJCE");
      for (String password : passwords) {
        for (int bits : new int[] {8, 9, 128, 512, 1000}) {
          PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), Ours.bytes(bits, 9), 3, bits);
          SecretKey key = ours.generateSecret(spec);
          SecretKey expected = theirs.generateSecret(spec);
          assertArrayEquals(expected.getEncoded(), key.getEncoded(), name + " " + password);
          assertEquals(expected.getAlgorithm(), key.getAlgorithm());
          assertEquals("RAW", key.getFormat());
          assertEquals(key, expected, "equal by value");
          assertEquals(key, ours.generateSecret(spec));
          assertEquals(key.hashCode(), ours.generateSecret(spec).hashCode());
          assertEquals(key, ours.translateKey(expected));
          assertSame(key, ours.translateKey(key));
          PBEKey pbe = (PBEKey) key;
          assertArrayEquals(password.toCharArray(), pbe.getPassword());
          assertEquals(3, pbe.getIterationCount());
          PBEKeySpec back = (PBEKeySpec) ours.getKeySpec(expected, PBEKeySpec.class);
          assertArrayEquals(spec.getSalt(), back.getSalt());
          assertEquals(bits / 8 * 8, back.getKeyLength());
        }
      }
    }
  }

  @Test
  void pbkdf2Refusals() throws Exception {
    SecretKeyFactory ours = SecretKeyFactory.getInstance("1.2.840.113549.1.5.12", Ours.PROVIDER);
    char[] password = {'x'};
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(new PBEKeySpec(password)));
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(new PBEKeySpec(password, new byte[8], 1)));
    SecretKeySpec other = new SecretKeySpec(new byte[3], "PBKDF2WithHmacSHA1");
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(other));
    assertThrows(InvalidKeySpecException.class, () -> ours.getKeySpec(other, PBEKeySpec.class));
    assertThrows(InvalidKeyException.class, () -> ours.translateKey(other));
    assertThrows(InvalidKeyException.class, () -> ours.translateKey(null));
    SecretKey key = ours.generateSecret(new PBEKeySpec(password, new byte[8], 1, 128));
    assertThrows(InvalidKeySpecException.class, () -> ours.getKeySpec(key, SecretKeySpec.class));
    SecretKey otherAlgorithm = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256", Ours.PROVIDER)
        .generateSecret(new PBEKeySpec(password, new byte[8], 1, 128));
    assertThrows(InvalidKeyException.class, () -> ours.translateKey(otherAlgorithm));
    assertNotEquals(key, otherAlgorithm);

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(key);
    }
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertArrayEquals(key.getEncoded(), ((SecretKey) in.readObject()).getEncoded());
    }
    key.destroy();
    assertTrue(key.isDestroyed());
    assertThrows(IllegalStateException.class, key::getEncoded);
    assertFalse(key.equals(otherAlgorithm));
  }

  /**
   * Inputs of RFC 7914 section 12, without the last two (too much memory for a test); values checked against
   * independent implementations.
   */
  @Test
  void scrypt() throws Exception {
    SecretKeyFactory ours = SecretKeyFactory.getInstance("SCRYPT", Ours.PROVIDER);
    SecretKey key = ours.generateSecret(new ScryptKeySpec(new char[0], new byte[0], 16, 1, 1, 512));
    assertEquals("77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
        + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906", Ours.hex(key.getEncoded()));
    key = ours.generateSecret(
        new ScryptKeySpec("password".toCharArray(), "NaCl".getBytes("US-ASCII"), 1024, 8, 16, 512));
    assertEquals("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640", Ours.hex(key.getEncoded()));
    assertEquals("SCRYPT", key.getAlgorithm());

    // A spec of another library with the same getters.
    org.bouncycastle.jcajce.spec.ScryptKeySpec theirs = new org.bouncycastle.jcajce.spec.ScryptKeySpec(
        "p\u00e4ss".toCharArray(), Ours.bytes(1, 9), 64, 3, 2, 136);
    assertArrayEquals(
        SecretKeyFactory.getInstance("SCRYPT", new BouncyCastleProvider()).generateSecret(theirs).getEncoded(),
        ours.generateSecret(theirs).getEncoded());
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(
        new org.bouncycastle.jcajce.spec.ScryptKeySpec(new char[0], new byte[0], 3, 1, 1, 8)));
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(new PBEKeySpec(new char[1])));
    assertThrows(InvalidKeySpecException.class, () -> ours.generateSecret(null));
    SecretKeySpec other = new SecretKeySpec(new byte[3], "SCRYPT");
    assertThrows(InvalidKeySpecException.class, () -> ours.getKeySpec(other, ScryptKeySpec.class));
    assertThrows(InvalidKeyException.class, () -> ours.translateKey(other));
    int[][] bad = {
      {0, 1, 1, 8}, {1, 1, 1, 8}, {3, 1, 1, 8}, {-16, 1, 1, 8}, {Integer.MIN_VALUE, 8, 1, 8}, {1 << 16, 1, 1, 8},
      {16, 0, 1, 8}, {16, 1, 0, 8}, {16, 1 << 15, 1 << 15, 8}, {16, 1, 1, 0}, {16, 1, 1, 12}, {16, 1, 1, -8}
    };
    for (int[] row : bad) {
      assertThrows(IllegalArgumentException.class,
          () -> new ScryptKeySpec(new char[0], new byte[0], row[0], row[1], row[2], row[3]), Arrays.toString(row));
    }
    assertThrows(NullPointerException.class, () -> new ScryptKeySpec(null, new byte[0], 16, 1, 1, 8));
    assertThrows(NullPointerException.class, () -> new ScryptKeySpec(new char[0], null, 16, 1, 1, 8));
  }
}
