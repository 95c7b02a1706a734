package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.security.spec.PKCS8EncodedKeySpec;

/** What Conscrypt serialises an EC private key as; read, it is the provider's own key. */
final class OpenSSLECPrivateKey implements Serializable {
  private static final long serialVersionUID = -4036633595001083922L;

  private transient byte[] encoded;

  private OpenSSLECPrivateKey() {}

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    encoded = OwnKeys.readEncoded(in);
  }

  private Object readResolve() throws ObjectStreamException {
    return OwnKeys.readPrivate("EC", new PKCS8EncodedKeySpec(encoded));
  }
}
