package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.security.spec.X509EncodedKeySpec;

/** What Conscrypt serialises an EC public key as; read, it is the provider's own key. */
final class OpenSSLECPublicKey implements Serializable {
  private static final long serialVersionUID = 3215842926808298020L;

  private transient byte[] encoded;

  private OpenSSLECPublicKey() {}

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    encoded = OwnKeys.readEncoded(in);
  }

  private Object readResolve() throws ObjectStreamException {
    return OwnKeys.readPublic("EC", new X509EncodedKeySpec(encoded));
  }
}
