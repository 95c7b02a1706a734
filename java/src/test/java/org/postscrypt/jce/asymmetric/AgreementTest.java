package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.BC;
import static org.postscrypt.jce.asymmetric.Asymmetric.CURVES;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.generate;
import static org.postscrypt.jce.asymmetric.Asymmetric.hex;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.Test;
import org.postscrypt.RawKeySpec;

class AgreementTest {
  private static byte[] secret(Provider provider, String name, KeyPair mine, KeyPair peer) throws Exception {
    KeyAgreement agreement = KeyAgreement.getInstance(name, provider);
    agreement.init(mine.getPrivate());
    agreement.doPhase(peer.getPublic(), true);
    return agreement.generateSecret();
  }

  @Test
  void withEveryPeer() throws Exception {
    int checked = 0;
    for (String key : new String[] {"secp224r1", "secp256r1", "secp384r1", "secp521r1", "X25519"}) {
      boolean curve = key.startsWith("secp");
      for (Provider peer : new Provider[] {BC, Security.getProvider("SunEC")}) {
        if (key.equals("secp224r1") && peer != BC) {
          continue;
        }
        for (int i = 0; i < 5; i++) {
          checked++;
          KeyPair theirs =
              generate(peer, curve ? "EC" : "X25519", curve ? new ECGenParameterSpec(key) : null);
          KeyPair mine = generate(OURS, curve ? "EC" : "XDH", curve ? new ECGenParameterSpec(key) : null);
          String name = curve ? "ECDH" : "X25519";
          KeyFactory translator = KeyFactory.getInstance(curve ? "EC" : name, peer);
          KeyPair mineThere = new KeyPair(Asymmetric.into(translator, mine.getPublic()), null);
          byte[] a = secret(OURS, name, mine, theirs);
          byte[] b = secret(peer, name, theirs, mineThere);
          assertArrayEquals(b, a, key + peer);
          assertArrayEquals(a, secret(OURS, name, theirs, mine), "their private key with us");
        }
      }
    }
    assertEquals(45, checked);
  }

  /** Inputs of RFC 7748 section 5.2, first test vector; the value checked against an independent implementation. */
  @Test
  void rfc7748() throws Exception {
    KeyFactory factory = KeyFactory.getInstance("X25519", OURS);
    KeyAgreement agreement = KeyAgreement.getInstance("XDH", OURS);
    agreement.init(factory.generatePrivate(
        new RawKeySpec(hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"))));
    agreement.doPhase(factory.generatePublic(
        new RawKeySpec(hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))), true);
    assertEquals("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552", hex(agreement.generateSecret()));
  }

  @Test
  void phases() throws Exception {
    KeyAgreement ecdh = KeyAgreement.getInstance("ECDH", OURS);
    KeyPair pair = pair("secp256r1");
    assertThrows(IllegalStateException.class, () -> ecdh.doPhase(pair.getPublic(), true));
    assertThrows(IllegalStateException.class, ecdh::generateSecret);
    ecdh.init(pair.getPrivate());
    assertThrows(IllegalStateException.class, ecdh::generateSecret);
    assertThrows(IllegalStateException.class, () -> ecdh.doPhase(pair.getPublic(), false));
    ecdh.doPhase(pair.getPublic(), true);
    assertThrows(IllegalStateException.class, () -> ecdh.doPhase(pair.getPublic(), true));
    byte[] room = new byte[40];
    assertThrows(ShortBufferException.class, () -> ecdh.generateSecret(room, 9));
    assertArrayEquals(new byte[40], room);
    assertEquals(32, ecdh.generateSecret(room, 8));
    assertThrows(IllegalStateException.class, ecdh::generateSecret, "given once");
    ecdh.doPhase(pair.getPublic(), true);
    byte[] again = ecdh.generateSecret();
    assertArrayEquals(again, java.util.Arrays.copyOfRange(room, 8, 40));

    ecdh.doPhase(pair.getPublic(), true);
    SecretKey premaster = ecdh.generateSecret("TlsPremasterSecret");
    assertEquals("TlsPremasterSecret", premaster.getAlgorithm());
    assertArrayEquals(again, premaster.getEncoded());
    ecdh.doPhase(pair.getPublic(), true);
    assertEquals("AES", ecdh.generateSecret("AES").getAlgorithm());
    ecdh.doPhase(pair.getPublic(), true);
    assertThrows(NoSuchAlgorithmException.class, () -> ecdh.generateSecret((String) null));
    ecdh.init(pair("secp521r1").getPrivate());
    ecdh.doPhase(pair("secp521r1").getPublic(), true);
    assertThrows(InvalidKeyException.class, () -> ecdh.generateSecret("AES"));
    assertEquals(66, ecdh.generateSecret().length);
  }

  @Test
  void badKeys() throws Exception {
    for (String curve : CURVES) {
      KeyAgreement ecdh = KeyAgreement.getInstance("ECDH", OURS);
      ecdh.init(pair(curve).getPrivate());
      for (String other : new String[] {"secp256r1", "secp384r1", "X25519", "RSA"}) {
        if (!other.equals(curve)) {
          assertThrows(InvalidKeyException.class, () -> ecdh.doPhase(pair(other).getPublic(), true), curve + other);
        }
      }
      assertThrows(InvalidKeyException.class, () -> ecdh.doPhase(null, true));
      assertThrows(InvalidKeyException.class, () -> ecdh.doPhase(pair(curve).getPrivate(), true));
      ecdh.doPhase(pair(curve).getPublic(), true);
      assertTrue(ecdh.generateSecret().length >= 28);
      assertThrows(InvalidKeyException.class, () -> ecdh.init(pair("X25519").getPrivate()));
      assertThrows(InvalidKeyException.class, () -> ecdh.init(pair(curve).getPublic()));
      assertThrows(InvalidKeyException.class, () -> ecdh.init(null));
      assertThrows(InvalidAlgorithmParameterException.class,
          () -> ecdh.init(pair(curve).getPrivate(), new ECGenParameterSpec(curve)));
    }
    KeyAgreement xdh = KeyAgreement.getInstance("X25519", OURS);
    xdh.init(pair("X25519").getPrivate(), NamedParameterSpec.X25519);
    KeyFactory factory = KeyFactory.getInstance("XDH", OURS);
    for (String small : new String[] {
      "00".repeat(32), "01" + "00".repeat(31), "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"
    }) {
      PublicKey key = factory.generatePublic(new RawKeySpec(hex(small)));
      assertThrows(InvalidKeyException.class, () -> xdh.doPhase(key, true), small);
    }
    xdh.doPhase(pair("X25519").getPublic(), true);
    assertEquals(32, xdh.generateSecret().length);
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> xdh.init(pair("X25519").getPrivate(), NamedParameterSpec.X448));
  }
}
