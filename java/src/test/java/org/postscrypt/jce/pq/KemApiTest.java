package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import javax.security.auth.Destroyable;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.pqc.crypto.mlkem.MLKEMExtractor;
import org.bouncycastle.pqc.crypto.mlkem.MLKEMGenerator;
import org.bouncycastle.pqc.crypto.mlkem.MLKEMParameters;
import org.bouncycastle.pqc.crypto.mlkem.MLKEMPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.mlkem.MLKEMPublicKeyParameters;
import org.bouncycastle.pqc.crypto.xwing.XWingKEMExtractor;
import org.bouncycastle.pqc.crypto.xwing.XWingKEMGenerator;
import org.bouncycastle.pqc.crypto.xwing.XWingPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.xwing.XWingPublicKeyParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.Kem;

class KemApiTest {
  @ParameterizedTest
  @EnumSource
  void contract(Kem kem) throws Exception {
    KeyPair pair = kem.generateKeyPair();
    Kem.Encapsulated made = kem.encapsulate(pair.getPublic());
    assertEquals(kem.encapsulationLength(), made.encapsulation().length);
    assertEquals(Kem.SECRET_LENGTH, made.secret().length);
    assertArrayEquals(made.secret(), kem.decapsulate(pair.getPrivate(), made.encapsulation()));
    assertFalse(Arrays.equals(made.secret(), kem.encapsulate(pair.getPublic()).secret()));
    byte[] publicBytes = kem.encode(pair.getPublic());
    assertEquals(kem.publicKeyLength(), publicBytes.length);
    PublicKey publicKey = kem.publicKey(publicBytes);
    PrivateKey privateKey = kem.privateKey(kem.encode(pair.getPrivate()));
    assertEquals(pair.getPublic(), publicKey);
    assertEquals(pair.getPrivate(), privateKey);
    assertArrayEquals(made.secret(), kem.decapsulate(privateKey, made.encapsulation()));
    for (int wrong : new int[] {0, 1, kem.encapsulationLength() - 1, kem.encapsulationLength() + 1}) {
      assertThrows(GeneralSecurityException.class, () -> kem.decapsulate(privateKey, new byte[wrong]));
    }
    for (int wrong : new int[] {0, 1, kem.publicKeyLength() - 1, kem.publicKeyLength() + 1}) {
      assertThrows(InvalidKeyException.class, () -> kem.publicKey(new byte[wrong]));
      assertThrows(InvalidKeyException.class, () -> kem.privateKey(new byte[wrong]));
    }
    assertThrows(NullPointerException.class, () -> kem.publicKey(null));
    assertThrows(NullPointerException.class, () -> kem.privateKey(null));
    assertThrows(NullPointerException.class, () -> kem.decapsulate(privateKey, null));
    assertThrows(InvalidKeyException.class, () -> kem.encapsulate(null));
    assertThrows(InvalidKeyException.class, () -> kem.decapsulate(null, made.encapsulation()));
    for (Kem other : Kem.values()) {
      if (other != kem) {
        assertThrows(InvalidKeyException.class, () -> other.encapsulate(publicKey));
        assertThrows(InvalidKeyException.class, () -> other.encode(privateKey));
      }
    }
    ((Destroyable) privateKey).destroy();
    assertThrows(InvalidKeyException.class, () -> kem.decapsulate(privateKey, made.encapsulation()));
    assertThrows(InvalidKeyException.class, () -> kem.encode(privateKey));
  }

  @Test
  void xWingAgreesWithBouncyCastle() throws Exception {
    KeyPair pair = Kem.X_WING.generateKeyPair();
    XWingPrivateKeyParameters theirs = new XWingPrivateKeyParameters(Kem.X_WING.encode(pair.getPrivate()));
    Kem.Encapsulated made = Kem.X_WING.encapsulate(pair.getPublic());
    assertArrayEquals(made.secret(), new XWingKEMExtractor(theirs).extractSecret(made.encapsulation()));
    SecretWithEncapsulation back = new XWingKEMGenerator(new SecureRandom())
        .generateEncapsulated(new XWingPublicKeyParameters(Kem.X_WING.encode(pair.getPublic())));
    assertArrayEquals(back.getSecret(), Kem.X_WING.decapsulate(pair.getPrivate(), back.getEncapsulation()));
  }

  @Test
  void mlKemAgreesWithBouncyCastle() throws Exception {
    for (Kem kem : new Kem[] {Kem.ML_KEM_768, Kem.ML_KEM_1024}) {
      MLKEMParameters set = kem == Kem.ML_KEM_768 ? MLKEMParameters.ml_kem_768 : MLKEMParameters.ml_kem_1024;
      KeyPair pair = kem.generateKeyPair();
      MLKEMPrivateKeyParameters theirs = new MLKEMPrivateKeyParameters(set, kem.encode(pair.getPrivate()));
      Kem.Encapsulated made = kem.encapsulate(pair.getPublic());
      assertArrayEquals(made.secret(), new MLKEMExtractor(theirs).extractSecret(made.encapsulation()));
      PrivateKey expanded = kem.privateKey(theirs.getEncoded());
      assertArrayEquals(made.secret(), kem.decapsulate(expanded, made.encapsulation()));
      assertArrayEquals(theirs.getEncoded(), kem.encode(expanded), "expanded stays expanded");
      SecretWithEncapsulation back = new MLKEMGenerator(new SecureRandom())
          .generateEncapsulated(new MLKEMPublicKeyParameters(set, kem.encode(pair.getPublic())));
      assertArrayEquals(back.getSecret(), kem.decapsulate(pair.getPrivate(), back.getEncapsulation()));
      byte[] changed = back.getEncapsulation();
      changed[0] ^= 1;
      assertArrayEquals(new MLKEMExtractor(theirs).extractSecret(changed), kem.decapsulate(expanded, changed));
      assertArrayEquals(new MLKEMExtractor(theirs).extractSecret(changed), kem.decapsulate(pair.getPrivate(), changed));
    }
  }

  /** Keys of the JDK are taken, and ours are keys for the JDK. */
  @Test
  void curvesOfOtherProviders() throws Exception {
    KeyPair x25519 = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair p256 = generator.generateKeyPair();
    Object[][] rows = {{Kem.DHKEM_X25519, x25519, "X25519", "X25519"}, {Kem.DHKEM_P256, p256, "EC", "ECDH"}};
    for (Object[] row : rows) {
      Kem kem = (Kem) row[0];
      KeyPair foreign = (KeyPair) row[1];
      Kem.Encapsulated made = kem.encapsulate(foreign.getPublic());
      assertArrayEquals(made.secret(), kem.decapsulate(foreign.getPrivate(), made.encapsulation()));
      KeyPair own = kem.generateKeyPair();
      assertEquals(row[2], own.getPublic().getAlgorithm());
      KeyFactory factory = KeyFactory.getInstance((String) row[2]);
      KeyAgreement agreement = KeyAgreement.getInstance((String) row[3]);
      agreement.init(factory.generatePrivate(new PKCS8EncodedKeySpec(own.getPrivate().getEncoded())));
      agreement.doPhase(foreign.getPublic(), true);
      byte[] one = agreement.generateSecret();
      agreement.init(foreign.getPrivate());
      agreement.doPhase(factory.generatePublic(new X509EncodedKeySpec(own.getPublic().getEncoded())), true);
      assertArrayEquals(one, agreement.generateSecret());
    }
    generator.initialize(new ECGenParameterSpec("secp384r1"));
    KeyPair p384 = generator.generateKeyPair();
    assertThrows(InvalidKeyException.class, () -> Kem.DHKEM_P256.encapsulate(p384.getPublic()));
    PublicKey small = Kem.DHKEM_X25519.publicKey(new byte[32]);
    assertThrows(InvalidKeyException.class, () -> Kem.DHKEM_X25519.encapsulate(small));
    assertThrows(GeneralSecurityException.class,
        () -> Kem.DHKEM_X25519.decapsulate(x25519.getPrivate(), new byte[32]));
    byte[] off = Kem.DHKEM_P256.encode(p256.getPublic());
    off[64] ^= 1;
    assertThrows(InvalidKeyException.class, () -> Kem.DHKEM_P256.publicKey(off));
    assertThrows(GeneralSecurityException.class, () -> Kem.DHKEM_P256.decapsulate(p256.getPrivate(), off));
    assertThrows(InvalidKeyException.class, () -> Kem.DHKEM_P256.privateKey(new byte[32]), "zero");
  }
}
