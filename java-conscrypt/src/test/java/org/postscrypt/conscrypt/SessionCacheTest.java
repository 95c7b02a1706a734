package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509TrustManager;
import org.conscrypt.Conscrypt;
import org.conscrypt.SSLClientSessionCache;
import org.conscrypt.SSLServerSessionCache;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions in a cache of the application. Runs over the original as well, but for what that does not do. */
class SessionCacheTest {
  private final Provider provider = Conscrypt.newProvider();

  /** A cache in memory. */
  private static final class Cache implements SSLClientSessionCache {
    final Map<String, byte[]> data = new ConcurrentHashMap<>();
    final AtomicInteger gets = new AtomicInteger();
    final AtomicInteger hits = new AtomicInteger();

    @Override
    public byte[] getSessionData(String host, int port) {
      gets.incrementAndGet();
      byte[] found = data.get(host + ":" + port);
      if (found != null) {
        hits.incrementAndGet();
      }
      return found;
    }

    @Override
    public void putSessionData(SSLSession session, byte[] sessionData) {
      data.put(session.getPeerHost() + ":" + session.getPeerPort(), sessionData);
    }
  }

  private Engines connect(SSLContext client, SSLContext server, String protocol) throws Exception {
    Engines e = Engines.of(client, server).speaking(protocol);
    Conscrypt.setUseSessionTickets(e.client, true);
    e.handshake();
    e.exchange();
    e.drain();
    return e;
  }

  private SSLContext client(SSLClientSessionCache cache) throws Exception {
    SSLContext context = Pki.client(provider);
    Conscrypt.setClientSessionCache(context, cache);
    return context;
  }

  @Test
  void sessionsOutliveTheirContext() throws Exception {
    sessionsOutliveTheirContext("TLSv1.2");
  }

  /** The original keeps none of TLS 1.3. */
  @Tag("facade")
  @Test
  void sessionsOutliveTheirContextOfTls13() throws Exception {
    sessionsOutliveTheirContext("TLSv1.3");
  }

  private void sessionsOutliveTheirContext(String protocol) throws Exception {
    SSLContext server = Pki.server(provider);
    Cache cache = new Cache();
    Engines first = connect(client(cache), server, protocol);
    assertNotNull(cache.data.get("example.com:443"));
    Engines second = connect(client(cache), server, protocol);
    assertEquals(1, cache.hits.get());
    // A resumed session is as old as the first one's; the server knows it, too.
    assertEquals(first.client.getSession().getPeerCertificates()[0], second.client.getSession().getPeerCertificates()[0]);
    assertEquals(
        first.client.getSession().getCreationTime() / 1000, second.client.getSession().getCreationTime() / 1000, 1.0);
  }

  @Test
  void cachesAreOfContexts() throws Exception {
    SSLContext other = SSLContext.getInstance("TLS", "SunJSSE");
    other.init(null, null, null);
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setClientSessionCache(other, new Cache()));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setServerSessionCache(other, null));
    Cache cache = new Cache();
    SSLContext context = client(cache);
    Conscrypt.setClientSessionCache(context, null);
    connect(context, Pki.server(provider), "TLSv1.3");
    assertTrue(cache.data.isEmpty());
  }

  @Test
  void nonsenseInTheCacheIsNoSession() throws Exception {
    nonsenseInTheCacheIsNoSession("TLSv1.2");
  }

  /** The original keeps none of TLS 1.3. */
  @Tag("facade")
  @Test
  void nonsenseInTheCacheIsNoSessionOfTls13() throws Exception {
    nonsenseInTheCacheIsNoSession("TLSv1.3");
  }

  private void nonsenseInTheCacheIsNoSession(String protocol) throws Exception {
    SSLContext server = Pki.server(provider);
    Cache cache = new Cache();
    connect(client(cache), server, protocol);
    byte[] good = cache.data.get("example.com:443");
    for (int cut : new int[] {0, 3, 10, good.length - 1}) {
      cache.data.put("example.com:443", java.util.Arrays.copyOf(good, cut));
      connect(client(cache), server, protocol);
    }
    byte[] changed = good.clone();
    for (int i = 0; i < changed.length; i++) {
      changed[i] ^= 0x55;
    }
    cache.data.put("example.com:443", changed);
    connect(client(cache), server, protocol);
  }

  /** A server's cache in memory. */
  private static final class ServerCache implements SSLServerSessionCache {
    final Map<ByteBuffer, byte[]> data = new ConcurrentHashMap<>();
    final AtomicInteger gets = new AtomicInteger();
    volatile byte[] answer;

    @Override
    public byte[] getSessionData(byte[] id) {
      gets.incrementAndGet();
      return answer != null ? answer : data.get(ByteBuffer.wrap(id));
    }

    @Override
    public void putSessionData(SSLSession session, byte[] sessionData) {
      assertEquals("TLSv1.2", session.getProtocol());
      data.put(ByteBuffer.wrap(session.getId()), sessionData);
    }
  }

  private SSLContext server(SSLServerSessionCache cache) throws Exception {
    SSLContext context = Pki.server(provider);
    Conscrypt.setServerSessionCache(context, cache);
    return context;
  }

  private static boolean sameSession(Engines one, Engines other) {
    return java.util.Arrays.equals(one.client.getSession().getId(), other.client.getSession().getId());
  }

  private static Engines handshake(SSLContext client, SSLContext server, String protocol) throws Exception {
    Engines e = Engines.of(client, server).speaking(protocol).handshake();
    e.exchange();
    e.drain();
    return e;
  }

  /** Whatever it answers, connections with a cache work. The original never gets to put anything into it. */
  @Test
  void serversWithACacheWork() throws Exception {
    for (byte[] answer : new byte[][] {null, {}, {1, 2, 3}}) {
      ServerCache cache = new ServerCache();
      cache.answer = answer;
      SSLContext client = Pki.client(provider);
      SSLContext server = server(cache);
      Engines first = handshake(client, server, "TLSv1.2");
      assertTrue(sameSession(first, handshake(client, server, "TLSv1.2")), "the context knows it");
      Engines other = handshake(client, server(cache), "TLSv1.2");
      if (answer != null) {
        assertFalse(sameSession(first, other), "nonsense is no session");
      }
      handshake(client, server, "TLSv1.3");
      Conscrypt.setServerSessionCache(server, null);
      handshake(client, server, "TLSv1.2");
    }
  }

  @Tag("facade")
  @Test
  void serversResumeFromTheCacheOfOthers() throws Exception {
    ServerCache cache = new ServerCache();
    SSLContext client = Pki.client(provider);
    Engines first = handshake(client, server(cache), "TLSv1.2");
    assertEquals(1, cache.data.size());
    assertTrue(cache.data.containsKey(ByteBuffer.wrap(first.client.getSession().getId())));
    assertEquals(0, cache.gets.get());
    Engines second = handshake(client, server(cache), "TLSv1.2");
    assertEquals(1, cache.gets.get());
    assertTrue(sameSession(first, second));
    assertTrue(((org.postscrypt.PostscryptSession) second.server.getSession()).isResumed());
    handshake(client, server(cache), "TLSv1.3");
    assertEquals(1, cache.data.size(), "TLS 1.3 has no session ids");
    cache.answer = new byte[100];
    assertFalse(sameSession(first, handshake(client, server(cache), "TLSv1.2")), "nonsense is no session");
    assertFalse(sameSession(first, handshake(client, server(null), "TLSv1.2")));
  }

  @Tag("facade")
  @Test
  void serverSocketsResumeFromTheCache() throws Exception {
    ServerCache cache = new ServerCache();
    SSLContext client = Pki.client(provider);
    byte[][] ids = new byte[2][];
    for (int i = 0; i < 2; i++) {
      try (SSLServerSocket listener =
          (SSLServerSocket) server(cache).getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        listener.setEnabledProtocols(new String[] {"TLSv1.2"});
        Thread accepting = Loopback.echo(listener);
        // One peer to the client, whatever the port.
        try (Socket plain = new Socket(listener.getInetAddress(), listener.getLocalPort());
            SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket(plain, "example.com", 443, true)) {
          socket.setSoTimeout(30_000);
          // A client of TLS 1.3 makes up a session id for its hello.
          socket.setEnabledProtocols(new String[] {"TLSv1.2"});
          socket.getOutputStream().write(5);
          assertEquals(5, socket.getInputStream().read());
          ids[i] = socket.getSession().getId();
        }
        accepting.join(30_000);
      }
    }
    assertEquals(1, cache.gets.get());
    assertArrayEquals(ids[0], ids[1]);
  }

  /** Counts its checks, and refuses when told. */
  private static final class Strict implements X509TrustManager {
    final AtomicInteger checks = new AtomicInteger();
    volatile boolean refuse;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      checks.incrementAndGet();
      if (refuse) {
        throw new CertificateException("no longer trusted");
      }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** The original resumes without asking again. */
  @Tag("facade")
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void chainsFromTheCacheAreVerifiedAgain(String protocol) throws Exception {
    SSLContext server = Pki.server(provider);
    Cache cache = new Cache();
    Strict first = new Strict();
    SSLContext context = Pki.context(provider, "TLS", (KeyStore) null, first);
    Conscrypt.setClientSessionCache(context, cache);
    connect(context, server, protocol);
    assertEquals(1, first.checks.get());
    byte[] kept = cache.data.get("example.com:443");

    Strict second = new Strict();
    SSLContext later = Pki.context(provider, "TLS", (KeyStore) null, second);
    Conscrypt.setClientSessionCache(later, cache);
    Engines e = connect(later, server, protocol);
    assertEquals(1, second.checks.get(), "asked, though resumed");
    assertTrue(((org.postscrypt.PostscryptSession) e.client.getSession()).isResumed());

    Strict third = new Strict();
    third.refuse = true;
    cache.data.put("example.com:443", kept);
    SSLContext distrustful = Pki.context(provider, "TLS", (KeyStore) null, third);
    Conscrypt.setClientSessionCache(distrustful, cache);
    assertThrows(SSLException.class, () -> connect(distrustful, server, protocol));
    assertEquals(1, third.checks.get());
  }

  @Tag("facade")
  @Test
  void otherPeersSessionsAreNotOffered() throws Exception {
    SSLContext server = Pki.server(provider);
    Cache cache = new Cache();
    connect(client(cache), server, "TLSv1.3");
    Engines e = new Engines(client(cache).createSSLEngine("www.example.org", 443), server.createSSLEngine());
    e.handshake();
    assertEquals(2, cache.gets.get());
    assertEquals(0, cache.hits.get());
    assertNotEquals(true, ((org.postscrypt.PostscryptSession) e.client.getSession()).isResumed());
  }
}
