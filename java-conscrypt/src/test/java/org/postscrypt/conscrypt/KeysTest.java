package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.XECPublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.KeyAgreement;
import org.conscrypt.Conscrypt;
import org.conscrypt.KeySpecUtil;
import org.conscrypt.MlDsaAlgorithm;
import org.conscrypt.MlKemAlgorithm;
import org.conscrypt.OpenSSLX25519PrivateKey;
import org.conscrypt.OpenSSLX25519PublicKey;
import org.conscrypt.OpenSslEdDsaPrivateKey;
import org.conscrypt.OpenSslEdDsaPublicKey;
import org.conscrypt.OpenSslMlDsaPrivateKey;
import org.conscrypt.OpenSslMlDsaPublicKey;
import org.conscrypt.OpenSslMlKemPrivateKey;
import org.conscrypt.OpenSslMlKemPublicKey;
import org.conscrypt.OpenSslSlhDsaPrivateKey;
import org.conscrypt.OpenSslSlhDsaPublicKey;
import org.conscrypt.OpenSslXwingPrivateKey;
import org.conscrypt.OpenSslXwingPublicKey;
import org.conscrypt.XdhKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Key classes, and the services that they come from and go to. Runs over the original as well. */
class KeysTest {
  private static final Provider PROVIDER = Conscrypt.newProvider();

  private static final String ALL = "XDH, EdDSA, ML-DSA, ML-DSA-44, ML-DSA-65, ML-DSA-87, ML-KEM, ML-KEM-768, "
      + "ML-KEM-1024, SLH-DSA-SHA2-128S, XWING";

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** A raw key of somebody else's class. */
  public static final class OtherRawSpec extends EncodedKeySpec {
    public OtherRawSpec(byte[] encoded) {
      super(encoded);
    }

    @Override
    public String getFormat() {
      return "raw";
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "XDH|X25519|XDH|44|48", "EdDSA|EdDsa|1.3.101.112|44|48", "ML-DSA|MlDsa|ML-DSA|1974|54", "ML-DSA-44|MlDsa|ML-DSA|1334|54",
    "ML-DSA-65|MlDsa|ML-DSA|1974|54", "ML-DSA-87|MlDsa|ML-DSA|2614|54", "ML-KEM|MlKem|ML-KEM|1206|86",
    "ML-KEM-768|MlKem|ML-KEM|1206|86", "ML-KEM-1024|MlKem|ML-KEM|1590|86",
    "SLH-DSA-SHA2-128S|SlhDsa|SLH-DSA-SHA2-128S|50|84", "XWING|Xwing|XWING|1240|54",
  })
  void generatedKeys(String algorithm, String stem, String name, int publicLength, int privateLength) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm, PROVIDER).generateKeyPair();
    PublicKey publicKey = pair.getPublic();
    PrivateKey privateKey = pair.getPrivate();
    String prefix = stem.equals("X25519") ? "OpenSSL" : "OpenSsl";
    assertEquals("org.conscrypt." + prefix + stem + "PublicKey", publicKey.getClass().getName());
    assertEquals("org.conscrypt." + prefix + stem + "PrivateKey", privateKey.getClass().getName());
    assertEquals(name, publicKey.getAlgorithm());
    assertEquals(name, privateKey.getAlgorithm());
    assertEquals("X.509", publicKey.getFormat());
    assertEquals("PKCS#8", privateKey.getFormat());
    assertEquals(publicLength, publicKey.getEncoded().length);
    assertEquals(privateLength, privateKey.getEncoded().length);

    KeyFactory factory = KeyFactory.getInstance(algorithm, PROVIDER);
    PublicKey again = factory.generatePublic(new X509EncodedKeySpec(publicKey.getEncoded()));
    PrivateKey againPrivate = factory.generatePrivate(new PKCS8EncodedKeySpec(privateKey.getEncoded()));
    assertEquals(publicKey, again);
    assertEquals(publicKey.hashCode(), again.hashCode());
    assertEquals(privateKey, againPrivate);
    assertEquals(privateKey.hashCode(), againPrivate.hashCode());
    assertEquals(publicKey.getClass(), again.getClass());
    assertArrayEquals(
        publicKey.getEncoded(), factory.getKeySpec(publicKey, X509EncodedKeySpec.class).getEncoded());
    assertArrayEquals(
        privateKey.getEncoded(), factory.getKeySpec(privateKey, PKCS8EncodedKeySpec.class).getEncoded());
    OtherRawSpec raw = factory.getKeySpec(publicKey, OtherRawSpec.class);
    OtherRawSpec rawPrivate = factory.getKeySpec(privateKey, OtherRawSpec.class);
    assertEquals(publicKey, factory.generatePublic(raw));
    assertEquals(privateKey, factory.generatePrivate(rawPrivate));
    assertEquals(publicKey, factory.translateKey(publicKey));
    assertEquals(privateKey, factory.translateKey(privateKey));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new X509EncodedKeySpec(new byte[9])));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new PKCS8EncodedKeySpec(new byte[9])));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new OtherRawSpec(new byte[9])));
    assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new OtherRawSpec(new byte[9])));
    assertThrows(InvalidKeyException.class, () -> factory.translateKey(Pki.ecKey().getPublic()));
    KeyPair other = KeyPairGenerator.getInstance(algorithm, PROVIDER).generateKeyPair();
    assertNotEquals(publicKey, other.getPublic());
    assertNotEquals(privateKey, other.getPrivate());
  }

  @Test
  void destroyedKeysHaveNoSecret() throws Exception {
    for (String algorithm : ALL.split(", ")) {
      PrivateKey key = KeyPairGenerator.getInstance(algorithm, PROVIDER).generateKeyPair().getPrivate();
      assertFalse(key.isDestroyed());
      key.destroy();
      assertTrue(key.isDestroyed(), algorithm);
      assertThrows(RuntimeException.class, key::getEncoded, algorithm);
    }
  }

  @Tag("facade")
  @Test
  void destroyedKeysAreOfNoUse() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EdDSA", PROVIDER).generateKeyPair();
    int hash = pair.getPrivate().hashCode();
    pair.getPrivate().destroy();
    assertThrows(IllegalStateException.class, pair.getPrivate()::getEncoded);
    assertEquals(pair.getPrivate(), pair.getPrivate());
    assertEquals(hash, pair.getPrivate().hashCode());
    Signature signature = Signature.getInstance("EdDSA", PROVIDER);
    assertThrows(InvalidKeyException.class, () -> signature.initSign(pair.getPrivate()));
    assertThrows(
        IllegalStateException.class,
        () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(pair.getPrivate()));
  }

  /** RFC 7748 section 6.1. */
  @Test
  void x25519OfBytes() throws Exception {
    OpenSSLX25519PrivateKey alice =
        new OpenSSLX25519PrivateKey(hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
    OpenSSLX25519PublicKey bob =
        new OpenSSLX25519PublicKey(hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"));
    assertArrayEquals(
        hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"), agree(alice, bob));
  }

  @Test
  void bytesAreCopied() {
    byte[] u = new byte[32];
    u[0] = 9;
    OpenSSLX25519PublicKey key = new OpenSSLX25519PublicKey(u);
    u[0] = 1;
    assertEquals(9, key.getU()[0]);
    assertNotSame(key.getU(), key.getU());
    key.getU()[0] = 3;
    assertEquals(9, key.getU()[0]);
    assertEquals(new OpenSSLX25519PublicKey(key.getU()), key);
  }

  @Test
  void constructorsCheck() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> new OpenSSLX25519PublicKey(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> new OpenSSLX25519PrivateKey(new byte[33]));
    assertThrows(NullPointerException.class, () -> new OpenSSLX25519PublicKey((byte[]) null));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslEdDsaPublicKey(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslEdDsaPrivateKey(new byte[0]));
    assertThrows(
        IllegalArgumentException.class, () -> new OpenSslMlDsaPublicKey(new byte[3], MlDsaAlgorithm.ML_DSA_44));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslMlDsaPublicKey(new byte[1312], null));
    assertThrows(
        IllegalArgumentException.class, () -> new OpenSslMlDsaPrivateKey(new byte[31], MlDsaAlgorithm.ML_DSA_87));
    assertThrows(
        IllegalArgumentException.class, () -> new OpenSslMlKemPublicKey(new byte[1], MlKemAlgorithm.ML_KEM_768));
    assertThrows(
        IllegalArgumentException.class, () -> new OpenSslMlKemPrivateKey(new byte[1], MlKemAlgorithm.ML_KEM_1024));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslSlhDsaPublicKey(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslSlhDsaPrivateKey(new byte[63]));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslXwingPublicKey(new byte[3]));
    assertThrows(IllegalArgumentException.class, () -> new OpenSslXwingPrivateKey(new byte[3]));
    KeyPair pair = KeyPairGenerator.getInstance("XDH", PROVIDER).generateKeyPair();
    assertEquals(
        pair.getPublic(), new OpenSSLX25519PublicKey(new X509EncodedKeySpec(pair.getPublic().getEncoded())));
    assertEquals(
        pair.getPrivate(), new OpenSSLX25519PrivateKey(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded())));
    assertThrows(
        InvalidKeySpecException.class,
        () -> new OpenSSLX25519PublicKey(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded())));
    assertThrows(
        InvalidKeySpecException.class, () -> new OpenSSLX25519PublicKey(new X509EncodedKeySpec(new byte[9])));
    assertThrows(InvalidKeySpecException.class, () -> new OpenSslXwingPublicKey(new OtherRawSpec(new byte[9])));
    assertEquals(32, new OpenSslXwingPrivateKey(new OtherRawSpec(new byte[32])).getEncoded().length - 22);
  }

  @ParameterizedTest
  @CsvSource({"EdDSA,EdDSA", "Ed25519,EdDSA", "ML-DSA,ML-DSA", "ML-DSA-44,ML-DSA-44", "ML-DSA-87,ML-DSA-87",
    "SLH-DSA-SHA2-128S,SLH-DSA-SHA2-128S"})
  void signatures(String algorithm, String keys) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(keys, PROVIDER).generateKeyPair();
    byte[] message = new byte[1000];
    Signature signer = Signature.getInstance(algorithm, PROVIDER);
    signer.initSign(pair.getPrivate());
    signer.update(message[0]);
    signer.update(message, 1, 500);
    signer.update(java.nio.ByteBuffer.wrap(message, 501, 499));
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm, PROVIDER);
    verifier.initVerify(pair.getPublic());
    verifier.update(message);
    assertTrue(verifier.verify(signature));
    verifier.update(message);
    verifier.update((byte) 1);
    assertFalse(verifier.verify(signature));
    byte[] output = new byte[signature.length + 5];
    signer.initSign(pair.getPrivate());
    signer.update(message);
    assertEquals(signature.length, signer.sign(output, 5, signature.length));
    verifier.update(message);
    assertTrue(verifier.verify(output, 5, signature.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EdDSA", "ML-DSA", "ML-DSA-65"})
  void signaturesRefuseOtherKeys(String algorithm) throws Exception {
    Signature signature = Signature.getInstance(algorithm, PROVIDER);
    assertThrows(InvalidKeyException.class, () -> signature.initSign(Pki.ecKey().getPrivate()));
    assertThrows(InvalidKeyException.class, () -> signature.initVerify(Pki.ecKey().getPublic()));
  }

  @Test
  void ed25519AgreesWithTheJdk() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519", "SunEC").generateKeyPair();
    Signature ours = Signature.getInstance("EdDSA", PROVIDER);
    ours.initSign(pair.getPrivate());
    ours.update((byte) 7);
    byte[] signature = ours.sign();
    Signature theirs = Signature.getInstance("Ed25519", "SunEC");
    theirs.initSign(pair.getPrivate());
    theirs.update((byte) 7);
    assertArrayEquals(theirs.sign(), signature);
    KeyPair mine = KeyPairGenerator.getInstance("EdDSA", PROVIDER).generateKeyPair();
    ours.initSign(mine.getPrivate());
    ours.update((byte) 7);
    byte[] other = ours.sign();
    KeyFactory factory = KeyFactory.getInstance("Ed25519", "SunEC");
    theirs.initVerify(factory.generatePublic(new X509EncodedKeySpec(mine.getPublic().getEncoded())));
    theirs.update((byte) 7);
    assertTrue(theirs.verify(other));
  }

  @Test
  void keyAgreement() throws Exception {
    KeyPair a = KeyPairGenerator.getInstance("XDH", PROVIDER).generateKeyPair();
    KeyPair b = KeyPairGenerator.getInstance("X25519", PROVIDER).generateKeyPair();
    byte[] one = agree(a.getPrivate(), b.getPublic());
    assertArrayEquals(one, agree(b.getPrivate(), a.getPublic()));
    KeyAgreement theirs = KeyAgreement.getInstance("X25519", "SunEC");
    KeyFactory factory = KeyFactory.getInstance("X25519", "SunEC");
    theirs.init(factory.generatePrivate(new PKCS8EncodedKeySpec(a.getPrivate().getEncoded())));
    theirs.doPhase(factory.generatePublic(new X509EncodedKeySpec(b.getPublic().getEncoded())), true);
    assertArrayEquals(theirs.generateSecret(), one);
    KeyAgreement ours = KeyAgreement.getInstance("XDH", PROVIDER);
    assertThrows(InvalidKeyException.class, () -> ours.init(Pki.ecKey().getPrivate()));
    assertThrows(InvalidKeyException.class, () -> agree(a.getPrivate(), new OpenSSLX25519PublicKey(new byte[32])));
  }

  private static byte[] agree(PrivateKey mine, PublicKey theirs) throws Exception {
    KeyAgreement agreement = KeyAgreement.getInstance("XDH", PROVIDER);
    agreement.init(mine);
    agreement.doPhase(theirs, true);
    return agreement.generateSecret();
  }

  @Test
  void keysOfTheJdkAreTranslated() throws Exception {
    KeyPair theirs = KeyPairGenerator.getInstance("X25519", "SunEC").generateKeyPair();
    KeyFactory factory = KeyFactory.getInstance("XDH", PROVIDER);
    Key translated = factory.translateKey(theirs.getPublic());
    assertInstanceOf(OpenSSLX25519PublicKey.class, translated);
    assertArrayEquals(theirs.getPublic().getEncoded(), translated.getEncoded());
    byte[] u = ((OpenSSLX25519PublicKey) translated).getU();
    java.math.BigInteger number = ((XECPublicKey) theirs.getPublic()).getU();
    byte[] reversed = new byte[32];
    for (int i = 0; i < 32; i++) {
      reversed[i] = u[31 - i];
    }
    assertEquals(number, new java.math.BigInteger(1, reversed));
    assertEquals(translated, factory.generatePublic(new XdhKeySpec(u)));
    assertArrayEquals(u, factory.getKeySpec(translated, XdhKeySpec.class).getKey());
  }

  /** SunJSSE, with this provider before its own, must get the keys that it knows; with the original before it does not. */
  @Tag("facade")
  @Test
  void theJdksParametersAreForTheNextProvider() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("XDH", PROVIDER);
    assertThrows(
        java.security.InvalidAlgorithmParameterException.class,
        () -> generator.initialize(java.security.spec.NamedParameterSpec.X25519));
    KeyFactory factory = KeyFactory.getInstance("XDH", PROVIDER);
    assertThrows(
        InvalidKeySpecException.class,
        () ->
            factory.generatePublic(
                new java.security.spec.XECPublicKeySpec(
                    java.security.spec.NamedParameterSpec.X25519, java.math.BigInteger.TEN)));
    java.security.Security.insertProviderAt(PROVIDER, 1);
    try {
      KeyPairGenerator any = KeyPairGenerator.getInstance("XDH");
      any.initialize(java.security.spec.NamedParameterSpec.X25519);
      assertInstanceOf(XECPublicKey.class, any.generateKeyPair().getPublic());
    } finally {
      java.security.Security.removeProvider(PROVIDER.getName());
    }
  }

  @Test
  void rawSpecs() throws Exception {
    XdhKeySpec spec = new XdhKeySpec(new byte[32]);
    assertEquals("raw", spec.getFormat());
    assertEquals(spec, new XdhKeySpec(new byte[32]));
    assertEquals(spec.hashCode(), new XdhKeySpec(new byte[32]).hashCode());
    assertNotEquals(spec, new XdhKeySpec(new byte[31]));
    assertArrayEquals(new byte[] {1}, KeySpecUtil.makeRawKeySpec(new byte[] {1}, OtherRawSpec.class).getEncoded());
    assertThrows(
        InvalidKeySpecException.class, () -> KeySpecUtil.makeRawKeySpec(new byte[1], X509EncodedKeySpec.class));
    assertThrows(
        InvalidKeySpecException.class, () -> KeySpecUtil.makeRawKeySpec(new byte[1], EncodedKeySpec.class));
    assertThrows(InvalidKeySpecException.class, () -> KeySpecUtil.makeRawKeySpec(null, XdhKeySpec.class));
  }

  @Test
  void parameterSets() {
    for (MlDsaAlgorithm a : MlDsaAlgorithm.values()) {
      assertEquals(a, MlDsaAlgorithm.parse(a.toString()));
      assertEquals(a.name(), a.toString().replace('-', '_'));
    }
    assertThrows(IllegalArgumentException.class, () -> MlDsaAlgorithm.parse("ML_DSA_44"));
    assertThrows(NullPointerException.class, () -> MlDsaAlgorithm.parse(null));
    assertEquals(1184 + 1568, Arrays.stream(MlKemAlgorithm.values()).mapToInt(MlKemAlgorithm::publicKeySize).sum());
    assertEquals("ML-KEM-768", MlKemAlgorithm.ML_KEM_768.toString());
    OpenSslMlDsaPrivateKey key = new OpenSslMlDsaPrivateKey(new byte[32], MlDsaAlgorithm.ML_DSA_87);
    assertEquals(MlDsaAlgorithm.ML_DSA_87, key.getMlDsaAlgorithm());
    assertNotEquals(key, new OpenSslMlDsaPrivateKey(new byte[32], MlDsaAlgorithm.ML_DSA_65));
  }

  @Test
  void openSslKeys() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EdDSA", PROVIDER).generateKeyPair();
    OpenSslEdDsaPublicKey key = (OpenSslEdDsaPublicKey) pair.getPublic();
    assertEquals(key.getOpenSSLKey(), new OpenSslEdDsaPublicKey(new X509EncodedKeySpec(key.getEncoded())).getOpenSSLKey());
    assertNotEquals(key.getOpenSSLKey(), new OpenSslEdDsaPrivateKey(new byte[32]).getOpenSSLKey());
  }

  static byte[] serialized(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"XDH", "EdDSA", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "SLH-DSA-SHA2-128S"})
  void serialization(String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm, PROVIDER).generateKeyPair();
    for (Key key : new Key[] {pair.getPublic(), pair.getPrivate()}) {
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialized(key)))) {
        Key read = (Key) in.readObject();
        assertEquals(key, read);
        assertArrayEquals(key.getEncoded(), read.getEncoded());
      }
    }
  }

  @Test
  void serialVersions() {
    Object[] uids = {
      OpenSSLX25519PublicKey.class, 453861992373478445L,
      OpenSSLX25519PrivateKey.class, -3136201500221850916L,
      OpenSslEdDsaPublicKey.class, 453861992373478445L,
      OpenSslEdDsaPrivateKey.class, -3136201500221850916L,
      OpenSslMlDsaPublicKey.class, 453861992373478445L,
      OpenSslMlDsaPrivateKey.class, 4300026724137109155L,
      OpenSslMlKemPublicKey.class, 1L,
      OpenSslMlKemPrivateKey.class, 1L,
      OpenSslSlhDsaPublicKey.class, 5010722981202743591L,
      OpenSslSlhDsaPrivateKey.class, -8653535385691750709L,
      OpenSslXwingPublicKey.class, 1L,
      OpenSslXwingPrivateKey.class, 1L,
      org.conscrypt.HpkeDecryptException.class, 5903211285098828754L,
      org.conscrypt.OpenSSLProvider.class, 2996752495318905136L,
    };
    for (int i = 0; i < uids.length; i += 2) {
      assertEquals(uids[i + 1], ObjectStreamClass.lookup((Class<?>) uids[i]).getSerialVersionUID(), uids[i].toString());
    }
    KeyPair kem;
    try {
      kem = KeyPairGenerator.getInstance("XWING", PROVIDER).generateKeyPair();
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
    assertThrows(UnsupportedOperationException.class, () -> serialized(kem.getPrivate()));
    assertThrows(UnsupportedOperationException.class, () -> serialized(kem.getPublic()));
  }
}
