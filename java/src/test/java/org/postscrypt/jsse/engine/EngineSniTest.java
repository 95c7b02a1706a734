package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.DelegatingKeyManager;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** Server name indication (RFC 6066 section 3). */
class EngineSniTest {
  private static List<SNIServerName> requested(EnginePump pump) {
    return ((ExtendedSSLSession) pump.server().engine().getSession()).getRequestedServerNames();
  }

  private static Consumer<SSLEngine> names(String... names) {
    List<SNIServerName> list = new ArrayList<>();
    for (String name : names) {
      list.add(new SNIHostName(name));
    }
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setServerNames(list);
      engine.setSSLParameters(parameters);
    };
  }

  private static Consumer<SSLEngine> matcher(String regex) {
    return engine -> {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher(regex)));
      engine.setSSLParameters(parameters);
    };
  }

  @EachVersion
  void peerHostIsRequested(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    assertEquals(List.of(new SNIHostName(TestPki.HOST)), requested(pump));
  }

  @EachVersion
  void explicitNameReplacesThePeerHost(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(names("explicit.example.com")).open();
    pump.handshake();
    assertEquals(List.of(new SNIHostName("explicit.example.com")), requested(pump));
  }

  @EachVersion
  void emptyListRequestsNothing(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(names()).open();
    pump.handshake();
    assertTrue(requested(pump).isEmpty());
  }

  @EachVersion
  void addressesAreNotRequested(TlsCase c) throws Exception {
    for (String address : new String[] {"127.0.0.1", "::1", null}) {
      EnginePump pump = c.engines().peer(address, EngineSetup.PORT).open();
      pump.handshake();
      assertTrue(requested(pump).isEmpty(), address);
    }
  }

  @EachVersion
  void matcherAccepts(TlsCase c) throws Exception {
    EnginePump pump = c.engines().server(matcher("www\\.example\\.(org|com)")).open();
    pump.handshake();
    assertEquals(List.of(new SNIHostName(TestPki.HOST)), requested(pump));
  }

  @EachVersion
  void matcherRefuses(TlsCase c) throws Exception {
    EnginePump pump = c.engines().server(matcher("www\\.example\\.com")).open();
    pump.failHandshake();
    assertInstanceOf(SSLHandshakeException.class, pump.server().failure());
    assertInstanceOf(SSLException.class, pump.client().failure());
    Alerts.assertNames(pump.client().failure(), "unrecognized_name");
  }

  @EachVersion
  void matcherDoesNotMindAClientWithoutName(TlsCase c) throws Exception {
    EnginePump pump = c.engines().client(names()).server(matcher("www\\.example\\.com")).open();
    pump.handshake();
    assertTrue(requested(pump).isEmpty());
  }

  @EachVersion
  void matcherIsCalledWithTheName(TlsCase c) throws Exception {
    List<SNIServerName> seen = new ArrayList<>();
    SNIMatcher recording = new SNIMatcher(0) {
      @Override
      public boolean matches(SNIServerName name) {
        seen.add(name);
        return true;
      }
    };
    EnginePump pump = c.engines()
        .server(engine -> {
          SSLParameters parameters = engine.getSSLParameters();
          parameters.setSNIMatchers(List.of(recording));
          engine.setSSLParameters(parameters);
        })
        .open();
    pump.handshake();
    assertFalse(seen.isEmpty());
    for (SNIServerName name : seen) {
      assertEquals(0, name.getType());
      assertEquals(new SNIHostName(TestPki.HOST), new SNIHostName(name.getEncoded()));
    }
  }

  /** A key manager that looks at the handshake session's names and chooses between two certificates. */
  @EachVersion
  void keyManagerChoosesByName(TlsCase c) throws Exception {
    DelegatingKeyManager right = new DelegatingKeyManager(TestPki.server(c.key()));
    DelegatingKeyManager other = new DelegatingKeyManager(TestPki.wrongName());
    List<List<SNIServerName>> seen = new ArrayList<>();
    DelegatingKeyManager choosing = new DelegatingKeyManager(TestPki.server(c.key()), TestPki.wrongName()) {
      @Override
      public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        List<SNIServerName> names = ((ExtendedSSLSession) engine.getHandshakeSession()).getRequestedServerNames();
        seen.add(names);
        String wanted = names.equals(List.of(new SNIHostName(TestPki.OTHER_HOST))) ? "CN=other" : "CN=server";
        String[] aliases = getServerAliases(keyType, issuers);
        if (aliases != null) {
          for (String alias : aliases) {
            if (getCertificateChain(alias)[0].getSubjectX500Principal().getName().equals(wanted)) {
              return alias;
            }
          }
        }
        return null;
      }
    };
    for (String host : new String[] {TestPki.HOST, TestPki.OTHER_HOST}) {
      EnginePump pump = c.engines().serverKeys(choosing).peer(host, EngineSetup.PORT).open();
      pump.handshake();
      assertEquals(
          (host.equals(TestPki.HOST) ? right : other).identity().certificate(),
          pump.client().engine().getSession().getPeerCertificates()[0]);
      assertEquals(List.of(new SNIHostName(host)), seen.get(seen.size() - 1));
    }
  }
}
