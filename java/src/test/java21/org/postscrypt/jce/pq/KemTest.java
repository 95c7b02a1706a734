package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.crypto.SecretKey;
import javax.security.auth.Destroyable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postscrypt.Kem;

class KemTest {
  private static KeyPair keyPair(String name) throws Exception {
    switch (name) {
      case "X25519":
        return KeyPairGenerator.getInstance("X25519").generateKeyPair();
      case "P-256":
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
      default:
        return Pq.keyPair(name);
    }
  }

  private static String kem(String name) {
    return name.equals("X25519") || name.equals("P-256") ? "DHKEM" : name;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ML-KEM-768", "ML-KEM-1024", "XWING", "X25519", "P-256"})
  void contract(String name) throws Exception {
    KeyPair pair = keyPair(name);
    KEM kem = KEM.getInstance(kem(name), Pq.OURS);
    KEM.Encapsulator encapsulator = kem.newEncapsulator(pair.getPublic());
    KEM.Decapsulator decapsulator = kem.newDecapsulator(pair.getPrivate());
    assertEquals(32, encapsulator.secretSize());
    assertEquals(32, decapsulator.secretSize());
    assertEquals(encapsulator.encapsulationSize(), decapsulator.encapsulationSize());
    KEM.Encapsulated whole = encapsulator.encapsulate();
    assertEquals(encapsulator.encapsulationSize(), whole.encapsulation().length);
    assertNull(whole.params());
    assertEquals("Generic", whole.key().getAlgorithm());
    assertEquals("RAW", whole.key().getFormat());
    assertEquals(whole.key(), decapsulator.decapsulate(whole.encapsulation()));
    KEM.Encapsulated part = encapsulator.encapsulate(3, 19, "AES");
    assertEquals(16, part.key().getEncoded().length);
    assertEquals("AES", part.key().getAlgorithm());
    assertEquals(part.key(), decapsulator.decapsulate(part.encapsulation(), 3, 19, "AES"));
    byte[] all = decapsulator.decapsulate(part.encapsulation()).getEncoded();
    assertArrayEquals(Arrays.copyOfRange(all, 3, 19), part.key().getEncoded());

    assertThrows(NullPointerException.class, () -> encapsulator.encapsulate(0, 32, null));
    assertThrows(IndexOutOfBoundsException.class, () -> encapsulator.encapsulate(-1, 32, "AES"));
    assertThrows(IndexOutOfBoundsException.class, () -> encapsulator.encapsulate(0, 33, "AES"));
    assertThrows(IndexOutOfBoundsException.class, () -> encapsulator.encapsulate(9, 8, "AES"));
    assertThrows(NullPointerException.class, () -> decapsulator.decapsulate(null));
    assertThrows(IndexOutOfBoundsException.class, () -> decapsulator.decapsulate(whole.encapsulation(), 0, 33, "AES"));
    for (int wrong : new int[] {0, 1, whole.encapsulation().length - 1, whole.encapsulation().length + 1}) {
      assertThrows(DecapsulateException.class, () -> decapsulator.decapsulate(new byte[wrong]));
    }
    byte[] changed = whole.encapsulation();
    changed[5] ^= 1;
    try {
      assertNotEquals(whole.key(), decapsulator.decapsulate(changed), "implicit rejection");
    } catch (DecapsulateException e) {
      assertEquals("P-256", name, "not on the curve");
    }
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> kem.newEncapsulator(pair.getPublic(), new NamedParameterSpec("x"), null));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> kem.newDecapsulator(pair.getPrivate(), new NamedParameterSpec("x")));
    assertThrows(InvalidKeyException.class, () -> kem.newEncapsulator(null));
    KeyPair other = Pq.keyPair("ML-DSA-44");
    assertThrows(InvalidKeyException.class, () -> kem.newEncapsulator(other.getPublic()));
    assertThrows(InvalidKeyException.class, () -> kem.newDecapsulator(other.getPrivate()));

    if (pair.getPrivate().getClass().getName().startsWith("org.postscrypt")) {
      ((Destroyable) pair.getPrivate()).destroy();
      assertThrows(DecapsulateException.class, () -> decapsulator.decapsulate(part.encapsulation()));
      assertThrows(InvalidKeyException.class, () -> kem.newDecapsulator(pair.getPrivate()));
    }
  }

  @Test
  void names() throws Exception {
    for (String name : new String[] {
      "ML-KEM", "2.16.840.1.101.3.4.4.2", "OID.2.16.840.1.101.3.4.4.3", "X-Wing", "DHKEM"
    }) {
      assertNotNull(KEM.getInstance(name, Pq.OURS));
    }
    assertThrows(NoSuchAlgorithmException.class, () -> KEM.getInstance("ML-KEM-512", Pq.OURS));
    KEM family = KEM.getInstance("ML-KEM", Pq.OURS);
    assertEquals(1088, family.newEncapsulator(Pq.keyPair("ML-KEM-768").getPublic()).encapsulationSize());
    assertEquals(1568, family.newEncapsulator(Pq.keyPair("ML-KEM-1024").getPublic()).encapsulationSize());
    KEM strict = KEM.getInstance("ML-KEM-768", Pq.OURS);
    KeyPair larger = Pq.keyPair("ML-KEM-1024");
    assertThrows(InvalidKeyException.class, () -> strict.newEncapsulator(larger.getPublic()));
  }

  /** The JDK's implementations, each side with its own keys and the other's. */
  @ParameterizedTest
  @ValueSource(strings = {"ML-KEM-768", "ML-KEM-1024", "X25519", "P-256"})
  void jdk(String name) throws Exception {
    boolean mlkem = name.startsWith("ML-KEM");
    if (mlkem && Runtime.version().feature() < 24) {
      return; // Not there yet.
    }
    KEM theirs = KEM.getInstance(kem(name), "SunJCE");
    KEM ours = KEM.getInstance(kem(name), Pq.OURS);
    KeyPair jdk = mlkem ? KeyPairGenerator.getInstance(name).generateKeyPair() : keyPair(name);
    KEM.Encapsulated sent = ours.newEncapsulator(jdk.getPublic()).encapsulate();
    assertEquals(sent.key(), theirs.newDecapsulator(jdk.getPrivate()).decapsulate(sent.encapsulation()));
    assertEquals(sent.key(), ours.newDecapsulator(jdk.getPrivate()).decapsulate(sent.encapsulation()));
    KEM.Encapsulated received = theirs.newEncapsulator(jdk.getPublic()).encapsulate();
    assertEquals(received.key(), ours.newDecapsulator(jdk.getPrivate()).decapsulate(received.encapsulation()));
    if (mlkem) {
      KeyPair own = Pq.keyPair(name);
      KEM.Encapsulated back = theirs.newEncapsulator(
          java.security.KeyFactory.getInstance(name).generatePublic(
              new java.security.spec.X509EncodedKeySpec(own.getPublic().getEncoded()))).encapsulate();
      assertEquals(back.key(), ours.newDecapsulator(own.getPrivate()).decapsulate(back.encapsulation()));
    }
  }

  @Test
  void agreesWithTheApiForOlderVersions() throws Exception {
    KeyPair pair = Kem.X_WING.generateKeyPair();
    Kem.Encapsulated made = Kem.X_WING.encapsulate(pair.getPublic());
    KEM kem = KEM.getInstance("XWING", Pq.OURS);
    SecretKey key = kem.newDecapsulator(pair.getPrivate()).decapsulate(made.encapsulation());
    assertArrayEquals(made.secret(), key.getEncoded());
  }
}
