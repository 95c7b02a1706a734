package org.conscrypt;

import java.io.ObjectStreamException;
import java.io.Serializable;
import java.math.BigInteger;
import java.security.spec.RSAPublicKeySpec;

/** What Conscrypt serialises an RSA public key as; read, it is the provider's own key. */
final class OpenSSLRSAPublicKey implements Serializable {
  private static final long serialVersionUID = 123125005824688292L;

  private BigInteger modulus;
  private BigInteger publicExponent;

  private OpenSSLRSAPublicKey() {}

  private Object readResolve() throws ObjectStreamException {
    return OwnKeys.readPublic("RSA", new RSAPublicKeySpec(modulus, publicExponent));
  }
}
