package org.postscrypt.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.Test;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.service.Row;

class ServicesTest {
  @Test
  void everyRowIsAServiceUnderAllItsNames() throws Exception {
    assertEquals("Postscrypt", Ours.PROVIDER.getName());
    assertEquals(PostscryptProvider.NAME, Ours.PROVIDER.getName());
    for (Row row : JceServices.rows()) {
      Provider.Service service = Ours.PROVIDER.getService(row.type(), row.algorithm());
      assertNotNull(service, row.algorithm());
      assertEquals(row.algorithm(), service.getAlgorithm());
      assertNotNull(service.newInstance(null));
      assertNotSame(service.newInstance(null), service.newInstance(null));
      // javax.crypto.KDF looks into the cause of the former.
      Class<? extends Exception> refusal =
          row.type().equals("KDF") ? java.security.NoSuchAlgorithmException.class : InvalidParameterException.class;
      assertThrows(refusal, () -> service.newInstance("parameter"));
      for (String alias : row.aliases()) {
        assertSame(service, Ours.PROVIDER.getService(row.type(), alias), alias);
      }
      row.attributes().forEach((name, value) -> assertEquals(value, service.getAttribute(name)));
    }
    long names = JceServices.rows().stream().map(row -> row.type() + row.algorithm()).distinct().count();
    assertEquals(JceServices.rows().size(), names, "no row twice");
  }

  @Test
  void namesThatPeersKnow() throws Exception {
    for (String name : new String[] {"SHA", "SHA1", "1.3.14.3.2.26", "OID.1.3.14.3.2.26", "sha-1"}) {
      assertEquals(20, MessageDigest.getInstance(name, Ours.PROVIDER).getDigestLength());
    }
    for (String name : new String[] {"HMAC-SHA256", "HMAC/SHA256", "1.2.840.113549.2.9"}) {
      assertEquals(32, Mac.getInstance(name, Ours.PROVIDER).getMacLength());
    }
    Cipher.getInstance("GCM", Ours.PROVIDER);
    Cipher.getInstance("2.16.840.1.101.3.4.1.46", Ours.PROVIDER);
    AlgorithmParameters.getInstance("2.16.840.1.101.3.4.1.6", Ours.PROVIDER);
  }

  @Test
  void secureRandom() throws Exception {
    for (String name : new String[] {"BoringSSL", "SHA1PRNG"}) {
      assertEquals("true", Ours.PROVIDER.getProperty("SecureRandom." + name + " ThreadSafe"));
      SecureRandom one = SecureRandom.getInstance(name, Ours.PROVIDER);
      SecureRandom two = SecureRandom.getInstance(name, Ours.PROVIDER);
      one.setSeed(new byte[] {1, 2, 3});
      two.setSeed(new byte[] {1, 2, 3});
      for (int length : new int[] {16, 100, 2048, 2049, 70000}) {
        byte[] a = new byte[length];
        byte[] b = new byte[length];
        one.nextBytes(a);
        two.nextBytes(b);
        assertFalse(Arrays.equals(a, b), "a seed never replaces");
        byte[] tail = Arrays.copyOfRange(a, length - 16, length);
        assertFalse(Arrays.equals(tail, new byte[16]), "filled to the end");
      }
      one.nextBytes(new byte[0]);
      assertEquals(33, one.generateSeed(33).length);
      assertThrows(NullPointerException.class, () -> one.nextBytes(null));
      assertThrows(NullPointerException.class, () -> one.setSeed(null));
      assertThrows(IllegalArgumentException.class, () -> one.generateSeed(-1));
    }
  }

  @Test
  void aesKeys() throws Exception {
    KeyGenerator generator = KeyGenerator.getInstance("AES", Ours.PROVIDER);
    assertEquals(32, generator.generateKey().getEncoded().length);
    for (int bits : new int[] {128, 192, 256}) {
      generator.init(bits);
      SecretKey key = generator.generateKey();
      assertEquals(bits / 8, key.getEncoded().length);
      assertEquals("AES", key.getAlgorithm());
      assertFalse(Arrays.equals(key.getEncoded(), generator.generateKey().getEncoded()));
    }
    for (int bits : new int[] {0, -128, 64, 127, 512}) {
      assertThrows(InvalidParameterException.class, () -> generator.init(bits));
    }
    assertThrows(InvalidAlgorithmParameterException.class, () -> generator.init(new IvParameterSpec(new byte[16])));
    assertEquals(32, generator.generateKey().getEncoded().length, "a failed init changes nothing");
    generator.init(128, new SecureRandom() {
      private static final long serialVersionUID = 1;

      @Override
      public void nextBytes(byte[] bytes) {
        Arrays.fill(bytes, (byte) 9);
      }
    });
    assertEquals("09".repeat(16), Ours.hex(generator.generateKey().getEncoded()), "the caller's random is used");
  }

  @Test
  void gcmParametersAgreeWithTheJdk() throws Exception {
    for (int nonce : new int[] {1, 12, 16, 127, 128, 255, 256, 70000}) {
      for (int bits = 96; bits <= 128; bits += 8) {
        GCMParameterSpec spec = new GCMParameterSpec(bits, Ours.bytes(nonce, nonce));
        AlgorithmParameters ours = AlgorithmParameters.getInstance("GCM", Ours.PROVIDER);
        AlgorithmParameters theirs = AlgorithmParameters.getInstance("GCM", "SunJCE");
        ours.init(spec);
        theirs.init(spec);
        if (bits != 96) { // The JDK writes the default, against DER.
          assertArrayEquals(theirs.getEncoded(), ours.getEncoded());
        }
        assertArrayEquals(ours.getEncoded(), ours.getEncoded("ASN.1"));
        AlgorithmParameters read = AlgorithmParameters.getInstance("GCM", "SunJCE");
        read.init(ours.getEncoded());
        assertEquals(bits, read.getParameterSpec(GCMParameterSpec.class).getTLen());
        assertArrayEquals(spec.getIV(), read.getParameterSpec(GCMParameterSpec.class).getIV());
        AlgorithmParameters back = AlgorithmParameters.getInstance("GCM", Ours.PROVIDER);
        back.init(theirs.getEncoded());
        GCMParameterSpec again = back.getParameterSpec(GCMParameterSpec.class);
        assertEquals(bits, again.getTLen());
        assertArrayEquals(spec.getIV(), again.getIV());
        assertArrayEquals(spec.getIV(), back.getParameterSpec(IvParameterSpec.class).getIV());
        assertTrue(back.toString().contains("tag " + bits + " bits"));
      }
    }
  }

  @Test
  void gcmParametersRefuseWhatTheyAreNot() throws Exception {
    for (String bad : new String[] {"", "30", "3000", "3003040100ff", "300304010", "0403040100", "30040401000201",
        "3006040100020111", "300604010002010b", "30070401000202000d", "308003040100", "30810304010",
        "3009040100020110020110",
        "300502010c0400", "30840000000304010f"}) {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("GCM", Ours.PROVIDER);
      assertThrows(IOException.class, () -> parameters.init(Ours.hex(bad)), bad);
    }
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("GCM", Ours.PROVIDER);
    assertThrows(InvalidParameterSpecException.class, () -> parameters.init(new IvParameterSpec(new byte[12])));
    assertThrows(InvalidParameterSpecException.class, () -> parameters.init(new GCMParameterSpec(64, new byte[12])));
    parameters.init(Ours.hex("300604010702010c"));
    assertEquals(96, parameters.getParameterSpec(GCMParameterSpec.class).getTLen(), "an explicit default is accepted");
    assertEquals("3003040107", Ours.hex(parameters.getEncoded()), "but not written");
    assertThrows(InvalidParameterSpecException.class,
        () -> parameters.getParameterSpec(javax.crypto.spec.PBEParameterSpec.class));
    assertThrows(IOException.class, () -> parameters.getEncoded("PEM"));
    assertInstanceOf(GCMParameterSpec.class,
        parameters.getParameterSpec(java.security.spec.AlgorithmParameterSpec.class));
  }
}
