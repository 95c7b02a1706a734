package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.math.ec.rfc7748.X25519;
import org.junit.jupiter.api.Test;
import org.postscrypt.BoxHandshake;
import org.postscrypt.Kem;

/** The other side of a box after docs/BOX.md alone, over the JDK's and Bouncy Castle's primitives. */
class BoxNoiseTest {
  private byte[] chaining = Arrays.copyOf("Noise_KK_25519_AESGCM_SHA256".getBytes(StandardCharsets.US_ASCII), 32);
  private byte[] hash = chaining;
  private byte[] key;

  private static byte[] concat(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  private void mixHash(byte[] data) throws Exception {
    hash = MessageDigest.getInstance("SHA-256", "SUN").digest(concat(hash, data));
  }

  private static byte[] hmac(byte[] key, byte[] data) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256", "SunJCE");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(data);
  }

  private byte[][] hkdf(byte[] input) throws Exception {
    byte[] temp = hmac(chaining, input);
    byte[] first = hmac(temp, new byte[] {1});
    return new byte[][] {first, hmac(temp, concat(first, new byte[] {2}))};
  }

  private void mixKey(byte[] secret, byte[] point) throws Exception {
    byte[] shared = new byte[32];
    X25519.calculateAgreement(secret, 0, point, 0, shared, 0);
    byte[][] out = hkdf(shared);
    chaining = out[0];
    key = out[1];
  }

  private static byte[] gcm(int mode, byte[] key, long counter, byte[] aad, byte[] data) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
    byte[] nonce = ByteBuffer.allocate(12).putInt(0).putLong(counter).array();
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(aad);
    return cipher.doFinal(data);
  }

  private static byte[] publicOf(byte[] secret) {
    byte[] point = new byte[32];
    X25519.generatePublicKey(secret, 0, point, 0);
    return point;
  }

  @Test
  void interoperates() throws Exception {
    KeyPair own = Kem.DHKEM_X25519.generateKeyPair();
    byte[] ownPublic = Kem.DHKEM_X25519.encode(own.getPublic());
    byte[] secret = Pq.bytes(11, 32);
    byte[] ephemeral = Pq.bytes(12, 32);
    byte[] context = "context".getBytes(StandardCharsets.US_ASCII);
    BoxHandshake ours =
        BoxHandshake.initiator(own.getPrivate(), Kem.DHKEM_X25519.publicKey(publicOf(secret)), context);
    byte[] first = ours.start();

    mixHash(concat("Postscrypt Box 1".getBytes(StandardCharsets.US_ASCII), context));
    mixHash(ownPublic);
    mixHash(publicOf(secret));
    byte[] theirEphemeral = Arrays.copyOf(first, 32);
    mixHash(theirEphemeral);
    mixKey(secret, theirEphemeral);
    mixKey(secret, ownPublic);
    byte[] sealed = Arrays.copyOfRange(first, 32, 48);
    assertArrayEquals(new byte[0], gcm(Cipher.DECRYPT_MODE, key, 0, hash, sealed));
    mixHash(sealed);
    mixHash(publicOf(ephemeral));
    mixKey(ephemeral, theirEphemeral);
    mixKey(ephemeral, ownPublic);
    byte[] answer = gcm(Cipher.ENCRYPT_MODE, key, 0, hash, new byte[0]);
    mixHash(answer);
    ours.finish(concat(publicOf(ephemeral), answer));
    assertArrayEquals(hash, ours.channelBinding());

    byte[][] keys = hkdf(new byte[0]);
    byte[] message = "hello".getBytes(StandardCharsets.US_ASCII);
    for (int counter = 0; counter < 3; counter++) {
      byte[] record = ours.sealer().seal(message);
      byte[] header = {1, 0, 0, 5};
      assertArrayEquals(header, Arrays.copyOf(record, 4));
      byte[] body = Arrays.copyOfRange(record, 4, record.length);
      assertArrayEquals(message, gcm(Cipher.DECRYPT_MODE, keys[0], counter, header, body));
      byte[] back = concat(header, gcm(Cipher.ENCRYPT_MODE, keys[1], counter, header, message));
      assertArrayEquals(message, ours.opener().open(back));
    }
  }
}
