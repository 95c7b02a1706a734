package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.newContext;
import static org.postscrypt.jsse.features.OurEngines.pair;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.KeyLog;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.SessionStore;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** Sessions that a client keeps elsewhere; and stores, and key logs, that fail. */
class SessionStoreTest {
  /** In memory. */
  static final class Store implements SessionStore {
    private final Map<String, byte[]> kept = new HashMap<>();
    private int asked;

    @Override
    public byte[] get(String host, int port) {
      asked++;
      return kept.get(host + ":" + port);
    }

    @Override
    public void put(SSLSession session, byte[] data) {
      kept.put(session.getPeerHost() + ":" + session.getPeerPort(), data);
    }
  }

  /** Counts how often a server is checked. */
  private static final class Counting implements X509TrustManager {
    private int checks;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      checks++;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void storedSessionsAreResumedInAnotherContextAndVerifiedAgain(Tls version) throws Exception {
    SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    Store store = new Store();
    for (int i = 0; i < 3; i++) {
      Counting counting = new Counting();
      SSLContext client = Peer.POSTSCRYPT.newContext();
      client.init(null, new TrustManager[] {counting}, null);
      EnginePump pump = engines(version).peer(TestPki.HOST, 443)
          .client(with(p -> p.setSessionStore(store))).open(client, server);
      connected(pump);
      assertEquals(i > 0, session(pump.client()).isResumed());
      assertEquals(1, counting.checks, "resumed or not");
      assertEquals(i + 1, store.asked);
      assertEquals(TestPki.server(KeyType.EC).certificate(), session(pump.client()).getPeerCertificates()[0]);
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void damagedSessionsAreNotOffered(Tls version) throws Exception {
    SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    Store store = new Store();
    for (byte[] data : new byte[][] {{}, {1, 2, 3}, {'P', 'S', 'S', 1}, {'P', 'S', 'S', 1, 0x30, 0x10, 2}, new byte[5000]}) {
      store.kept.put(TestPki.HOST + ":443", data);
      EnginePump pump = engines(version).peer(TestPki.HOST, 443)
          .client(with(p -> p.setSessionStore(store))).open(newContext(), server);
      connected(pump);
      assertFalse(session(pump.client()).isResumed());
    }
  }

  @Test
  void sessionsWithRawPublicKeysAreNotStored() throws Exception {
    KeyPair key = pair("EC", 256);
    Store store = new Store();
    EnginePump pump = engines(Tls.V13).serverKeys().peer(TestPki.HOST, 443)
        .client(with(p -> {
          p.setTrustedRawPublicKeys(List.of(key.getPublic()));
          p.setSessionStore(store);
        }))
        .server(with(p -> p.setRawKeyPair(key)))
        .open();
    connected(pump);
    assertEquals(0, store.kept.size());
  }

  /** Records have come and gone by the time that these are called. */
  @ParameterizedTest
  @EnumSource(Tls.class)
  void connectionsOutliveStoresAndKeyLogsThatFail(Tls version) throws Exception {
    List<String> called = new ArrayList<>();
    IllegalStateException failure = new IllegalStateException("out of order");
    SessionStore clients = new SessionStore() {
      @Override
      public byte[] get(String host, int port) {
        called.add("client's get");
        throw failure;
      }

      @Override
      public void put(SSLSession session, byte[] data) {
        called.add("client's put");
        throw failure;
      }
    };
    ServerSessionStore servers = new ServerSessionStore() {
      @Override
      public byte[] get(byte[] id) {
        called.add("server's get");
        throw failure;
      }

      @Override
      public void put(SSLSession session, byte[] data) {
        called.add("server's put");
        throw failure;
      }
    };
    KeyLog log = line -> {
      called.add("key log");
      throw failure;
    };
    SSLContext client = newContext();
    for (int i = 0; i < 2; i++) {
      EnginePump pump = engines(version).peer(TestPki.HOST, 443)
          .client(with(p -> {
            p.setSessionStore(clients);
            p.setKeyLog(log);
          }))
          .server(with(p -> {
            p.setSessionTickets(version == Tls.V13);
            p.setServerSessionStore(servers);
            p.setKeyLog(log);
          }))
          .open(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))));
      connected(pump);
    }
    assertTrue(called.containsAll(List.of("client's get", "client's put", "key log")), called.toString());
    assertEquals(version == Tls.V12, called.containsAll(List.of("server's get", "server's put")), called.toString());
  }
}
