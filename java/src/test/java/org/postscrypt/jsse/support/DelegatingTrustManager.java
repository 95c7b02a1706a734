package org.postscrypt.jsse.support;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The JDK's trust manager over the test root, to override parts of it. */
public class DelegatingTrustManager extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager delegate;

  /** Over the test root. */
  public DelegatingTrustManager() {
    this(TestPki.trustManager());
  }

  private DelegatingTrustManager(X509ExtendedTrustManager delegate) {
    this.delegate = delegate;
  }

  /** The first of {@code managers}, to which a server's authType is always {@code UNKNOWN}. */
  static TrustManager[] ofUnknownType(TrustManager... managers) {
    return new TrustManager[] {
      new DelegatingTrustManager((X509ExtendedTrustManager) managers[0]) {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
          super.checkServerTrusted(chain, "UNKNOWN", engine);
        }
      }
    };
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    delegate.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    delegate.checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    delegate.checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    delegate.checkServerTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    delegate.checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    delegate.checkServerTrusted(chain, authType, engine);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return delegate.getAcceptedIssuers();
  }
}
