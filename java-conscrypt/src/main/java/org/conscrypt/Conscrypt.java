package org.conscrypt;

import java.nio.ByteBuffer;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.Postscrypt;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;

/**
 * Conscrypt's static helpers, over Postscrypt. What is said here of engines and sockets holds for those of either
 * provider's contexts
 * ({@link OpenSSLProvider} and {@code PostscryptProvider}); others give an {@link IllegalArgumentException}, null a {@link
 * NullPointerException}.
 *
 * <p>Most of it standard JSSE has as well: {@link SSLParameters} and, for what that has no word for, {@code
 * org.postscrypt.TlsParameters}. Settings hold for handshakes that begin later.
 */
public final class Conscrypt {
  private Conscrypt() {}

  // --- the library ---

  /** Whether the native library is loaded, trying that if need be; never throws. */
  public static boolean isAvailable() {
    return Postscrypt.isAvailable();
  }

  /** False: this is no validated build of BoringSSL. */
  public static boolean isBoringSslFIPSBuild() {
    return false;
  }

  /** A version of Conscrypt. */
  public static class Version {
    private final int major;
    private final int minor;
    private final int patch;

    private Version(int major, int minor, int patch) {
      this.major = major;
      this.minor = minor;
      this.patch = patch;
    }

    /** The first number. */
    public int major() {
      return major;
    }

    /** The second number. */
    public int minor() {
      return minor;
    }

    /** The third number. */
    public int patch() {
      return patch;
    }
  }

  private static final Version VERSION = new Version(2, 6, 3);

  /** The version of Conscrypt whose API this is; what callers look at before they use it. */
  public static Version version() {
    return VERSION;
  }

  /**
   * Does nothing if {@link #isAvailable}.
   *
   * @throws UnsatisfiedLinkError if not; its cause says why
   */
  public static void checkAvailability() {
    Own.checkAvailability();
  }

  // --- the provider ---

  /** Whether a provider is ours, under any name. */
  public static boolean isConscrypt(Provider provider) {
    return provider instanceof OpenSSLProvider || provider instanceof PostscryptProvider;
  }

  /**
   * A new provider named {@code Conscrypt}.
   *
   * @throws UnsatisfiedLinkError if the native library is not to be had here
   */
  public static Provider newProvider() {
    return new OpenSSLProvider();
  }

  /**
   * A new provider with another name.
   *
   * @deprecated {@link #newProviderBuilder} has this, too
   */
  @Deprecated
  public static Provider newProvider(String providerName) {
    return newProviderBuilder().setName(providerName).build();
  }

  /** Makes providers that differ from the usual one. */
  public static class ProviderBuilder {
    private String name = OpenSSLProvider.NAME;
    private boolean provideTrustManager = true;
    private String defaultTlsProtocol = "TLSv1.3";
    private boolean isTlsV1Deprecated = true;

    private ProviderBuilder() {}

    /** Sets its name. */
    public ProviderBuilder setName(String name) {
      this.name = name;
      return this;
    }

    /**
     * It has a trust manager factory, which is the default.
     *
     * @deprecated {@link #provideTrustManager(boolean)}
     */
    @Deprecated
    public ProviderBuilder provideTrustManager() {
      return provideTrustManager(true);
    }

    /** Sets whether it has a trust manager factory. */
    public ProviderBuilder provideTrustManager(boolean provide) {
      provideTrustManager = provide;
      return this;
    }

    /**
     * Sets what the contexts {@code TLS}, {@code SSL} and {@code Default} are: {@code TLSv1.3}, with TLS 1.2, or
     * {@code TLSv1.2}.
     */
    public ProviderBuilder defaultTlsProtocol(String protocol) {
      defaultTlsProtocol = protocol;
      return this;
    }

    /** True, the default, is what it is. */
    public ProviderBuilder isTlsV1Deprecated(boolean deprecated) {
      isTlsV1Deprecated = deprecated;
      return this;
    }

    /**
     * Off is what it is.
     *
     * @throws UnsupportedOperationException if it is to be enabled: TLS 1.0 and 1.1 are not offered (RFC 8996)
     */
    public ProviderBuilder isTlsV1Enabled(boolean enabled) {
      if (enabled) {
        throw new UnsupportedOperationException("TLS 1.0 and 1.1 are not offered (RFC 8996)");
      }
      return this;
    }

    /**
     * The provider.
     *
     * @throws IllegalArgumentException if the default protocol is neither {@code TLSv1.2} nor {@code TLSv1.3}, or if TLS
     *     1.0 is not to be deprecated
     * @throws UnsatisfiedLinkError if the native library is not to be had here
     */
    public Provider build() {
      if (!"TLSv1.2".equals(defaultTlsProtocol) && !"TLSv1.3".equals(defaultTlsProtocol)) {
        throw new IllegalArgumentException("Choice of default protocol is unsupported: " + defaultTlsProtocol);
      }
      if (!isTlsV1Deprecated) {
        throw new IllegalArgumentException("TLSv1 is not deprecated and cannot be disabled.");
      }
      return new OpenSSLProvider(name, provideTrustManager, defaultTlsProtocol);
    }
  }

  /** A builder of providers. */
  public static ProviderBuilder newProviderBuilder() {
    return new ProviderBuilder();
  }

  /** Most bytes of an encrypted record, header included. */
  public static int maxEncryptedPacketLength() {
    return Records.PACKET_BYTES;
  }

  /**
   * The platform's default X.509 trust manager.
   *
   * @throws KeyManagementException if there is none
   */
  public static X509TrustManager getDefaultX509TrustManager() throws KeyManagementException {
    checkAvailability();
    try {
      TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager) {
          return (X509TrustManager) manager;
        }
      }
    } catch (NoSuchAlgorithmException | KeyStoreException e) {
      throw new KeyManagementException(e);
    }
    throw new KeyManagementException("No X509TrustManager among the default trust managers");
  }

  // --- contexts ---

  /** Whether a context is ours. */
  public static boolean isConscrypt(SSLContext context) {
    return isConscrypt(context.getProvider());
  }

  /** The implementation of a context that speaks all versions. */
  public static SSLContextSpi newPreferredSSLContextSpi() {
    try {
      return new OpenSSLContextImpl("TLSv1.3", false);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sets where the client sessions of a context are kept beside its own memory; null for nowhere. For engines and
   * sockets made later.
   * The server's chain in a session that comes from there is verified again.
   *
   * @throws IllegalArgumentException if the context is not one of {@link OpenSSLProvider}'s
   */
  public static void setClientSessionCache(SSLContext context, SSLClientSessionCache cache) {
    ClientSessions sessions = OpenSSLContextImpl.clientSessions(context);
    if (sessions == null) {
      throw new IllegalArgumentException("Not a conscrypt client context: " + context.getProvider().getName());
    }
    sessions.setCache(cache);
  }

  /**
   * Sets where the server sessions of a context are kept beside its own memory; null for nowhere. For engines,
   * sockets and server sockets made later; these issue no session tickets, unless told to, as clients keep what is in
   * tickets. So it is TLS 1.2 that is resumed. What the cache answers is trusted: {@code
   * org.postscrypt.ServerSessionStore}.
   *
   * @throws IllegalArgumentException if the context is not one of {@link OpenSSLProvider}'s
   */
  public static void setServerSessionCache(SSLContext context, SSLServerSessionCache cache) {
    ServerSessions sessions = OpenSSLContextImpl.serverSessions(context);
    if (sessions == null) {
      throw new IllegalArgumentException("Not a conscrypt server context: " + context.getProvider().getName());
    }
    sessions.setCache(cache);
  }

  // --- socket factories ---

  /** Whether a factory is of one of our contexts. */
  public static boolean isConscrypt(SSLSocketFactory factory) {
    return factory instanceof OpenSSLSocketFactoryImpl;
  }

  private static OpenSSLSocketFactoryImpl ours(SSLSocketFactory factory) {
    if (!isConscrypt(factory)) {
      throw new IllegalArgumentException("Not a conscrypt socket factory: " + factory.getClass().getName());
    }
    return (OpenSSLSocketFactoryImpl) factory;
  }

  /** Nothing: all sockets are driven by an engine. */
  public static void setUseEngineSocketByDefault(boolean useEngineSocket) {}

  /** Nothing, once the factory is found to be ours: all sockets are driven by an engine. */
  public static void setUseEngineSocket(SSLSocketFactory factory, boolean useEngineSocket) {
    ours(factory);
  }

  /** Whether a factory is of one of our contexts. */
  public static boolean isConscrypt(SSLServerSocketFactory factory) {
    return factory instanceof OpenSSLServerSocketFactoryImpl;
  }

  /** Nothing, once the factory is found to be ours: all sockets are driven by an engine. */
  public static void setUseEngineSocket(SSLServerSocketFactory factory, boolean useEngineSocket) {
    if (!isConscrypt(factory)) {
      throw new IllegalArgumentException("Not a conscrypt server socket factory: " + factory.getClass().getName());
    }
  }

  // --- sockets ---

  /** Whether a socket is of one of our contexts. */
  public static boolean isConscrypt(SSLSocket socket) {
    return socket instanceof OpenSSLSocketImpl || socket != null && socket.getSSLParameters() instanceof TlsParameters;
  }

  /** The provider's socket. */
  private static SSLSocket own(SSLSocket socket) {
    if (socket instanceof OpenSSLSocketImpl) {
      return ((OpenSSLSocketImpl) socket).own();
    }
    if (!isConscrypt(socket)) {
      throw new IllegalArgumentException("Not a conscrypt socket: " + socket.getClass().getName());
    }
    return socket;
  }

  /** The socket with the methods that go by its name; of the provider's own, a view. */
  private static OpenSSLSocketImpl facade(SSLSocket socket) {
    return socket instanceof OpenSSLSocketImpl
        ? (OpenSSLSocketImpl) socket
        : new OpenSSLSocketImpl(own(socket), null);
  }

  /** Sets the named groups of sockets that the factory makes from now on; null for the default. */
  public static void setNamedGroups(SSLSocketFactory factory, String[] groups) {
    ours(factory).setNamedGroups(groups);
  }

  /**
   * Sets the named groups for the key exchange, in order of preference ({@code X25519}, {@code P-256}, …); null
   * changes nothing.
   */
  public static void setNamedGroups(SSLSocket socket, String[] groups) {
    facade(socket).setNamedGroups(groups);
  }

  /** Sets the peer's host name, for SNI and endpoint identification; null: as the socket was made, and no SNI. */
  public static void setHostname(SSLSocket socket, String hostname) {
    facade(socket).setHostname(hostname);
  }

  /** The peer's host name, as set or as the socket was made with; null if there is none. Nothing is looked up. */
  public static String getHostname(SSLSocket socket) {
    return facade(socket).getHostname();
  }

  /** The peer's host name, or its address as text; null if it is not known. Nothing is looked up. */
  public static String getHostnameOrIP(SSLSocket socket) {
    return facade(socket).getHostnameOrIP();
  }

  /**
   * Sets whether session tickets are used: see {@code org.postscrypt.TlsParameters.setSessionTickets}. On by default.
   */
  public static void setUseSessionTickets(SSLSocket socket, boolean useTickets) {
    facade(socket).setUseSessionTickets(useTickets);
  }

  /**
   * Server: sets whether Channel IDs are accepted, which has no effect: none is ever told, by Conscrypt 2.6.3 neither.
   *
   * @throws IllegalStateException if the socket is a client's, or the handshake has begun
   */
  public static void setChannelIdEnabled(SSLSocket socket, boolean enabled) {
    SSLSocket own = own(socket);
    checkChannelIdEnabled(own.getUseClientMode(), hasBegun(own));
  }

  private static boolean hasBegun(SSLSocket own) {
    return own.getHandshakeSession() != null || own.getApplicationProtocol() != null;
  }

  private static void checkChannelIdEnabled(boolean client, boolean begun) {
    if (client) {
      throw new IllegalStateException("Not allowed in client mode");
    }
    if (begun) {
      throw new IllegalStateException("Could not enable/disable Channel ID after the initial handshake has begun.");
    }
  }

  /**
   * Server: nothing, as {@link #setChannelIdEnabled(SSLSocket, boolean)} says.
   *
   * @throws IllegalStateException if the socket is a client's, or the handshake has begun: it is null before
   */
  public static byte[] getChannelId(SSLSocket socket) throws SSLException {
    SSLSocket own = own(socket);
    return channelId(own.getUseClientMode(), hasBegun(own));
  }

  private static byte[] channelId(boolean client, boolean begun) {
    if (client) {
      throw new IllegalStateException("Not allowed in client mode");
    }
    if (begun) {
      throw new IllegalStateException("Channel ID is only available after handshake completes");
    }
    return null;
  }

  /**
   * Client: sets the key that is proven to servers which ask for a Channel ID (draft-balfanz-tls-channelid-01); null for
   * none. It is an EC key on P-256; another one fails the handshake.
   *
   * @throws IllegalStateException if the socket is a server's, or the handshake has begun
   */
  public static void setChannelIdPrivateKey(SSLSocket socket, PrivateKey privateKey) {
    SSLSocket own = own(socket);
    checkChannelIdPrivateKey(own.getUseClientMode(), hasBegun(own));
    own.setSSLParameters(withChannelIdKey(own.getSSLParameters(), privateKey));
  }

  private static SSLParameters withChannelIdKey(SSLParameters parameters, PrivateKey key) {
    ((TlsParameters) parameters).setChannelIdKey(key);
    return parameters;
  }

  private static void checkChannelIdPrivateKey(boolean client, boolean begun) {
    if (!client) {
      throw new IllegalStateException("Not allowed in server mode");
    }
    if (begun) {
      throw new IllegalStateException("Could not change Channel ID private key after the initial handshake has begun.");
    }
  }

  /** The application protocol (ALPN) agreed on; null if there is none (yet). */
  public static String getApplicationProtocol(SSLSocket socket) {
    return orNull(own(socket).getApplicationProtocol());
  }

  private static String orNull(String protocol) {
    return protocol == null || protocol.isEmpty() ? null : protocol;
  }

  /**
   * Server: sets who chooses among the client's application protocols; null for the order of {@code
   * setApplicationProtocols}.
   */
  public static void setApplicationProtocolSelector(SSLSocket socket, ApplicationProtocolSelector selector) {
    own(socket);
    socket.setHandshakeApplicationProtocolSelector(
        selector == null
            ? null
            : (s, protocols) -> chosen(selector.selectApplicationProtocol(s, protocols), protocols));
  }

  /** What JSSE's selectors answer: "" to go on without. */
  private static String chosen(String protocol, List<String> offered) {
    return protocol != null && offered.contains(protocol) ? protocol : "";
  }

  /** Sets the application protocols (ALPN) to offer or accept, in order of preference; empty for none. */
  public static void setApplicationProtocols(SSLSocket socket, String[] protocols) {
    SSLSocket own = own(socket);
    SSLParameters parameters = own.getSSLParameters();
    parameters.setApplicationProtocols(checkedProtocols(protocols));
    own.setSSLParameters(parameters);
  }

  /** RFC 7301 section 3.1: names of 1 to 255 bytes. In ASCII, here. */
  private static String[] checkedProtocols(String[] protocols) {
    if (protocols == null) {
      throw new IllegalArgumentException("protocols array must be non-null");
    }
    for (int i = 0; i < protocols.length; i++) {
      String protocol = protocols[i];
      if (protocol == null || protocol.isEmpty() || protocol.length() > 255) {
        throw new IllegalArgumentException("protocol[" + i + "] is null or has not 1 to 255 characters");
      }
      for (int j = 0; j < protocol.length(); j++) {
        if (protocol.charAt(j) > 0x7f) {
          throw new IllegalArgumentException("protocol[" + i + "] is not ASCII: " + protocol);
        }
      }
    }
    return protocols;
  }

  /** The application protocols that were set. */
  public static String[] getApplicationProtocols(SSLSocket socket) {
    return own(socket).getSSLParameters().getApplicationProtocols();
  }

  /**
   * The channel binding {@code tls-unique} (RFC 5929 section 3); null before the handshake, and with TLS 1.3, which
   * has none.
   */
  public static byte[] getTlsUnique(SSLSocket socket) {
    SSLSocket own = own(socket);
    return own.getApplicationProtocol() == null ? null : tlsUnique(own.getSession());
  }

  private static byte[] tlsUnique(SSLSession session) {
    try {
      return session instanceof PostscryptSession
          ? ((PostscryptSession) session).getChannelBinding("tls-unique")
          : null;
    } catch (SSLException e) {
      return null; // No connection (any more), so nothing to bind to.
    }
  }

  /**
   * Keying material (RFC 5705, RFC 8446 section 7.5); null before the handshake, and once the socket is closed.
   *
   * @param context null for none
   * @param length bytes wanted
   * @throws SSLException if the connection has ended
   */
  public static byte[] exportKeyingMaterial(SSLSocket socket, String label, byte[] context, int length)
      throws SSLException {
    SSLSocket own = own(socket);
    return own.getApplicationProtocol() == null || own.isClosed()
        ? null
        : exported(own.getSession(), label, context, length);
  }

  private static byte[] exported(SSLSession session, String label, byte[] context, int length) throws SSLException {
    if (label == null) {
      throw new NullPointerException("label");
    }
    if (length == 0) {
      return new byte[0];
    }
    if (!(session instanceof PostscryptSession)) {
      throw new SSLException("there is no established connection");
    }
    return ((PostscryptSession) session).exportKeyingMaterial(label, context, length);
  }

  // --- engines ---

  /** Whether an engine is of one of our contexts. */
  public static boolean isConscrypt(SSLEngine engine) {
    return engine instanceof ConscryptEngine || engine != null && engine.getSSLParameters() instanceof TlsParameters;
  }

  /** The provider's engine. */
  private static SSLEngine own(SSLEngine engine) {
    if (engine instanceof ConscryptEngine) {
      return ((ConscryptEngine) engine).own();
    }
    if (!isConscrypt(engine)) {
      throw new IllegalArgumentException("Not a conscrypt engine: " + engine.getClass().getName());
    }
    return engine;
  }

  /** An engine of {@link OpenSSLProvider}'s contexts, for what only those can. */
  private static ConscryptEngine facade(SSLEngine engine) {
    own(engine);
    if (!(engine instanceof ConscryptEngine)) {
      throw new IllegalArgumentException("Not an engine of the Conscrypt provider: " + engine.getClass().getName());
    }
    return (ConscryptEngine) engine;
  }

  /**
   * Sets where the engine gets direct buffers between: for records that are spread over several buffers, and for heap
   * buffers in the handshake; null for its own way. Later every record in one buffer is sealed and opened there.
   *
   * @throws IllegalStateException if the handshake has begun
   * @throws IllegalArgumentException if the engine is not one of {@link OpenSSLProvider}'s contexts
   */
  public static void setBufferAllocator(SSLEngine engine, BufferAllocator bufferAllocator) {
    facade(engine).setBufferAllocator(bufferAllocator);
  }

  /**
   * Sets where the socket's engine gets the direct buffers that it may need; null for its own way. It hardly needs any:
   * sockets have one record's buffers for as long as they are used.
   */
  public static void setBufferAllocator(SSLSocket socket, BufferAllocator allocator) {
    SSLSocket own = own(socket);
    TlsParameters parameters = (TlsParameters) own.getSSLParameters();
    Staging.applyTo(parameters, allocator);
    own.setSSLParameters(parameters);
  }

  /**
   * Sets the allocator of engines made from now on, as {@link #setBufferAllocator(SSLEngine, BufferAllocator)} does of
   * one.
   */
  public static void setDefaultBufferAllocator(BufferAllocator bufferAllocator) {
    Staging.setDefaultAllocator(bufferAllocator);
  }

  /** Sets the peer's host name, for SNI and endpoint identification; null: as the engine was made, and no SNI. */
  public static void setHostname(SSLEngine engine, String hostname) {
    SSLEngine own = own(engine);
    own.setSSLParameters(Names.with(own.getSSLParameters(), hostname));
  }

  /** The peer's host name, as set or as the engine was made with; null if there is none. */
  public static String getHostname(SSLEngine engine) {
    return own(engine).getPeerHost();
  }

  /**
   * Most bytes by which a record of data is longer than its data. Before the handshake is over: with any version and
   * cipher suite.
   */
  public static int maxSealOverhead(SSLEngine engine) {
    return Records.overhead(own(engine).getSession());
  }

  /**
   * Sets who hears that the handshake is over; null for nobody.
   *
   * @throws IllegalStateException if the handshake has begun
   * @throws IllegalArgumentException if the engine is not one of {@link OpenSSLProvider}'s contexts
   */
  public static void setHandshakeListener(SSLEngine engine, HandshakeListener handshakeListener) {
    facade(engine).setHandshakeListener(handshakeListener);
  }

  /** As {@link #setChannelIdEnabled(SSLSocket, boolean)}. */
  public static void setChannelIdEnabled(SSLEngine engine, boolean enabled) {
    SSLEngine own = own(engine);
    checkChannelIdEnabled(own.getUseClientMode(), hasBegun(own));
  }

  private static boolean hasBegun(SSLEngine own) {
    return own.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING || own.getApplicationProtocol() != null;
  }

  /** As {@link #getChannelId(SSLSocket)}. */
  public static byte[] getChannelId(SSLEngine engine) throws SSLException {
    SSLEngine own = own(engine);
    return channelId(own.getUseClientMode(), hasBegun(own));
  }

  /** As {@link #setChannelIdPrivateKey(SSLSocket, PrivateKey)}. */
  public static void setChannelIdPrivateKey(SSLEngine engine, PrivateKey privateKey) {
    SSLEngine own = own(engine);
    checkChannelIdPrivateKey(own.getUseClientMode(), hasBegun(own));
    own.setSSLParameters(withChannelIdKey(own.getSSLParameters(), privateKey));
  }

  /** Unwraps one record, which may be spread over {@code srcs}, into {@code dsts}. */
  public static SSLEngineResult unwrap(SSLEngine engine, ByteBuffer[] srcs, ByteBuffer[] dsts) throws SSLException {
    own(engine);
    if (srcs == null || dsts == null) {
      throw new IllegalArgumentException((srcs == null ? "srcs" : "dsts") + " is null");
    }
    return unwrap(engine, srcs, 0, srcs.length, dsts, 0, dsts.length);
  }

  /** Unwraps one record, which may be spread over some of {@code srcs}, into some of {@code dsts}. */
  public static SSLEngineResult unwrap(
      SSLEngine engine,
      ByteBuffer[] srcs,
      int srcsOffset,
      int srcsLength,
      ByteBuffer[] dsts,
      int dstsOffset,
      int dstsLength)
      throws SSLException {
    SSLEngine own = own(engine);
    return engine instanceof ConscryptEngine
        ? ((ConscryptEngine) engine).unwrap(srcs, srcsOffset, srcsLength, dsts, dstsOffset, dstsLength)
        : Staging.unwrap(own, null, srcs, srcsOffset, srcsLength, dsts, dstsOffset, dstsLength);
  }

  /** As {@link #setUseSessionTickets(SSLSocket, boolean)}. */
  public static void setUseSessionTickets(SSLEngine engine, boolean useTickets) {
    SSLEngine own = own(engine);
    TlsParameters parameters = (TlsParameters) own.getSSLParameters();
    parameters.setSessionTickets(useTickets);
    own.setSSLParameters(parameters);
  }

  /** As {@link #setApplicationProtocols(SSLSocket, String[])}. */
  public static void setApplicationProtocols(SSLEngine engine, String[] protocols) {
    SSLEngine own = own(engine);
    SSLParameters parameters = own.getSSLParameters();
    parameters.setApplicationProtocols(checkedProtocols(protocols));
    own.setSSLParameters(parameters);
  }

  /** The application protocols that were set. */
  public static String[] getApplicationProtocols(SSLEngine engine) {
    return own(engine).getSSLParameters().getApplicationProtocols();
  }

  /** As {@link #setApplicationProtocolSelector(SSLSocket, ApplicationProtocolSelector)}. */
  public static void setApplicationProtocolSelector(SSLEngine engine, ApplicationProtocolSelector selector) {
    own(engine);
    BiFunction<SSLEngine, List<String>, String> choice =
        selector == null
            ? null
            : (e, protocols) -> chosen(selector.selectApplicationProtocol(e, protocols), protocols);
    engine.setHandshakeApplicationProtocolSelector(choice);
  }

  /** The application protocol (ALPN) agreed on; null if there is none (yet). */
  public static String getApplicationProtocol(SSLEngine engine) {
    return orNull(own(engine).getApplicationProtocol());
  }

  /** As {@link #getTlsUnique(SSLSocket)}. */
  public static byte[] getTlsUnique(SSLEngine engine) {
    return tlsUnique(own(engine).getSession());
  }

  /** As {@link #exportKeyingMaterial(SSLSocket, String, byte[], int)}. */
  public static byte[] exportKeyingMaterial(SSLEngine engine, String label, byte[] context, int length)
      throws SSLException {
    SSLEngine own = own(engine);
    return own.getApplicationProtocol() == null ? null : exported(own.getSession(), label, context, length);
  }

  // --- trust managers ---

  /** Whether a trust manager is of {@link OpenSSLProvider}'s factory. */
  public static boolean isConscrypt(TrustManager trustManager) {
    return trustManager instanceof TrustManagerImpl;
  }

  private static TrustManagerImpl ours(TrustManager trustManager) {
    if (!isConscrypt(trustManager)) {
      throw new IllegalArgumentException("Not a Conscrypt trust manager: " + trustManager.getClass().getName());
    }
    return (TrustManagerImpl) trustManager;
  }

  /**
   * Sets the verifier of trust managers that have none of their own; null for {@link
   * OkHostnameVerifier#strictInstance}.
   */
  public static synchronized void setDefaultHostnameVerifier(ConscryptHostnameVerifier verifier) {
    TrustManagerImpl.setDefaultHostnameVerifier(verifier);
  }

  /** What {@link #setDefaultHostnameVerifier} has set, or null. */
  public static synchronized ConscryptHostnameVerifier getDefaultHostnameVerifier(TrustManager trustManager) {
    return TrustManagerImpl.getDefaultHostnameVerifier();
  }

  /**
   * Sets the verifier of one trust manager, for connections whose endpoint identification is {@code HTTPS}; null for
   * the default.
   */
  public static void setHostnameVerifier(TrustManager trustManager, ConscryptHostnameVerifier verifier) {
    ours(trustManager).setHostnameVerifier(verifier);
  }

  /** What {@link #setHostnameVerifier} has set, or null. */
  public static ConscryptHostnameVerifier getHostnameVerifier(TrustManager trustManager) {
    return ours(trustManager).getHostnameVerifier();
  }

  /** A verifier of JSSE's kind as one of ours. */
  public static ConscryptHostnameVerifier wrapHostnameVerifier(HostnameVerifier verifier) {
    return (certificates, hostname, session) -> verifier.verify(hostname, session);
  }
}
