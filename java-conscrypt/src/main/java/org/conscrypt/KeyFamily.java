package org.conscrypt;

import java.security.PrivateKey;
import java.security.PublicKey;

/** The algorithms whose keys are classes of this package. */
enum KeyFamily {
  XDH {
    @Override
    PublicKey publicKey(PublicKey own) {
      return new OpenSSLX25519PublicKey(own);
    }

    @Override
    PrivateKey privateKey(PrivateKey own) {
      return new OpenSSLX25519PrivateKey(own);
    }
  },
  EDDSA {
    @Override
    PublicKey publicKey(PublicKey own) {
      return new OpenSslEdDsaPublicKey(own);
    }

    @Override
    PrivateKey privateKey(PrivateKey own) {
      return new OpenSslEdDsaPrivateKey(own);
    }
  },
  ML_DSA {
    @Override
    PublicKey publicKey(PublicKey own) {
      return new OpenSslMlDsaPublicKey(own);
    }

    @Override
    PrivateKey privateKey(PrivateKey own) {
      return new OpenSslMlDsaPrivateKey(own);
    }
  },
  ML_KEM {
    @Override
    PublicKey publicKey(PublicKey own) {
      return new OpenSslMlKemPublicKey(own);
    }

    @Override
    PrivateKey privateKey(PrivateKey own) {
      return new OpenSslMlKemPrivateKey(own);
    }
  },
  SLH_DSA {
    @Override
    PublicKey publicKey(PublicKey own) {
      return new OpenSslSlhDsaPublicKey(own);
    }

    @Override
    PrivateKey privateKey(PrivateKey own) {
      return new OpenSslSlhDsaPrivateKey(own);
    }
  },
  XWING {
    @Override
    PublicKey publicKey(PublicKey own) {
      return new OpenSslXwingPublicKey(own);
    }

    @Override
    PrivateKey privateKey(PrivateKey own) {
      return new OpenSslXwingPrivateKey(own);
    }
  };

  /** The class of this package for an own key. */
  abstract PublicKey publicKey(PublicKey own);

  /** The class of this package for an own key. */
  abstract PrivateKey privateKey(PrivateKey own);

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
