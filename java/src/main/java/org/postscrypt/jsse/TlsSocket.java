package org.postscrypt.jsse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.postscrypt.nat.Guarded;

/**
 * A TLS socket: an engine of its context driven over another socket's streams.
 *
 * <p><b>Threads.</b> One thread may read while another writes; neither holds up {@link #close()}, which any thread
 * may call and which ends what the others are blocked in with a {@link SocketException}, within a second. No monitor
 * is held anywhere.
 *
 * <p><b>Handshake.</b> By {@link #startHandshake()}, {@link #getSession()} or the first read or write; key and trust
 * managers run on that thread. Once established, {@code startHandshake()} does nothing: there is no renegotiation. A
 * time-out ({@code SO_TIMEOUT}) loses nothing: the same call may be made again. Any other failure closes the socket
 * after the alert was sent, and is thrown again, with the same text, by later calls.
 *
 * <p><b>End of data.</b> A read returns -1 only after the peer's close_notify (or after {@link #shutdownInput()}
 * here); a connection that ends without it may have been cut by an attacker and gives an {@link SSLException}.
 *
 * <p><b>Closing</b> sends close_notify unless the peer or a blocked writer does not allow it for 0.7 seconds
 * (SO_LINGER where set). A layered socket without {@code autoClose} reads up to the peer's close_notify for as long,
 * never beyond it, and leaves the underlying socket open.
 *
 * <p><b>Peer's name</b> for SNI and endpoint identification: as given at creation, or the host string of the address
 * connected to; it is never looked up from an address.
 */
final class TlsSocket extends DelegatingSocket {
  /** A change of an engine's settings. */
  private interface Setting {
    void apply(SSLEngine engine);
  }

  private final EngineSource source;
  private final boolean layered;
  private final boolean ownsTransport;

  /** Guards the settings and what has them; never held across I/O. */
  private final ReentrantLock settings = new ReentrantLock();

  private final Set<HandshakeCompletedListener> listeners = new LinkedHashSet<>();
  private final boolean initialClientMode;
  private volatile SSLEngine engine;
  /** A {@code BiFunction}, which not every system has: see {@link ProtocolSelectors}. Null if there is none. */
  private volatile Object selector;
  private volatile SocketIo io; // null until connected
  private volatile String peerHost;
  private final InputStream input = new Input();
  private final OutputStream output = new Output();

  private TlsSocket(EngineSource source, Socket transport, boolean layered, boolean ownsTransport, boolean clientMode) {
    super(transport);
    this.source = source;
    this.layered = layered;
    this.ownsTransport = ownsTransport;
    initialClientMode = clientMode;
  }

  /** An unconnected socket in client mode. */
  static TlsSocket unconnected(EngineSource source) {
    return new TlsSocket(source, new Socket(), false, true, true);
  }

  /**
   * A client over a connected socket.
   *
   * @param host the peer's name; null for the host string of the address that {@code transport} is connected to
   * @param port the peer's port; the transport's if not positive
   * @throws SocketException if {@code transport} is not connected
   */
  static TlsSocket layeredClient(EngineSource source, Socket transport, String host, int port, boolean autoClose)
      throws IOException {
    TlsSocket socket = new TlsSocket(source, connected(transport), true, autoClose, true);
    socket.attach(host, port, null);
    return socket;
  }

  /**
   * A server over a connected socket.
   *
   * @param consumed bytes already read from {@code transport}, read first; may be null
   * @throws SocketException if {@code transport} is not connected
   */
  static TlsSocket layeredServer(EngineSource source, Socket transport, InputStream consumed, boolean autoClose)
      throws IOException {
    TlsSocket socket = new TlsSocket(source, connected(transport), true, autoClose, false);
    socket.attach(null, -1, consumed);
    return socket;
  }

  /** A socket over one that a server socket accepted, which it owns. */
  static TlsSocket accepted(EngineSource source, Socket transport, boolean clientMode) throws IOException {
    TlsSocket socket = new TlsSocket(source, transport, false, true, clientMode);
    socket.attach(null, -1, null);
    return socket;
  }

  private static Socket connected(Socket transport) throws SocketException {
    if (!Objects.requireNonNull(transport, "s").isConnected()) {
      throw new SocketException("Underlying socket is not connected");
    }
    return transport;
  }

  /** Takes the connected transport into use; settings made before stay. */
  private void attach(String host, int port, InputStream consumed) throws IOException {
    settings.lock();
    try {
      SocketAddress remote = transport.getRemoteSocketAddress();
      String name = host;
      if ((name == null || name.isEmpty()) && remote instanceof InetSocketAddress) {
        name = ((InetSocketAddress) remote).getHostString();
      }
      SSLEngine before = engine;
      boolean clientMode = before == null ? initialClientMode : before.getUseClientMode();
      SSLEngine made = source.newEngine(name, port > 0 ? port : transport.getPort(), clientMode, this);
      if (before != null) {
        made.setSSLParameters(before.getSSLParameters());
        made.setEnableSessionCreation(before.getEnableSessionCreation());
        if (selector != null) {
          ProtocolSelectors.set(made, selector, this);
        }
      }
      SocketIo started = new SocketIo(made, transport, consumed, ownsTransport);
      peerHost = name;
      engine = made;
      io = started;
    } finally {
      settings.unlock();
    }
  }

  // --- connecting ---

  @Override
  public void bind(SocketAddress local) throws IOException {
    if (layered) {
      throw new SocketException("Underlying socket should already be connected");
    }
    transport.bind(local);
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  @Override
  public void connect(SocketAddress endpoint, int millis) throws IOException {
    boolean named = endpoint instanceof InetSocketAddress;
    connect(endpoint, millis, named ? ((InetSocketAddress) endpoint).getHostString() : null);
  }

  /** Connects to a peer with the given name. */
  void connect(SocketAddress endpoint, int millis, String host) throws IOException {
    if (layered || io != null) {
      throw new SocketException("Already connected");
    }
    transport.connect(endpoint, millis);
    boolean attached = false;
    try {
      attach(host, -1, null);
      attached = true;
    } finally {
      if (!attached) {
        transport.close();
      }
    }
  }

  private SocketIo io() throws SocketException {
    SocketIo current = io;
    if (current == null) {
      throw new SocketException(transport.isClosed() ? "Socket is closed" : "Socket is not connected");
    }
    return current;
  }

  // --- handshake ---

  @Override
  public void startHandshake() throws IOException {
    handshake(io());
  }

  private void handshake(SocketIo current) throws IOException {
    if (current.handshake()) {
      notifyListeners();
    }
  }

  /** Listeners have a thread to themselves, so they may use the socket in any way and hold nobody up. */
  private void notifyListeners() {
    HandshakeCompletedListener[] called;
    settings.lock();
    try {
      called = listeners.toArray(new HandshakeCompletedListener[0]);
    } finally {
      settings.unlock();
    }
    if (called.length == 0) {
      return;
    }
    HandshakeCompletedEvent event = new HandshakeCompletedEvent(this, engine().getSession());
    Runnable calls = () -> {
      for (HandshakeCompletedListener listener : called) {
        try {
          listener.handshakeCompleted(event);
        } catch (RuntimeException e) {
          Thread thread = Thread.currentThread();
          thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
      }
    };
    Thread thread = new Thread(null, calls, "postscrypt-handshake-completed");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
    if (listener == null) {
      throw new IllegalArgumentException("listener is null");
    }
    settings.lock();
    try {
      listeners.add(listener);
    } finally {
      settings.unlock();
    }
  }

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
    settings.lock();
    try {
      if (listener == null || !listeners.remove(listener)) {
        throw new IllegalArgumentException("listener is not registered");
      }
    } finally {
      settings.unlock();
    }
  }

  /**
   * The session, after a handshake if there was none; never throws.
   *
   * @return an invalid session with suite {@code SSL_NULL_WITH_NULL_NULL} if there is none: not connected, the
   *     handshake failed or timed out, or this thread is in the middle of it
   */
  @Override
  public SSLSession getSession() {
    SocketIo current = io;
    if (current == null || current.isHandshakingHere()) {
      return TlsSession.none(peerHost, getPort()).shown();
    }
    if (!current.isEstablished()) {
      try {
        handshake(current);
      } catch (IOException | IllegalBlockingModeException e) {
        return TlsSession.none(peerHost, getPort()).shown();
      }
    }
    return engine().getSession();
  }

  @Override
  public SSLSession getHandshakeSession() {
    return JsseApi.HERE.handshakeSession(engine());
  }

  // --- settings ---

  private SSLEngine engine() {
    SSLEngine current = engine;
    if (current != null) {
      return current;
    }
    settings.lock();
    try {
      if (engine == null) {
        // Holds and checks settings until the peer is known.
        engine = source.newEngine(null, -1, initialClientMode, this);
      }
      return engine;
    } finally {
      settings.unlock();
    }
  }

  private void change(Setting setting) {
    settings.lock();
    try {
      setting.apply(engine());
    } finally {
      settings.unlock();
    }
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return engine().getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return engine().getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    change(e -> e.setEnabledCipherSuites(suites));
  }

  @Override
  public String[] getSupportedProtocols() {
    return engine().getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return engine().getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    change(e -> e.setEnabledProtocols(protocols));
  }

  @Override
  public SSLParameters getSSLParameters() {
    return engine().getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    change(e -> e.setSSLParameters(parameters));
  }

  @Override
  public boolean getUseClientMode() {
    return engine().getUseClientMode();
  }

  @Override
  public void setUseClientMode(boolean clientMode) {
    change(e -> {
      SocketIo current = io;
      boolean begun = current != null && current.hasBegun();
      if (begun && clientMode != e.getUseClientMode()) {
        throw new IllegalArgumentException("Cannot change mode after the handshake has begun");
      }
      if (!begun) {
        e.setUseClientMode(clientMode);
      }
    });
  }

  @Override
  public boolean getNeedClientAuth() {
    return engine().getNeedClientAuth();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    change(e -> e.setNeedClientAuth(need));
  }

  @Override
  public boolean getWantClientAuth() {
    return engine().getWantClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    change(e -> e.setWantClientAuth(want));
  }

  @Override
  public boolean getEnableSessionCreation() {
    return engine().getEnableSessionCreation();
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    change(e -> e.setEnableSessionCreation(enable));
  }

  @Override
  @Guarded("called where SSLSocket and SSLEngine have it: Java 8u251, Android 29")
  public String getApplicationProtocol() {
    return engine().getApplicationProtocol();
  }

  @Override
  @Guarded("called where SSLSocket and SSLEngine have it: Java 8u251, Android 29")
  public String getHandshakeApplicationProtocol() {
    return engine().getHandshakeApplicationProtocol();
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(BiFunction<SSLSocket, List<String>, String> selector) {
    change(e -> {
      this.selector = selector;
      ProtocolSelectors.set(e, selector, this);
    });
  }

  @Override
  @Guarded("called where SSLSocket has it: Java 8u251, Android 29")
  @SuppressWarnings("unchecked") // set by the method before this one
  public BiFunction<SSLSocket, List<String>, String> getHandshakeApplicationProtocolSelector() {
    return (BiFunction<SSLSocket, List<String>, String>) selector;
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    SocketIo current = io;
    if (current != null) {
      current.setTimeout(millis);
    } else {
      transport.setSoTimeout(millis);
    }
  }

  @Override
  public int getSoTimeout() throws SocketException {
    SocketIo current = io;
    return current != null ? current.getTimeout() : transport.getSoTimeout();
  }

  // --- data and the end ---

  @Override
  public InputStream getInputStream() throws IOException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
    io();
    if (isInputShutdown()) {
      throw new SocketException("Socket input is already shutdown");
    }
    return input;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
    io();
    if (isOutputShutdown()) {
      throw new SocketException("Socket output is already shutdown");
    }
    return output;
  }

  @Override
  public boolean isClosed() {
    SocketIo current = io;
    return current != null && current.isClosed() || transport.isClosed();
  }

  /**
   * Ends reading here: reads return -1 from now on.
   *
   * @throws SSLException if the peer's close_notify was not received, so that what was read may not be all; reading
   *     has ended
   */
  @Override
  public void shutdownInput() throws IOException {
    io().reader().shutdownInput();
  }

  @Override
  public boolean isInputShutdown() {
    SocketIo current = io;
    return current != null && current.isInputShutdown() || transport.isInputShutdown();
  }

  /** Ends writing with close_notify. The peer may go on writing; with TLS 1.2 most peers close at once instead. */
  @Override
  public void shutdownOutput() throws IOException {
    io().writer().shutdownOutput();
  }

  @Override
  public boolean isOutputShutdown() {
    SocketIo current = io;
    return current != null && current.isOutputShutdown() || transport.isOutputShutdown();
  }

  /**
   * Closes this socket; again is a no-op.
   *
   * @throws SSLException if the underlying socket is to stay open and close_notify could not be sent on it
   */
  @Override
  public void close() throws IOException {
    SocketIo current = io;
    if (current != null) {
      current.close();
    } else {
      transport.close();
    }
  }

  @Override
  public String toString() {
    SocketIo current = io;
    String state = current == null || !current.isEstablished() ? "no session" : engine().getSession().getCipherSuite();
    return "TlsSocket[hostname=" + peerHost + ", port=" + getPort() + ", " + state + "]";
  }

  private static void checkRange(byte[] b, int off, int len) {
    Objects.requireNonNull(b, "b");
    if (off < 0 || len < 0 || len > b.length - off) {
      throw new IndexOutOfBoundsException("array length " + b.length + ", offset " + off + ", length " + len);
    }
  }

  private final class Input extends InputStream {
    private SocketReader ready() throws IOException {
      SocketIo current = io();
      if (!current.isEstablished() && !current.isInputShutdown()) {
        handshake(current);
      }
      return current.reader();
    }

    @Override
    public int read() throws IOException {
      return ready().read();
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
      checkRange(b, off, len);
      return len == 0 ? 0 : ready().read(b, off, len);
    }

    @Override
    public int available() throws IOException {
      return io().reader().available();
    }

    @Override
    public void close() throws IOException {
      TlsSocket.this.close();
    }
  }

  private final class Output extends OutputStream {
    private SocketWriter ready() throws IOException {
      SocketIo current = io();
      if (!current.isEstablished() && !current.isOutputShutdown()) {
        handshake(current);
      }
      return current.writer();
    }

    @Override
    public void write(int b) throws IOException {
      ready().write(b);
    }

    @Override
    public void write(byte[] b, int off, int len) throws IOException {
      checkRange(b, off, len);
      if (len > 0) {
        ready().write(b, off, len);
      }
    }

    @Override
    public void close() throws IOException {
      TlsSocket.this.close();
    }
  }
}
