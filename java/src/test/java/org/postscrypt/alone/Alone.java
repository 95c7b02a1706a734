package org.postscrypt.alone;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.postscrypt.PostscryptProvider;

/** What the programs of {@link AloneTest} share; they run in JVMs of their own. */
final class Alone {
  static final char[] PASSWORD = "password".toCharArray();

  private Alone() {}

  /** Removes all providers but SUN (key stores and certificate paths, no ciphers), and makes ours first. */
  static void removeOthers() {
    for (Provider provider : Security.getProviders()) {
      if (!provider.getName().equals("SUN")) {
        Security.removeProvider(provider.getName());
      }
    }
    Security.insertProviderAt(new PostscryptProvider(), 1);
    System.out.println("providers: "
        + Arrays.stream(Security.getProviders()).map(Provider::getName).collect(Collectors.joining(", ")));
  }

  static X509Certificate certificate(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  static PrivateKey key(Path file, String algorithm) throws Exception {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(Files.readAllBytes(file)));
  }

  /** JKS, as its protection of keys is its own; PKCS12 would want ciphers of SunJCE. */
  static KeyStore keyStore(Path directory, String name, String algorithm) throws Exception {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    PrivateKey key = key(directory.resolve(name + ".key"), algorithm);
    store.setKeyEntry(name, key, PASSWORD, new Certificate[] {certificate(directory.resolve(name + ".pem"))});
    return store;
  }

  static KeyStore trustStore(Path directory) throws Exception {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setCertificateEntry("root", certificate(directory.resolve("root.pem")));
    return store;
  }
}
