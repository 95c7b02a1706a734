package org.postscrypt.jce;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.security.InvalidKeyException;
import org.postscrypt.nat.NativeCrypto;

/** What a serialised key is: its encoding. */
final class SerializedKey implements Serializable {
  private static final long serialVersionUID = 1;

  private final boolean isPrivate;
  private final byte[] encoded;

  SerializedKey(boolean isPrivate, byte[] encoded) {
    this.isPrivate = isPrivate;
    this.encoded = encoded;
  }

  Object readResolve() throws ObjectStreamException {
    try {
      return isPrivate
          ? NativeKey.privateKey(NativeCrypto.keyFromPkcs8(encoded))
          : NativeKey.publicKey(NativeCrypto.keyFromSpki(encoded));
    } catch (InvalidKeyException | RuntimeException e) {
      InvalidObjectException invalid = new InvalidObjectException("not a key: " + e.getMessage());
      invalid.initCause(e);
      throw invalid;
    } finally {
      Numbers.clear(isPrivate ? encoded : null);
    }
  }
}
