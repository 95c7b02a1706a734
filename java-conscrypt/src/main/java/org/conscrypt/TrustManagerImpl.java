package org.conscrypt;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** The provider's PKIX trust manager, with a host name verifier of the application's choice for servers. */
final class TrustManagerImpl extends X509ExtendedTrustManager {
  private static ConscryptHostnameVerifier defaultVerifier;

  private final X509TrustManager own;
  private volatile ConscryptHostnameVerifier verifier;

  TrustManagerImpl(X509TrustManager own) {
    this.own = own;
  }

  /** Of managers that have none of their own; null for the built-in one. */
  static synchronized void setDefaultHostnameVerifier(ConscryptHostnameVerifier verifier) {
    defaultVerifier = verifier;
  }

  static synchronized ConscryptHostnameVerifier getDefaultHostnameVerifier() {
    return defaultVerifier;
  }

  /** Null for the default one. */
  void setHostnameVerifier(ConscryptHostnameVerifier verifier) {
    this.verifier = verifier;
  }

  ConscryptHostnameVerifier getHostnameVerifier() {
    return verifier;
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return own.getAcceptedIssuers();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    own.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    own.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    own.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    own.checkServerTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    own.checkServerTrusted(chain, authType);
    if (socket instanceof SSLSocket) {
      SSLSocket s = (SSLSocket) socket;
      identify(chain, s.getHandshakeSession(), s.getSSLParameters().getEndpointIdentificationAlgorithm());
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    own.checkServerTrusted(chain, authType);
    if (engine != null) {
      String algorithm = engine.getSSLParameters().getEndpointIdentificationAlgorithm();
      identify(chain, engine.getHandshakeSession(), algorithm);
    }
  }

  /** {@code algorithm}: null or empty if the name does not matter. */
  private void identify(X509Certificate[] chain, SSLSession session, String algorithm) throws CertificateException {
    if (algorithm == null || algorithm.isEmpty()) {
      return;
    }
    if (!algorithm.equalsIgnoreCase("HTTPS") && !algorithm.equalsIgnoreCase("LDAPS")) {
      throw new CertificateException("Unknown endpoint identification algorithm: " + algorithm);
    }
    if (session == null) {
      throw new CertificateException("Not in handshake; no session available");
    }
    ConscryptHostnameVerifier judge = verifier;
    if (judge == null) {
      judge = getDefaultHostnameVerifier();
    }
    if (judge == null) {
      judge = OkHostnameVerifier.strictInstance();
    }
    String host = session.getPeerHost();
    if (host == null || !judge.verify(chain.clone(), host, session)) {
      throw new CertificateException("No subject alternative name matches " + host);
    }
  }
}
