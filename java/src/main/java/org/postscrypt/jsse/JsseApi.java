package org.postscrypt.jsse;

import java.net.IDN;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;
import org.postscrypt.nat.Guarded;

/**
 * What JSSE has got since Java 6 and Android has from API 24 on: extended sessions and managers, server names, algorithm constraints,
 * more in {@link SSLParameters}. The rest of the package comes here for it and names none of these types, so that it links without
 * them. This class is for systems that lack them; {@link ExtendedJsseApi} is for all others.
 *
 * <p>Server names, matchers and constraints are plain objects to the rest: only what made them looks into them.
 */
class JsseApi {
  /** The one for this system. */
  static final JsseApi HERE = choose();

  private static JsseApi choose() {
    try {
      // The first and the last that came; literal names, which GraalVM sees.
      Class.forName("javax.net.ssl.ExtendedSSLSession");
      Class.forName("javax.net.ssl.SNIMatcher");
    } catch (ClassNotFoundException e) {
      return new JsseApi();
    }
    return extended();
  }

  @Guarded("called where ExtendedSSLSession is")
  private static JsseApi extended() {
    return new ExtendedJsseApi();
  }

  // --- sessions ---

  /** What an application sees of a session: always the same object for the same session, which keeps it. */
  PostscryptSession shown(TlsSession session) {
    return session;
  }

  /** The session of a handshake in progress; null if there is none, or an engine that is not ours cannot tell. */
  SSLSession handshakeSession(SSLEngine engine) {
    return engine instanceof TlsEngine ? ((TlsEngine) engine).getHandshakeSession() : null;
  }

  /** The session of a handshake in progress; null if there is none, or a socket that is not ours cannot tell. */
  SSLSession handshakeSession(Socket socket) {
    return socket instanceof TlsSocket ? ((TlsSocket) socket).getHandshakeSession() : null;
  }

  /** The host names that the client asks for, in ASCII; none if {@code session} is null or cannot tell. */
  List<String> requestedHostNames(SSLSession session) {
    return session instanceof TlsSession ? hostNames(((TlsSession) session).requestedServerNames()) : new ArrayList<>();
  }

  private List<String> hostNames(List<?> serverNames) {
    List<String> hosts = new ArrayList<>();
    for (Object name : serverNames) {
      hosts.add((String) name);
    }
    return hosts;
  }

  // --- trust managers ---

  /** What an application is given as a trust manager: one that checks the name too, where there are such. */
  X509TrustManager shown(PkixTrustManager manager) {
    return manager;
  }

  /** Has a trust manager check the peer with the connection in view; false if it is not one that can, and nothing was checked. */
  boolean checkTrusted(X509TrustManager manager, X509Certificate[] chain, String authType, TlsEngine engine)
      throws CertificateException {
    return false;
  }

  /** The alert for what only newer exceptions say of a refused chain; {@link Alerts#NONE} if this is not one of them. */
  int alert(Throwable refusal) {
    return Alerts.NONE;
  }

  // --- server names (RFC 6066 section 3) ---

  /**
   * The server name for a host.
   *
   * @throws IllegalArgumentException if it is not a host name
   */
  Object serverName(String host) {
    String ascii = IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES);
    if (ascii.isEmpty() || ascii.endsWith(".")) {
      throw new IllegalArgumentException("not a host name: " + host);
    }
    return ascii;
  }

  /**
   * The server name that a peer sent.
   *
   * @throws IllegalArgumentException if it is not a host name
   */
  Object serverName(byte[] encoded) {
    return serverName(new String(encoded, StandardCharsets.UTF_8));
  }

  /** What is sent of these names: the host name; null if there is none. */
  byte[] encodedHostName(List<?> serverNames) {
    return serverNames.isEmpty() ? null : ((String) serverNames.get(0)).getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether matchers are asked for host names and none of them wants this one. */
  boolean isRefused(Object serverName, Collection<?> matchers) {
    return false;
  }

  // --- parameters; null where they say nothing ---

  String endpointIdentification(SSLParameters parameters) {
    return parameters instanceof TlsParameters ? ((TlsParameters) parameters).getEndpointIdentificationAlgorithm() : null;
  }

  Object algorithmConstraints(SSLParameters parameters) {
    return null;
  }

  List<?> serverNames(SSLParameters parameters) {
    return null;
  }

  Collection<?> sniMatchers(SSLParameters parameters) {
    return null;
  }

  boolean cipherSuitesOrder(SSLParameters parameters) {
    return true;
  }

  /** Writes what the four methods before this one read; {@code serverNames}: null to leave them alone. */
  void write(TlsConfig config, List<?> serverNames, TlsParameters parameters) {
    // There is nowhere to write it.
  }
}
