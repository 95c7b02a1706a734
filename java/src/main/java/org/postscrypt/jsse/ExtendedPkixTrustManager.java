package org.postscrypt.jsse;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.postscrypt.nat.Guarded;

/** A {@link PkixTrustManager} that also checks the name, where endpoint identification is asked for. Thread-safe. */
@Guarded("made by ExtendedJsseApi")
final class ExtendedPkixTrustManager extends X509ExtendedTrustManager {
  private final PkixTrustManager manager;

  ExtendedPkixTrustManager(PkixTrustManager manager) {
    this.manager = manager;
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return manager.getAcceptedIssuers();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    manager.checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    manager.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    manager.checkServerTrusted(chain, authType);
    identify(chain[0], socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    manager.checkClientTrusted(chain, authType);
    identify(chain[0], socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) throws CertificateException {
    manager.checkServerTrusted(chain, authType);
    identify(chain[0], engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) throws CertificateException {
    manager.checkClientTrusted(chain, authType);
    identify(chain[0], engine);
  }

  private static void identify(X509Certificate leaf, Socket socket) throws CertificateException {
    if (socket instanceof SSLSocket) {
      SSLSocket s = (SSLSocket) socket;
      String algorithm = s.getSSLParameters().getEndpointIdentificationAlgorithm();
      PkixTrustManager.identify(leaf, s.getHandshakeSession(), algorithm);
    }
  }

  private static void identify(X509Certificate leaf, SSLEngine engine) throws CertificateException {
    if (engine != null) {
      String algorithm = engine.getSSLParameters().getEndpointIdentificationAlgorithm();
      PkixTrustManager.identify(leaf, engine.getHandshakeSession(), algorithm);
    }
  }
}
