package org.conscrypt;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.postscrypt.TlsParameters;

/**
 * A socket of the provider in a class of this package. Not for applications, which use {@link SSLSocket} and {@link
 * Conscrypt}: it is
 * public, and has the methods that are not {@code SSLSocket}'s, because libraries (gRPC over OkHttp among them) look
 * for these by
 * reflection.
 */
public final class OpenSSLSocketImpl extends SSLSocket {
  private final SSLSocket own;
  private final HandshakeListeners listeners;
  private volatile BiFunction<SSLSocket, List<String>, String> selector;
  private final Versions versions = new Versions();
  /** The host that it was made for; null if that was an address. */
  private final String madeFor;

  OpenSSLSocketImpl(SSLSocket own, String madeFor) {
    this.own = own;
    this.madeFor = madeFor;
    listeners = new HandshakeListeners(this, own);
  }

  SSLSocket own() {
    return own;
  }

  // --- what libraries look for ---

  /** As {@link Conscrypt#setHostname(SSLSocket, String)}. */
  public void setHostname(String hostname) {
    own.setSSLParameters(Names.with(own.getSSLParameters(), hostname));
  }

  /** As {@link Conscrypt#getHostname(SSLSocket)}. */
  public String getHostname() {
    String set = ((TlsParameters) own.getSSLParameters()).getPeerHost();
    return set == null || set.isEmpty() ? madeFor : set;
  }

  /** As {@link Conscrypt#getHostnameOrIP}. */
  public String getHostnameOrIP() {
    String hostname = getHostname();
    SocketAddress remote = own.getRemoteSocketAddress();
    return hostname == null && remote instanceof InetSocketAddress
        ? ((InetSocketAddress) remote).getHostString()
        : hostname;
  }

  /** As {@link Conscrypt#setUseSessionTickets(SSLSocket, boolean)}. */
  public void setUseSessionTickets(boolean useSessionTickets) {
    TlsParameters parameters = (TlsParameters) own.getSSLParameters();
    parameters.setSessionTickets(useSessionTickets);
    own.setSSLParameters(parameters);
  }

  /** As {@link Conscrypt#setNamedGroups(SSLSocket, String[])}. */
  public void setNamedGroups(String[] groups) {
    TlsParameters parameters = (TlsParameters) own.getSSLParameters();
    parameters.setNamedGroups(named(groups));
    own.setSSLParameters(parameters);
  }

  /** Without those that are null, empty or there twice, which Conscrypt ignores like any that it does not know. */
  private static String[] named(String[] groups) {
    if (groups == null) {
      return null;
    }
    Set<String> named = new LinkedHashSet<>();
    for (String group : groups) {
      if (group != null && !group.isEmpty()) {
        named.add(group);
      }
    }
    return named.toArray(new String[0]);
  }

  /**
   * Sets the application protocols to offer (ALPN).
   *
   * @param protocols each with a byte of its length before it (RFC 7301 section 3.1); null or empty for none
   * @throws IllegalArgumentException if they are not written so
   */
  public void setAlpnProtocols(byte[] protocols) {
    List<String> names = new ArrayList<>();
    int length = protocols == null ? 0 : protocols.length;
    for (int i = 0; i < length; i += 1 + (protocols[i] & 0xff)) {
      int bytes = protocols[i] & 0xff;
      if (bytes == 0 || bytes > length - i - 1) {
        throw new IllegalArgumentException("not a list of protocols with their lengths");
      }
      names.add(new String(protocols, i + 1, bytes, StandardCharsets.ISO_8859_1));
    }
    setAlpnProtocols(names.toArray(new String[0]));
  }

  /** Sets the application protocols to offer (ALPN); null or empty for none. */
  public void setAlpnProtocols(String[] protocols) {
    SSLParameters parameters = own.getSSLParameters();
    parameters.setApplicationProtocols(protocols == null ? new String[0] : protocols);
    own.setSSLParameters(parameters);
  }

  /** The application protocol agreed on; null if there is none (yet). */
  public byte[] getAlpnSelectedProtocol() {
    String protocol = own.getApplicationProtocol();
    return protocol == null || protocol.isEmpty() ? null : protocol.getBytes(StandardCharsets.ISO_8859_1);
  }

  // --- with this socket in the other's place ---

  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(BiFunction<SSLSocket, List<String>, String> selector) {
    this.selector = selector;
    own.setHandshakeApplicationProtocolSelector(
        selector == null ? null : (socket, protocols) -> selector.apply(this, protocols));
  }

  @Override
  public BiFunction<SSLSocket, List<String>, String> getHandshakeApplicationProtocolSelector() {
    return selector;
  }

  /** Java 9's. */
  public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
    SocketOptions.set(own, name, value);
    return this;
  }

  /** Java 9's. */
  public <T> T getOption(SocketOption<T> name) throws IOException {
    return SocketOptions.get(own, name);
  }

  /** Java 9's. */
  public Set<SocketOption<?>> supportedOptions() {
    return SocketOptions.supported(own);
  }

  @Override
  public String toString() {
    return own.toString();
  }

  // --- the rest is the other's ---

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    own.connect(endpoint);
  }

  @Override
  public void connect(SocketAddress endpoint, int millis) throws IOException {
    own.connect(endpoint, millis);
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    own.bind(local);
  }

  @Override
  public InetAddress getInetAddress() {
    return own.getInetAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    return own.getLocalAddress();
  }

  @Override
  public int getPort() {
    return own.getPort();
  }

  @Override
  public int getLocalPort() {
    return own.getLocalPort();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return own.getRemoteSocketAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return own.getLocalSocketAddress();
  }

  @Override
  public SocketChannel getChannel() {
    return own.getChannel();
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return own.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return own.getOutputStream();
  }

  @Override
  public void setTcpNoDelay(boolean value) throws SocketException {
    own.setTcpNoDelay(value);
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return own.getTcpNoDelay();
  }

  @Override
  public void setSendBufferSize(int value) throws SocketException {
    own.setSendBufferSize(value);
  }

  @Override
  public int getSendBufferSize() throws SocketException {
    return own.getSendBufferSize();
  }

  @Override
  public void setReceiveBufferSize(int value) throws SocketException {
    own.setReceiveBufferSize(value);
  }

  @Override
  public int getReceiveBufferSize() throws SocketException {
    return own.getReceiveBufferSize();
  }

  @Override
  public void setKeepAlive(boolean value) throws SocketException {
    own.setKeepAlive(value);
  }

  @Override
  public boolean getKeepAlive() throws SocketException {
    return own.getKeepAlive();
  }

  @Override
  public void setTrafficClass(int value) throws SocketException {
    own.setTrafficClass(value);
  }

  @Override
  public int getTrafficClass() throws SocketException {
    return own.getTrafficClass();
  }

  @Override
  public void setReuseAddress(boolean value) throws SocketException {
    own.setReuseAddress(value);
  }

  @Override
  public boolean getReuseAddress() throws SocketException {
    return own.getReuseAddress();
  }

  @Override
  public void setOOBInline(boolean value) throws SocketException {
    own.setOOBInline(value);
  }

  @Override
  public boolean getOOBInline() throws SocketException {
    return false; // Urgent data is never inline, as there is none.
  }

  @Override
  public void setSoTimeout(int value) throws SocketException {
    own.setSoTimeout(value);
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return own.getSoTimeout();
  }

  @Override
  public void setSoLinger(boolean on, int seconds) throws SocketException {
    own.setSoLinger(on, seconds);
  }

  @Override
  public int getSoLinger() throws SocketException {
    return own.getSoLinger();
  }

  @Override
  public void sendUrgentData(int data) throws IOException {
    own.sendUrgentData(data);
  }

  @Override
  public void close() throws IOException {
    own.close();
  }

  /** As a plain socket's: no word of the peer's close_notify if it is missing, and not twice. */
  @Override
  public void shutdownInput() throws IOException {
    requireOpen();
    if (own.isInputShutdown()) {
      throw new SocketException("Socket input is already shutdown");
    }
    try {
      own.shutdownInput();
    } catch (SSLException e) {
      // It says that close_notify is missing, and the input is shut down.
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    requireOpen();
    if (own.isOutputShutdown()) {
      throw new SocketException("Socket output is already shutdown");
    }
    own.shutdownOutput();
  }

  private void requireOpen() throws SocketException {
    if (own.isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  @Override
  public boolean isConnected() {
    return own.isConnected();
  }

  @Override
  public boolean isBound() {
    return own.isBound();
  }

  @Override
  public boolean isClosed() {
    return own.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return own.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return own.isOutputShutdown();
  }

  @Override
  public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
    own.setPerformancePreferences(connectionTime, latency, bandwidth);
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
  public String[] getSupportedProtocols() {
    return Versions.listed(own.getSupportedProtocols());
  }

  @Override
  public String[] getEnabledProtocols() {
    return versions.enabled(own.getEnabledProtocols());
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    own.setEnabledCipherSuites(Suites.real(suites));
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
  public void startHandshake() throws IOException {
    listeners.startHandshake();
  }

  @Override
  public void setUseClientMode(boolean value) {
    own.setUseClientMode(value);
  }

  @Override
  public boolean getUseClientMode() {
    return own.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean value) {
    own.setNeedClientAuth(value);
  }

  @Override
  public boolean getNeedClientAuth() {
    return own.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean value) {
    own.setWantClientAuth(value);
  }

  @Override
  public boolean getWantClientAuth() {
    return own.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean value) {
    own.setEnableSessionCreation(value);
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
}
