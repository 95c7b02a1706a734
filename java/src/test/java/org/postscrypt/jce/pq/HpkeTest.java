package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.hpke.HPKE;
import org.bouncycastle.crypto.hpke.HPKEContext;
import org.bouncycastle.crypto.hpke.HPKEContextWithEncapsulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.HpkeRecipient;
import org.postscrypt.HpkeSender;
import org.postscrypt.HpkeSuite;
import org.postscrypt.HpkeSuite.Aead;
import org.postscrypt.HpkeSuite.Kdf;
import org.postscrypt.Kem;

class HpkeTest {
  private static final byte[] INFO = {1, 2};
  private static final byte[] PSK = Pq.bytes(3, 32);
  private static final byte[] PSK_ID = {9};
  private static final byte[] AAD = {4};
  private static final byte[] MESSAGE = Pq.bytes(5, 1000);

  /** RFC 9180 appendix A, the recipient's side (the sender's is in native/bssl/tests/hpke.rs). */
  @Test
  void rfc9180() throws Exception {
    byte[] plaintext = "Beauty is truth, truth beauty".getBytes(StandardCharsets.US_ASCII);
    int count = 0;
    for (String[] f : Pq.vectors("hpke.txt")) {
      count++;
      Kem kem = f[1].equals("32") ? Kem.DHKEM_X25519 : Kem.DHKEM_P256;
      assertEquals(Integer.parseInt(f[1]), kem.id());
      Aead aead = Aead.values()[Integer.parseInt(f[3]) - 1];
      assertEquals(Integer.parseInt(f[3]), aead.id());
      HpkeSuite suite = HpkeSuite.of(kem, Kdf.HKDF_SHA256, aead);
      byte[] info = Pq.hex(f[4]);
      PrivateKey key = kem.privateKey(Pq.hex(f[7]));
      byte[] psk = Pq.hex(f[8]);
      byte[] pskId = Pq.hex(f[9]);
      byte[] enc = Pq.hex(f[12]);
      PublicKey sender = f[10].isEmpty() ? null : kem.publicKey(Pq.hex(f[10]));
      if (f[0].equals("0") && kem == Kem.DHKEM_X25519) {
        HpkeSender seeded = suite.deterministicSender(kem.publicKey(Pq.hex(f[6])), info, Pq.hex(f[5]));
        assertArrayEquals(enc, seeded.encapsulatedKey());
        String[] first = f[13].split(",")[0].split(":");
        assertArrayEquals(Pq.hex(first[2]), seeded.seal(plaintext, Pq.hex(first[1])));
      }
      HpkeRecipient recipient;
      switch (f[0]) {
        case "0":
          recipient = suite.recipient(key, enc, info);
          break;
        case "1":
          recipient = suite.recipientPsk(key, enc, info, psk, pskId);
          break;
        case "2":
          recipient = suite.recipientAuth(key, enc, info, sender);
          break;
        default:
          recipient = suite.recipientAuthPsk(key, enc, info, psk, pskId, sender);
      }
      for (String item : f[13].split(",")) {
        String[] parts = item.split(":");
        if (Integer.parseInt(parts[0]) > 2) {
          break; // The rest follows after messages that are not in the file.
        }
        assertArrayEquals(plaintext, recipient.open(Pq.hex(parts[2]), Pq.hex(parts[1])));
      }
      for (String item : f[14].split(",")) {
        String[] parts = item.split(":", -1);
        assertArrayEquals(Pq.hex(parts[1]), recipient.export(Pq.hex(parts[0]), 32));
      }
    }
    assertEquals(16, count);
  }

  @ParameterizedTest
  @EnumSource
  void everySuite(Kem kem) throws Exception {
    KeyPair pair = kem.generateKeyPair();
    for (Kdf kdf : Kdf.values()) {
      for (Aead aead : Aead.values()) {
        HpkeSuite suite = HpkeSuite.of(kem, kdf, aead);
        assertEquals(suite, HpkeSuite.of(kem, kdf, aead));
        assertEquals(suite.hashCode(), HpkeSuite.of(kem, kdf, aead).hashCode());
        try (HpkeSender sender = suite.sender(pair.getPublic(), INFO);
            HpkeRecipient recipient = suite.recipient(pair.getPrivate(), sender.encapsulatedKey(), INFO)) {
          exchange(sender, recipient);
          assertEquals(kem.encapsulationLength(), sender.encapsulatedKey().length);
        }
        HpkeSender sender = suite.senderPsk(pair.getPublic(), INFO, PSK, PSK_ID);
        exchange(sender, suite.recipientPsk(pair.getPrivate(), sender.encapsulatedKey(), INFO, PSK, PSK_ID));
      }
    }
    assertNotEquals(HpkeSuite.of(kem, Kdf.HKDF_SHA256, Aead.AES_128_GCM), null);
    assertNotEquals(
        HpkeSuite.of(kem, Kdf.HKDF_SHA256, Aead.AES_128_GCM), HpkeSuite.of(kem, Kdf.HKDF_SHA256, Aead.AES_256_GCM));
    assertThrows(NullPointerException.class, () -> HpkeSuite.of(kem, null, Aead.AES_128_GCM));
  }

  private static void exchange(HpkeSender sender, HpkeRecipient recipient) throws Exception {
    for (int length : new int[] {0, 1, 16, 5000, 200_000}) {
      byte[] message = Pq.bytes(length, length);
      byte[] sealed = sender.seal(message, AAD);
      assertEquals(length + HpkeSuite.TAG_LENGTH, sealed.length);
      sealed[length / 2] ^= 1;
      assertThrows(AEADBadTagException.class, () -> recipient.open(sealed, AAD));
      sealed[length / 2] ^= 1;
      assertThrows(AEADBadTagException.class, () -> recipient.open(sealed));
      assertArrayEquals(message, recipient.open(sealed, AAD));
      assertThrows(AEADBadTagException.class, () -> recipient.open(sealed, AAD), "replay");
    }
    byte[] first = sender.seal(MESSAGE);
    byte[] second = sender.seal(MESSAGE);
    assertThrows(AEADBadTagException.class, () -> recipient.open(second), "reordered");
    assertArrayEquals(MESSAGE, recipient.open(first));
    assertArrayEquals(MESSAGE, recipient.open(second));
    assertThrows(AEADBadTagException.class, () -> recipient.open(new byte[0]));
    assertArrayEquals(sender.export(AAD, 99), recipient.export(AAD, 99));
    assertEquals(0, sender.export(AAD, 0).length);
    assertThrows(IllegalArgumentException.class, () -> sender.export(AAD, 255 * 48 + 1));
    assertThrows(IllegalArgumentException.class, () -> recipient.export(AAD, -1));
    assertThrows(NullPointerException.class, () -> sender.seal(null, AAD));
    assertThrows(NullPointerException.class, () -> sender.seal(MESSAGE, null));
    assertThrows(NullPointerException.class, () -> recipient.open(null));
    assertThrows(NullPointerException.class, () -> sender.export(null, 1));
    sender.close();
    sender.close();
    assertThrows(IllegalStateException.class, () -> sender.seal(MESSAGE));
    recipient.close();
    assertThrows(IllegalStateException.class, () -> recipient.export(AAD, 1));
  }

  /** All modes with Bouncy Castle on either side. */
  @Test
  void bouncyCastle() throws Exception {
    for (Kem kem : new Kem[] {Kem.DHKEM_X25519, Kem.DHKEM_P256}) {
      for (Kdf kdf : Kdf.values()) {
        for (Aead aead : Aead.values()) {
          HpkeSuite suite = HpkeSuite.of(kem, kdf, aead);
          KeyPair ours = kem.generateKeyPair();
          KeyPair auth = kem.generateKeyPair();
          for (byte mode = 0; mode < 4; mode++) {
            HPKE theirs = new HPKE(mode, (short) kem.id(), (short) kdf.id(), (short) aead.id());
            AsymmetricCipherKeyPair key = theirs.deserializePrivateKey(
                kem.encode(ours.getPrivate()), kem.encode(ours.getPublic()));
            AsymmetricCipherKeyPair authKey = theirs.deserializePrivateKey(
                kem.encode(auth.getPrivate()), kem.encode(auth.getPublic()));
            HPKEContextWithEncapsulation from;
            HpkeSender sender;
            HPKEContext to;
            HpkeRecipient recipient;
            switch (mode) {
              case 0:
                from = theirs.setupBaseS(key.getPublic(), INFO);
                recipient = suite.recipient(ours.getPrivate(), from.getEncapsulation(), INFO);
                sender = suite.sender(ours.getPublic(), INFO);
                to = theirs.setupBaseR(sender.encapsulatedKey(), key, INFO);
                break;
              case 1:
                from = theirs.SetupPSKS(key.getPublic(), INFO, PSK, PSK_ID);
                recipient = suite.recipientPsk(ours.getPrivate(), from.getEncapsulation(), INFO, PSK, PSK_ID);
                sender = suite.senderPsk(ours.getPublic(), INFO, PSK, PSK_ID);
                to = theirs.setupPSKR(sender.encapsulatedKey(), key, INFO, PSK, PSK_ID);
                break;
              case 2:
                from = theirs.setupAuthS(key.getPublic(), INFO, authKey);
                recipient = suite.recipientAuth(ours.getPrivate(), from.getEncapsulation(), INFO, auth.getPublic());
                sender = suite.senderAuth(ours.getPublic(), INFO, auth.getPrivate());
                to = theirs.setupAuthR(sender.encapsulatedKey(), key, INFO, authKey.getPublic());
                break;
              default:
                from = theirs.setupAuthPSKS(key.getPublic(), INFO, PSK, PSK_ID, authKey);
                recipient = suite.recipientAuthPsk(
                    ours.getPrivate(), from.getEncapsulation(), INFO, PSK, PSK_ID, auth.getPublic());
                sender = suite.senderAuthPsk(ours.getPublic(), INFO, PSK, PSK_ID, auth.getPrivate());
                to = theirs.setupAuthPSKR(sender.encapsulatedKey(), key, INFO, PSK, PSK_ID, authKey.getPublic());
            }
            for (int i = 0; i < 3; i++) {
              assertArrayEquals(MESSAGE, recipient.open(from.seal(AAD, MESSAGE), AAD));
              assertArrayEquals(MESSAGE, to.open(AAD, sender.seal(MESSAGE, AAD)));
            }
            assertArrayEquals(from.export(AAD, 40), recipient.export(AAD, 40));
            assertArrayEquals(sender.export(AAD, 40), to.export(AAD, 40));
          }
        }
      }
    }
  }

  @Test
  void mismatches() throws Exception {
    Kem kem = Kem.DHKEM_X25519;
    HpkeSuite suite = HpkeSuite.of(kem, Kdf.HKDF_SHA256, Aead.CHACHA20_POLY1305);
    KeyPair pair = kem.generateKeyPair();
    KeyPair auth = kem.generateKeyPair();
    HpkeSender sender = suite.senderAuthPsk(pair.getPublic(), INFO, PSK, PSK_ID, auth.getPrivate());
    byte[] sealed = sender.seal(MESSAGE);
    byte[] enc = sender.encapsulatedKey();
    PrivateKey key = pair.getPrivate();
    for (HpkeRecipient wrong : new HpkeRecipient[] {
      suite.recipient(key, enc, INFO),
      suite.recipientPsk(key, enc, INFO, PSK, PSK_ID),
      suite.recipientAuth(key, enc, INFO, auth.getPublic()),
      suite.recipientAuthPsk(key, enc, AAD, PSK, PSK_ID, auth.getPublic()),
      suite.recipientAuthPsk(key, enc, INFO, Pq.bytes(8, 32), PSK_ID, auth.getPublic()),
      suite.recipientAuthPsk(key, enc, INFO, PSK, AAD, auth.getPublic()),
      suite.recipientAuthPsk(key, enc, INFO, PSK, PSK_ID, pair.getPublic()),
      suite.recipientAuthPsk(auth.getPrivate(), enc, INFO, PSK, PSK_ID, auth.getPublic()),
      HpkeSuite.of(kem, Kdf.HKDF_SHA256, Aead.AES_256_GCM)
          .recipientAuthPsk(key, enc, INFO, PSK, PSK_ID, auth.getPublic()),
      HpkeSuite.of(kem, Kdf.HKDF_SHA384, Aead.CHACHA20_POLY1305)
          .recipientAuthPsk(key, enc, INFO, PSK, PSK_ID, auth.getPublic()),
    }) {
      assertThrows(AEADBadTagException.class, () -> wrong.open(sealed));
    }
    assertArrayEquals(MESSAGE, suite.recipientAuthPsk(key, enc, INFO, PSK, PSK_ID, auth.getPublic()).open(sealed));

    for (int length : new int[] {0, 31, 33}) {
      assertThrows(GeneralSecurityException.class, () -> suite.recipient(key, Arrays.copyOf(enc, length), INFO));
      assertThrows(GeneralSecurityException.class,
          () -> suite.recipientPsk(key, Arrays.copyOf(enc, length), INFO, PSK, PSK_ID));
    }
    assertThrows(GeneralSecurityException.class, () -> suite.recipient(key, new byte[32], INFO), "small order");
    assertThrows(GeneralSecurityException.class,
        () -> suite.recipientAuthPsk(key, new byte[32], INFO, PSK, PSK_ID, auth.getPublic()));
    assertThrows(InvalidKeyException.class, () -> suite.sender(kem.publicKey(new byte[32]), INFO), "small order");
    assertThrows(InvalidKeyException.class, () -> suite.sender(null, INFO));
    assertThrows(NullPointerException.class, () -> suite.sender(pair.getPublic(), null));
    assertThrows(NullPointerException.class, () -> suite.senderPsk(pair.getPublic(), INFO, null, PSK_ID));
    assertThrows(NullPointerException.class, () -> suite.senderPsk(pair.getPublic(), INFO, PSK, null));
    assertThrows(NullPointerException.class, () -> suite.recipient(key, null, INFO));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> suite.senderPsk(pair.getPublic(), INFO, new byte[31], PSK_ID));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> suite.senderPsk(pair.getPublic(), INFO, PSK, new byte[0]));
    assertThrows(InvalidKeyException.class, () -> suite.senderAuth(pair.getPublic(), INFO, null));
    PrivateKey p256 = Kem.DHKEM_P256.generateKeyPair().getPrivate();
    assertThrows(InvalidKeyException.class, () -> suite.senderAuth(pair.getPublic(), INFO, p256));
    assertThrows(InvalidKeyException.class, () -> suite.recipient(p256, enc, INFO));
    KeyPair mlkem = Kem.ML_KEM_768.generateKeyPair();
    HpkeSuite post = HpkeSuite.of(Kem.ML_KEM_768, Kdf.HKDF_SHA256, Aead.AES_128_GCM);
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> post.senderAuth(mlkem.getPublic(), INFO, mlkem.getPrivate()));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> post.recipientAuth(mlkem.getPrivate(), new byte[1088], INFO, mlkem.getPublic()));
  }

  /** An expanded ML-KEM key, such as the JDK's, serves as well as a seed. */
  @Test
  void expandedKey() throws Exception {
    KeyPair pair = Kem.ML_KEM_1024.generateKeyPair();
    byte[] expanded = new org.bouncycastle.pqc.crypto.mlkem.MLKEMPrivateKeyParameters(
        org.bouncycastle.pqc.crypto.mlkem.MLKEMParameters.ml_kem_1024,
        Kem.ML_KEM_1024.encode(pair.getPrivate())).getEncoded();
    PrivateKey key = Kem.ML_KEM_1024.privateKey(expanded);
    HpkeSuite suite = HpkeSuite.of(Kem.ML_KEM_1024, Kdf.HKDF_SHA384, Aead.AES_256_GCM);
    HpkeSender sender = suite.sender(pair.getPublic(), INFO);
    exchange(sender, suite.recipient(key, sender.encapsulatedKey(), INFO));
  }
}
