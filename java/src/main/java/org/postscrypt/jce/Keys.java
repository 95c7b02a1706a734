package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.Key;
import java.util.Arrays;
import javax.crypto.SecretKey;
import org.postscrypt.nat.KeyEncoding;

/** What secret keys of any provider must offer. */
final class Keys {
  private Keys() {}

  /**
   * A copy of the key's bytes, for the caller to zero.
   *
   * @throws InvalidKeyException if it is null, no secret key, or does not show its bytes in the format {@code RAW}
   */
  static byte[] encoded(Key key) throws InvalidKeyException {
    if (key == null) {
      throw new InvalidKeyException("key is null");
    }
    if (!(key instanceof SecretKey)) {
      throw new InvalidKeyException("not a secret key: " + key.getClass().getName());
    }
    if (!"RAW".equalsIgnoreCase(key.getFormat())) {
      throw new InvalidKeyException("key format is " + key.getFormat() + ", not RAW");
    }
    byte[] bytes = KeyEncoding.copy(key);
    if (bytes == null) {
      throw new InvalidKeyException("key has no encoding");
    }
    return bytes;
  }

  /** How many bytes {@link #encoded} gives; throws as that does. */
  static int encodedLength(Key key) throws InvalidKeyException {
    byte[] bytes = encoded(key);
    Arrays.fill(bytes, (byte) 0);
    return bytes.length;
  }
}
