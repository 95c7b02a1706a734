package org.conscrypt;

import static org.conscrypt.Check.attempt;
import static org.conscrypt.Check.bytes;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.postscrypt.conscryptabi.Fixtures;
import org.postscrypt.conscryptabi.Identities;

/** What applications do: sockets over engines and over file descriptors, with Conscrypt or the JDK at the other end. */
public final class SocketCases {
  private SocketCases() {}

  private static final Provider CONSCRYPT = Conscrypt.newProvider();
  private static final String[] PROTOCOLS = {"TLSv1.2", "TLSv1.3"};
  private static final int SECONDS = 30;

  static final class Setting {
    String protocol = "TLSv1.3";
    boolean clientIsConscrypt = true;
    boolean serverIsConscrypt = true;
    boolean engines = true;
    String serverKey = "EC";
    String clientKey;
    String[] clientProtocols = {};
    String[] serverProtocols = {};

    Setting with(String protocol, boolean client, boolean server, boolean engines) {
      this.protocol = protocol;
      clientIsConscrypt = client;
      serverIsConscrypt = server;
      this.engines = engines;
      return this;
    }
  }

  static SSLContext context(boolean conscrypt, KeyManager[] keys) throws Exception {
    SSLContext context = conscrypt ? SSLContext.getInstance("TLS", CONSCRYPT) : SSLContext.getInstance("TLS");
    context.init(keys, trust(conscrypt), null);
    return context;
  }

  /** The JDK's knows no TLS 1.3 of Conscrypt's. */
  private static TrustManager[] trust(boolean conscrypt) throws Exception {
    TrustManagerFactory factory =
        conscrypt ? TrustManagerFactory.getInstance("PKIX", CONSCRYPT) : TrustManagerFactory.getInstance("PKIX");
    factory.init(Identities.TRUST);
    return factory.getTrustManagers();
  }

  static SSLSocket connect(SSLContext context, Setting setting, int port) throws Exception {
    SSLSocketFactory factory = context.getSocketFactory();
    if (setting.clientIsConscrypt) {
      Conscrypt.setUseEngineSocket(factory, setting.engines);
    }
    SSLSocket socket = (SSLSocket) factory.createSocket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), SECONDS * 1000);
    socket.setSoTimeout(SECONDS * 1000);
    socket.setTcpNoDelay(true);
    socket.setEnabledProtocols(new String[] {setting.protocol});
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName("localhost")));
    if (setting.clientProtocols.length > 0) {
      parameters.setApplicationProtocols(setting.clientProtocols);
    }
    socket.setSSLParameters(parameters);
    return socket;
  }

  static SSLServerSocket listen(SSLContext context, Setting setting) throws Exception {
    SSLServerSocketFactory factory = context.getServerSocketFactory();
    if (setting.serverIsConscrypt) {
      Conscrypt.setUseEngineSocket(factory, setting.engines);
    }
    SSLServerSocket socket = (SSLServerSocket) factory.createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    socket.setSoTimeout(SECONDS * 1000);
    socket.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
    if (setting.clientKey != null) {
      socket.setNeedClientAuth(true);
    }
    return socket;
  }

  private static String facts(SSLSocket socket) {
    SSLSession session = socket.getSession();
    return session.getProtocol() + " " + session.getCipherSuite() + " " + attempt(session::getPeerPrincipal) + " "
        + attempt(session::getLocalPrincipal) + " " + socket.getApplicationProtocol();
  }

  /** Reads what it is told to and sends it back, until the client closes. */
  private static Object serve(SSLSocket socket, Setting setting) throws Exception {
    try (socket) {
      socket.setSoTimeout(SECONDS * 1000);
      if (setting.serverProtocols.length > 0) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(setting.serverProtocols);
        socket.setSSLParameters(parameters);
      }
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      int length;
      String facts = null;
      while ((length = in.read() == -1 ? -1 : in.readInt()) >= 0) {
        byte[] data = in.readNBytes(length);
        out.write(data);
        out.flush();
        facts = facts(socket);
      }
      return facts;
    }
  }

  private static Object talk(SSLSocket socket, int... sizes) throws Exception {
    List<Object> results = new ArrayList<>();
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      for (int size : sizes) {
        byte[] data = bytes(size);
        out.write(1);
        out.writeInt(size);
        Thread writer = new Thread(() -> {
          try {
            out.write(data);
            out.flush();
          } catch (IOException e) {
            results.add(e);
          }
        });
        writer.start();
        results.add(Arrays.equals(data, in.readNBytes(size)));
        writer.join();
      }
      results.add(facts(socket));
    }
    return results;
  }

  private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  });

  /** One connection: what both ends say. */
  private static Object run(Setting setting, int... sizes) throws Exception {
    SSLContext client = context(setting.clientIsConscrypt, setting.clientKey == null ? null : Identities.keys(setting.clientKey));
    SSLContext server = context(setting.serverIsConscrypt, Identities.keys(setting.serverKey));
    try (SSLServerSocket listener = listen(server, setting)) {
      Future<Object> served = THREADS.submit(() -> serve((SSLSocket) listener.accept(), setting));
      Object said = attempt(() -> talk(connect(client, setting, listener.getLocalPort()), sizes));
      return said + " / " + attempt(() -> served.get(SECONDS, TimeUnit.SECONDS));
    }
  }

  private interface Try {
    Object run(Setting setting) throws Exception;
  }

  /** Each protocol, each kind of socket, Conscrypt at one end or both. */
  private static Object everywhere(Try attempt) throws Exception {
    List<Object> results = new ArrayList<>();
    for (String protocol : PROTOCOLS) {
      for (boolean engines : new boolean[] {true, false}) {
        for (int ends = 1; ends < 4; ends++) {
          Setting setting = new Setting().with(protocol, (ends & 1) != 0, (ends & 2) != 0, engines);
          results.add(protocol + engines + ends + " " + attempt.run(setting));
        }
      }
    }
    return results;
  }

  public static Object data() throws Exception {
    return everywhere(setting -> run(setting, 0, 1, 1000, 16384, 16385, 300_000));
  }

  public static Object applicationProtocols() throws Exception {
    return everywhere(setting -> {
      setting.clientProtocols = new String[] {"h2", "http/1.1"};
      setting.serverProtocols = new String[] {"http/1.1", "h2"};
      return run(setting, 5);
    });
  }

  public static Object clientCertificates() throws Exception {
    List<Object> results = new ArrayList<>();
    for (String key : new String[] {"RSA", "EC", "OPAQUE"}) {
      results.add(everywhere(setting -> {
        setting.clientKey = key;
        setting.serverKey = key;
        return setting.clientIsConscrypt && setting.serverIsConscrypt || !key.equals("OPAQUE") ? run(setting, 5) : null;
      }));
    }
    return results;
  }

  /** Over a real server and client of the JDK. */
  public static Object https() throws Exception {
    List<Object> results = new ArrayList<>();
    for (boolean engines : new boolean[] {true, false}) {
      SSLContext jdk = context(false, Identities.keys("EC"));
      com.sun.net.httpserver.HttpsServer server = com.sun.net.httpserver.HttpsServer.create(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
      server.setHttpsConfigurator(new com.sun.net.httpserver.HttpsConfigurator(jdk));
      server.setExecutor(THREADS);
      server.createContext("/", exchange -> {
        byte[] body = bytes(50_000);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
      });
      server.start();
      try {
        for (int i = 0; i < 3; i++) {
          SSLSocketFactory factory = context(true, null).getSocketFactory();
          Conscrypt.setUseEngineSocket(factory, engines);
          HttpsURLConnection connection =
              (HttpsURLConnection) new URL("https://localhost:" + server.getAddress().getPort() + "/").openConnection();
          connection.setSSLSocketFactory(factory);
          connection.setConnectTimeout(SECONDS * 1000);
          connection.setReadTimeout(SECONDS * 1000);
          results.add(connection.getResponseCode() + " " + Arrays.equals(bytes(50_000), connection.getInputStream().readAllBytes())
              + " " + connection.getCipherSuite());
        }
      } finally {
        server.stop(0);
      }
      // And the other way round: a server of Conscrypt's, the JDK's client.
      Setting setting = new Setting();
      setting.engines = engines;
      try (SSLServerSocket listener = listen(context(true, Identities.keys("RSA")), setting)) {
        Future<?> served = THREADS.submit(() -> {
          try (Socket socket = listener.accept()) {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
              head.append((char) socket.getInputStream().read());
            }
            byte[] body = bytes(50_000);
            socket.getOutputStream().write(
                Fixtures.ascii("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n"));
            socket.getOutputStream().write(body);
          }
          return null;
        });
        HttpsURLConnection connection =
            (HttpsURLConnection) new URL("https://localhost:" + listener.getLocalPort() + "/").openConnection();
        connection.setSSLSocketFactory(context(false, null).getSocketFactory());
        connection.setReadTimeout(SECONDS * 1000);
        results.add(connection.getResponseCode() + " " + Arrays.equals(bytes(50_000), connection.getInputStream().readAllBytes()));
        served.get(SECONDS, TimeUnit.SECONDS);
      }
    }
    return results;
  }

  private static boolean isReused(SSLSocket socket) throws Exception {
    Object holder = socket;
    if (socket.getClass().getSimpleName().contains("Engine")) {
      holder = field(socket, "engine");
    }
    NativeSsl ssl = (NativeSsl) field(holder, "ssl");
    return NativeCrypto.SSL_session_reused((Long) field(ssl, "ssl"), ssl);
  }

  private static Object field(Object object, String name) throws Exception {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field.get(object);
        }
      }
    }
    throw new NoSuchFieldException(name);
  }

  public static Object resumption() throws Exception {
    return everywhere(setting -> {
      if (!setting.clientIsConscrypt) {
        return null;
      }
      Map<String, byte[]> kept = new ConcurrentHashMap<>();
      SSLClientSessionCache cache = new SSLClientSessionCache() {
        @Override
        public byte[] getSessionData(String host, int port) {
          return kept.get(host);
        }

        @Override
        public void putSessionData(SSLSession session, byte[] data) {
          kept.put(session.getPeerHost(), data);
        }
      };
      SSLContext server = context(setting.serverIsConscrypt, Identities.keys(setting.serverKey));
      List<Object> results = new ArrayList<>();
      try (SSLServerSocket listener = listen(server, setting)) {
        SSLContext client = context(true, null);
        Conscrypt.setClientSessionCache(client, cache);
        for (int i = 0; i < 4; i++) {
          if (i == 2) {
            // What was kept is all that a new context knows.
            client = context(true, null);
            Conscrypt.setClientSessionCache(client, cache);
          }
          Future<Object> served = THREADS.submit(() -> serve((SSLSocket) listener.accept(), setting));
          SSLSocket socket = connect(client, setting, listener.getLocalPort());
          Conscrypt.setUseSessionTickets(socket, true);
          Conscrypt.setHostname(socket, "localhost");
          socket.startHandshake();
          socket.getOutputStream().write(new byte[] {1, 0, 0, 0, 1, 7});
          results.add(socket.getInputStream().read());
          results.add(isReused(socket));
          socket.close();
          served.get(SECONDS, TimeUnit.SECONDS);
        }
        results.add(kept.keySet());
      }
      return results;
    });
  }

  @SuppressWarnings("deprecation")
  public static Object preSharedKeys() throws Exception {
    List<Object> results = new ArrayList<>();
    for (boolean engines : new boolean[] {true, false}) {
      for (byte[] key : new byte[][] {bytes(16), bytes(17)}) {
        Setting setting = new Setting().with("TLSv1.2", true, true, engines);
        SSLContext server = SSLContext.getInstance("TLS", CONSCRYPT);
        server.init(new KeyManager[] {new Psk(bytes(16))}, trust(true), null);
        SSLContext client = SSLContext.getInstance("TLS", CONSCRYPT);
        client.init(new KeyManager[] {new Psk(key)}, trust(true), null);
        String[] suites = {"TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA"};
        try (SSLServerSocket listener = listen(server, setting)) {
          listener.setEnabledCipherSuites(suites);
          Future<Object> served = THREADS.submit(() -> serve((SSLSocket) listener.accept(), setting));
          SSLSocket socket = connect(client, setting, listener.getLocalPort());
          socket.setEnabledCipherSuites(suites);
          results.add(attempt(() -> talk(socket, 10)) + " / " + attempt(() -> served.get(SECONDS, TimeUnit.SECONDS)));
        }
      }
    }
    return results;
  }

  @SuppressWarnings("deprecation")
  private record Psk(byte[] key) implements PSKKeyManager {
    @Override
    public String chooseServerKeyIdentityHint(Socket socket) {
      return "hint";
    }

    @Override
    public String chooseServerKeyIdentityHint(SSLEngine engine) {
      return "hint";
    }

    @Override
    public String chooseClientKeyIdentity(String hint, Socket socket) {
      return "for " + hint;
    }

    @Override
    public String chooseClientKeyIdentity(String hint, SSLEngine engine) {
      return "for " + hint;
    }

    @Override
    public SecretKey getKey(String hint, String identity, Socket socket) {
      return identity.equals("for hint") ? new SecretKeySpec(key, "RAW") : null;
    }

    @Override
    public SecretKey getKey(String hint, String identity, SSLEngine engine) {
      // A callback may ask the engine that calls it.
      return engine.getSession().getProtocol() != null && identity.equals("for hint") ? new SecretKeySpec(key, "RAW") : null;
    }
  }

  /** A server of the JDK that asks for new handshakes, each time when the one before is complete, and then says so. */
  static Object renegotiating(SSLSocket socket, int times, boolean asksForCertificate) throws Exception {
    List<String> handshakes = java.util.Collections.synchronizedList(new ArrayList<>());
    List<byte[]> sessions = java.util.Collections.synchronizedList(new ArrayList<>());
    try (socket) {
      socket.setSoTimeout(SECONDS * 1000);
      socket.setTcpNoDelay(true);
      socket.addHandshakeCompletedListener(event -> {
        handshakes.add(event.getCipherSuite() + " " + attempt(event::getPeerPrincipal));
        sessions.add(event.getSession().getId());
        socket.setNeedClientAuth(asksForCertificate);
        String next = attempt(() -> {
          if (handshakes.size() > times) {
            socket.getOutputStream().write('C');
          } else {
            socket.startHandshake();
          }
        });
        if (!next.equals("done")) {
          handshakes.add(next);
        }
      });
      int first = socket.getInputStream().read();
      int second = socket.getInputStream().read();
      socket.getOutputStream().write('B');
      return Arrays.asList(first, second, handshakes, sessions.stream().map(Arrays::hashCode).distinct().count());
    }
  }

  public static Object renegotiation() throws Exception {
    List<Object> results = new ArrayList<>();
    for (boolean engines : new boolean[] {true, false}) {
      for (int times : new int[] {1, 5}) {
        for (String key : new String[] {null, "EC", "RSA"}) {
          Setting setting = new Setting().with("TLSv1.2", true, false, engines);
          SSLContext client = context(true, key == null ? null : Identities.keys(key));
          try (SSLServerSocket listener = listen(context(false, Identities.keys("EC")), setting)) {
            Future<Object> served =
                THREADS.submit(() -> renegotiating((SSLSocket) listener.accept(), times, key != null));
            results.add(attempt(() -> {
              try (SSLSocket socket = connect(client, setting, listener.getLocalPort())) {
                socket.getOutputStream().write('a');
                int told = socket.getInputStream().read();
                socket.getOutputStream().write('b');
                return told + " " + socket.getInputStream().read() + " " + facts(socket);
              }
            }));
            results.add(attempt(() -> served.get(SECONDS, TimeUnit.SECONDS)));
          }
        }
      }
    }
    return results;
  }

  /** A client of the JDK that wants a new handshake, which BoringSSL's server does not give. */
  public static Object refusedRenegotiation() throws Exception {
    List<Object> results = new ArrayList<>();
    for (boolean engines : new boolean[] {true, false}) {
      Setting setting = new Setting().with("TLSv1.2", false, true, engines);
      try (SSLServerSocket listener = listen(context(true, Identities.keys("EC")), setting)) {
        Future<Object> served = THREADS.submit(() -> serve((SSLSocket) listener.accept(), setting));
        try (SSLSocket socket = connect(context(false, null), setting, listener.getLocalPort())) {
          DataOutputStream out = new DataOutputStream(socket.getOutputStream());
          out.write(1);
          out.writeInt(1);
          out.write(7);
          results.add(socket.getInputStream().read());
          results.add(attempt(() -> {
            socket.startHandshake();
            return socket.getInputStream().read();
          }));
        }
        results.add(attempt(() -> served.get(SECONDS, TimeUnit.SECONDS)));
      }
    }
    return results;
  }

  public static Object channelBindings() throws Exception {
    List<Object> results = new ArrayList<>();
    for (boolean engines : new boolean[] {true, false}) {
      for (String protocol : PROTOCOLS) {
        Setting setting = new Setting().with(protocol, true, true, engines);
        try (SSLServerSocket listener = listen(context(true, Identities.keys("EC")), setting)) {
          Future<SSLSocket> served = THREADS.submit(() -> {
            SSLSocket socket = (SSLSocket) listener.accept();
            socket.startHandshake();
            return socket;
          });
          try (SSLSocket client = connect(context(true, null), setting, listener.getLocalPort())) {
            client.startHandshake();
            try (SSLSocket server = served.get(SECONDS, TimeUnit.SECONDS)) {
              results.add(Arrays.equals(Conscrypt.getTlsUnique(client), Conscrypt.getTlsUnique(server)));
              results.add(Arrays.equals(Conscrypt.exportKeyingMaterial(client, "label", bytes(3), 30),
                  Conscrypt.exportKeyingMaterial(server, "label", bytes(3), 30)));
            }
          }
        }
      }
    }
    return results;
  }

  public static Object timeouts() throws Exception {
    List<Object> results = new ArrayList<>();
    for (boolean engines : new boolean[] {true, false}) {
      Setting setting = new Setting();
      setting.engines = engines;
      // A peer that says nothing.
      try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
          SSLSocket socket = connect(context(true, null), setting, silent.getLocalPort())) {
        socket.setSoTimeout(200);
        results.add(attempt(socket::startHandshake));
      }
      try (SSLServerSocket listener = listen(context(true, Identities.keys("EC")), setting)) {
        Future<SSLSocket> served = THREADS.submit(() -> {
          SSLSocket socket = (SSLSocket) listener.accept();
          socket.startHandshake();
          return socket;
        });
        SSLSocket client = connect(context(true, null), setting, listener.getLocalPort());
        client.startHandshake();
        SSLSocket server = served.get(SECONDS, TimeUnit.SECONDS);
        client.setSoTimeout(150);
        results.add(attempt(() -> client.getInputStream().read()));
        server.getOutputStream().write(5);
        client.setSoTimeout(SECONDS * 1000);
        results.add(attempt(() -> client.getInputStream().read()));
        // Closed while a thread reads.
        Future<String> reading = THREADS.submit(() -> attempt(() -> client.getInputStream().read()));
        Thread.sleep(200);
        client.close();
        results.add(reading.get(SECONDS, TimeUnit.SECONDS).startsWith("throws java.net.SocketException"));
        results.add(attempt(() -> client.getOutputStream().write(1)));
        results.add(attempt(() -> server.getInputStream().read()));
        server.close();
      }
      // The connection ends without close_notify, and in the handshake.
      try (ServerSocket rude = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
          SSLSocket socket = connect(context(true, null), setting, rude.getLocalPort())) {
        rude.accept().close();
        results.add(attempt(socket::startHandshake).startsWith("throws javax.net.ssl.SSL"));
      }
    }
    return results;
  }

  public static Object distrust() throws Exception {
    return everywhere(setting -> {
      if (!setting.clientIsConscrypt) {
        return null;
      }
      SSLContext client = SSLContext.getInstance("TLS", CONSCRYPT);
      client.init(null, new javax.net.ssl.TrustManager[] {new javax.net.ssl.X509TrustManager() {
        @Override
        public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String method) {}

        @Override
        public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String method)
            throws java.security.cert.CertificateException {
          throw new java.security.cert.CertificateException("not trusted");
        }

        @Override
        public java.security.cert.X509Certificate[] getAcceptedIssuers() {
          return new java.security.cert.X509Certificate[0];
        }
      }}, null);
      SSLContext server = context(setting.serverIsConscrypt, Identities.keys("EC"));
      try (SSLServerSocket listener = listen(server, setting)) {
        Future<Object> served = THREADS.submit(() -> serve((SSLSocket) listener.accept(), setting));
        String said = attempt(() -> talk(connect(client, setting, listener.getLocalPort()), 5));
        return said + attempt(() -> served.get(SECONDS, TimeUnit.SECONDS)).startsWith("throws");
      }
    });
  }
}
