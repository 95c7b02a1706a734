package org.postscrypt.jsse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/**
 * The {@link Socket} half of a TLS socket: addresses and options are those of the transport underneath, always
 * another socket. The superclass' own socket is never created, so no file descriptor belongs to it.
 *
 * <p>{@code setOption}, {@code getOption} and {@code supportedOptions} override the methods that {@code Socket} has
 * from Java 9.
 */
abstract class DelegatingSocket extends SSLSocket {
  /** The socket that carries the records. */
  final Socket transport;

  DelegatingSocket(Socket transport) {
    this.transport = transport;
  }

  @Override
  public final SocketChannel getChannel() {
    return transport.getChannel();
  }

  @Override
  public final SocketAddress getLocalSocketAddress() {
    return transport.getLocalSocketAddress();
  }

  @Override
  public final SocketAddress getRemoteSocketAddress() {
    return transport.getRemoteSocketAddress();
  }

  @Override
  public final InetAddress getInetAddress() {
    return transport.getInetAddress();
  }

  @Override
  public final InetAddress getLocalAddress() {
    return transport.getLocalAddress();
  }

  @Override
  public final int getPort() {
    return transport.getPort();
  }

  @Override
  public final int getLocalPort() {
    return transport.getLocalPort();
  }

  @Override
  public final boolean isConnected() {
    return transport.isConnected();
  }

  @Override
  public final boolean isBound() {
    return transport.isBound();
  }

  @Override
  public final void setTcpNoDelay(boolean on) throws SocketException {
    transport.setTcpNoDelay(on);
  }

  @Override
  public final boolean getTcpNoDelay() throws SocketException {
    return transport.getTcpNoDelay();
  }

  @Override
  public final void setSoLinger(boolean on, int seconds) throws SocketException {
    transport.setSoLinger(on, seconds);
  }

  @Override
  public final int getSoLinger() throws SocketException {
    return transport.getSoLinger();
  }

  /** Not supported: urgent data would bypass the record layer. */
  @Override
  public final void sendUrgentData(int data) throws SocketException {
    throw new SocketException("Urgent data is not supported by TLS sockets");
  }

  /** Not supported, see {@link #sendUrgentData}. */
  @Override
  public final void setOOBInline(boolean on) throws SocketException {
    throw new SocketException("Urgent data is not supported by TLS sockets");
  }

  /** Not supported, see {@link #sendUrgentData}. */
  @Override
  public final boolean getOOBInline() throws SocketException {
    throw new SocketException("Urgent data is not supported by TLS sockets");
  }

  @Override
  public final void setSendBufferSize(int bytes) throws SocketException {
    transport.setSendBufferSize(bytes);
  }

  @Override
  public final int getSendBufferSize() throws SocketException {
    return transport.getSendBufferSize();
  }

  @Override
  public final void setReceiveBufferSize(int bytes) throws SocketException {
    transport.setReceiveBufferSize(bytes);
  }

  @Override
  public final int getReceiveBufferSize() throws SocketException {
    return transport.getReceiveBufferSize();
  }

  @Override
  public final void setKeepAlive(boolean on) throws SocketException {
    transport.setKeepAlive(on);
  }

  @Override
  public final boolean getKeepAlive() throws SocketException {
    return transport.getKeepAlive();
  }

  @Override
  public final void setTrafficClass(int trafficClass) throws SocketException {
    transport.setTrafficClass(trafficClass);
  }

  @Override
  public final int getTrafficClass() throws SocketException {
    return transport.getTrafficClass();
  }

  @Override
  public final void setReuseAddress(boolean on) throws SocketException {
    transport.setReuseAddress(on);
  }

  @Override
  public final boolean getReuseAddress() throws SocketException {
    return transport.getReuseAddress();
  }

  @Override
  public final void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
    transport.setPerformancePreferences(connectionTime, latency, bandwidth);
  }

  /**
   * Sets an option of the transport.
   *
   * @throws UnsupportedOperationException if the transport has no channel and {@code Socket} no method for the option
   */
  public final <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
    StandardOptions.set(transport, name, value);
    return this;
  }

  /**
   * An option of the transport.
   *
   * @throws UnsupportedOperationException if the transport has no channel and {@code Socket} no method for the option
   */
  public final <T> T getOption(SocketOption<T> name) throws IOException {
    return StandardOptions.get(transport, name);
  }

  /** The options that {@link #setOption} and {@link #getOption} accept. */
  public final Set<SocketOption<?>> supportedOptions() {
    return StandardOptions.supported(transport);
  }
}
