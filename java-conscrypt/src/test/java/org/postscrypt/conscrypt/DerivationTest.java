package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.conscrypt.AllocatedBuffer;
import org.conscrypt.BufferAllocator;
import org.conscrypt.Conscrypt;
import org.conscrypt.ExposedByteArrayOutputStream;
import org.conscrypt.Hkdf;
import org.conscrypt.ScryptKeySpec;
import org.junit.jupiter.api.Test;

/** HKDF, scrypt, and the small things. Runs over the original as well. */
class DerivationTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** RFC 5869 appendix A.1 and A.3. */
  @Test
  void hkdf() throws Exception {
    Hkdf hkdf = new Hkdf("HmacSHA256");
    assertEquals(32, hkdf.getMacLength());
    byte[] ikm = hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b");
    byte[] prk = hkdf.extract(hex("000102030405060708090a0b0c"), ikm);
    assertArrayEquals(hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"), prk);
    assertArrayEquals(
        hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        hkdf.expand(prk, hex("f0f1f2f3f4f5f6f7f8f9"), 42));
    assertArrayEquals(
        hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
        hkdf.expand(hkdf.extract(new byte[0], ikm), new byte[0], 42));
    assertEquals(0, hkdf.expand(prk, new byte[0], 0).length);
    assertEquals(255 * 32, hkdf.expand(prk, new byte[0], 255 * 32).length);
    assertThrows(IllegalArgumentException.class, () -> hkdf.expand(prk, new byte[0], 255 * 32 + 1));
    assertThrows(IllegalArgumentException.class, () -> hkdf.expand(prk, new byte[0], -1));
    assertThrows(IllegalArgumentException.class, () -> hkdf.expand(new byte[0], new byte[0], 1));
    assertThrows(IllegalArgumentException.class, () -> hkdf.extract(new byte[1], new byte[0]));
    assertThrows(NullPointerException.class, () -> hkdf.extract(null, ikm));
    assertThrows(NullPointerException.class, () -> hkdf.expand(prk, null, 1));
    assertThrows(NoSuchAlgorithmException.class, () -> new Hkdf("bogus"));
    assertThrows(NullPointerException.class, () -> new Hkdf(null));
  }

  /** RFC 7914 section 12. */
  @Test
  void scrypt() throws Exception {
    SecretKeyFactory factory = SecretKeyFactory.getInstance("SCRYPT", Conscrypt.newProvider());
    SecretKey key = factory.generateSecret(new ScryptKeySpec("password".toCharArray(), "NaCl".getBytes(), 1024, 8, 16, 512));
    assertArrayEquals(
        hex("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
        key.getEncoded());
    assertEquals("RAW", key.getFormat());
    assertEquals("SCRYPT", key.getAlgorithm());
    assertArrayEquals(
        hex("77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
            + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
        factory.generateSecret(new ScryptKeySpec(new char[0], new byte[0], 16, 1, 1, 512)).getEncoded());
    assertThrows(
        Exception.class, () -> factory.generateSecret(new ScryptKeySpec(new char[0], new byte[0], 3, 1, 1, 512)));
    assertThrows(
        InvalidKeySpecException.class,
        () -> factory.generateSecret(new ScryptKeySpec(new char[0], new byte[0], 16, 1, 1, 7)));
    assertThrows(
        InvalidKeySpecException.class, () -> factory.generateSecret(new PBEKeySpec(new char[1])));
  }

  /** Like a relocated ScryptKeySpec. */
  public static class Alike implements KeySpec {
    public char[] getPassword() {
      return "password".toCharArray();
    }

    public byte[] getSalt() {
      return "NaCl".getBytes();
    }

    public int getCostParameter() {
      return 1024;
    }

    public Integer getBlockSize() {
      return 8;
    }

    public int getParallelizationParameter() {
      return 16;
    }

    public int getKeyLength() {
      return 512;
    }
  }

  /** What is wrong with one. */
  public static final class Failing extends Alike {
    @Override
    public byte[] getSalt() {
      throw new IllegalStateException("no salt");
    }
  }

  /** Of another type. */
  public static final class OtherType implements KeySpec {
    public String getPassword() {
      return "password";
    }
  }

  @Test
  void scryptOfSpecsThatAreAlike() throws Exception {
    SecretKeyFactory factory = SecretKeyFactory.getInstance("SCRYPT", Conscrypt.newProvider());
    byte[] wanted =
        factory.generateSecret(new ScryptKeySpec("password".toCharArray(), "NaCl".getBytes(), 1024, 8, 16, 512)).getEncoded();
    assertArrayEquals(wanted, factory.generateSecret(new Alike()).getEncoded());
    for (KeySpec wrong : new KeySpec[] {null, new Failing(), new OtherType(), new PBEKeySpec(new char[1])}) {
      assertThrows(InvalidKeySpecException.class, () -> factory.generateSecret(wrong));
    }
    for (ScryptKeySpec wrong : new ScryptKeySpec[] {
      new ScryptKeySpec(new char[0], new byte[0], 3, 1, 1, 512), new ScryptKeySpec(new char[0], new byte[0], 16, 0, 1, 512),
      new ScryptKeySpec(new char[0], new byte[0], 16, 1, 1, -8)
    }) {
      assertThrows(RuntimeException.class, () -> factory.generateSecret(wrong));
    }
    assertThrows(
        NullPointerException.class, () -> factory.generateSecret(new ScryptKeySpec(null, new byte[0], 16, 1, 1, 512)));
    assertThrows(
        NullPointerException.class, () -> factory.generateSecret(new ScryptKeySpec(new char[0], null, 16, 1, 1, 512)));
  }

  @Test
  void scryptSpecsAreCheckedLater() {
    char[] password = {'x'};
    byte[] salt = {1};
    ScryptKeySpec spec = new ScryptKeySpec(password, salt, 0, -1, 2, 3);
    assertSame(password, spec.getPassword());
    assertSame(salt, spec.getSalt());
    assertEquals("0 -1 2 3", spec.getCostParameter() + " " + spec.getBlockSize() + " "
        + spec.getParallelizationParameter() + " " + spec.getKeyLength());
  }

  @Test
  @SuppressWarnings("deprecation")
  void buffers() {
    BufferAllocator unpooled = BufferAllocator.unpooled();
    assertSame(unpooled, BufferAllocator.unpooled());
    AllocatedBuffer direct = unpooled.allocateDirectBuffer(10);
    assertEquals(10, direct.nioBuffer().capacity());
    assertEquals(true, direct.nioBuffer().isDirect());
    assertSame(direct.nioBuffer(), direct.nioBuffer());
    assertSame(direct, direct.retain());
    assertSame(direct, direct.release());
    assertEquals(false, unpooled.allocateHeapBuffer(3).nioBuffer().isDirect());
    ByteBuffer buffer = ByteBuffer.allocate(3);
    assertSame(buffer, AllocatedBuffer.wrap(buffer).nioBuffer());
    assertThrows(NullPointerException.class, () -> AllocatedBuffer.wrap(null));
  }

  @Test
  void exposedStream() throws Exception {
    ExposedByteArrayOutputStream stream = new ExposedByteArrayOutputStream(4);
    stream.write(1);
    stream.array()[1] = 7;
    stream.setCountManually(2);
    assertArrayEquals(new byte[] {1, 7}, stream.toByteArray());
    assertEquals(4, stream.array().length);
    assertEquals(0, new ExposedByteArrayOutputStream().size());
  }
}
