package org.postscrypt.jsse.support;

import java.security.KeyManagementException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** The two contexts of a case: who trusts whom, with which keys. */
public final class ContextSetup {
  private final TlsCase which;
  private KeyManager[] clientKeys = new KeyManager[0];
  private KeyManager[] serverKeys;
  private TrustManager[] clientTrust = TestPki.trustManagers();
  private TrustManager[] serverTrust = TestPki.trustManagers();

  ContextSetup(TlsCase which) {
    this.which = which;
  }

  void serverIdentity(TestPki.Identity identity) {
    serverKeys = identity == null ? new KeyManager[0] : TestPki.keyManagers(identity);
  }

  void clientIdentity(TestPki.Identity identity) {
    clientKeys = TestPki.keyManagers(identity);
  }

  void serverKeys(KeyManager... managers) {
    serverKeys = managers;
  }

  void clientKeys(KeyManager... managers) {
    clientKeys = managers;
  }

  void clientTrust(TrustManager... managers) {
    clientTrust = managers;
  }

  void serverTrust(TrustManager... managers) {
    serverTrust = managers;
  }

  SSLContext client() {
    return context(which.pairing().client(), clientKeys, clientTrust);
  }

  SSLContext server() {
    if (serverKeys == null) {
      serverKeys = TestPki.keyManagers(TestPki.server(which.key()));
    }
    return context(which.pairing().server(), serverKeys, serverTrust);
  }

  private static SSLContext context(Peer peer, KeyManager[] keys, TrustManager[] trust) {
    try {
      SSLContext context = peer.newContext();
      context.init(keys, trust, null);
      return context;
    } catch (KeyManagementException e) {
      throw new IllegalStateException(e);
    }
  }
}
