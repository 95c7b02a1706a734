package org.postscrypt.jsse;

import java.io.FileInputStream;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** The key managers of the default context, from the JSSE system properties. */
final class DefaultKeyManager {
  private DefaultKeyManager() {}

  /**
   * From {@code javax.net.ssl.keyStore}, {@code .keyStoreType}, {@code .keyStoreProvider} and
   * {@code .keyStorePassword}; null if there is no key store.
   *
   * @throws Exception if the key store is named and cannot be read
   */
  static KeyManager[] fromSystemProperties() throws Exception {
    String file = System.getProperty("javax.net.ssl.keyStore", "");
    String type = System.getProperty("javax.net.ssl.keyStoreType", KeyStore.getDefaultType());
    String provider = System.getProperty("javax.net.ssl.keyStoreProvider", "");
    boolean none = file.equals("NONE");
    if (file.isEmpty()) {
      return null;
    }
    String secret = System.getProperty("javax.net.ssl.keyStorePassword", "");
    char[] password = secret.isEmpty() ? null : secret.toCharArray();
    try {
      KeyStore store = provider.isEmpty() ? KeyStore.getInstance(type) : KeyStore.getInstance(type, provider);
      if (none) {
        store.load(null, password);
      } else {
        try (InputStream in = new FileInputStream(file)) {
          store.load(in, password);
        }
      }
      return managers(store, password);
    } finally {
      if (password != null) {
        Arrays.fill(password, '\0');
      }
    }
  }

  /** The platform's; our own where it has none. */
  private static KeyManager[] managers(KeyStore store, char[] password) throws GeneralSecurityException {
    KeyManagerFactory factory;
    try {
      factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    } catch (NoSuchAlgorithmException e) {
      KeyStoreKeyManagerFactory own = new KeyStoreKeyManagerFactory();
      own.engineInit(store, password);
      return own.engineGetKeyManagers();
    }
    factory.init(store, password);
    return factory.getKeyManagers();
  }
}
