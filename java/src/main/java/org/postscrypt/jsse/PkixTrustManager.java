package org.postscrypt.jsse;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathParameters;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;

/**
 * A trust manager over the platform's PKIX path builder (RFC 5280), for platforms whose own trust managers are not there. Checks the
 * path and the extended key usage of the leaf; {@link ExtendedPkixTrustManager} the name as well. Thread-safe.
 */
final class PkixTrustManager implements X509TrustManager {
  private static final String ANY_PURPOSE = "2.5.29.37.0";
  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

  private final PKIXBuilderParameters parameters;
  private final Set<X509Certificate> anchors = new LinkedHashSet<>();

  /** Trusts the anchors of {@code parameters}, a copy of which is kept. */
  PkixTrustManager(PKIXBuilderParameters parameters) {
    this.parameters = copy(parameters);
    for (TrustAnchor anchor : parameters.getTrustAnchors()) {
      if (anchor.getTrustedCert() != null) {
        anchors.add(anchor.getTrustedCert());
      }
    }
  }

  /** Through the interface: R8 makes Object's own method of clone() called on a class, which a JVM does not let pass. */
  private static PKIXBuilderParameters copy(CertPathParameters parameters) {
    return (PKIXBuilderParameters) parameters.clone();
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return anchors.toArray(new X509Certificate[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    check(chain, authType, SERVER_AUTH);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    check(chain, authType, CLIENT_AUTH);
  }

  private void check(X509Certificate[] chain, String authType, String purpose) throws CertificateException {
    if (chain == null || chain.length == 0) {
      throw new IllegalArgumentException("the certificate chain is null or empty");
    }
    if (authType == null || authType.isEmpty()) {
      throw new IllegalArgumentException("the authentication type is null or empty");
    }
    X509Certificate leaf = chain[0];
    // First, as a path builder does not say why it found none.
    if (parameters.getDate() == null) {
      leaf.checkValidity();
    } else {
      leaf.checkValidity(parameters.getDate());
    }
    // A leaf that is trusted by itself needs no path.
    if (!anchors.contains(leaf)) {
      build(chain);
    }
    List<String> purposes = leaf.getExtendedKeyUsage();
    if (purposes != null && !purposes.contains(purpose) && !purposes.contains(ANY_PURPOSE)) {
      throw new CertificateException("the certificate's extended key usage does not permit this use");
    }
  }

  private void build(X509Certificate[] chain) throws CertificateException {
    PKIXBuilderParameters p = copy(parameters);
    X509CertSelector target = new X509CertSelector();
    target.setCertificate(chain[0]);
    p.setTargetCertConstraints(target);
    try {
      p.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(Arrays.asList(chain))));
      PKIXCertPathBuilderResult result = (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(p);
      if (result.getTrustAnchor() == null) {
        throw new CertificateException("PKIX path building failed: no trust anchor");
      }
    } catch (CertPathBuilderException e) {
      throw new CertificateException("PKIX path building failed: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new CertificateException("PKIX path building is not possible: " + e.getMessage(), e);
    }
  }

  /** Checks the name; {@code algorithm}: null or empty if it does not matter. */
  static void identify(X509Certificate leaf, SSLSession session, String algorithm) throws CertificateException {
    if (algorithm == null || algorithm.isEmpty()) {
      return;
    }
    if (!algorithm.equalsIgnoreCase("HTTPS") && !algorithm.equalsIgnoreCase("LDAPS")) {
      throw new CertificateException("Unknown endpoint identification algorithm: " + algorithm);
    }
    if (session == null) {
      throw new CertificateException("no handshake session");
    }
    HostnameChecker.check(session.getPeerHost(), leaf);
  }

  /** Parameters for these anchors; revocation is checked if {@code com.sun.net.ssl.checkRevocation} says so, as in the JDK. */
  static PKIXBuilderParameters parameters(Set<TrustAnchor> anchors) throws InvalidAlgorithmParameterException {
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, null);
    parameters.setRevocationEnabled(Boolean.getBoolean("com.sun.net.ssl.checkRevocation"));
    return parameters;
  }
}
