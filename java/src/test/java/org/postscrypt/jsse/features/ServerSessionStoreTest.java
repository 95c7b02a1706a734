package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.newContext;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** Sessions that a server keeps elsewhere. */
class ServerSessionStoreTest {
  /** In memory, by id. */
  private static class ServerStore implements ServerSessionStore {
    private final Map<ByteBuffer, byte[]> kept = new HashMap<>();
    private int asked;

    @Override
    public byte[] get(byte[] id) {
      asked++;
      return kept.get(ByteBuffer.wrap(id));
    }

    @Override
    public void put(SSLSession session, byte[] data) {
      kept.put(ByteBuffer.wrap(session.getId()), data);
    }
  }

  private static boolean resumed(SSLContext client, SSLContext server, Consumer<SSLEngine> settings) throws Exception {
    EnginePump pump = engines(Tls.V12).peer(TestPki.HOST, 443).server(settings).open(client, server);
    connected(pump);
    assertEquals(session(pump.client()).isResumed(), session(pump.server()).isResumed());
    return session(pump.server()).isResumed();
  }

  @Test
  void aServersStoredSessionsAreResumedByOthers() throws Exception {
    ServerStore store = new ServerStore();
    Consumer<SSLEngine> settings = with(p -> {
      p.setSessionTickets(false);
      p.setServerSessionStore(store);
    });
    SSLContext client = newContext();
    assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), settings));
    assertEquals(1, store.kept.size());
    assertEquals(0, store.asked, "the client offered none");
    SSLContext other = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    assertTrue(resumed(client, other, settings));
    assertEquals(1, store.asked);
    assertTrue(resumed(client, other, settings));
    assertEquals(1, store.asked, "it is known by now");
    assertEquals(1, store.kept.size());

    Consumer<SSLEngine> changed = settings.andThen(e -> e.setWantClientAuth(true));
    assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), changed), "other rules");
  }

  @Test
  void aServersStoreKnowsTheClientsChain() throws Exception {
    ServerStore store = new ServerStore();
    SSLContext client = newContext(TestPki.keyManagers(TestPki.client(KeyType.EC)));
    for (int i = 0; i < 2; i++) {
      EnginePump pump = engines(Tls.V12).peer(TestPki.HOST, 443)
          .server(with(p -> {
            p.setNeedClientAuth(true);
            p.setSessionTickets(false);
            p.setServerSessionStore(store);
          }))
          .open(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))));
      connected(pump);
      assertEquals(i == 1, session(pump.server()).isResumed());
      assertEquals(TestPki.client(KeyType.EC).certificate(), session(pump.server()).getPeerCertificates()[0]);
    }
  }

  @Test
  void whatAServersStoreAnswersWronglyCostsAFullHandshake() throws Exception {
    for (byte[] data : new byte[][] {null, {}, {1, 2, 3}, {'P', 'S', 'S', 1}, {'P', 'S', 'S', 1, 0x30, 0x10, 2}, new byte[5000]}) {
      ServerStore store = new ServerStore() {
        @Override
        public byte[] get(byte[] id) {
          super.get(id);
          if (data != null && data.length == 3) {
            throw new IllegalStateException("out of order");
          }
          return data;
        }
      };
      Consumer<SSLEngine> settings = with(p -> {
        p.setSessionTickets(false);
        p.setServerSessionStore(store);
      });
      SSLContext client = newContext();
      assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), settings));
      assertFalse(resumed(client, newContext(TestPki.keyManagers(TestPki.server(KeyType.EC))), settings));
      assertEquals(1, store.asked);
      assertEquals(2, store.kept.size());
    }
  }

  @Test
  void ticketsAreNotStored() throws Exception {
    ServerStore store = new ServerStore();
    SSLContext client = newContext();
    SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
    assertFalse(resumed(client, server, with(p -> p.setServerSessionStore(store))));
    assertTrue(resumed(client, server, with(p -> p.setServerSessionStore(store))));
    assertEquals(0, store.kept.size());
  }
}
