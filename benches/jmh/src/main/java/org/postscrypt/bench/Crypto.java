package org.postscrypt.bench;

import java.security.Provider;
import java.security.Security;
import org.conscrypt.Conscrypt;
import org.postscrypt.PostscryptProvider;

/** Providers of cryptography by the names used here. */
final class Crypto {
  private Crypto() {}

  static Provider provider(String name, String jdk) {
    return switch (name) {
      case "postscrypt" -> new PostscryptProvider();
      case "conscrypt" -> Conscrypt.newProvider();
      case "accp" -> com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider.INSTANCE;
      case "bc" -> new org.bouncycastle.jce.provider.BouncyCastleProvider();
      default -> Security.getProvider(jdk);
    };
  }
}
