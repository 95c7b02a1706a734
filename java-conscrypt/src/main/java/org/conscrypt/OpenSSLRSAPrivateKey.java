package org.conscrypt;

import java.io.ObjectStreamException;
import java.io.Serializable;
import java.math.BigInteger;
import java.security.spec.KeySpec;
import java.security.spec.RSAPrivateKeySpec;

/** What Conscrypt serialises an RSA private key as; read, it is the provider's own key. */
class OpenSSLRSAPrivateKey implements Serializable {
  private static final long serialVersionUID = 4872170254439578735L;

  BigInteger modulus;
  BigInteger privateExponent;

  OpenSSLRSAPrivateKey() {}

  KeySpec spec() {
    return new RSAPrivateKeySpec(modulus, privateExponent);
  }

  final Object readResolve() throws ObjectStreamException {
    return OwnKeys.readPrivate("RSA", spec());
  }
}
