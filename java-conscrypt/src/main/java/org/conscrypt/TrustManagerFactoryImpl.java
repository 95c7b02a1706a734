package org.conscrypt;

import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import javax.net.ssl.X509TrustManager;

/** Makes {@link TrustManagerImpl}s. */
final class TrustManagerFactoryImpl extends TrustManagerFactorySpi {
  private final TrustManagerFactory own;

  TrustManagerFactoryImpl() throws NoSuchAlgorithmException {
    own = TrustManagerFactory.getInstance("PostscryptPKIX", Own.provider());
  }

  @Override
  protected void engineInit(KeyStore store) throws KeyStoreException {
    own.init(store);
  }

  @Override
  protected void engineInit(ManagerFactoryParameters parameters) throws InvalidAlgorithmParameterException {
    own.init(parameters);
  }

  @Override
  protected TrustManager[] engineGetTrustManagers() {
    return new TrustManager[] {new TrustManagerImpl((X509TrustManager) own.getTrustManagers()[0])};
  }
}
