package org.postscrypt.jsse;

import java.security.InvalidAlgorithmParameterException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;

/** Makes {@link KeyStoreKeyManager}s, for platforms whose own key managers are not there. */
final class KeyStoreKeyManagerFactory extends KeyManagerFactorySpi {
  private KeyManager[] managers;

  @Override
  protected void engineInit(KeyStore store, char[] password)
      throws KeyStoreException, NoSuchAlgorithmException, UnrecoverableKeyException {
    Map<String, KeyStoreKeyManager.Entry> entries = new LinkedHashMap<>();
    if (store != null) {
      for (String alias : Collections.list(store.aliases())) {
        Key key = store.isKeyEntry(alias) ? store.getKey(alias, password) : null;
        Certificate[] chain = store.getCertificateChain(alias);
        if (key instanceof PrivateKey && chain != null && chain.length > 0 && chain[0] instanceof X509Certificate) {
          X509Certificate[] copy = Arrays.copyOf(chain, chain.length, X509Certificate[].class);
          entries.put(alias, new KeyStoreKeyManager.Entry((PrivateKey) key, copy));
        }
      }
    }
    managers = new KeyManager[] {new KeyStoreKeyManager(entries)};
  }

  @Override
  protected void engineInit(ManagerFactoryParameters parameters) throws InvalidAlgorithmParameterException {
    throw new InvalidAlgorithmParameterException("parameters are not supported: initialise with a KeyStore");
  }

  @Override
  protected KeyManager[] engineGetKeyManagers() {
    if (managers == null) {
      throw new IllegalStateException("KeyManagerFactory is not initialized");
    }
    return managers.clone();
  }
}
