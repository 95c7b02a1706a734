package org.conscrypt;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.function.UnaryOperator;

/** The algorithms whose keys are classes of this package. */
enum KeyFamily {
  XDH(OpenSSLX25519PublicKey::new, OpenSSLX25519PrivateKey::new),
  EDDSA(OpenSslEdDsaPublicKey::new, OpenSslEdDsaPrivateKey::new),
  ML_DSA(OpenSslMlDsaPublicKey::new, OpenSslMlDsaPrivateKey::new),
  ML_KEM(OpenSslMlKemPublicKey::new, OpenSslMlKemPrivateKey::new),
  SLH_DSA(OpenSslSlhDsaPublicKey::new, OpenSslSlhDsaPrivateKey::new),
  XWING(OpenSslXwingPublicKey::new, OpenSslXwingPrivateKey::new);

  private final UnaryOperator<PublicKey> publicKeys;
  private final UnaryOperator<PrivateKey> privateKeys;

  KeyFamily(UnaryOperator<PublicKey> publicKeys, UnaryOperator<PrivateKey> privateKeys) {
    this.publicKeys = publicKeys;
    this.privateKeys = privateKeys;
  }

  /** The class of this package for an own key. */
  PublicKey publicKey(PublicKey own) {
    return publicKeys.apply(own);
  }

  /** The class of this package for an own key. */
  PrivateKey privateKey(PrivateKey own) {
    return privateKeys.apply(own);
  }

  /**
   * Whether the JDK has interfaces for such keys, which those of this package do not implement. Who names the JDK's
   * parameters or
   * specifications wants these: refused, the JCA goes on to the next provider. (SunJSSE does so for each key exchange.)
   */
  boolean hasInterfacesInTheJdk() {
    return this == XDH || this == EDDSA;
  }

  /** The family of a key factory or generator's algorithm; null if its keys are the provider's own. */
  static KeyFamily of(String algorithm) {
    switch (algorithm) {
      case "XDH":
        return XDH;
      case "EdDSA":
        return EDDSA;
      case "ML-DSA":
      case "ML-DSA-44":
      case "ML-DSA-65":
      case "ML-DSA-87":
        return ML_DSA;
      case "ML-KEM":
      case "ML-KEM-768":
      case "ML-KEM-1024":
        return ML_KEM;
      case "SLH-DSA-SHA2-128S":
        return SLH_DSA;
      case "XWING":
        return XWING;
      default:
        return null;
    }
  }
}
