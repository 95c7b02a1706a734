package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.connected;
import static org.postscrypt.jsse.features.OurEngines.engines;
import static org.postscrypt.jsse.features.OurEngines.newContext;
import static org.postscrypt.jsse.features.OurEngines.session;
import static org.postscrypt.jsse.features.OurEngines.with;

import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;

/** Session tickets: keys that servers share, and none. */
class SessionTicketsTest {
  private static byte[] ticketKey(int value) {
    byte[] key = new byte[48];
    Arrays.fill(key, (byte) value);
    return key;
  }

  private static boolean resumes(Tls version, SSLContext client, SSLContext server, List<byte[]> ticketKeys)
      throws Exception {
    EnginePump pump = engines(version).peer(TestPki.HOST, 443)
        .server(with(p -> p.setSessionTicketKeys(ticketKeys))).open(client, server);
    connected(pump);
    assertEquals(session(pump.client()).isResumed(), session(pump.server()).isResumed());
    return session(pump.client()).isResumed();
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  void serversThatShareTicketKeysResumeEachOthersSessions(Tls version) throws Exception {
    KeyManager[] keys = TestPki.keyManagers(TestPki.server(KeyType.EC));
    SSLContext client = newContext();
    assertFalse(resumes(version, client, newContext(keys), List.of(ticketKey(1))));
    assertTrue(resumes(version, client, newContext(keys), List.of(ticketKey(1))), "another server, the same key");
    assertTrue(resumes(version, client, newContext(keys), List.of(ticketKey(2), ticketKey(1))), "rotated, the old one opens");
    assertTrue(resumes(version, client, newContext(keys), List.of(ticketKey(2))), "the ticket was renewed under the new one");
    assertFalse(resumes(version, client, newContext(keys), List.of(ticketKey(3))), "a stranger's key");
    assertFalse(resumes(version, client, newContext(keys), List.of()), "keys of its own");
  }

  @Test
  void withoutTicketsTls12ResumesByIdAndATls13ServerNot() throws Exception {
    for (Tls version : Tls.values()) {
      SSLContext client = newContext();
      SSLContext server = newContext(TestPki.keyManagers(TestPki.server(KeyType.EC)));
      for (int i = 0; i < 2; i++) {
        EnginePump pump = engines(version).peer(TestPki.HOST, 443)
            .client(with(p -> p.setSessionTickets(false))).server(with(p -> p.setSessionTickets(false)))
            .open(client, server);
        connected(pump);
        assertEquals(i == 1 && version == Tls.V12, session(pump.client()).isResumed());
      }
    }
  }
}
