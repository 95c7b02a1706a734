package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.util.HexFormat;
import org.conscrypt.Conscrypt;
import org.conscrypt.HpkeContextRecipient;
import org.conscrypt.HpkeContextSender;
import org.conscrypt.HpkeDecryptException;
import org.conscrypt.HpkeSpi;
import org.conscrypt.HpkeSuite;
import org.conscrypt.OpenSSLX25519PrivateKey;
import org.conscrypt.OpenSSLX25519PublicKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HPKE. Runs over the original as well, but for the modes that it does not have. */
class HpkeTest {
  private static final String X25519_AES_128 = "DHKEM_X25519_HKDF_SHA256/HKDF_SHA256/AES_128_GCM";

  private static final Provider PROVIDER = Conscrypt.newProvider();

  @BeforeAll
  static void register() {
    Security.addProvider(PROVIDER);
  }

  @AfterAll
  static void remove() {
    Security.removeProvider(PROVIDER.getName());
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** RFC 9180 appendix A.1.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode. */
  @Test
  void rfc9180BaseMode() throws Exception {
    byte[] info = hex("4f6465206f6e2061204772656369616e2055726e");
    byte[] skE = hex("52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736");
    byte[] enc = hex("37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431");
    PublicKey pkR =
        new OpenSSLX25519PublicKey(hex("3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d"));
    PrivateKey skR =
        new OpenSSLX25519PrivateKey(hex("4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8"));
    byte[] pt = hex("4265617574792069732074727574682c20747275746820626561757479");
    byte[] aad0 = hex("436f756e742d30");
    byte[] ct0 =
        hex("f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a");
    byte[] aad1 = hex("436f756e742d31");
    byte[] ct1 =
        hex("af2d7e9ac9ae7e270f46ba1f975be53c09f8d875bdc8535458c2494e8a6eab251c03d0c22a56b8ca42c2063b84");

    HpkeContextSender sender = HpkeContextSender.getInstance(X25519_AES_128);
    sender.initForTesting(pkR, info, skE);
    assertArrayEquals(enc, sender.getEncapsulated());
    assertArrayEquals(ct0, sender.seal(pt, aad0));
    assertArrayEquals(ct1, sender.seal(pt, aad1));

    HpkeContextRecipient recipient = HpkeContextRecipient.getInstance(X25519_AES_128, PROVIDER);
    recipient.init(enc, skR, info);
    assertArrayEquals(pt, recipient.open(ct0, aad0));
    assertArrayEquals(pt, recipient.open(ct1, aad1));

    byte[] exported = hex("3853fe2b4035195a573ffc53856e77058e15d9ea064de3e59f4961d0095250ee");
    assertArrayEquals(exported, sender.export(32, new byte[0]));
    assertArrayEquals(exported, recipient.export(32, null));
    assertArrayEquals(
        hex("2e8f0b54673c7029649d4eb9d5e33bf1872cf76d623ff164ac185da9e88c21a5"), sender.export(32, new byte[] {0}));
    assertArrayEquals(
        hex("e9e43065102c3836401bed8c3c3c75ae46be1639869391d62c61f1ec7af54931"),
        recipient.export(32, hex("54657374436f6e74657874")));
  }

  @ParameterizedTest
  @CsvSource({
    "DHKEM_X25519_HKDF_SHA256,XDH", "MLKEM_768,ML-KEM-768", "MLKEM_1024,ML-KEM-1024", "XWING,XWING",
  })
  void everySuite(String kem, String keys) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(keys, PROVIDER).generateKeyPair();
    for (HpkeSuite.AEAD aead : HpkeSuite.AEAD.values()) {
      HpkeSuite suite = new HpkeSuite(HpkeSuite.KEM.valueOf(kem).getId(), 1, aead.getId());
      assertEquals(kem + "/HKDF_SHA256/" + aead, suite.name());
      HpkeContextSender sender = HpkeContextSender.getInstance(suite.name(), PROVIDER.getName());
      sender.init(pair.getPublic(), new byte[] {7});
      assertEquals(suite.getKem().getEncapsulatedLength(), sender.getEncapsulated().length);
      HpkeContextRecipient recipient = HpkeContextRecipient.getInstance(suite.name());
      recipient.init(sender.getEncapsulated(), pair.getPrivate(), new byte[] {7});
      for (int i = 0; i < 3; i++) {
        byte[] message = {1, 2, (byte) i};
        byte[] sealed = sender.seal(message, i == 0 ? null : new byte[] {9});
        assertEquals(message.length + aead.getTagLength(), sealed.length);
        assertArrayEquals(message, recipient.open(sealed, i == 0 ? null : new byte[] {9}));
      }
      assertArrayEquals(sender.export(77, new byte[] {3}), recipient.export(77, new byte[] {3}));
    }
  }

  @Test
  void namesAndProviders() throws Exception {
    HpkeContextSender.getInstance("DHKEM_X25519_HKDF_SHA256_HKDF_SHA256_AES_256_GCM");
    HpkeContextRecipient.getInstance("dhkem_x25519_hkdf_sha256/hkdf_sha256/chacha20poly1305");
    assertThrows(NoSuchAlgorithmException.class, () -> HpkeContextSender.getInstance("bogus"));
    assertThrows(NoSuchAlgorithmException.class, () -> HpkeContextSender.getInstance(null));
    assertThrows(NoSuchAlgorithmException.class, () -> HpkeContextSender.getInstance(X25519_AES_128, "SUN"));
    assertThrows(NoSuchProviderException.class, () -> HpkeContextRecipient.getInstance(X25519_AES_128, "Nobody"));
    assertThrows(
        IllegalArgumentException.class, () -> HpkeContextRecipient.getInstance(X25519_AES_128, (Provider) null));
  }

  @Test
  void misuse() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("XDH", PROVIDER).generateKeyPair();
    HpkeContextSender sender = HpkeContextSender.getInstance(X25519_AES_128);
    assertThrows(IllegalStateException.class, () -> sender.seal(new byte[1], null));
    assertThrows(IllegalStateException.class, sender::getEncapsulated);
    assertThrows(IllegalStateException.class, () -> sender.export(1, null));
    assertThrows(InvalidKeyException.class, () -> sender.init(null, null));
    assertThrows(InvalidKeyException.class, () -> sender.init(Pki.ecKey().getPublic(), null));
    assertThrows(IllegalArgumentException.class, () -> sender.initForTesting(pair.getPublic(), null, null));
    assertThrows(InvalidKeyException.class, () -> sender.initForTesting(pair.getPublic(), null, new byte[3]));
    sender.init(pair.getPublic(), null);
    assertThrows(IllegalStateException.class, () -> sender.init(pair.getPublic(), null));
    assertThrows(NullPointerException.class, () -> sender.seal(null, null));
    assertThrows(IllegalArgumentException.class, () -> sender.export(-1, null));
    assertThrows(IllegalArgumentException.class, () -> sender.export(255 * 32 + 1, null));
    assertEquals(255 * 32, sender.export(255 * 32, null).length);
    assertThrows(IllegalStateException.class, () -> sender.getSpi().engineOpen(new byte[20], null));

    HpkeContextRecipient recipient = HpkeContextRecipient.getInstance(X25519_AES_128);
    assertThrows(IllegalStateException.class, () -> recipient.open(new byte[20], null));
    assertThrows(InvalidKeyException.class, () -> recipient.init(new byte[31], pair.getPrivate(), null));
    assertThrows(InvalidKeyException.class, () -> recipient.init(new byte[32], pair.getPrivate(), null));
    assertThrows(InvalidKeyException.class, () -> recipient.init(sender.getEncapsulated(), null, null));
    assertThrows(NullPointerException.class, () -> recipient.init(null, pair.getPrivate(), null));
    recipient.init(sender.getEncapsulated(), pair.getPrivate(), null);
    assertThrows(HpkeDecryptException.class, () -> recipient.open(new byte[20], null));
    assertThrows(HpkeDecryptException.class, () -> recipient.open(new byte[3], null));
    byte[] sealed = sender.seal(new byte[] {5}, null);
    byte[] changed = sealed.clone();
    changed[0] ^= 1;
    assertThrows(HpkeDecryptException.class, () -> recipient.open(changed, null));
    assertArrayEquals(new byte[] {5}, recipient.open(sealed, null), "what was wrong does not count");
    assertSame(recipient.getSpi(), recipient.getSpi());
    assertEquals(0, HpkeSpi.DEFAULT_PSK.length + HpkeSpi.DEFAULT_PSK_ID.length);
  }

  @Test
  void numbers() {
    assertThrows(IllegalArgumentException.class, () -> new HpkeSuite(0x21, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> HpkeSuite.KDF.forId(9));
    assertThrows(IllegalArgumentException.class, () -> new HpkeSuite(0x20, 1, 1).convertAead(9));
    StringBuilder all = new StringBuilder();
    for (HpkeSuite.KEM k : HpkeSuite.KEM.values()) {
      all.append(k).append(' ').append(k.getId()).append(' ').append(k.getnEnc()).append(' ');
      all.append(k.getSecretLength()).append(' ').append(k.getPublicKeyLength()).append(' ');
      all.append(k.getPrivateKeyLength()).append('\n');
    }
    for (HpkeSuite.KDF k : HpkeSuite.KDF.values()) {
      all.append(k).append(' ').append(k.getId()).append(' ').append(k.getHLength()).append(' ');
      all.append(k.getMacLength()).append(' ').append(k.maxExportLength()).append(' ').append(k.getMacName()).append('\n');
    }
    for (HpkeSuite.AEAD a : HpkeSuite.AEAD.values()) {
      all.append(a).append(' ').append(a.getId()).append(' ').append(a.getNk()).append(' ').append(a.getNn());
      all.append(' ').append(a.getNt()).append('\n');
    }
    assertEquals(
        "DHKEM_X25519_HKDF_SHA256 32 32 32 32 32\n"
            + "MLKEM_768 65 1088 32 1184 64\n"
            + "MLKEM_1024 66 1568 32 1568 64\n"
            + "XWING 25722 1120 32 1216 32\n"
            + "HKDF_SHA256 1 32 32 8160 HmacSHA256\n"
            + "AES_128_GCM 1 16 12 16\n"
            + "AES_256_GCM 2 32 12 16\n"
            + "CHACHA20POLY1305 3 32 12 16\n",
        all.toString());
  }

  /** The original has the base mode alone. */
  @Tag("facade")
  @Test
  void otherModes() throws Exception {
    KeyPair to = KeyPairGenerator.getInstance("XDH", PROVIDER).generateKeyPair();
    KeyPair from = KeyPairGenerator.getInstance("X25519", "SunEC").generateKeyPair();
    byte[] psk = new byte[32];
    byte[] id = {1};
    HpkeContextSender sender = HpkeContextSender.getInstance(X25519_AES_128);
    HpkeContextRecipient recipient = HpkeContextRecipient.getInstance(X25519_AES_128);
    sender.init(to.getPublic(), null, from.getPrivate(), psk, id);
    recipient.init(sender.getEncapsulated(), to.getPrivate(), null, from.getPublic(), psk, id);
    assertArrayEquals(new byte[9], recipient.open(sender.seal(new byte[9], null), null));

    HpkeContextSender authenticated = HpkeContextSender.getInstance(X25519_AES_128);
    HpkeContextRecipient trusting = HpkeContextRecipient.getInstance(X25519_AES_128);
    authenticated.init(to.getPublic(), null, from.getPrivate());
    trusting.init(authenticated.getEncapsulated(), to.getPrivate(), null, from.getPublic());
    assertArrayEquals(new byte[9], trusting.open(authenticated.seal(new byte[9], null), null));

    HpkeContextSender shared = HpkeContextSender.getInstance(X25519_AES_128);
    shared.init(to.getPublic(), null, psk, id);
    HpkeContextRecipient stranger = HpkeContextRecipient.getInstance(X25519_AES_128);
    stranger.init(shared.getEncapsulated(), to.getPrivate(), null);
    assertThrows(HpkeDecryptException.class, () -> stranger.open(shared.seal(new byte[9], null), null));
    HpkeContextSender half = HpkeContextSender.getInstance(X25519_AES_128);
    assertThrows(IllegalArgumentException.class, () -> half.init(to.getPublic(), null, psk, new byte[0]));
    KeyPair kem = KeyPairGenerator.getInstance("ML-KEM-768", PROVIDER).generateKeyPair();
    HpkeContextSender pq = HpkeContextSender.getInstance("MLKEM_768/HKDF_SHA256/AES_128_GCM");
    assertThrows(
        UnsupportedOperationException.class, () -> pq.init(kem.getPublic(), null, from.getPrivate()));
  }
}
