package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.BC;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.bytes;
import static org.postscrypt.jce.asymmetric.Asymmetric.generate;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class RsaCipherTest {
  private static final KeyPair PAIR = pair("RSA");
  private static final int SIZE = 256;

  private static Cipher ours(String padding) throws Exception {
    return Cipher.getInstance("RSA/ECB/" + padding, OURS);
  }

  private static OAEPParameterSpec oaep(String digest, String mgf, byte[] label) {
    return new OAEPParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mgf), new PSource.PSpecified(label));
  }

  @Test
  void withEveryPeer() throws Exception {
    Provider jdk = Security.getProvider("SunJCE");
    for (String padding : new String[] {
      "PKCS1Padding", "NoPadding", "OAEPPadding", "OAEPWithSHA1AndMGF1Padding", "OAEPWithSHA-1AndMGF1Padding",
      "OAEPWithSHA-224AndMGF1Padding", "OAEPWithSHA-256AndMGF1Padding", "OAEPWithSHA-384AndMGF1Padding",
      "OAEPWithSHA-512AndMGF1Padding", "OAEPWithMD5AndMGF1Padding", "OAEPWithSHA-512/256AndMGF1Padding"
    }) {
      Cipher ours = ours(padding);
      Cipher theirs = Cipher.getInstance("RSA/ECB/" + padding, jdk);
      boolean none = padding.equals("NoPadding");
      for (int length : none ? new int[] {1, 100, 255, 256} : new int[] {0, 1, 16, 126}) {
        byte[] message = bytes(length, length);
        if (length > 0) {
          message[0] &= 0x3f;
        }
        byte[] expected = none ? padded(message) : message;
        both(ours, theirs, PAIR.getPublic(), PAIR.getPrivate(), message, expected);
        both(theirs, ours, PAIR.getPublic(), PAIR.getPrivate(), message, expected);
        if (!padding.startsWith("OAEP")) {
          both(ours, theirs, PAIR.getPrivate(), PAIR.getPublic(), message, expected);
          both(theirs, ours, PAIR.getPrivate(), PAIR.getPublic(), message, expected);
        }
      }
    }
    Cipher bc = Cipher.getInstance("RSA/ECB/PKCS1Padding", BC);
    both(bc, ours("PKCS1Padding"), PAIR.getPublic(), PAIR.getPrivate(), bytes(1, 99), bytes(1, 99));
  }

  private static byte[] padded(byte[] message) {
    byte[] block = new byte[SIZE];
    System.arraycopy(message, 0, block, SIZE - message.length, message.length);
    return block;
  }

  private static void both(Cipher one, Cipher other, Key key, Key inverse, byte[] message, byte[] expected)
      throws Exception {
    one.init(Cipher.ENCRYPT_MODE, key);
    other.init(Cipher.DECRYPT_MODE, inverse);
    byte[] sealed = one.doFinal(message);
    assertEquals(SIZE, sealed.length);
    assertArrayEquals(expected, other.doFinal(sealed), one.getAlgorithm() + " " + message.length);
    one.update(message, 0, message.length / 2);
    sealed = one.doFinal(message, message.length / 2, message.length - message.length / 2);
    other.update(sealed);
    assertArrayEquals(expected, other.doFinal(), one.getAlgorithm() + " in pieces");
  }

  @Test
  void oaepParameters() throws Exception {
    for (OAEPParameterSpec spec : List.of(
        oaep("SHA-256", "SHA-256", new byte[0]), oaep("SHA-1", "SHA-512", bytes(1, 33)),
        oaep("SHA-384", "SHA-1", bytes(2, 5000)))) {
      for (Provider peer : new Provider[] {Security.getProvider("SunJCE"), BC}) {
        Cipher ours = ours("OAEPPadding");
        Cipher theirs = Cipher.getInstance("RSA/ECB/OAEPPadding", peer);
        ours.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), spec);
        theirs.init(Cipher.DECRYPT_MODE, java.security.KeyFactory.getInstance("RSA", peer == BC ? BC
            : Security.getProvider("SunRsaSign")).translateKey(PAIR.getPrivate()), spec);
        assertArrayEquals(bytes(3, 40), theirs.doFinal(ours.doFinal(bytes(3, 40))));
        theirs.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), spec);
        ours.init(Cipher.DECRYPT_MODE, PAIR.getPrivate(), ours.getParameters());
        byte[] sealed = theirs.doFinal(bytes(3, 40));
        assertArrayEquals(bytes(3, 40), ours.doFinal(sealed));
        ours.init(Cipher.DECRYPT_MODE, PAIR.getPrivate(), oaep("SHA-256", "SHA-256", new byte[] {9}));
        assertThrows(BadPaddingException.class, () -> ours.doFinal(sealed));
      }
    }
    Cipher named = ours("OAEPWithSHA-256AndMGF1Padding");
    named.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
    OAEPParameterSpec usual = named.getParameters().getParameterSpec(OAEPParameterSpec.class);
    assertEquals("SHA-256", usual.getDigestAlgorithm());
    assertEquals("SHA-1", ((MGF1ParameterSpec) usual.getMGFParameters()).getDigestAlgorithm());
    named.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), oaep("SHA-384", "SHA-1", new byte[0]));
    assertEquals("SHA-384", named.getParameters().getParameterSpec(OAEPParameterSpec.class).getDigestAlgorithm());
    named.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
    assertEquals("SHA-256", named.getParameters().getParameterSpec(OAEPParameterSpec.class).getDigestAlgorithm());
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> named.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), new IvParameterSpec(new byte[8])));
    assertThrows(InvalidAlgorithmParameterException.class, () -> ours("PKCS1Padding")
        .init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), oaep("SHA-1", "SHA-1", new byte[0])));
    assertThrows(InvalidKeyException.class, () -> named.init(Cipher.ENCRYPT_MODE, PAIR.getPrivate()));
    assertThrows(InvalidKeyException.class, () -> named.init(Cipher.DECRYPT_MODE, PAIR.getPublic()));
    assertNull(ours("PKCS1Padding").getParameters());
    KeyPair small = generate(OURS, "RSA", new RSAKeyGenParameterSpec(512, RSAKeyGenParameterSpec.F4));
    assertThrows(InvalidKeyException.class, () -> named.init(Cipher.ENCRYPT_MODE, small.getPublic()));
  }

  @Test
  void names() throws Exception {
    for (String name : new String[] {
      "RSA", "rsa/ecb/pkcs1padding", "RSA/None/PKCS1Padding", "RSA/ECB/OAEPWithSHA512AndMGF1Padding",
      "RSA/None/OAEPWithSHA-1AndMGF1Padding", "RSA/ECB/OAEPWithSHA1AndMGF1Padding"
    }) {
      assertNotNull(Cipher.getInstance(name, OURS));
    }
    assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance("RSA/CBC/PKCS1Padding", OURS));
    assertThrows(NoSuchPaddingException.class, () -> Cipher.getInstance("RSA/ECB/ISO9796Padding", OURS));
    Cipher cipher = ours("PKCS1Padding");
    cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
    assertEquals(0, cipher.getBlockSize());
    assertEquals(SIZE, cipher.getOutputSize(1));
    assertNull(cipher.getIV());
  }

  @Test
  void sizes() throws Exception {
    for (String padding : new String[] {"PKCS1Padding", "OAEPPadding", "NoPadding"}) {
      int most = padding.startsWith("PKCS1") ? 245 : padding.startsWith("OAEP") ? 214 : 256;
      Cipher cipher = ours(padding);
      cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
      assertThrows(IllegalBlockSizeException.class, () -> cipher.doFinal(new byte[most + 1]));
      cipher.update(new byte[most]);
      cipher.update(new byte[1]);
      cipher.update(new byte[100_000]);
      assertThrows(IllegalBlockSizeException.class, cipher::doFinal);
      byte[] message = bytes(1, most);
      message[0] = 0;
      byte[] sealed = cipher.doFinal(message);
      byte[] room = new byte[SIZE + 4];
      assertThrows(ShortBufferException.class, () -> cipher.doFinal(message, 0, most, room, 5));
      assertArrayEquals(new byte[SIZE + 4], room);
      assertEquals(SIZE, cipher.doFinal(message, 0, most, room, 4));

      Cipher decrypt = ours(padding);
      decrypt.init(Cipher.DECRYPT_MODE, PAIR.getPrivate());
      assertThrows(IllegalBlockSizeException.class, () -> decrypt.doFinal(new byte[SIZE + 1]));
      ByteBuffer out = ByteBuffer.allocateDirect(SIZE);
      assertEquals(most, decrypt.doFinal(ByteBuffer.wrap(room, 4, SIZE), out));
      assertArrayEquals(message, decrypt.doFinal(sealed));
      // In place.
      assertEquals(most, decrypt.doFinal(sealed, 0, SIZE, sealed, 0));
      assertArrayEquals(message, Arrays.copyOf(sealed, most));
    }
    Cipher none = ours("NoPadding");
    none.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
    byte[] modulus = ((RSAPublicKey) PAIR.getPublic()).getModulus().toByteArray();
    byte[] n = Arrays.copyOfRange(modulus, modulus.length - SIZE, modulus.length);
    assertThrows(BadPaddingException.class, () -> none.doFinal(n), "not below the modulus");
    byte[] below = new BigInteger(1, n).subtract(BigInteger.ONE).toByteArray();
    assertEquals(SIZE, none.doFinal(Arrays.copyOfRange(below, below.length - SIZE, below.length)).length);
  }

  @Test
  void decryptionFailuresAreAlike() throws Exception {
    for (String padding : new String[] {"PKCS1Padding", "OAEPPadding"}) {
      Cipher raw = ours("NoPadding");
      Cipher decrypt = ours(padding);
      raw.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
      decrypt.init(Cipher.DECRYPT_MODE, PAIR.getPrivate());
      java.util.Set<String> messages = new java.util.HashSet<>();
      for (int kind = 0; kind < 8; kind++) {
        byte[] block = new byte[SIZE];
        block[0] = (byte) (kind == 1 ? 1 : 0);
        block[1] = (byte) (kind == 2 ? 1 : kind == 3 ? 0 : 2);
        Arrays.fill(block, 2, SIZE, (byte) 7);
        if (kind == 4) {
          block[5] = 0;
        }
        byte[] sealed = kind == 5 ? new byte[SIZE] : kind == 6 ? bytes(1, 255) : raw.doFinal(block);
        byte[] wrong = kind == 7 ? filled() : sealed;
        BadPaddingException e = assertThrows(BadPaddingException.class, () -> decrypt.doFinal(wrong), padding + kind);
        assertNull(e.getCause());
        messages.add(e.getClass() + e.getMessage());
      }
      assertEquals(1, messages.size(), messages.toString());
      assertThrows(BadPaddingException.class, decrypt::doFinal, "nothing");
    }
  }

  private static byte[] filled() {
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, (byte) 0xff);
    return bytes;
  }

  @Test
  void wrapping() throws Exception {
    SecretKeySpec aes = new SecretKeySpec(bytes(1, 32), "AES");
    for (String padding : new String[] {"PKCS1Padding", "OAEPWithSHA-256AndMGF1Padding"}) {
      Cipher ours = ours(padding);
      Cipher theirs = Cipher.getInstance("RSA/ECB/" + padding, "SunJCE");
      ours.init(Cipher.WRAP_MODE, PAIR.getPublic());
      theirs.init(Cipher.UNWRAP_MODE, PAIR.getPrivate());
      assertEquals(aes, theirs.unwrap(ours.wrap(aes), "AES", Cipher.SECRET_KEY));
      theirs.init(Cipher.WRAP_MODE, PAIR.getPublic());
      ours.init(Cipher.UNWRAP_MODE, PAIR.getPrivate());
      assertEquals(aes, ours.unwrap(theirs.wrap(aes), "AES", Cipher.SECRET_KEY));
      PublicKey x = pair("X25519").getPublic();
      PrivateKey y = pair("X25519").getPrivate();
      assertEquals(x, ours.unwrap(theirs.wrap(x), "XDH", Cipher.PUBLIC_KEY));
      assertArrayEquals(y.getEncoded(), ours.unwrap(theirs.wrap(y), "XDH", Cipher.PRIVATE_KEY).getEncoded());
      assertThrows(InvalidKeyException.class, () -> ours.unwrap(new byte[SIZE], "AES", Cipher.SECRET_KEY));
      assertThrows(InvalidKeyException.class, () -> ours.unwrap(new byte[SIZE + 1], "AES", Cipher.SECRET_KEY));
      byte[] wrapped = theirs.wrap(aes);
      assertThrows(InvalidKeyException.class, () -> ours.unwrap(wrapped, "XDH", Cipher.PUBLIC_KEY));
      assertThrows(NoSuchAlgorithmException.class, () -> ours.unwrap(wrapped, "nothing", Cipher.PUBLIC_KEY));
      Cipher wrap = ours(padding);
      wrap.init(Cipher.WRAP_MODE, PAIR.getPublic());
      assertThrows(InvalidKeyException.class, () -> wrap.wrap(PAIR.getPrivate()), "too long");
      assertEquals(SIZE, wrap.wrap(aes).length);
    }
  }

  @Test
  void wrongKeys() throws Exception {
    Cipher cipher = ours("PKCS1Padding");
    for (String other : new String[] {"RSASSA-PSS", "secp256r1", "Ed25519"}) {
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, pair(other).getPublic()));
      assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.DECRYPT_MODE, pair(other).getPrivate()));
    }
    assertThrows(
        InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES")));
    assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, (Key) null));
    cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());
    assertTrue(cipher.doFinal(new byte[3]).length == SIZE, "usable after failures");
  }
}
