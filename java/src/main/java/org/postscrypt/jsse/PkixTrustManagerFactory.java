package org.postscrypt.jsse;

import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertPathParameters;
import java.security.cert.Certificate;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactorySpi;

/** Makes {@link PkixTrustManager}s. */
final class PkixTrustManagerFactory extends TrustManagerFactorySpi {
  private TrustManager[] managers;

  @Override
  protected void engineInit(KeyStore store) throws KeyStoreException {
    Set<TrustAnchor> anchors = anchors(store != null ? store : defaultStore());
    try {
      // PKIX parameters may not be without anchors; a manager may, and then trusts nobody.
      managers =
          anchors.isEmpty()
              ? new TrustManager[] {TlsContext.RejectingTrustManager.INSTANCE}
              : managers(PkixTrustManager.parameters(anchors));
    } catch (InvalidAlgorithmParameterException e) {
      throw new KeyStoreException(e);
    }
  }

  @Override
  protected void engineInit(ManagerFactoryParameters parameters) throws InvalidAlgorithmParameterException {
    CertPathParameters inner =
        parameters instanceof CertPathTrustManagerParameters
            ? ((CertPathTrustManagerParameters) parameters).getParameters()
            : null;
    if (!(inner instanceof PKIXBuilderParameters)) {
      throw new InvalidAlgorithmParameterException("wanted: CertPathTrustManagerParameters with PKIXBuilderParameters");
    }
    managers = managers((PKIXBuilderParameters) inner);
  }

  private static TrustManager[] managers(PKIXBuilderParameters parameters) {
    return new TrustManager[] {JsseApi.HERE.shown(new PkixTrustManager(parameters))};
  }

  @Override
  protected TrustManager[] engineGetTrustManagers() {
    if (managers == null) {
      throw new IllegalStateException("TrustManagerFactory is not initialized");
    }
    return managers.clone();
  }

  /** Trusted certificates, and the first certificate of key entries, as in the JDK. */
  private static Set<TrustAnchor> anchors(KeyStore store) throws KeyStoreException {
    Set<TrustAnchor> anchors = new LinkedHashSet<>();
    for (String alias : Collections.list(store.aliases())) {
      Certificate certificate = store.getCertificate(alias);
      if (certificate instanceof X509Certificate) {
        anchors.add(new TrustAnchor((X509Certificate) certificate, null));
      }
    }
    return anchors;
  }

  /** What {@code javax.net.ssl.trustStore} names, else the JDK's own. */
  private static KeyStore defaultStore() throws KeyStoreException {
    String named = System.getProperty("javax.net.ssl.trustStore", "");
    String type = System.getProperty("javax.net.ssl.trustStoreType", KeyStore.getDefaultType());
    String secret = System.getProperty("javax.net.ssl.trustStorePassword", "");
    KeyStore store = KeyStore.getInstance(type);
    String security = System.getProperty("java.home", "") + File.separator + "lib" + File.separator + "security";
    File own = new File(security, "jssecacerts");
    File file = !named.isEmpty() ? new File(named) : own.isFile() ? own : new File(security, "cacerts");
    try {
      if (named.equals("NONE") || !file.isFile()) {
        store.load(null, null);
      } else {
        try (InputStream in = new FileInputStream(file)) {
          store.load(in, secret.isEmpty() ? null : secret.toCharArray());
        }
      }
      return store;
    } catch (java.io.IOException | GeneralSecurityException e) {
      throw new KeyStoreException("the default trust store cannot be read: " + e.getMessage(), e);
    }
  }
}
