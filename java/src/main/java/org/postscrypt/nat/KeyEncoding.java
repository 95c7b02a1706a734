package org.postscrypt.nat;

import java.security.Key;
import java.security.PrivateKey;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/** Encodings of other providers' keys. */
public final class KeyEncoding {
  private KeyEncoding() {}

  /** {@link #copy} of a private key in PKCS #8; null if that is not what it has. */
  public static byte[] pkcs8(PrivateKey key) {
    return "PKCS#8".equals(key.getFormat()) ? copy(key) : null;
  }

  /**
   * {@link Key#getEncoded()}, in an array for the caller to zero; null if the key has none. There are keys that hand out
   * the array they keep, and zeroing that would destroy them.
   */
  public static byte[] copy(Key key) {
    byte[] encoded = key.getEncoded();
    if (encoded == null || key.getClass() == SecretKeySpec.class) {
      return encoded;
    }
    byte[] again = key.getEncoded();
    if (again == encoded) {
      return encoded.clone();
    }
    if (again != null) {
      Arrays.fill(again, (byte) 0);
    }
    return encoded;
  }
}
