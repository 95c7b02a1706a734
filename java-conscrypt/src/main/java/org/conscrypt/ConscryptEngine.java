package org.conscrypt;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.postscrypt.TlsParameters;

/**
 * An engine of the provider in a class of this package: libraries know Conscrypt's engines by that, too. Also calls
 * the {@link
 * HandshakeListener}, of which the provider knows nothing, and uses the {@link BufferAllocator}.
 */
final class ConscryptEngine extends SSLEngine {
  private final SSLEngine own;
  private volatile HandshakeListener listener;
  private volatile BufferAllocator allocator = Staging.defaultAllocator();
  private volatile BiFunction<SSLEngine, List<String>, String> selector;
  private final Versions versions = new Versions();

  ConscryptEngine(SSLEngine own) {
    this.own = own;
  }

  SSLEngine own() {
    return own;
  }

  void setHandshakeListener(HandshakeListener listener) {
    if (hasBegun()) {
      throw new IllegalStateException("Handshake listener must be set before starting the handshake.");
    }
    this.listener = listener;
  }

  void setBufferAllocator(BufferAllocator allocator) {
    if (hasBegun()) {
      throw new IllegalStateException("Could not set buffer allocator after the initial handshake has begun.");
    }
    TlsParameters parameters = (TlsParameters) own.getSSLParameters();
    Staging.applyTo(parameters, allocator);
    own.setSSLParameters(parameters);
    this.allocator = allocator;
  }

  private boolean hasBegun() {
    return own.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING || own.getApplicationProtocol() != null;
  }

  /** Whether a heap buffer of the handshake goes by way of the allocator's: later, that would cost a copy that counts. */
  private boolean isStaged(ByteBuffer buffer) {
    return allocator != null
        && buffer != null
        && !buffer.isDirect()
        && !buffer.isReadOnly()
        && own.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
  }

  private SSLEngineResult heard(SSLEngineResult result) throws SSLException {
    HandshakeListener current = listener;
    if (current != null && result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      boolean accepted = false;
      try {
        current.onHandshakeFinished();
        accepted = true;
      } finally {
        if (!accepted) {
          own.closeOutbound();
        }
      }
    }
    return result;
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer source, ByteBuffer destination) throws SSLException {
    if (source != null && isStaged(destination)) {
      return heard(Staging.wrapHandshake(own, allocator, source, destination));
    }
    return heard(own.wrap(source, destination));
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
      throws SSLException {
    return heard(Staging.wrap(own, allocator, sources, offset, length, destination));
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer destination) throws SSLException {
    if (destination != null && !destination.isReadOnly() && isStaged(source)) {
      return heard(Staging.unwrapHandshake(own, allocator, source, destination));
    }
    return heard(own.unwrap(source, destination));
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
      throws SSLException {
    if (source == null || allocator == null) {
      return heard(own.unwrap(source, destinations, offset, length));
    }
    return unwrap(new ByteBuffer[] {source}, 0, 1, destinations, offset, length);
  }

  SSLEngineResult unwrap(
      ByteBuffer[] sources, int sourceOffset, int sourceLength, ByteBuffer[] destinations, int offset, int length)
      throws SSLException {
    return heard(
        Staging.unwrap(own, allocator, sources, sourceOffset, sourceLength, destinations, offset, length));
  }

  @Override
  public String getPeerHost() {
    return own.getPeerHost();
  }

  @Override
  public int getPeerPort() {
    return own.getPeerPort();
  }

  @Override
  public Runnable getDelegatedTask() {
    return own.getDelegatedTask();
  }

  /** Unlike what {@link SSLEngine} says, Conscrypt's do not throw when the peer's close_notify is missing. */
  @Override
  public void closeInbound() {
    try {
      own.closeInbound();
    } catch (SSLException e) {
      // It says that close_notify is missing, and the inbound side is closed.
    }
  }

  @Override
  public boolean isInboundDone() {
    return own.isInboundDone();
  }

  @Override
  public void closeOutbound() {
    own.closeOutbound();
  }

  @Override
  public boolean isOutboundDone() {
    return own.isOutboundDone();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return own.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return Suites.listed(own.getEnabledCipherSuites(), own.getEnabledProtocols());
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    own.setEnabledCipherSuites(Suites.real(suites));
  }

  @Override
  public String[] getSupportedProtocols() {
    return Versions.listed(own.getSupportedProtocols());
  }

  @Override
  public String[] getEnabledProtocols() {
    return versions.enabled(own.getEnabledProtocols());
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    own.setEnabledProtocols(Versions.spoken(protocols));
    versions.protocolsWereSet();
  }

  @Override
  public SSLSession getSession() {
    return own.getSession();
  }

  @Override
  public SSLSession getHandshakeSession() {
    return own.getHandshakeSession();
  }

  @Override
  public void beginHandshake() throws SSLException {
    // Where the provider's engine says that there is no renegotiation, Conscrypt's does nothing.
    if (own.getApplicationProtocol() == null || own.isInboundDone() || own.isOutboundDone()) {
      own.beginHandshake();
    }
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    return own.getHandshakeStatus();
  }

  @Override
  public void setUseClientMode(boolean clientMode) {
    own.setUseClientMode(clientMode);
  }

  @Override
  public boolean getUseClientMode() {
    return own.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    own.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return own.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    own.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return own.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    own.setEnableSessionCreation(enable);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return own.getEnableSessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    return versions.shown(own.getSSLParameters());
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    versions.set(parameters, own::setSSLParameters);
  }

  @Override
  public String getApplicationProtocol() {
    return own.getApplicationProtocol();
  }

  @Override
  public String getHandshakeApplicationProtocol() {
    return own.getHandshakeApplicationProtocol();
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
    this.selector = selector;
    own.setHandshakeApplicationProtocolSelector(
        selector == null ? null : (engine, protocols) -> selector.apply(this, protocols));
  }

  @Override
  public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
    return selector;
  }

  @Override
  public String toString() {
    return own.toString();
  }
}
