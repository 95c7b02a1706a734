package org.postscrypt.jsse;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import javax.crypto.Cipher;

/**
 * Signatures of keys whose provider has only the operation itself, not the digest that belongs to it: {@code
 * NONEwithECDSA}, {@code NONEwithRSA}, and RSA without padding for RSASSA-PSS.
 */
final class RawSigning {
  /** RFC 8017 section 9.2, note 1: DER of DigestInfo up to the digest. */
  private static final int[] DIGEST_INFO = {
    0x30, 0, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0, 0x05, 0x00, 0x04, 0
  };

  private RawSigning() {}

  /**
   * Signs.
   *
   * @param certified the public key that belongs to {@code key}, which need not tell anything about itself
   * @throws InvalidKeyException if there is no such operation for the scheme
   * @throws GeneralSecurityException if no provider has it for this key
   */
  static byte[] sign(PrivateKey key, PublicKey certified, SignatureSchemes scheme, byte[] message)
      throws GeneralSecurityException {
    String digest = scheme.digest();
    if (digest == null) {
      throw new InvalidKeyException("no raw operation for " + scheme.algorithm);
    }
    byte[] hash = MessageDigest.getInstance(digest).digest(message);
    if (scheme.keyType.equals("EC")) {
      return sign(key, "NONEwithECDSA", hash);
    }
    if (scheme.parameters() == null) {
      return sign(key, "NONEwithRSA", digestInfo(hash));
    }
    if (!(certified instanceof RSAPublicKey)) {
      throw new InvalidKeyException("an RSA key of unknown size");
    }
    byte[] encoded = pss(hash, digest, ((RSAPublicKey) certified).getModulus().bitLength());
    Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding");
    // With a private key both directions are the same operation; this is the one that tokens have.
    cipher.init(Cipher.DECRYPT_MODE, key);
    return cipher.doFinal(encoded);
  }

  private static byte[] sign(PrivateKey key, String algorithm, byte[] input) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(input);
    return signature.sign();
  }

  private static byte[] digestInfo(byte[] hash) {
    byte[] info = new byte[DIGEST_INFO.length + hash.length];
    for (int i = 0; i < DIGEST_INFO.length; i++) {
      info[i] = (byte) DIGEST_INFO[i];
    }
    info[1] = (byte) (info.length - 2);
    // The last arc of id-sha256, id-sha384, id-sha512.
    info[14] = (byte) (hash.length / 16 - 1);
    info[18] = (byte) hash.length;
    System.arraycopy(hash, 0, info, DIGEST_INFO.length, hash.length);
    return info;
  }

  /** RFC 8017 section 9.1.1 with a salt as long as the hash (RFC 8446 section 4.2.3), to the modulus's length. */
  private static byte[] pss(byte[] hash, String digest, int modulusBits) throws GeneralSecurityException {
    int bits = modulusBits - 1;
    int length = (bits + 7) / 8;
    int maskLength = length - hash.length - 1;
    if (maskLength < hash.length + 2) {
      throw new InvalidKeyException("the RSA key is too short for this signature");
    }
    byte[] salt = new byte[hash.length];
    new SecureRandom().nextBytes(salt);
    MessageDigest md = MessageDigest.getInstance(digest);
    md.update(new byte[8]);
    md.update(hash);
    byte[] h = md.digest(salt);
    byte[] encoded = new byte[length];
    encoded[maskLength - salt.length - 1] = 1;
    System.arraycopy(salt, 0, encoded, maskLength - salt.length, salt.length);
    byte[] counter = new byte[4];
    for (int at = 0; at < maskLength; counter[3]++) {
      md.update(h);
      byte[] mask = md.digest(counter);
      for (int i = 0; i < mask.length && at < maskLength; i++, at++) {
        encoded[at] ^= mask[i];
      }
    }
    encoded[0] &= (byte) (0xff >> 8 * length - bits);
    System.arraycopy(h, 0, encoded, maskLength, h.length);
    encoded[length - 1] = (byte) 0xbc;
    // A modulus of 8n + 1 bits is one byte longer than what is encoded.
    byte[] block = new byte[(modulusBits + 7) / 8];
    System.arraycopy(encoded, 0, block, block.length - length, length);
    return block;
  }
}
