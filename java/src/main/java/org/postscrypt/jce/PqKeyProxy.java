package org.postscrypt.jce;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.security.InvalidKeyException;

/** What a serialised key is: its X.509 or PKCS#8 encoding. */
final class PqKeyProxy implements Serializable {
  private static final long serialVersionUID = 1;

  private final boolean secret;
  private final byte[] encoded;

  PqKeyProxy(boolean secret, byte[] encoded) {
    this.secret = secret;
    this.encoded = encoded;
  }

  private Object readResolve() throws ObjectStreamException {
    if (encoded == null) {
      throw new InvalidObjectException("no encoding");
    }
    try {
      return secret ? PqPrivateKey.fromEncoded(encoded) : PqPublicKey.fromEncoded(encoded);
    } catch (InvalidKeyException e) {
      InvalidObjectException invalid = new InvalidObjectException(e.getMessage());
      invalid.initCause(e);
      throw invalid;
    }
  }
}
