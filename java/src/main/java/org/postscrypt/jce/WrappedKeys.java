package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.KeyEncoding;

/** Keys on their way into and out of a Cipher's {@code wrap} and {@code unwrap}. */
final class WrappedKeys {
  private WrappedKeys() {}

  /**
   * The encoding of a key to wrap, for the caller to zero.
   *
   * @throws InvalidKeyException if it has none
   */
  static byte[] encoded(Key key) throws InvalidKeyException {
    byte[] encoded = KeyEncoding.copy(key);
    if (encoded == null || encoded.length == 0) {
      throw new InvalidKeyException("the key to wrap has no encoding");
    }
    return encoded;
  }

  /**
   * The key with this encoding, which is zeroed.
   *
   * @param type {@link Cipher#SECRET_KEY}, {@link Cipher#PRIVATE_KEY} or {@link Cipher#PUBLIC_KEY}
   * @throws InvalidKeyException if the encoding is none of such a key
   * @throws NoSuchAlgorithmException if no provider knows the algorithm
   */
  static Key key(byte[] encoded, String algorithm, int type) throws InvalidKeyException, NoSuchAlgorithmException {
    try {
      switch (type) {
        case Cipher.SECRET_KEY:
          return new SecretKeySpec(encoded, algorithm);
        case Cipher.PRIVATE_KEY:
          return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        case Cipher.PUBLIC_KEY:
          return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
        default:
          throw new InvalidKeyException("unknown type of key: " + type);
      }
    } catch (InvalidKeySpecException | IllegalArgumentException e) {
      throw new InvalidKeyException("what was wrapped is no such key", e);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }
}
