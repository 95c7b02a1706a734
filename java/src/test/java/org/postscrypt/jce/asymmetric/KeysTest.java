package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.BC;
import static org.postscrypt.jce.asymmetric.Asymmetric.CURVES;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.bytes;
import static org.postscrypt.jce.asymmetric.Asymmetric.generate;
import static org.postscrypt.jce.asymmetric.Asymmetric.hex;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.postscrypt.RawKeySpec;

class KeysTest {
  private static final String[] ALL =
      {"RSA", "RSASSA-PSS", "secp224r1", "secp256r1", "secp384r1", "secp521r1", "X25519", "Ed25519"};

  private static KeyFactory ours(String algorithm) throws Exception {
    return KeyFactory.getInstance(algorithm.startsWith("secp") ? "EC" : algorithm, OURS);
  }

  private static KeyFactory theirs(String algorithm, Provider provider) throws Exception {
    String name = algorithm.startsWith("secp") ? "EC" : algorithm;
    if (provider == BC && name.equals("RSASSA-PSS")) {
      name = "RSA";
    }
    return KeyFactory.getInstance(name, provider);
  }

  /** The JDK's provider for an algorithm, and Bouncy Castle; the JDK has no P-224. */
  private static List<Provider> peers(String algorithm) {
    List<Provider> peers = new ArrayList<>();
    peers.add(BC);
    if (!algorithm.equals("secp224r1")) {
      peers.add(Security.getProvider(algorithm.startsWith("RSA") ? "SunRsaSign" : "SunEC"));
    }
    return peers;
  }

  @Test
  void interfaces() {
    for (String curve : CURVES) {
      assertInstanceOf(ECPublicKey.class, pair(curve).getPublic());
      assertInstanceOf(ECPrivateKey.class, pair(curve).getPrivate());
      assertEquals("EC", pair(curve).getPublic().getAlgorithm());
    }
    assertInstanceOf(RSAPublicKey.class, pair("RSA").getPublic());
    assertInstanceOf(RSAPrivateCrtKey.class, pair("RSA").getPrivate());
    assertNull(((RSAKey) pair("RSA").getPrivate()).getParams());
    assertEquals("RSASSA-PSS", pair("RSASSA-PSS").getPrivate().getAlgorithm());
    assertSame(NamedParameterSpec.X25519, assertInstanceOf(XECPublicKey.class, pair("X25519").getPublic()).getParams());
    assertEquals(
        32, assertInstanceOf(XECPrivateKey.class, pair("X25519").getPrivate()).getScalar().orElseThrow().length);
    assertSame(
        NamedParameterSpec.ED25519, assertInstanceOf(EdECPublicKey.class, pair("Ed25519").getPublic()).getParams());
    assertEquals(
        32, assertInstanceOf(EdECPrivateKey.class, pair("Ed25519").getPrivate()).getBytes().orElseThrow().length);
    assertEquals("XDH", pair("X25519").getPublic().getAlgorithm());
    assertEquals("EdDSA", pair("Ed25519").getPublic().getAlgorithm());
  }

  @Test
  void keysTravelToOtherProvidersAndBack() throws Exception {
    for (String name : ALL) {
      KeyPair pair = pair(name);
      for (Provider peer : peers(name)) {
        KeyFactory theirs = theirs(name, peer);
        String what = name + " " + peer.getName();
        PublicKey theirPublic = theirs.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
        PrivateKey theirPrivate = theirs.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()));
        assertArrayEquals(pair.getPublic().getEncoded(), theirPublic.getEncoded(), what);
        assertEquals(pair.getPublic(), ours(name).translateKey(theirPublic), what);
        assertEquals(pair.getPrivate(), ours(name).translateKey(theirPrivate), what);
        assertEquals(pair.getPublic(), ours(name).generatePublic(new X509EncodedKeySpec(theirPublic.getEncoded())));
        assertEquals(
            pair.getPrivate(), ours(name).generatePrivate(new PKCS8EncodedKeySpec(theirPrivate.getEncoded())), what);
        if (peer == BC && (name.equals("RSASSA-PSS") || name.endsWith("25519"))) {
          continue; // It makes a plain RSA key of a foreign one, and translates none on these curves.
        }
        assertEquals(theirPublic, theirs.translateKey(pair.getPublic()), what);
        Key again = theirs.translateKey(pair.getPrivate());
        assertEquals(pair.getPrivate(), ours(name).translateKey(again), what);
        if (peer != BC) {
          // SunEC leaves the point out of what it translates, but keeps it in what it reads.
          if (!name.startsWith("secp")) {
            assertEquals(theirPrivate, again, what);
          }
          assertEquals(pair.getPublic(), theirPublic);
          assertEquals(theirPublic, pair.getPublic(), "symmetric");
        }
      }
    }
  }

  @Test
  void keysOfOtherProvidersCome() throws Exception {
    for (String name : ALL) {
      for (Provider peer : peers(name)) {
        String generator = name.startsWith("secp") ? "EC" : peer == BC && name.equals("RSASSA-PSS") ? "RSA" : name;
        if (generator.equals("RSA") && !name.equals("RSA")) {
          continue;
        }
        KeyPair theirs = generate(peer, generator, name.startsWith("secp") ? new ECGenParameterSpec(name) : null);
        PublicKey ourPublic = (PublicKey) ours(name).translateKey(theirs.getPublic());
        PrivateKey ourPrivate = (PrivateKey) ours(name).translateKey(theirs.getPrivate());
        assertArrayEquals(theirs.getPublic().getEncoded(), ourPublic.getEncoded(), name + peer);
        assertEquals(
            ourPrivate, ours(name).generatePrivate(new PKCS8EncodedKeySpec(ourPrivate.getEncoded())), name + peer);
        assertEquals(ourPrivate.hashCode(),
            ours(name).generatePrivate(new PKCS8EncodedKeySpec(theirs.getPrivate().getEncoded())).hashCode());
      }
    }
  }

  @Test
  void numbersAreTheJdks() throws Exception {
    KeyPair pair = pair("RSA");
    KeyFactory jdk = KeyFactory.getInstance("RSA", "SunRsaSign");
    RSAPrivateCrtKey a = (RSAPrivateCrtKey) pair.getPrivate();
    RSAPrivateCrtKey b = (RSAPrivateCrtKey) jdk.generatePrivate(new PKCS8EncodedKeySpec(a.getEncoded()));
    assertEquals(b.getModulus(), a.getModulus());
    assertEquals(b.getPublicExponent(), a.getPublicExponent());
    assertEquals(b.getPrivateExponent(), a.getPrivateExponent());
    assertEquals(b.getPrimeP(), a.getPrimeP());
    assertEquals(b.getPrimeQ(), a.getPrimeQ());
    assertEquals(b.getPrimeExponentP(), a.getPrimeExponentP());
    assertEquals(b.getPrimeExponentQ(), a.getPrimeExponentQ());
    assertEquals(b.getCrtCoefficient(), a.getCrtCoefficient());
    assertEquals(((RSAPublicKey) pair.getPublic()).getModulus(), a.getModulus());
    for (String curve : CURVES) {
      if (!curve.equals("secp224r1")) {
        ECPublicKey ours = (ECPublicKey) pair(curve).getPublic();
        ECPublicKey theirs = (ECPublicKey) KeyFactory.getInstance("EC", "SunEC").translateKey(ours);
        assertEquals(theirs.getW(), ours.getW());
        ECPrivateKey ourPrivate = (ECPrivateKey) pair(curve).getPrivate();
        ECPrivateKey theirPrivate = (ECPrivateKey) KeyFactory.getInstance("EC", "SunEC").translateKey(ourPrivate);
        assertEquals(theirPrivate.getS(), ourPrivate.getS());
        assertSame(ours.getParams(), ourPrivate.getParams());
      }
    }
    XECPublicKey x = (XECPublicKey) pair("X25519").getPublic();
    assertEquals(((XECPublicKey) KeyFactory.getInstance("XDH", "SunEC").translateKey(x)).getU(), x.getU());
    EdECPublicKey e = (EdECPublicKey) pair("Ed25519").getPublic();
    EdECPublicKey f = (EdECPublicKey) KeyFactory.getInstance("EdDSA", "SunEC").translateKey(e);
    assertEquals(f.getPoint().getY(), e.getPoint().getY());
    assertEquals(f.getPoint().isXOdd(), e.getPoint().isXOdd());
  }

  @Test
  void specsBothWays() throws Exception {
    roundTrip("RSA", RSAPublicKeySpec.class, RSAPrivateCrtKeySpec.class);
    roundTrip("RSASSA-PSS", RSAPublicKeySpec.class, RSAPrivateCrtKeySpec.class);
    roundTrip("RSA", X509EncodedKeySpec.class, PKCS8EncodedKeySpec.class);
    roundTrip("RSA", EncodedKeySpec.class, KeySpec.class);
    for (String curve : CURVES) {
      roundTrip(curve, ECPublicKeySpec.class, ECPrivateKeySpec.class);
      roundTrip(curve, X509EncodedKeySpec.class, PKCS8EncodedKeySpec.class);
    }
    roundTrip("X25519", XECPublicKeySpec.class, XECPrivateKeySpec.class);
    roundTrip("X25519", RawKeySpec.class, RawKeySpec.class);
    roundTrip("Ed25519", EdECPublicKeySpec.class, EdECPrivateKeySpec.class);
    roundTrip("Ed25519", RawKeySpec.class, RawKeySpec.class);
    KeyFactory rsa = ours("RSA");
    assertInstanceOf(RSAPrivateCrtKeySpec.class, rsa.getKeySpec(pair("RSA").getPrivate(), RSAPrivateKeySpec.class));
    for (Class<? extends KeySpec> wrong :
        List.of(ECPublicKeySpec.class, PKCS8EncodedKeySpec.class, RSAPrivateKeySpec.class, RawKeySpec.class)) {
      assertThrows(InvalidKeySpecException.class, () -> rsa.getKeySpec(pair("RSA").getPublic(), wrong));
    }
    for (Class<? extends KeySpec> wrong : List.of(ECPrivateKeySpec.class, X509EncodedKeySpec.class)) {
      assertThrows(InvalidKeySpecException.class, () -> rsa.getKeySpec(pair("RSA").getPrivate(), wrong));
    }
    assertThrows(InvalidKeySpecException.class, () -> rsa.getKeySpec(null, X509EncodedKeySpec.class));
    assertThrows(
        InvalidKeySpecException.class, () -> rsa.getKeySpec(pair("X25519").getPublic(), X509EncodedKeySpec.class));
    assertThrows(InvalidKeySpecException.class, () -> rsa.generatePublic(null));
    assertThrows(InvalidKeySpecException.class, () -> rsa.generatePrivate(null));
    assertThrows(InvalidKeyException.class, () -> rsa.translateKey(null));
    assertThrows(InvalidKeyException.class, () -> rsa.translateKey(pair("RSASSA-PSS").getPublic()));
    assertThrows(InvalidKeyException.class, () -> ours("EC").translateKey(pair("RSA").getPrivate()));
  }

  private static void roundTrip(String name, Class<? extends KeySpec> publicSpec, Class<? extends KeySpec> privateSpec)
      throws Exception {
    KeyFactory factory = ours(name);
    KeyPair pair = pair(name);
    assertEquals(pair.getPublic(), factory.generatePublic(factory.getKeySpec(pair.getPublic(), publicSpec)));
    assertEquals(pair.getPrivate(), factory.generatePrivate(factory.getKeySpec(pair.getPrivate(), privateSpec)));
  }

  @Test
  void rsaWithoutPrimesSigns() throws Exception {
    RSAPrivateCrtKey full = (RSAPrivateCrtKey) pair("RSA").getPrivate();
    RSAPrivateKeySpec spec = new RSAPrivateKeySpec(full.getModulus(), full.getPrivateExponent());
    PrivateKey key = ours("RSA").generatePrivate(spec);
    assertFalse(key instanceof RSAPrivateCrtKey);
    assertEquals(full.getPrivateExponent(), assertInstanceOf(RSAPrivateKey.class, key).getPrivateExponent());
    Signature signer = Signature.getInstance("SHA256withRSA", OURS);
    PrivateKey jdk = KeyFactory.getInstance("RSA", "SunRsaSign").generatePrivate(spec);
    for (PrivateKey each : new PrivateKey[] {
      key, jdk, ours("RSA").generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()))
    }) {
      signer.initSign(each);
      signer.update(bytes(1, 50));
      byte[] signature = signer.sign();
      signer.initVerify(pair("RSA").getPublic());
      signer.update(bytes(1, 50));
      assertTrue(signer.verify(signature));
    }
    assertNotEquals(full, key);
    assertEquals(key, ours("RSA").translateKey(key));
    assertThrows(InvalidKeySpecException.class, () -> ours("RSA").getKeySpec(key, RSAPrivateCrtKeySpec.class));
    assertEquals(full.getPrivateExponent(), ours("RSA").getKeySpec(key, RSAPrivateKeySpec.class).getPrivateExponent());
    KeyFactory.getInstance("RSA", "SunRsaSign").translateKey(key);
  }

  /** Who knows no primes may leave them out of the specification that has room for them. */
  @Test
  void rsaSpecWithoutCrtNumbers() throws Exception {
    RSAPrivateCrtKey full = (RSAPrivateCrtKey) pair("RSA").getPrivate();
    for (BigInteger exponent : new BigInteger[] {full.getPublicExponent(), null, BigInteger.ZERO}) {
      for (BigInteger none : new BigInteger[] {null, BigInteger.ZERO}) {
        PrivateKey key = ours("RSA").generatePrivate(new RSAPrivateCrtKeySpec(
            full.getModulus(), exponent, full.getPrivateExponent(), none, none, none, none, none));
        Signature signer = Signature.getInstance("SHA256withRSA", OURS);
        signer.initSign(key);
        signer.update(bytes(1, 50));
        byte[] signature = signer.sign();
        signer.initVerify(pair("RSA").getPublic());
        signer.update(bytes(1, 50));
        assertTrue(signer.verify(signature));
      }
    }
    assertThrows(InvalidKeySpecException.class, () -> ours("RSA").generatePrivate(new RSAPrivateCrtKeySpec(
        full.getModulus(), full.getPublicExponent(), full.getPrivateExponent(), full.getPrimeP(), null, null, null, null)));
  }

  /** A key of another kind that hands out the array it keeps. */
  private static PrivateKey sharing(PrivateKey key) {
    byte[] kept = key.getEncoded();
    return new PrivateKey() {
      private static final long serialVersionUID = 1L;

      @Override
      public String getAlgorithm() {
        return key.getAlgorithm();
      }

      @Override
      public String getFormat() {
        return key.getFormat();
      }

      @Override
      public byte[] getEncoded() {
        return kept;
      }
    };
  }

  @Test
  void othersKeysStayAsTheyAre() throws Exception {
    for (String name : ALL) {
      PrivateKey key = pair(name).getPrivate();
      PrivateKey sharing = sharing(key);
      assertEquals(key, ours(name).translateKey(sharing), name);
      assertEquals(key, sharing, name);
      assertArrayEquals(key.getEncoded(), sharing.getEncoded(), name);
    }
    byte[] bytes = bytes(5, 16);
    SecretKey secret = new SecretKey() {
      private static final long serialVersionUID = 1L;

      @Override
      public String getAlgorithm() {
        return "AES";
      }

      @Override
      public String getFormat() {
        return "RAW";
      }

      @Override
      public byte[] getEncoded() {
        return bytes;
      }
    };
    Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding", OURS);
    cipher.init(Cipher.ENCRYPT_MODE, secret);
    cipher.doFinal(new byte[5]);
    Cipher wrap = Cipher.getInstance("AESWrap", OURS);
    wrap.init(Cipher.WRAP_MODE, secret);
    wrap.wrap(secret);
    Mac.getInstance("HmacSHA256", OURS).init(secret);
    assertArrayEquals(bytes(5, 16), bytes);
  }

  @Test
  void serialisation() throws Exception {
    for (String name : ALL) {
      for (Key key : new Key[] {pair(name).getPublic(), pair(name).getPrivate()}) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
          out.writeObject(key);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
          Object read = in.readObject();
          assertEquals(key, read);
          assertEquals(key.hashCode(), read.hashCode());
          assertSame(key.getClass(), read.getClass());
        }
      }
    }
  }

  @Test
  void destruction() throws Exception {
    for (String name : ALL) {
      PrivateKey key = ours(name).generatePrivate(new PKCS8EncodedKeySpec(pair(name).getPrivate().getEncoded()));
      int hash = pair(name).getPrivate().hashCode();
      Signature signature = null;
      if (!name.equals("X25519")) {
        signature = Signature.getInstance(
            name.startsWith("secp") ? "SHA256withECDSA" : name.equals("RSA") ? "SHA256withRSA"
                : name.equals("RSASSA-PSS") ? "SHA256withRSA/PSS" : name, OURS);
        signature.initSign(key);
      }
      assertFalse(key.isDestroyed());
      key.destroy();
      key.destroy();
      assertTrue(key.isDestroyed());
      assertThrows(IllegalStateException.class, key::getEncoded);
      assertEquals(hash, key.hashCode());
      assertEquals(key, key);
      assertNotEquals(key, pair(name).getPrivate());
      assertNotEquals(pair(name).getPrivate(), key);
      assertTrue(key.toString().contains("destroyed"));
      assertFalse(pair(name).getPrivate().isDestroyed());
      assertThrows(InvalidKeyException.class, () -> ours(name).translateKey(key));
      assertThrows(InvalidKeySpecException.class, () -> ours(name).getKeySpec(key, PKCS8EncodedKeySpec.class));
      if (signature != null) {
        signature.update((byte) 1);
        assertThrows(IllegalStateException.class, signature::sign);
        Signature other = signature;
        assertThrows(InvalidKeyException.class, () -> other.initSign(key));
      }
      if (key instanceof ECPrivateKey ec) {
        assertThrows(IllegalStateException.class, ec::getS);
      }
      if (key instanceof RSAPrivateCrtKey rsa) {
        assertThrows(IllegalStateException.class, rsa::getPrimeP);
        assertTrue(rsa.getModulus().bitLength() > 1000, "no secret");
      }
      if (key instanceof XECPrivateKey xec) {
        assertTrue(xec.getScalar().isEmpty());
      }
    }
  }

  @Test
  void textHasNoSecrets() {
    for (String name : ALL) {
      for (Key key : new Key[] {pair(name).getPublic(), pair(name).getPrivate()}) {
        assertTrue(key.toString().length() < 60, key.toString());
        assertTrue(key.toString().matches(".*(public|private) key"), key.toString());
      }
    }
  }

  @Test
  void encodedIsACopy() {
    for (String name : ALL) {
      for (Key key : new Key[] {pair(name).getPublic(), pair(name).getPrivate()}) {
        byte[] encoded = key.getEncoded();
        byte[] copy = encoded.clone();
        Arrays.fill(encoded, (byte) 1);
        assertArrayEquals(copy, key.getEncoded());
      }
    }
  }

  // --- generation ---

  @Test
  void generators() throws Exception {
    for (String name : new String[] {"NIST P-384", "P-384", "SECP384R1", "1.3.132.0.34"}) {
      ECPublicKey key = (ECPublicKey) generate(OURS, "EC", new ECGenParameterSpec(name)).getPublic();
      assertEquals(384, key.getParams().getOrder().bitLength());
    }
    for (String name : new String[] {"prime256v1", "X9.62 prime256v1", "1.2.840.10045.3.1.7"}) {
      ECPublicKey key = (ECPublicKey) generate(OURS, "EC", new ECGenParameterSpec(name)).getPublic();
      assertEquals(256, key.getParams().getOrder().bitLength());
    }
    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC", OURS);
    assertEquals(256, ((ECPublicKey) ec.generateKeyPair().getPublic()).getParams().getOrder().bitLength());
    for (int size : new int[] {224, 256, 384, 521}) {
      ec.initialize(size);
      assertEquals(size, ((ECPublicKey) ec.generateKeyPair().getPublic()).getParams().getOrder().bitLength());
    }
    for (int size : new int[] {0, -1, 192, 255, 512}) {
      assertThrows(InvalidParameterException.class, () -> ec.initialize(size));
    }
    assertThrows(InvalidAlgorithmParameterException.class, () -> ec.initialize(new ECGenParameterSpec("secp256k1")));
    assertThrows(InvalidAlgorithmParameterException.class, () -> ec.initialize(NamedParameterSpec.X25519));
    assertThrows(InvalidAlgorithmParameterException.class, () -> ec.initialize(null));
    assertEquals(521, ((ECPublicKey) ec.generateKeyPair().getPublic()).getParams().getOrder().bitLength());
    ec.initialize(((ECPublicKey) pair("secp224r1").getPublic()).getParams());
    assertEquals(224, ((ECPublicKey) ec.generateKeyPair().getPublic()).getParams().getOrder().bitLength());

    for (String name : new String[] {"XDH", "X25519"}) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(name, OURS);
      generator.initialize(255);
      generator.initialize(NamedParameterSpec.X25519);
      assertThrows(InvalidAlgorithmParameterException.class, () -> generator.initialize(NamedParameterSpec.X448));
      assertThrows(InvalidAlgorithmParameterException.class, () -> generator.initialize(NamedParameterSpec.ED25519));
      assertThrows(InvalidParameterException.class, () -> generator.initialize(448));
      assertInstanceOf(XECPublicKey.class, generator.generateKeyPair().getPublic());
    }
    KeyPairGenerator ed = KeyPairGenerator.getInstance("Ed25519", OURS);
    ed.initialize(NamedParameterSpec.ED25519);
    assertThrows(InvalidAlgorithmParameterException.class, () -> ed.initialize(NamedParameterSpec.ED448));
  }

  @Test
  void rsaGenerator() throws Exception {
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA", OURS);
    for (int size : new int[] {0, -2048, 511, 513, 1000, 2047, 16385, 32768}) {
      assertThrows(InvalidParameterException.class, () -> rsa.initialize(size));
    }
    for (BigInteger e : new BigInteger[] {
      BigInteger.ONE, BigInteger.TWO, BigInteger.ZERO, BigInteger.valueOf(-3), BigInteger.valueOf(65536),
      BigInteger.ONE.shiftLeft(32).add(BigInteger.ONE)
    }) {
      assertThrows(
          InvalidAlgorithmParameterException.class, () -> rsa.initialize(new RSAKeyGenParameterSpec(1024, e)));
    }
    assertThrows(InvalidAlgorithmParameterException.class, () -> rsa.initialize(null));
    rsa.initialize(new RSAKeyGenParameterSpec(1024, RSAKeyGenParameterSpec.F0));
    RSAPublicKey key = (RSAPublicKey) rsa.generateKeyPair().getPublic();
    assertEquals(1024, key.getModulus().bitLength());
    assertEquals(RSAKeyGenParameterSpec.F0, key.getPublicExponent());
    assertEquals(2048, ((RSAPublicKey) pair("RSA").getPublic()).getModulus().bitLength());
  }

  @Test
  void pssKeysKeepTheirParameters() throws Exception {
    PSSParameterSpec spec = new PSSParameterSpec("SHA-384", "MGF1", MGF1ParameterSpec.SHA256, 40, 1);
    KeyPair pair = generate(OURS, "RSASSA-PSS", new RSAKeyGenParameterSpec(1024, RSAKeyGenParameterSpec.F4, spec));
    for (Key key : new Key[] {
      pair.getPublic(),
      pair.getPrivate(),
      ours("RSASSA-PSS").generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded())),
      ours("RSASSA-PSS").generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded())),
      KeyFactory.getInstance("RSASSA-PSS", "SunRsaSign").translateKey(pair.getPublic()),
      KeyFactory.getInstance("RSASSA-PSS", "SunRsaSign").translateKey(pair.getPrivate())
    }) {
      PSSParameterSpec params = (PSSParameterSpec) ((RSAKey) key).getParams();
      assertEquals("SHA-384", params.getDigestAlgorithm());
      assertEquals("SHA-256", ((MGF1ParameterSpec) params.getMGFParameters()).getDigestAlgorithm());
      assertEquals(40, params.getSaltLength());
    }
    KeyFactory factory = ours("RSASSA-PSS");
    RSAPublicKeySpec publicSpec = factory.getKeySpec(pair.getPublic(), RSAPublicKeySpec.class);
    assertEquals(40, ((PSSParameterSpec) publicSpec.getParams()).getSaltLength());
    assertEquals(pair.getPublic(), factory.generatePublic(publicSpec));
    assertEquals(pair.getPrivate(), factory.generatePrivate(
        factory.getKeySpec(pair.getPrivate(), RSAPrivateCrtKeySpec.class)));
    assertThrows(InvalidKeySpecException.class, () -> ours("RSA").generatePublic(publicSpec));
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA", OURS);
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> rsa.initialize(new RSAKeyGenParameterSpec(1024, RSAKeyGenParameterSpec.F4, spec)));
    KeyPairGenerator pss = KeyPairGenerator.getInstance("RSASSA-PSS", OURS);
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> pss.initialize(new RSAKeyGenParameterSpec(512, RSAKeyGenParameterSpec.F4, spec)));
  }

  // --- bad keys ---

  @Test
  void everyTruncationAndTrailingByteIsRefused() throws Exception {
    for (String name : ALL) {
      byte[] spki = pair(name).getPublic().getEncoded();
      byte[] pkcs8 = pair(name).getPrivate().getEncoded();
      KeyFactory factory = ours(name);
      for (int length = 0; length < spki.length; length++) {
        X509EncodedKeySpec bad = new X509EncodedKeySpec(Arrays.copyOf(spki, length));
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(bad));
      }
      for (int length = 0; length < pkcs8.length; length++) {
        PKCS8EncodedKeySpec bad = new PKCS8EncodedKeySpec(Arrays.copyOf(pkcs8, length));
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(bad));
      }
      X509EncodedKeySpec longer = new X509EncodedKeySpec(Arrays.copyOf(spki, spki.length + 1));
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(longer));
      PKCS8EncodedKeySpec longerPrivate = new PKCS8EncodedKeySpec(Arrays.copyOf(pkcs8, pkcs8.length + 1));
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(longerPrivate));
    }
  }

  @Test
  void pointsOffTheCurve() throws Exception {
    KeyFactory factory = ours("EC");
    for (String curve : CURVES) {
      ECPublicKey key = (ECPublicKey) pair(curve).getPublic();
      ECParameterSpec params = key.getParams();
      BigInteger x = key.getW().getAffineX();
      BigInteger y = key.getW().getAffineY();
      BigInteger p = ((java.security.spec.ECFieldFp) params.getCurve().getField()).getP();
      for (ECPoint bad : new ECPoint[] {
        new ECPoint(x, y.add(BigInteger.ONE)), new ECPoint(x, y.negate()), new ECPoint(x.add(p), y),
        new ECPoint(BigInteger.ZERO, BigInteger.ZERO), new ECPoint(x.shiftLeft(600), y)
      }) {
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new ECPublicKeySpec(bad, params)));
      }
      byte[] spki = key.getEncoded();
      spki[spki.length - 1] ^= 1;
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new X509EncodedKeySpec(spki)));
      for (BigInteger bad : new BigInteger[] {params.getOrder(), params.getOrder().add(BigInteger.ONE)}) {
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new ECPrivateKeySpec(bad, params)));
      }
      assertThrows(InvalidKeySpecException.class,
          () -> factory.generatePrivate(new ECPrivateKeySpec(BigInteger.ZERO, params)));
      assertThrows(InvalidKeySpecException.class,
          () -> factory.generatePrivate(new ECPrivateKeySpec(BigInteger.valueOf(-5), params)));
      assertEquals(BigInteger.ONE, ((ECPrivateKey) factory.generatePrivate(
          new ECPrivateKeySpec(BigInteger.ONE, params))).getS());
    }
    ECPublicKey p256 = (ECPublicKey) pair("secp256r1").getPublic();
    ECParameterSpec wrong = ((ECPublicKey) pair("secp384r1").getPublic()).getParams();
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new ECPublicKeySpec(p256.getW(), wrong)));
    ECParameterSpec almost = new ECParameterSpec(
        p256.getParams().getCurve(), p256.getW(), p256.getParams().getOrder(), 1);
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new ECPublicKeySpec(p256.getW(), almost)));
  }

  @Test
  void sec1WithAndWithoutInnerParts() throws Exception {
    KeyFactory factory = ours("EC");
    PrivateKey key = pair("secp256r1").getPrivate();
    byte[] s = new byte[32];
    byte[] magnitude = ((ECPrivateKey) key).getS().toByteArray();
    for (int i = 0; i < Math.min(32, magnitude.length); i++) {
      s[31 - i] = magnitude[magnitude.length - 1 - i];
    }
    ECPoint w = ((ECPublicKey) pair("secp256r1").getPublic()).getW();
    byte[] spki = pair("secp256r1").getPublic().getEncoded();
    byte[] point = Arrays.copyOfRange(spki, spki.length - 65, spki.length);
    String p256 = "06082a8648ce3d030107";
    String p384 = "06052b81040022";
    String scalar = "0420" + hex(s);
    String publicPart = "a144034200" + hex(point);
    String compressed = "a124032200" + (w.getAffineY().testBit(0) ? "03" : "02") + hex(point).substring(2, 66);
    for (String inner : new String[] {
      scalar, scalar + "a00a" + p256, scalar + publicPart, scalar + "a00a" + p256 + publicPart, scalar + compressed
    }) {
      assertEquals(key, factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8("00", p256, inner, ""))), inner);
      byte[] version2 = pkcs8("01", p256, inner, "814200" + hex(point));
      assertEquals(key, factory.generatePrivate(new PKCS8EncodedKeySpec(version2)), inner);
    }
    String otherPoint = hex(
        Arrays.copyOfRange(generate(OURS, "EC", null).getPublic().getEncoded(), spki.length - 65, spki.length));
    for (String inner : new String[] {
      scalar + "a007" + p384,
      scalar + "a144034200" + otherPoint,
      "0420" + "00".repeat(32),
      "0420" + "ff".repeat(32),
      scalar + "0500",
      ""
    }) {
      PKCS8EncodedKeySpec bad = new PKCS8EncodedKeySpec(pkcs8("00", p256, inner, ""));
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(bad), inner);
    }
    for (byte[] bad : new byte[][] {
      pkcs8("00", p384, scalar + "a00a" + p256, ""), // outer and inner disagree
      pkcs8("00", p384, scalar + publicPart, ""),
      pkcs8("00", p256, scalar, "814200" + hex(point)), // a public key needs version 2
      pkcs8("01", p256, scalar, "814200" + otherPoint),
      pkcs8("02", p256, scalar, ""),
      pkcs8("00", "", scalar, ""),
      pkcs8("00", "0500", scalar, "")
    }) {
      assertThrows(
          InvalidKeySpecException.class, () -> factory.generatePrivate(new PKCS8EncodedKeySpec(bad)), hex(bad));
    }
    byte[] attributes = pkcs8("00", p256, scalar, "a000");
    assertEquals(key, factory.generatePrivate(new PKCS8EncodedKeySpec(attributes)), "attributes");
  }

  private static byte[] pkcs8(String version, String curve, String inner, String behind) {
    String sec1 = inner.isEmpty() ? "" : der("30", "020101" + inner);
    return hex(der("30", "0201" + version + der("30", "06072a8648ce3d0201" + curve) + der("04", sec1) + behind));
  }

  private static String der(String tag, String content) {
    int length = content.length() / 2;
    return tag + (length < 128 ? String.format("%02x", length) : length < 256 ? String.format("81%02x", length)
        : String.format("82%04x", length)) + content;
  }

  @Test
  void rawKeys() throws Exception {
    // RFC 8032 section 7.1 test 1.
    KeyFactory xdh = ours("X25519");
    KeyFactory ed = ours("Ed25519");
    PrivateKey key = ed.generatePrivate(
        new RawKeySpec(hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")));
    // RFC 8410 section 10.3 has the same form with another key.
    assertEquals("302e020100300506032b657004220420"
        + "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", hex(key.getEncoded()));
    PrivateKey rfc8410 = ed.generatePrivate(new PKCS8EncodedKeySpec(hex(
        "3072020101300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842"
            + "a01f301d060a2a864886f70d01090914310f0c0d437572646c6520436861697273"
            + "81210019bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")));
    assertEquals("d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842",
        hex(((EdECPrivateKey) rfc8410).getBytes().orElseThrow()));
    for (int length : new int[] {0, 31, 33, 64}) {
      assertThrows(InvalidKeySpecException.class, () -> xdh.generatePrivate(new RawKeySpec(new byte[length])));
      assertThrows(InvalidKeySpecException.class, () -> xdh.generatePublic(new RawKeySpec(new byte[length])));
      assertThrows(InvalidKeySpecException.class, () -> ed.generatePrivate(new RawKeySpec(new byte[length])));
      assertThrows(InvalidKeySpecException.class, () -> ed.generatePublic(new RawKeySpec(new byte[length])));
    }
    assertThrows(InvalidKeySpecException.class,
        () -> xdh.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X448, BigInteger.TEN)));
    assertThrows(InvalidKeySpecException.class,
        () -> ed.generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED448, new byte[57])));
    assertThrows(InvalidKeySpecException.class, () -> xdh.generatePublic(
        new X509EncodedKeySpec(pair("Ed25519").getPublic().getEncoded())));
    assertEquals("RAW", new RawKeySpec(new byte[1]).getFormat());
    assertThrows(InvalidKeySpecException.class, () -> ours("EC").generatePublic(new RawKeySpec(new byte[65])));
  }

  @Test
  void badRsaNumbers() throws Exception {
    KeyFactory factory = ours("RSA");
    RSAPrivateCrtKey key = (RSAPrivateCrtKey) pair("RSA").getPrivate();
    BigInteger n = key.getModulus();
    for (BigInteger bad : new BigInteger[] {
      BigInteger.ONE, BigInteger.TWO, BigInteger.ZERO, n, BigInteger.valueOf(-3)
    }) {
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new RSAPublicKeySpec(n, bad)));
    }
    for (BigInteger bad : new BigInteger[] {
      BigInteger.ZERO, n.negate(), n.subtract(BigInteger.ONE), BigInteger.valueOf(35),
      BigInteger.ONE.shiftLeft(16384).add(n)
    }) {
      RSAPublicKeySpec spec = new RSAPublicKeySpec(bad, BigInteger.valueOf(3));
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(spec));
    }
    for (int wrong = 0; wrong < 8; wrong++) {
      BigInteger[] numbers = {
        n, key.getPublicExponent(), key.getPrivateExponent(), key.getPrimeP(), key.getPrimeQ(), key.getPrimeExponentP(),
        key.getPrimeExponentQ(), key.getCrtCoefficient()
      };
      numbers[wrong] = numbers[wrong].add(BigInteger.TWO);
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new RSAPrivateCrtKeySpec(
          numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7])), "" + wrong);
    }
    assertThrows(InvalidKeySpecException.class,
        () -> factory.generatePrivate(new RSAPrivateKeySpec(n, BigInteger.ZERO)));
  }

  @Test
  void keysWithoutEncodings() throws Exception {
    PrivateKey hardware = new PrivateKey() {
      @Override
      public String getAlgorithm() {
        return "RSA";
      }

      @Override
      public String getFormat() {
        return null;
      }

      @Override
      public byte[] getEncoded() {
        return null;
      }
    };
    Signature signature = Signature.getInstance("SHA256withRSA", OURS);
    assertThrows(InvalidKeyException.class, () -> signature.initSign(hardware));
    assertThrows(InvalidKeyException.class, () -> signature.initSign(null));
    assertThrows(InvalidKeyException.class, () -> signature.initVerify((PublicKey) null));
    RSAPublicKey known = (RSAPublicKey) pair("RSA").getPublic();
    RSAPublicKey numbersOnly = new RSAPublicKey() {
      @Override
      public BigInteger getModulus() {
        return known.getModulus();
      }

      @Override
      public BigInteger getPublicExponent() {
        return known.getPublicExponent();
      }

      @Override
      public String getAlgorithm() {
        return "RSA";
      }

      @Override
      public String getFormat() {
        return null;
      }

      @Override
      public byte[] getEncoded() {
        return null;
      }
    };
    assertEquals(known, ours("RSA").translateKey(numbersOnly));
    Provider.Service service = OURS.getService("Signature", "SHA256withRSA");
    assertFalse(service.supportsParameter(hardware), "the JCA asks the next provider");
    assertTrue(service.supportsParameter(numbersOnly));
    assertTrue(service.supportsParameter(known));
  }
}
