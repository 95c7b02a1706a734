package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.Destroyable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.RawKeySpec;

class KeysTest {
  static Stream<String> all() {
    return Stream.concat(Pq.KEMS.stream(), Pq.SIGNATURES.stream());
  }

  private static byte[] serialised(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object copy(Object object) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialised(object)))) {
      return in.readObject();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void keysAreValues(String name) throws Exception {
    KeyPair pair = Pq.keyPair(name);
    KeyPair other = Pq.keyPair(name);
    PublicKey publicKey = pair.getPublic();
    PrivateKey privateKey = pair.getPrivate();
    for (Key key : List.of(publicKey, privateKey)) {
      assertEquals(name, key.getAlgorithm());
      assertTrue(key.toString().startsWith(name), key.toString());
      assertNotEquals(key, null);
      assertNotEquals(key, "key");
      assertArrayEquals(key.getEncoded(), key.getEncoded());
      Object copy = copy(key);
      assertEquals(key, copy);
      assertEquals(copy, key);
      assertEquals(key.hashCode(), copy.hashCode());
    }
    assertEquals("X.509", publicKey.getFormat());
    assertEquals("PKCS#8", privateKey.getFormat());
    assertNotEquals(publicKey, other.getPublic());
    assertNotEquals(privateKey, other.getPrivate());
    assertNotEquals(publicKey, privateKey);

    KeyFactory factory = Pq.factory(name);
    X509EncodedKeySpec spki = factory.getKeySpec(publicKey, X509EncodedKeySpec.class);
    PKCS8EncodedKeySpec pkcs8 = factory.getKeySpec(privateKey, PKCS8EncodedKeySpec.class);
    RawKeySpec rawPublic = factory.getKeySpec(publicKey, RawKeySpec.class);
    RawKeySpec rawPrivate = factory.getKeySpec(privateKey, RawKeySpec.class);
    assertEquals("RAW", rawPublic.getFormat());
    assertEquals(publicKey, factory.generatePublic(spki));
    assertEquals(publicKey, factory.generatePublic(rawPublic));
    assertEquals(publicKey, factory.translateKey(publicKey));
    assertEquals(privateKey, factory.generatePrivate(pkcs8));
    assertEquals(privateKey, factory.generatePrivate(rawPrivate));
    assertEquals(privateKey, factory.translateKey(privateKey));
    EncodedKeySpec foreignRaw = new EncodedKeySpec(rawPublic.getEncoded()) {
      @Override
      public String getFormat() {
        return "raw";
      }
    };
    assertEquals(publicKey, factory.generatePublic(foreignRaw));

    byte[] encoded = publicKey.getEncoded();
    byte[] hidden = rawPrivate.getEncoded();
    String text = new String(serialised(pair.getPublic()), StandardCharsets.ISO_8859_1);
    assertFalse(text.contains(new String(hidden, StandardCharsets.ISO_8859_1)));
    assertFalse(privateKey.toString().contains(HexFormat.of().formatHex(hidden, 0, 4)));
    assertFalse(privateKey.toString().contains(new BigInteger(1, hidden).toString()));

    for (int cut : new int[] {0, 1, 10, encoded.length - 1}) {
      assertThrows(InvalidKeySpecException.class,
          () -> factory.generatePublic(new X509EncodedKeySpec(Arrays.copyOf(encoded, cut))));
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new RawKeySpec(new byte[cut])));
      assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new RawKeySpec(new byte[cut])));
    }
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(null));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(null));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(pkcs8));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(spki));
    assertThrows(InvalidKeySpecException.class,
        () -> factory.generatePublic(new RSAPublicKeySpec(BigInteger.TEN, BigInteger.TEN)));
    assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(publicKey, PKCS8EncodedKeySpec.class));
    assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(privateKey, X509EncodedKeySpec.class));
    assertThrows(InvalidKeyException.class, () -> factory.translateKey(null));
    KeyPair foreign = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    assertThrows(InvalidKeyException.class, () -> factory.translateKey(foreign.getPublic()));
    assertThrows(InvalidKeyException.class, () -> factory.translateKey(foreign.getPrivate()));
    KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    assertThrows(InvalidKeyException.class, () -> factory.translateKey(rsa.getPublic()));

    ((Destroyable) privateKey).destroy();
    ((Destroyable) privateKey).destroy();
    assertTrue(((Destroyable) privateKey).isDestroyed());
    assertThrows(IllegalStateException.class, privateKey::getEncoded);
    assertThrows(NotSerializableException.class, () -> serialised(privateKey));
    assertThrows(InvalidKeyException.class, () -> factory.translateKey(privateKey));
    assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(privateKey, PKCS8EncodedKeySpec.class));
    assertEquals(privateKey, privateKey);
    assertNotEquals(privateKey, factory.generatePrivate(pkcs8));
    assertNotEquals(factory.generatePrivate(pkcs8), privateKey);
    assertEquals(factory.generatePrivate(pkcs8).hashCode(), privateKey.hashCode());
    assertTrue(privateKey.toString().contains("destroyed"));
  }

  @Test
  void parameterSets() throws Exception {
    for (String family : new String[] {"ML-KEM", "ML-DSA"}) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(family, Pq.OURS);
      assertEquals(family.equals("ML-KEM") ? "ML-KEM-768" : "ML-DSA-65",
          generator.generateKeyPair().getPublic().getAlgorithm());
      for (String name : all().filter(n -> n.startsWith(family)).toList()) {
        generator.initialize(new NamedParameterSpec(name));
        KeyPair pair = generator.generateKeyPair();
        assertEquals(name, pair.getPrivate().getAlgorithm());
        KeyFactory factory = Pq.factory(family);
        assertEquals(pair.getPublic(), factory.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded())));
        assertEquals(
            pair.getPrivate(), factory.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded())));
        RawKeySpec raw = factory.getKeySpec(pair.getPublic(), RawKeySpec.class);
        assertEquals(pair.getPublic(), factory.generatePublic(raw));
        RawKeySpec seed = factory.getKeySpec(pair.getPrivate(), RawKeySpec.class);
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(seed), "which one?");
        assertNotNull(KeyPairGenerator.getInstance(name, Pq.OURS).generateKeyPair());
      }
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> generator.initialize(new NamedParameterSpec("ML-KEM-512")));
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> generator.initialize(new java.security.spec.RSAKeyGenParameterSpec(2048, BigInteger.TEN)));
      assertThrows(InvalidAlgorithmParameterException.class, () -> generator.initialize(null));
      assertThrows(InvalidParameterException.class, () -> generator.initialize(768));
    }
    KeyPairGenerator only = KeyPairGenerator.getInstance("ML-DSA-44", Pq.OURS);
    only.initialize(new NamedParameterSpec("ml-dsa-44"));
    assertThrows(InvalidAlgorithmParameterException.class, () -> only.initialize(new NamedParameterSpec("ML-DSA-65")));
    PublicKey other = Pq.keyPair("ML-DSA-65").getPublic();
    assertThrows(InvalidKeyException.class, () -> Pq.factory("ML-DSA-44").translateKey(other));
    for (String oid : new String[] {"2.16.840.1.101.3.4.3.17", "OID.2.16.840.1.101.3.4.3.17"}) {
      KeyPair pair = KeyPairGenerator.getInstance(oid, Pq.OURS).generateKeyPair();
      assertEquals("ML-DSA-44", pair.getPublic().getAlgorithm());
      assertNotNull(Signature.getInstance(oid, Pq.OURS));
    }
  }

  /** Bouncy Castle reads our encodings and we read its, which carry the seed and the expanded key. */
  @ParameterizedTest
  @MethodSource("all")
  void bouncyCastle(String name) throws Exception {
    if (name.equals("XWING")) {
      return; // Not among its JCA services: KemApiTest has its X-Wing.
    }
    Provider provider = Pq.BC;
    KeyPair ours = Pq.keyPair(name);
    KeyFactory theirs = KeyFactory.getInstance(name, provider);
    PublicKey publicKey = theirs.generatePublic(new X509EncodedKeySpec(ours.getPublic().getEncoded()));
    assertArrayEquals(ours.getPublic().getEncoded(), publicKey.getEncoded());
    assertEquals(ours.getPublic(), publicKey);
    assertEquals(ours.getPublic(), Pq.factory(name).translateKey(publicKey));
    PrivateKey privateKey = theirs.generatePrivate(new PKCS8EncodedKeySpec(ours.getPrivate().getEncoded()));
    assertEquals(ours.getPrivate(), Pq.factory(name).translateKey(privateKey));

    KeyPairGenerator generator = KeyPairGenerator.getInstance(name, provider);
    KeyPair made = generator.generateKeyPair();
    PrivateKey read = Pq.factory(name).generatePrivate(new PKCS8EncodedKeySpec(made.getPrivate().getEncoded()));
    assertNotEquals(ours.getPrivate(), read);
    PublicKey readPublic = Pq.factory(name).generatePublic(new X509EncodedKeySpec(made.getPublic().getEncoded()));
    assertArrayEquals(made.getPublic().getEncoded(), readPublic.getEncoded());
    if (Pq.SIGNATURES.contains(name)) {
      SignaturesTest.assertSigns(read, Pq.OURS, name, made.getPublic(), provider, name);
    }
  }

  /** The JDK's own keys (24 and newer) are expanded ones. */
  @Test
  void jdk() throws Exception {
    boolean some = false;
    for (String name : all().toList()) {
      if (Security.getProviders("KeyPairGenerator." + name) == null) {
        continue;
      }
      some = true;
      KeyPair made = KeyPairGenerator.getInstance(name).generateKeyPair();
      KeyFactory factory = Pq.factory(name);
      PublicKey publicKey = (PublicKey) factory.translateKey(made.getPublic());
      assertEquals(publicKey, made.getPublic());
      assertEquals(made.getPublic(), publicKey);
      PrivateKey privateKey = (PrivateKey) factory.translateKey(made.getPrivate());
      assertEquals(name, privateKey.getAlgorithm());
      KeyFactory theirs = KeyFactory.getInstance(name);
      assertEquals(
          made.getPublic(), theirs.generatePublic(new X509EncodedKeySpec(publicKey.getEncoded())));
      assertEquals(privateKey, copy(privateKey));
      if (Runtime.version().feature() < 26) {
        assertArrayEquals(made.getPrivate().getEncoded(), privateKey.getEncoded(), "what was expanded stays so");
      }
      if (Pq.SIGNATURES.contains(name)) {
        SignaturesTest.assertSigns(made.getPrivate(), Pq.OURS, name, made.getPublic(), made.getPublic(), name);
      }
    }
    assertEquals(Runtime.version().feature() >= 24, some);
  }
}
