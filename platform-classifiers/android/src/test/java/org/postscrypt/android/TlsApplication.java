package org.postscrypt.android;

import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.postscrypt.Postscrypt;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;

/**
 * An application that uses TLS on Android's API 21, whose {@code javax.net.ssl} is that of Java 6: no extended sessions and trust
 * managers, no server names, no endpoint identification in {@code SSLParameters}, no handshake sessions.
 *
 * <p>The key store ({@code tls.store}, password {@code secret}) has a certificate for {@code a.example} and one for {@code b.example}.
 */
public final class TlsApplication {
  private static final String[] ABSENT = {
    "javax.net.ssl.ExtendedSSLSession", "javax.net.ssl.X509ExtendedTrustManager", "javax.net.ssl.SNIHostName",
    "javax.net.ssl.SNIServerName", "javax.net.ssl.SNIMatcher", "javax.net.ssl.StandardConstants",
    "java.security.AlgorithmConstraints", "java.security.CryptoPrimitive", "java.util.function.BiFunction",
    "java.util.function.Function", "java.util.Optional", "java.util.stream.Stream", "java.time.Instant", "java.util.Base64",
    "java.nio.file.Files", "java.net.SocketOption", "java.security.cert.PKIXReason",
  };
  private static final char[] PASSWORD = "secret".toCharArray();
  private static final int PACKET = 20_000;
  private static final byte[] DATA = new byte[100_000];

  private final Provider provider = Postscrypt.newProvider();
  private final KeyStore store = KeyStore.getInstance("PKCS12");
  private final SSLContext server;
  private final SSLContext client;

  private TlsApplication() throws Exception {
    try (InputStream in = new FileInputStream(System.getProperty("tls.store"))) {
      store.load(in, PASSWORD);
    }
    server = context(ownKeys(), ownTrust());
    client = context(ownKeys(), ownTrust());
  }

  /** Prints what works; an exception if anything does not. */
  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.vendor", "The Android Project");
    Arrays.fill(DATA, (byte) 7);
    itIsAnOldSystem();
    TlsApplication application = new TlsApplication();
    application.services();
    for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
      application.engines(protocol);
      application.sockets(protocol);
      application.clientAuthentication(protocol);
      application.foreignManagers(protocol);
    }
    application.wrongNameIsRefused();
    application.untrustedIsRefused();
    System.out.println("works");
  }

  private static void itIsAnOldSystem() throws Exception {
    for (String name : ABSENT) {
      try {
        Class.forName(name);
      } catch (ClassNotFoundException e) {
        continue;
      }
      throw new IllegalStateException(name + " is there");
    }
    for (Class<?> type : new Class<?>[] {SSLEngine.class, SSLSocket.class}) {
      require(!names(type).contains("getHandshakeSession"), type.getName());
    }
    require(!names(SSLParameters.class).contains("setEndpointIdentificationAlgorithm"), "parameters");
  }

  private static List<String> names(Class<?> type) {
    List<String> names = new ArrayList<>();
    for (java.lang.reflect.Method method : type.getMethods()) {
      names.add(method.getName());
    }
    return names;
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException(what);
    }
  }

  private void services() {
    for (String algorithm : new String[] {"TLS", "TLSv1.3", "TLSv1.2", "Default"}) {
      require(provider.getService("SSLContext", algorithm) != null, algorithm);
    }
  }

  private SSLContext context(KeyManager[] keys, TrustManager[] trust) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS", provider);
    context.init(keys, trust, null);
    require(context.getDefaultSSLParameters() instanceof TlsParameters, "default parameters");
    require(context.getSupportedSSLParameters().getProtocols().length == 2, "supported protocols");
    return context;
  }

  private KeyManager[] ownKeys() throws Exception {
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PostscryptX509", provider);
    factory.init(store, PASSWORD);
    return factory.getKeyManagers();
  }

  private TrustManager[] ownTrust() throws Exception {
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PostscryptPKIX", provider);
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static TlsParameters parameters(String protocol) {
    TlsParameters parameters = new TlsParameters(null, new String[] {protocol});
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setApplicationProtocols(new String[] {"h2"});
    return parameters;
  }

  private static TlsParameters serverParameters(String protocol, boolean clientAuthentication) {
    TlsParameters parameters = new TlsParameters(null, new String[] {protocol});
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setNeedClientAuth(clientAuthentication);
    return parameters;
  }

  // --- engines ---

  /** The handshake, in memory. */
  private static final class Pair {
    final SSLEngine client;
    final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocateDirect(8 * PACKET);
    private final ByteBuffer toClient = ByteBuffer.allocateDirect(8 * PACKET);

    Pair(SSLContext client, TlsParameters clientParameters, String host, SSLContext server, TlsParameters serverParameters) {
      this.client = client.createSSLEngine(host, 443);
      this.client.setUseClientMode(true);
      this.client.setSSLParameters(clientParameters);
      this.server = server.createSSLEngine();
      this.server.setUseClientMode(false);
      this.server.setSSLParameters(serverParameters);
    }

    void handshake() throws SSLException {
      boolean clientDone = false;
      boolean serverDone = false;
      for (int i = 0; i < 100 && !(clientDone && serverDone); i++) {
        clientDone |= step(client, toClient, toServer);
        serverDone |= step(server, toServer, toClient);
      }
      require(clientDone && serverDone, "handshake: " + client + ", " + server);
      send(server, toClient, client);
      send(client, toServer, server);
      require(client.getSession().isValid() && server.getSession().isValid(), "sessions");
    }

    private static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
      HandshakeStatus status = engine.getHandshakeStatus();
      SSLEngineResult result = null;
      if (status == HandshakeStatus.NEED_TASK) {
        engine.getDelegatedTask().run();
      } else if (status == HandshakeStatus.NEED_WRAP || status == HandshakeStatus.NOT_HANDSHAKING && in.position() == 0) {
        result = engine.wrap(ByteBuffer.allocate(0), out);
      } else {
        in.flip();
        result = engine.unwrap(in, ByteBuffer.allocate(PACKET));
        in.compact();
      }
      return result != null && result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    private static void send(SSLEngine from, ByteBuffer wire, SSLEngine to) throws SSLException {
      ByteBuffer sent = ByteBuffer.wrap(DATA, 0, PACKET);
      ByteBuffer received = ByteBuffer.allocate(2 * PACKET);
      while (sent.hasRemaining()) {
        from.wrap(sent, wire);
      }
      wire.flip();
      while (wire.hasRemaining()) {
        SSLEngineResult result = to.unwrap(wire, received);
        require(result.getStatus() == SSLEngineResult.Status.OK && result.bytesConsumed() > 0, result.toString());
      }
      wire.compact();
      require(received.position() == PACKET && received.get(PACKET - 1) == 7, "data");
    }
  }

  /** The name that the client asks for decides which certificate it gets, and the session is resumed. */
  private void engines(String protocol) throws Exception {
    for (String host : new String[] {"b.example", "a.example"}) {
      for (boolean resumed : new boolean[] {false, true}) {
        Pair pair = new Pair(client, parameters(protocol), host, server, serverParameters(protocol, false));
        require(pair.client.getSession().getCipherSuite().equals("SSL_NULL_WITH_NULL_NULL"), "no session yet");
        pair.handshake();
        check(pair.client.getSession(), protocol, host, resumed);
        require(((PostscryptSession) pair.server.getSession()).isResumed() == resumed, "resumed at the server");
      }
    }
    TlsParameters named = parameters(protocol);
    named.setPeerHost("b.example");
    Pair pair = new Pair(client, named, null, server, serverParameters(protocol, false));
    pair.handshake();
    require(subject(pair.client.getSession()).equals("CN=b.example"), "name by parameters");
    pair.client.closeOutbound();
    while (!pair.client.isOutboundDone()) {
      pair.client.wrap(ByteBuffer.allocate(0), pair.toServer);
    }
    pair.toServer.flip();
    require(pair.server.unwrap(pair.toServer, ByteBuffer.allocate(PACKET)).getStatus() == SSLEngineResult.Status.CLOSED, "close");
  }

  private static String subject(SSLSession session) throws SSLException {
    return ((X509Certificate) session.getPeerCertificates()[0]).getSubjectX500Principal().getName();
  }

  private void check(SSLSession session, String protocol, String host, boolean resumed) throws Exception {
    PostscryptSession ours = (PostscryptSession) session;
    require(session.getProtocol().equals(protocol), protocol);
    require(subject(session).equals("CN=" + host), host + " got " + subject(session));
    require(ours.isResumed() == resumed, host + " resumed: " + resumed);
    require("h2".equals(ours.getApplicationProtocol()), "ALPN");
    require(ours.exportKeyingMaterial("EXPERIMENTAL-test", null, 20).length == 20, "exporter");
    require(ours.getSessionContext().getSession(ours.getId()) == session, "session by id");
    session.putValue("kept", host);
    require(session.getValue("kept").equals(host), "values");
  }

  // --- sockets ---

  private SSLSocket connect(SSLServerSocket listening, String protocol, String host) throws Exception {
    Socket plain = new Socket();
    plain.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), listening.getLocalPort()), 10_000);
    SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket(plain, host, listening.getLocalPort(), true);
    socket.setSSLParameters(parameters(protocol));
    socket.setSoTimeout(20_000);
    return socket;
  }

  private void sockets(String protocol) throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (SSLServerSocket listening =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      listening.setEnabledProtocols(new String[] {protocol});
      listening.setSoTimeout(20_000);
      for (boolean resumed : new boolean[] {false, true}) {
        Future<Void> served = threads.submit(() -> {
          try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.setSoTimeout(20_000);
            TlsParameters alpn = serverParameters(protocol, false);
            socket.setSSLParameters(alpn);
            byte[] received = new byte[DATA.length];
            new DataInputStream(socket.getInputStream()).readFully(received);
            OutputStream out = socket.getOutputStream();
            out.write(received);
            out.flush();
            require(socket.getInputStream().read() == -1, "the end");
          }
          return null;
        });
        try (SSLSocket socket = connect(listening, protocol, "b.example")) {
          socket.startHandshake();
          socket.getOutputStream().write(DATA);
          byte[] echo = new byte[DATA.length];
          new DataInputStream(socket.getInputStream()).readFully(echo);
          require(Arrays.equals(DATA, echo), "echo");
          check(socket.getSession(), protocol, "b.example", resumed);
        }
        served.get(30, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    try (SSLSocket unconnected = (SSLSocket) client.getSocketFactory().createSocket()) {
      require(unconnected.getSession() instanceof PostscryptSession && !unconnected.getSession().isValid(), "no session");
    }
  }

  // --- client certificates, managers of the application ---

  private void clientAuthentication(String protocol) throws Exception {
    Pair pair = new Pair(context(ownKeys(), ownTrust()), parameters(protocol), "a.example", server, serverParameters(protocol, true));
    pair.handshake();
    require(pair.server.getSession().getPeerCertificates().length == 1, "the client's certificate");
  }

  /** Managers that are plain interfaces, for keys and for trust: the name is checked all the same. */
  private void foreignManagers(String protocol) throws Exception {
    X509KeyManager keys = new X509KeyManager() {
      @Override
      public String[] getClientAliases(String keyType, Principal[] issuers) {
        return null;
      }

      @Override
      public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
      }

      @Override
      public String[] getServerAliases(String keyType, Principal[] issuers) {
        return new String[] {"b"};
      }

      @Override
      public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return keyType.equals("EC") ? "b" : null;
      }

      @Override
      public X509Certificate[] getCertificateChain(String alias) {
        try {
          Certificate[] chain = store.getCertificateChain(alias);
          return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
        } catch (java.security.KeyStoreException e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public PrivateKey getPrivateKey(String alias) {
        try {
          return (PrivateKey) store.getKey(alias, PASSWORD);
        } catch (java.security.GeneralSecurityException e) {
          throw new IllegalStateException(e);
        }
      }
    };
    X509TrustManager everybody = new X509TrustManager() {
      @Override
      public void checkClientTrusted(X509Certificate[] chain, String authType) {}

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String authType) {}

      @Override
      public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
      }
    };
    SSLContext plainServer = context(new KeyManager[] {keys}, new TrustManager[] {everybody});
    SSLContext plainClient = context(null, new TrustManager[] {everybody});
    new Pair(plainClient, parameters(protocol), "b.example", plainServer, serverParameters(protocol, false)).handshake();
    refused(new Pair(plainClient, parameters(protocol), "a.example", plainServer, serverParameters(protocol, false)), "a.example");
  }

  private void wrongNameIsRefused() throws Exception {
    refused(new Pair(client, parameters("TLSv1.3"), "c.example", server, serverParameters("TLSv1.3", false)), "c.example");
  }

  private void untrustedIsRefused() throws Exception {
    KeyStore empty = KeyStore.getInstance("PKCS12");
    empty.load(null, PASSWORD);
    empty.setCertificateEntry("a", store.getCertificate("a"));
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PostscryptPKIX", provider);
    factory.init(empty);
    SSLContext strict = context(null, factory.getTrustManagers());
    new Pair(strict, parameters("TLSv1.3"), "a.example", server, serverParameters("TLSv1.3", false)).handshake();
    refused(new Pair(strict, parameters("TLSv1.3"), "b.example", server, serverParameters("TLSv1.3", false)), "PKIX");
  }

  private static void refused(Pair pair, String why) throws SSLException {
    try {
      pair.handshake();
    } catch (SSLHandshakeException e) {
      require(e.getMessage().contains(why), e.getMessage());
      return;
    }
    throw new IllegalStateException("accepted, against: " + why);
  }
}
