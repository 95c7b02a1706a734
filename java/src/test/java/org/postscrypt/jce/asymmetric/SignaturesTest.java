package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.BC;
import static org.postscrypt.jce.asymmetric.Asymmetric.CURVES;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.bytes;
import static org.postscrypt.jce.asymmetric.Asymmetric.generate;
import static org.postscrypt.jce.asymmetric.Asymmetric.hex;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdDSAParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postscrypt.RawKeySpec;

class SignaturesTest {
  /** A signature's name, the key for it and the peers' names for the same. */
  private record Case(String name, String key, String jdk, String bc, PSSParameterSpec pss) {
    Signature ours() throws Exception {
      return configured(Signature.getInstance(name, OURS));
    }

    private Signature configured(Signature signature) throws Exception {
      if (pss != null) {
        signature.setParameter(pss);
      }
      return signature;
    }

    List<Signature> peers() throws Exception {
      List<Signature> peers = new ArrayList<>();
      if (jdk != null) {
        Provider provider = Security.getProvider(key.startsWith("RSA") ? "SunRsaSign" : "SunEC");
        peers.add(configured(Signature.getInstance(jdk, provider)));
      }
      if (bc != null) {
        peers.add(configured(Signature.getInstance(bc, BC)));
      }
      return peers;
    }
  }

  private static PSSParameterSpec pss(String digest, String mgf, int salt) {
    return new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mgf), salt, 1);
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (String hash : new String[] {"MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512/256"}) {
      String name = hash + "withRSA";
      cases.add(new Case(name, "RSA", name, hash.contains("/") ? "SHA512(256)withRSA" : name, null));
    }
    for (String[] hash : new String[][] {
      {"SHA1", "SHA-1", "20"}, {"SHA224", "SHA-224", "28"}, {"SHA256", "SHA-256", "32"}, {"SHA384", "SHA-384", "48"},
      {"SHA512", "SHA-512", "64"}
    }) {
      PSSParameterSpec usual = pss(hash[1], hash[1], Integer.parseInt(hash[2]));
      cases.add(new Case(hash[0] + "withRSAandMGF1", "RSA", "RSASSA-PSS", hash[0] + "withRSAandMGF1", usual));
      cases.add(new Case(hash[0] + "withRSA/PSS", "RSA", "RSASSA-PSS", null, usual));
      cases.add(new Case("RSASSA-PSS", "RSA", "RSASSA-PSS", "RSASSA-PSS", usual));
    }
    cases.add(new Case("RSASSA-PSS", "RSA", "RSASSA-PSS", null, pss("SHA-256", "SHA-1", 0)));
    cases.add(new Case("RSASSA-PSS", "RSASSA-PSS", "RSASSA-PSS", null, pss("SHA-512/256", "SHA-384", 100)));
    for (String curve : CURVES) {
      boolean jdk = !curve.equals("secp224r1");
      for (String hash : new String[] {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"}) {
        String der = hash + "withECDSA";
        cases.add(new Case(der, curve, jdk ? der : null, der, null));
        String plain = hash + "withECDSAinP1363Format";
        cases.add(new Case(plain, curve, jdk ? plain : null, hash + "withPLAIN-ECDSA", null));
      }
      cases.add(new Case("NONEwithECDSA", curve, jdk ? "NONEwithECDSA" : null, "NONEwithECDSA", null));
      cases.add(new Case("NONEwithECDSAinP1363Format", curve, jdk ? "NONEwithECDSAinP1363Format" : null, null, null));
    }
    cases.add(new Case("EdDSA", "Ed25519", "EdDSA", "Ed25519", null));
    cases.add(new Case("Ed25519", "Ed25519", "Ed25519", "EdDSA", null));
    cases.add(new Case("NONEwithRSA", "RSA", null, null, null));
    return cases;
  }

  private static byte[] message(Case c, int seed) {
    int length = c.name.startsWith("NONE") ? 20 + seed % 30 : seed % 7 * 300;
    return bytes(seed, length);
  }

  @Test
  void bothWaysWithEveryPeer() throws Exception {
    int checked = 0;
    for (Case c : cases()) {
      KeyPair pair = pair(c.key);
      Signature ours = c.ours();
      for (Signature peer : c.peers()) {
        checked++;
        String what = c + " " + peer.getProvider();
        KeyFactory translator =
            KeyFactory.getInstance(c.key.startsWith("secp") ? "EC" : c.key, peer.getProvider());
        byte[] message = message(c, checked);
        peer.initSign(Asymmetric.into(translator, pair.getPrivate()));
        peer.update(message);
        byte[] theirs = peer.sign();
        // Keys of theirs work with us as they are.
        ours.initVerify(Asymmetric.into(translator, pair.getPublic()));
        ours.update(message);
        assertTrue(ours.verify(theirs), what);
        ours.update((byte) 1);
        ours.update(message);
        assertFalse(ours.verify(theirs), what);
        ours.initSign(Asymmetric.into(translator, pair.getPrivate()));
        ours.update(message);
        byte[] signature = ours.sign();
        peer.initVerify(Asymmetric.into(translator, pair.getPublic()));
        peer.update(message);
        assertTrue(peer.verify(signature), what);
      }
    }
    assertTrue(checked > 70, "only " + checked);
  }

  @Test
  void everyWayToUpdate() throws Exception {
    for (Case c : cases()) {
      KeyPair pair = pair(c.key);
      Signature signer = c.ours();
      Signature verifier = c.ours();
      signer.initSign(pair.getPrivate());
      verifier.initVerify(pair.getPublic());
      int most = c.name.startsWith("NONE") ? 60 : 3000;
      for (int length : new int[] {0, 1, most / 50, most / 6, most / 2, most}) {
        if (c.name.equals("NONEwithRSA") && length == 0) {
          continue;
        }
        byte[] message = bytes(length, length);
        signer.update(message);
        byte[] signature = signer.sign();
        for (int way = 0; way < 6; way++) {
          feed(verifier, message, way);
          assertTrue(verifier.verify(signature), c + " way " + way + " length " + length);
        }
        // With room around it, and into the caller's array.
        feed(signer, message, length % 6);
        byte[] room = new byte[signature.length + 20];
        int written = signer.sign(room, 7, room.length - 7);
        verifier.update(message);
        assertTrue(verifier.verify(room, 7, written), c.toString());
      }
    }
  }

  private static void feed(Signature signature, byte[] message, int way) throws Exception {
    switch (way) {
      case 0 -> signature.update(message);
      case 1 -> {
        for (byte b : message) {
          signature.update(b);
        }
      }
      case 2 -> {
        for (int at = 0; at < message.length; at += 700) {
          signature.update(message, at, Math.min(700, message.length - at));
        }
      }
      case 3 -> signature.update(ByteBuffer.wrap(message));
      case 4 -> {
        ByteBuffer direct = ByteBuffer.allocateDirect(message.length + 3);
        direct.position(3);
        direct.put(message).position(3);
        signature.update(direct);
        assertEquals(0, direct.remaining());
      }
      default -> {
        ByteBuffer readOnly = ByteBuffer.wrap(message).asReadOnlyBuffer();
        signature.update(readOnly);
        signature.update(readOnly);
      }
    }
  }

  @Test
  void malformedSignaturesThrowAndWrongOnesAreFalse() throws Exception {
    for (Case c : cases()) {
      KeyPair pair = pair(c.key);
      Signature signature = c.ours();
      byte[] message = bytes(9, 30);
      signature.initSign(pair.getPrivate());
      signature.update(message);
      byte[] right = signature.sign();
      signature.initVerify(pair.getPublic());
      for (byte[] bad : new byte[][] {
        {}, {1}, Arrays.copyOf(right, right.length - 1), Arrays.copyOf(right, right.length + 1), new byte[5000]
      }) {
        signature.update(message);
        assertThrows(SignatureException.class, () -> signature.verify(bad), c + " " + bad.length);
      }
      byte[] wrong = right.clone();
      wrong[wrong.length - 5] ^= 4;
      signature.update(message);
      assertFalse(signature.verify(wrong), c.toString());
      // It is ready for the next message after each of these.
      signature.update(message);
      assertTrue(signature.verify(right), c.toString());
    }
    Signature ecdsa = Signature.getInstance("SHA256withECDSA", OURS);
    ecdsa.initVerify(pair("secp256r1").getPublic());
    for (String bad : new String[] {
      "3006020101020101" + "00", "300602010102020001", "30060201ff020101", "308006020101020101", "3003020101", "0500"
    }) {
      assertThrows(SignatureException.class, () -> ecdsa.verify(hex(bad)), bad);
    }
    assertFalse(ecdsa.verify(hex("3006020100020100")), "zeros are out of range, not malformed");
    assertFalse(ecdsa.verify(hex("3006020101020101")));
    Signature rsa = Signature.getInstance("SHA256withRSA", OURS);
    rsa.initVerify(pair("RSA").getPublic());
    byte[] beyond = new byte[256];
    Arrays.fill(beyond, (byte) 0xff);
    assertFalse(rsa.verify(beyond), "not below the modulus");
  }

  @Test
  void signingIntoTooLittleRoom() throws Exception {
    for (Case c : cases()) {
      Signature signature = c.ours();
      signature.initSign(pair(c.key).getPrivate());
      signature.update(bytes(3, 20));
      assertThrows(SignatureException.class, () -> signature.sign(new byte[10], 0, 10), c.toString());
      signature.update(bytes(3, 20));
      assertTrue(signature.sign().length > 10);
    }
  }

  @Test
  void wrongKeys() throws Exception {
    for (Case c : cases()) {
      Signature signature = c.ours();
      for (String other : new String[] {"RSA", "RSASSA-PSS", "secp256r1", "X25519", "Ed25519"}) {
        boolean right = other.equals(c.key) || other.startsWith("secp") && c.key.startsWith("secp")
            || other.startsWith("RSA") && (c.name.contains("PSS") || c.name.contains("MGF1"));
        if (right) {
          signature.initSign(pair(other).getPrivate());
        } else {
          assertThrows(InvalidKeyException.class, () -> signature.initSign(pair(other).getPrivate()), c + " " + other);
          assertThrows(InvalidKeyException.class, () -> signature.initVerify(pair(other).getPublic()), c + " " + other);
        }
      }
      assertThrows(InvalidKeyException.class, () -> signature.initSign(null));
    }
  }

  @Test
  void keysOfTheWrongHalf() throws Exception {
    Signature signature = Signature.getInstance("Ed25519", OURS);
    assertThrows(SignatureException.class, signature::sign);
    signature.initVerify(pair("Ed25519").getPublic());
    assertThrows(SignatureException.class, signature::sign);
    signature.initSign(pair("Ed25519").getPrivate());
    assertThrows(SignatureException.class, () -> signature.verify(new byte[64]));
  }

  @Test
  void initDropsTheMessage() throws Exception {
    for (Case c : cases()) {
      KeyPair pair = pair(c.key);
      Signature signature = c.ours();
      signature.initSign(pair.getPrivate());
      signature.update(bytes(1, 40));
      signature.initSign(pair.getPrivate());
      signature.update(bytes(2, 20));
      byte[] signed = signature.sign();
      signature.initVerify(pair.getPublic());
      signature.update(bytes(1, 10));
      signature.initVerify(pair.getPublic());
      signature.update(bytes(2, 20));
      assertTrue(signature.verify(signed), c.toString());
    }
  }

  @Test
  void limitsOfWhatIsSignedWithoutDigest() throws Exception {
    Signature rsa = Signature.getInstance("NONEwithRSA", OURS);
    rsa.initSign(pair("RSA").getPrivate());
    for (int length : new int[] {246, 2049, 100_000}) {
      rsa.update(new byte[length]);
      assertThrows(SignatureException.class, rsa::sign, "" + length);
    }
    rsa.update(bytes(1, 245));
    byte[] signature = rsa.sign();
    rsa.initVerify(pair("RSA").getPublic());
    rsa.update(bytes(1, 245));
    assertTrue(rsa.verify(signature));

    // A DigestInfo signed so is what SHA256withRSA makes.
    byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(bytes(4, 99));
    ByteArrayOutputStream info = new ByteArrayOutputStream();
    info.write(hex("3031300d060960864801650304020105000420"));
    info.write(digest);
    rsa.initSign(pair("RSA").getPrivate());
    rsa.update(info.toByteArray());
    Signature whole = Signature.getInstance("SHA256withRSA", OURS);
    whole.initSign(pair("RSA").getPrivate());
    whole.update(bytes(4, 99));
    assertArrayEquals(whole.sign(), rsa.sign());

    Signature ecdsa = Signature.getInstance("NONEwithECDSA", OURS);
    ecdsa.initSign(pair("secp256r1").getPrivate());
    ecdsa.update(new byte[64]);
    ecdsa.sign();
    ecdsa.update(new byte[65]);
    assertThrows(SignatureException.class, ecdsa::sign);
    for (int i = 0; i < 65; i++) {
      ecdsa.update((byte) i);
    }
    assertThrows(SignatureException.class, ecdsa::sign);
    ecdsa.update(ByteBuffer.allocate(70));
    assertThrows(SignatureException.class, ecdsa::sign);
  }

  // --- parameters ---

  @Test
  void parametersOfPss() throws Exception {
    Signature pss = Signature.getInstance("RSASSA-PSS", OURS);
    assertNull(pss.getParameters());
    pss.initSign(pair("RSA").getPrivate());
    assertThrows(SignatureException.class, () -> pss.update((byte) 1), "no parameters");
    assertThrows(SignatureException.class, pss::sign);
    PSSParameterSpec spec = pss("SHA-256", "SHA-512", 17);
    pss.setParameter(spec);
    PSSParameterSpec back = pss.getParameters().getParameterSpec(PSSParameterSpec.class);
    assertEquals("SHA-256", back.getDigestAlgorithm());
    assertEquals(17, back.getSaltLength());
    assertEquals("RSASSA-PSS", pss.getParameters().getAlgorithm());
    pss.update((byte) 1);
    assertThrows(InvalidAlgorithmParameterException.class, () -> pss.setParameter(spec), "in a message");
    pss.sign();
    for (PSSParameterSpec bad : new PSSParameterSpec[] {
      pss("SHA-256", "SHA-256", 256),
      pss("Whirlpool", "SHA-256", 20),
      pss("SHA-256", "Whirlpool", 20),
      new PSSParameterSpec("SHA-256", "MGF2", MGF1ParameterSpec.SHA256, 20, 1),
      new PSSParameterSpec("SHA-256", "MGF1", null, 20, 1),
      new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 20, 2)
    }) {
      assertThrows(InvalidAlgorithmParameterException.class, () -> pss.setParameter(bad), bad.toString());
    }
    assertThrows(InvalidAlgorithmParameterException.class, () -> pss.setParameter(null));
    pss.setParameter(pss("SHA-256", "SHA-256", 222));

    Signature named = Signature.getInstance("SHA384withRSA/PSS", OURS);
    back = named.getParameters().getParameterSpec(PSSParameterSpec.class);
    assertEquals("SHA-384", back.getDigestAlgorithm());
    assertEquals(48, back.getSaltLength());
    assertThrows(InvalidAlgorithmParameterException.class, () -> named.setParameter(pss("SHA-256", "SHA-256", 32)));
    named.setParameter(pss("SHA-384", "SHA-1", 3));
  }

  @Test
  void pssKeysRestrict() throws Exception {
    PSSParameterSpec own = pss("SHA-256", "SHA-256", 32);
    KeyPair pair =
        generate(OURS, "RSASSA-PSS", new RSAKeyGenParameterSpec(1024, RSAKeyGenParameterSpec.F4, own));
    Signature pss = Signature.getInstance("RSASSA-PSS", OURS);
    pss.initSign(pair.getPrivate());
    pss.update(bytes(1, 100));
    byte[] signature = pss.sign();
    Signature jdk = Signature.getInstance("RSASSA-PSS", "SunRsaSign");
    jdk.setParameter(own);
    jdk.initVerify((PublicKey) KeyFactory.getInstance("RSASSA-PSS", "SunRsaSign").translateKey(pair.getPublic()));
    jdk.update(bytes(1, 100));
    assertTrue(jdk.verify(signature), "the key's parameters by default");
    pss.initVerify(pair.getPublic());
    assertThrows(InvalidAlgorithmParameterException.class, () -> pss.setParameter(pss("SHA-256", "SHA-256", 31)));
    assertThrows(InvalidAlgorithmParameterException.class, () -> pss.setParameter(pss("SHA-256", "SHA-1", 32)));
    assertThrows(InvalidAlgorithmParameterException.class, () -> pss.setParameter(pss("SHA-384", "SHA-256", 32)));
    pss.setParameter(pss("SHA-256", "SHA-256", 40));
    Signature other = Signature.getInstance("SHA512withRSA/PSS", OURS);
    assertThrows(InvalidKeyException.class, () -> other.initSign(pair.getPrivate()));
    Signature small = Signature.getInstance("SHA512withRSA/PSS", OURS);
    KeyPair rsa512 = generate(OURS, "RSA", new RSAKeyGenParameterSpec(512, RSAKeyGenParameterSpec.F4));
    assertThrows(InvalidKeyException.class, () -> small.initSign(rsa512.getPrivate()), "too short");
    Signature shortPkcs1 = Signature.getInstance("SHA512withRSA", OURS);
    shortPkcs1.initSign(rsa512.getPrivate());
    assertThrows(SignatureException.class, shortPkcs1::sign);
  }

  @Test
  void parametersOfTheOthers() throws Exception {
    for (Case c : cases()) {
      if (c.pss == null) {
        Signature signature = c.ours();
        signature.setParameter(null);
        assertNull(signature.getParameters());
        assertThrows(InvalidAlgorithmParameterException.class, () -> signature.setParameter(pss("SHA-1", "SHA-1", 1)));
      }
    }
    Signature ecdsa = Signature.getInstance("SHA256withECDSA", OURS);
    ecdsa.initSign(pair("secp256r1").getPrivate());
    ecdsa.setParameter(((ECPublicKey) pair("secp256r1").getPublic()).getParams());
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> ecdsa.setParameter(((ECPublicKey) pair("secp384r1").getPublic()).getParams()));
    Signature ed = Signature.getInstance("Ed25519", OURS);
    ed.setParameter(new EdDSAParameterSpec(false));
    assertThrows(InvalidAlgorithmParameterException.class, () -> ed.setParameter(new EdDSAParameterSpec(true)));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> ed.setParameter(new EdDSAParameterSpec(false, new byte[] {1})));
  }

  // --- known answers ---

  /** Inputs of RFC 8032 section 7.1, tests 1 to 3; values checked against independent implementations. */
  @Test
  void rfc8032() throws Exception {
    String[][] tests = {
      {
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
            + "655141438e7a100b"
      },
      {
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
            + "b00d291612bb0c00"
      },
      {
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
            + "c027beceea1ec40a"
      }
    };
    KeyFactory factory = KeyFactory.getInstance("Ed25519", OURS);
    for (String[] test : tests) {
      Signature signature = Signature.getInstance("Ed25519", OURS);
      signature.initSign(factory.generatePrivate(new RawKeySpec(hex(test[0]))));
      signature.update(hex(test[2]));
      assertEquals(test[3], hex(signature.sign()));
      signature.initVerify(factory.generatePublic(new RawKeySpec(hex(test[1]))));
      signature.update(hex(test[2]));
      assertTrue(signature.verify(hex(test[3])));
    }
  }

  /** Key and message ("sample") of RFC 6979 appendix A.2.5; values checked against an independent implementation. */
  @Test
  void rfc6979() throws Exception {
    ECPoint w = new ECPoint(
        new BigInteger("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6", 16),
        new BigInteger("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299", 16));
    PublicKey key = KeyFactory.getInstance("EC", OURS)
        .generatePublic(new ECPublicKeySpec(w, ((ECPublicKey) pair("secp256r1").getPublic()).getParams()));
    String[][] tests = {
      {
        "SHA1", "61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32",
        "6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB"
      },
      {
        "SHA256", "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
      },
      {
        "SHA512", "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
        "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"
      }
    };
    for (String[] test : tests) {
      Signature signature = Signature.getInstance(test[0] + "withECDSAinP1363Format", OURS);
      signature.initVerify(key);
      signature.update("sample".getBytes("US-ASCII"));
      assertTrue(signature.verify(hex(test[1] + test[2])), test[0]);
    }
  }

  @Test
  void oneKeyOfEachSizeThatIsNotABlock() throws Exception {
    // A modulus of 1025 bits: PSS leaves a whole first byte zero.
    java.security.KeyPairGenerator jdk = java.security.KeyPairGenerator.getInstance("RSA", "SunRsaSign");
    for (int bits : new int[] {1025, 1026, 1031}) {
      jdk.initialize(bits);
      KeyPair pair = jdk.generateKeyPair();
      for (String name : new String[] {"SHA256withRSA/PSS", "SHA256withRSA"}) {
        Signature ours = Signature.getInstance(name, OURS);
        Signature theirs = Signature.getInstance(name.endsWith("PSS") ? "RSASSA-PSS" : name, "SunRsaSign");
        if (name.endsWith("PSS")) {
          theirs.setParameter(pss("SHA-256", "SHA-256", 32));
        }
        ours.initSign(pair.getPrivate());
        theirs.initVerify(pair.getPublic());
        ours.update(bytes(1, 9));
        theirs.update(bytes(1, 9));
        assertTrue(theirs.verify(ours.sign()), name + bits);
      }
      KeyFactory.getInstance("RSA", OURS).generatePublic(
          new RSAPublicKeySpec(((RSAPublicKey) pair.getPublic()).getModulus(), BigInteger.valueOf(3)));
    }
  }
}
