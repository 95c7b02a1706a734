package org.postscrypt.jsse.support;

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
  private String[] clientProtocols = {};
  private String[] serverProtocols = {};

  ContextSetup(TlsCase which) {
    this.which = which;
  }

  void serverIdentity(TestPki.Identity identity) {
    serverKeys = identity == null ? new KeyManager[0] : which.pairing().server().keyManagers(identity);
  }

  void clientIdentity(TestPki.Identity identity) {
    clientKeys = which.pairing().client().keyManagers(identity);
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

  void protocols(String[] client, String[] server) {
    clientProtocols = client;
    serverProtocols = server;
  }

  SSLContext client() {
    return which.pairing().client().context(true, clientKeys, clientTrust, clientProtocols);
  }

  SSLContext server() {
    if (serverKeys == null) {
      serverIdentity(TestPki.server(which.key()));
    }
    return which.pairing().server().context(false, serverKeys, serverTrust, serverProtocols);
  }
}
