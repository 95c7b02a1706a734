package org.postscrypt.jsse;

import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.util.List;
import javax.crypto.SecretKey;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionContext;
import org.postscrypt.PostscryptSession;
import org.postscrypt.nat.Guarded;

/** A {@link TlsSession} as an extended session. Thread-safe. */
@Guarded("made by ExtendedJsseApi")
final class ExtendedTlsSession extends ExtendedSSLSession implements PostscryptSession {
  private final TlsSession session;

  ExtendedTlsSession(TlsSession session) {
    this.session = session;
  }

  // --- SSLSession ---

  @Override
  public byte[] getId() {
    return session.getId();
  }

  @Override
  public SSLSessionContext getSessionContext() {
    return session.getSessionContext();
  }

  @Override
  public long getCreationTime() {
    return session.getCreationTime();
  }

  @Override
  public long getLastAccessedTime() {
    return session.getLastAccessedTime();
  }

  @Override
  public void invalidate() {
    session.invalidate();
  }

  @Override
  public boolean isValid() {
    return session.isValid();
  }

  @Override
  public void putValue(String name, Object value) {
    session.putValue(name, value);
  }

  @Override
  public Object getValue(String name) {
    return session.getValue(name);
  }

  @Override
  public void removeValue(String name) {
    session.removeValue(name);
  }

  @Override
  public String[] getValueNames() {
    return session.getValueNames();
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    return session.getPeerCertificates();
  }

  @Override
  public Certificate[] getLocalCertificates() {
    return session.getLocalCertificates();
  }

  /**
   * @deprecated as in the JDK: {@link #getPeerCertificates()} has the types that are still kept up
   */
  @Override
  @Deprecated
  @SuppressWarnings({"deprecation", "removal"}) // the return type is the JDK's
  public javax.security.cert.X509Certificate[] getPeerCertificateChain() throws SSLPeerUnverifiedException {
    return session.getPeerCertificateChain();
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return session.getPeerPrincipal();
  }

  @Override
  public Principal getLocalPrincipal() {
    return session.getLocalPrincipal();
  }

  @Override
  public String getCipherSuite() {
    return session.getCipherSuite();
  }

  @Override
  public String getProtocol() {
    return session.getProtocol();
  }

  @Override
  public String getPeerHost() {
    return session.getPeerHost();
  }

  @Override
  public int getPeerPort() {
    return session.getPeerPort();
  }

  @Override
  public int getPacketBufferSize() {
    return session.getPacketBufferSize();
  }

  @Override
  public int getApplicationBufferSize() {
    return session.getApplicationBufferSize();
  }

  // --- ExtendedSSLSession ---

  @Override
  public String[] getLocalSupportedSignatureAlgorithms() {
    return SignatureSchemes.names(session.localSignatureSchemes());
  }

  @Override
  public String[] getPeerSupportedSignatureAlgorithms() {
    return SignatureSchemes.names(session.peerSignatureSchemes());
  }

  @Override
  public List<SNIServerName> getRequestedServerNames() {
    return ExtendedJsseApi.cast(session.requestedServerNames(), SNIServerName.class);
  }

  /** Java 9's: the OCSP responses that the server stapled. */
  public List<byte[]> getStatusResponses() {
    return session.statusResponses();
  }

  /** JDK 25's: keying material as a key (RFC 5705, RFC 8446 section 7.5). */
  public SecretKey exportKeyingMaterialKey(String keyAlgorithm, String label, byte[] context, int length)
      throws SSLException {
    return session.exportKeyingMaterialKey(keyAlgorithm, label, context, length);
  }

  /** JDK 25's: keying material (RFC 5705, RFC 8446 section 7.5). */
  public byte[] exportKeyingMaterialData(String label, byte[] context, int length) throws SSLException {
    return session.exportKeyingMaterial(label, context, length);
  }

  // --- PostscryptSession ---

  @Override
  public String getNamedGroup() {
    return session.getNamedGroup();
  }

  @Override
  public String getApplicationProtocol() {
    return session.getApplicationProtocol();
  }

  @Override
  public boolean isResumed() {
    return session.isResumed();
  }

  @Override
  public boolean isEchAccepted() {
    return session.isEchAccepted();
  }

  @Override
  public PublicKey getPeerRawPublicKey() throws SSLPeerUnverifiedException {
    return session.getPeerRawPublicKey();
  }

  @Override
  public byte[] exportKeyingMaterial(String label, byte[] context, int length) throws SSLException {
    return session.exportKeyingMaterial(label, context, length);
  }

  @Override
  public byte[] getChannelBinding(String type) throws SSLException {
    return session.getChannelBinding(type);
  }

  @Override
  public String toString() {
    return session.toString();
  }
}
