package org.postscrypt.jsse;

import java.net.Socket;
import java.security.AlgorithmConstraints;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateRevokedException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;
import org.postscrypt.nat.Guarded;

/** {@link JsseApi} where there is the JSSE of Java 8: on every JDK, and on Android from API 24 on. */
@Guarded("JsseApi makes it where ExtendedSSLSession is; all other types in it came with that")
final class ExtendedJsseApi extends JsseApi {
  // --- sessions ---

  @Override
  PostscryptSession shown(TlsSession session) {
    return new ExtendedTlsSession(session);
  }

  @Override
  SSLSession handshakeSession(SSLEngine engine) {
    return engine == null ? null : engine.getHandshakeSession();
  }

  @Override
  SSLSession handshakeSession(Socket socket) {
    return socket instanceof SSLSocket ? ((SSLSocket) socket).getHandshakeSession() : null;
  }

  @Override
  List<String> requestedHostNames(SSLSession session) {
    List<String> hosts = new ArrayList<>();
    if (session instanceof ExtendedSSLSession) {
      for (SNIServerName name : ((ExtendedSSLSession) session).getRequestedServerNames()) {
        if (name instanceof SNIHostName) {
          hosts.add(((SNIHostName) name).getAsciiName());
        }
      }
    }
    return hosts;
  }

  // --- trust managers ---

  @Override
  X509TrustManager shown(PkixTrustManager manager) {
    return new ExtendedPkixTrustManager(manager);
  }

  @Override
  boolean checkTrusted(X509TrustManager manager, X509Certificate[] chain, String authType, TlsEngine engine)
      throws CertificateException {
    if (!(manager instanceof X509ExtendedTrustManager)) {
      return false;
    }
    X509ExtendedTrustManager extended = (X509ExtendedTrustManager) manager;
    boolean client = engine.isClient();
    Socket socket = engine.owner();
    if (socket != null && client) {
      extended.checkServerTrusted(chain, authType, socket);
    } else if (socket != null) {
      extended.checkClientTrusted(chain, authType, socket);
    } else if (client) {
      extended.checkServerTrusted(chain, authType, engine);
    } else {
      extended.checkClientTrusted(chain, authType, engine);
    }
    return true;
  }

  @Override
  int alert(Throwable refusal) {
    if (refusal instanceof CertificateRevokedException) {
      return Alerts.CERTIFICATE_REVOKED;
    }
    return refusal instanceof CertPathValidatorException
        ? alert(((CertPathValidatorException) refusal).getReason())
        : Alerts.NONE;
  }

  private static int alert(CertPathValidatorException.Reason reason) {
    if (reason == BasicReason.EXPIRED || reason == BasicReason.NOT_YET_VALID) {
      return Alerts.CERTIFICATE_EXPIRED;
    }
    if (reason == BasicReason.REVOKED) {
      return Alerts.CERTIFICATE_REVOKED;
    }
    if (reason == BasicReason.INVALID_SIGNATURE) {
      return Alerts.BAD_CERTIFICATE;
    }
    if (reason == BasicReason.ALGORITHM_CONSTRAINED) {
      return Alerts.UNSUPPORTED_CERTIFICATE;
    }
    if (reason == PKIXReason.NO_TRUST_ANCHOR) {
      return Alerts.UNKNOWN_CA;
    }
    return Alerts.NONE;
  }

  // --- server names ---

  @Override
  Object serverName(String host) {
    return new SNIHostName(host);
  }

  @Override
  Object serverName(byte[] encoded) {
    return new SNIHostName(encoded);
  }

  @Override
  byte[] encodedHostName(List<?> serverNames) {
    byte[] encoded = null;
    for (Object name : serverNames) {
      if (name instanceof SNIHostName) {
        encoded = ((SNIHostName) name).getEncoded();
      }
    }
    return encoded;
  }

  @Override
  boolean isRefused(Object serverName, Collection<?> matchers) {
    boolean asked = false;
    for (Object each : matchers) {
      SNIMatcher matcher = (SNIMatcher) each;
      if (matcher.getType() == StandardConstants.SNI_HOST_NAME) {
        asked = true;
        if (matcher.matches((SNIServerName) serverName)) {
          return false;
        }
      }
    }
    return asked;
  }

  // --- parameters ---

  @Override
  String endpointIdentification(SSLParameters parameters) {
    return parameters.getEndpointIdentificationAlgorithm();
  }

  @Override
  Object algorithmConstraints(SSLParameters parameters) {
    return parameters.getAlgorithmConstraints();
  }

  @Override
  List<?> serverNames(SSLParameters parameters) {
    return parameters.getServerNames();
  }

  @Override
  Collection<?> sniMatchers(SSLParameters parameters) {
    return parameters.getSNIMatchers();
  }

  @Override
  boolean cipherSuitesOrder(SSLParameters parameters) {
    return parameters.getUseCipherSuitesOrder();
  }

  @Override
  void write(TlsConfig config, List<?> serverNames, TlsParameters parameters) {
    parameters.setAlgorithmConstraints((AlgorithmConstraints) config.algorithmConstraints());
    if (serverNames != null) {
      parameters.setServerNames(cast(serverNames, SNIServerName.class));
    }
    if (!config.sniMatchers().isEmpty()) {
      parameters.setSNIMatchers(cast(config.sniMatchers(), SNIMatcher.class));
    }
    parameters.setUseCipherSuitesOrder(config.cipherSuitesOrder());
  }

  /** The same elements, with their type. */
  static <T> List<T> cast(Collection<?> elements, Class<T> type) {
    List<T> cast = new ArrayList<>(elements.size());
    for (Object element : elements) {
      cast.add(type.cast(element));
    }
    return Collections.unmodifiableList(cast);
  }
}
