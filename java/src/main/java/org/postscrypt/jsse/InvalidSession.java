package org.postscrypt.jsse;

import java.security.Principal;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;

/** What {@code getSession()} of a socket gives when there is no session: SSL_NULL_WITH_NULL_NULL, invalid. */
final class InvalidSession extends ExtendedSSLSession {
  private final String peerHost;
  private final int peerPort;
  private final long created = System.currentTimeMillis();
  private final Map<String, Object> values = new ConcurrentHashMap<>();

  InvalidSession(String peerHost, int peerPort) {
    this.peerHost = peerHost;
    this.peerPort = peerPort > 0 ? peerPort : -1;
  }

  @Override
  public byte[] getId() {
    return new byte[0];
  }

  @Override
  public SSLSessionContext getSessionContext() {
    return null;
  }

  @Override
  public long getCreationTime() {
    return created;
  }

  @Override
  public long getLastAccessedTime() {
    return created;
  }

  @Override
  public void invalidate() {
    // It never was valid.
  }

  @Override
  public boolean isValid() {
    return false;
  }

  @Override
  public void putValue(String name, Object value) {
    requireArgument(name);
    requireArgument(value);
    Object old = values.put(name, value);
    unbound(name, old);
    if (value instanceof SSLSessionBindingListener) {
      ((SSLSessionBindingListener) value).valueBound(new SSLSessionBindingEvent(this, name));
    }
  }

  @Override
  public Object getValue(String name) {
    return values.get(requireArgument(name));
  }

  @Override
  public void removeValue(String name) {
    unbound(name, values.remove(requireArgument(name)));
  }

  private static <T> T requireArgument(T argument) {
    if (argument == null) {
      throw new IllegalArgumentException("argument can not be null");
    }
    return argument;
  }

  private void unbound(String name, Object old) {
    if (old instanceof SSLSessionBindingListener) {
      ((SSLSessionBindingListener) old).valueUnbound(new SSLSessionBindingEvent(this, name));
    }
  }

  @Override
  public String[] getValueNames() {
    return values.keySet().toArray(new String[0]);
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    throw new SSLPeerUnverifiedException("peer not authenticated");
  }

  @Override
  public Certificate[] getLocalCertificates() {
    return null;
  }

  @Override
  @SuppressWarnings("removal") // the type of a method we have to implement
  public javax.security.cert.X509Certificate[] getPeerCertificateChain() throws SSLPeerUnverifiedException {
    throw new SSLPeerUnverifiedException("peer not authenticated");
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    throw new SSLPeerUnverifiedException("peer not authenticated");
  }

  @Override
  public Principal getLocalPrincipal() {
    return null;
  }

  @Override
  public String getCipherSuite() {
    return "SSL_NULL_WITH_NULL_NULL";
  }

  @Override
  public String getProtocol() {
    return "NONE";
  }

  @Override
  public String getPeerHost() {
    return peerHost;
  }

  @Override
  public int getPeerPort() {
    return peerPort;
  }

  @Override
  public int getPacketBufferSize() {
    return 16_384 + 2_048 + 5;
  }

  @Override
  public int getApplicationBufferSize() {
    return 16_384;
  }

  @Override
  public String[] getLocalSupportedSignatureAlgorithms() {
    return new String[0];
  }

  @Override
  public String[] getPeerSupportedSignatureAlgorithms() {
    return new String[0];
  }

  @Override
  public List<SNIServerName> getRequestedServerNames() {
    return Collections.emptyList();
  }
}
