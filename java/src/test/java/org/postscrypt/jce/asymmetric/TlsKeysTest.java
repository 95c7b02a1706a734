package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.TestPki;

/** Our key objects where TLS takes keys. */
class TlsKeysTest {
  private static final char[] PASSWORD = "password".toCharArray();

  /** A key that went through a PKCS #12 file, which the JDK reads, into our key factory. */
  private static PrivateKey throughKeyStore(TestPki.Identity identity) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    PrivateKey ours = (PrivateKey) KeyFactory.getInstance(identity.key().getAlgorithm(), OURS)
        .translateKey(identity.key());
    store.setKeyEntry("key", ours, PASSWORD, identity.chain().toArray(new Certificate[0]));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    store.store(file, PASSWORD);
    KeyStore read = KeyStore.getInstance("PKCS12");
    read.load(new ByteArrayInputStream(file.toByteArray()), PASSWORD);
    PrivateKey key = (PrivateKey) read.getKey("key", PASSWORD);
    assertEquals(ours, KeyFactory.getInstance(key.getAlgorithm(), OURS).translateKey(key));
    return (PrivateKey) KeyFactory.getInstance(key.getAlgorithm(), OURS).translateKey(key);
  }

  private static SSLContext context(PrivateKey key, TestPki.Identity identity) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS", OURS);
    context.init(new KeyManager[] {new One(key, identity)}, TestPki.trustManagers(), null);
    return context;
  }

  @Test
  void bothSidesAuthenticateWithOurKeys() throws Exception {
    for (KeyType type : KeyType.values()) {
      PrivateKey serverKey = throughKeyStore(TestPki.server(type));
      PrivateKey clientKey = throughKeyStore(TestPki.client(type));
      assertTrue(serverKey.getClass().getName().startsWith("org.postscrypt."), serverKey.getClass().getName());
      for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
        SSLEngine server = context(serverKey, TestPki.server(type)).createSSLEngine();
        SSLEngine client = context(clientKey, TestPki.client(type)).createSSLEngine(TestPki.HOST, 443);
        client.setUseClientMode(true);
        server.setUseClientMode(false);
        server.setNeedClientAuth(true);
        client.setEnabledProtocols(new String[] {protocol});
        handshake(client, server);
        assertEquals(protocol, client.getSession().getProtocol());
        assertArrayEquals(
            TestPki.server(type).certificate().getEncoded(), client.getSession().getPeerCertificates()[0].getEncoded());
        assertArrayEquals(
            TestPki.client(type).certificate().getEncoded(), server.getSession().getPeerCertificates()[0].getEncoded());
      }
    }
  }

  /** What SunJSSE and SunEC ask of the first provider when that is ours. */
  @Test
  void theJdksOwnTlsOnOurServices() throws Exception {
    Security.insertProviderAt(OURS, 1);
    try {
      KeyPairGenerator.getInstance("EC", "SunEC").generateKeyPair();
      for (KeyType type : KeyType.values()) {
        for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
          SSLContext context = SSLContext.getInstance("TLS", "SunJSSE");
          context.init(TestPki.keyManagers(TestPki.server(type)), TestPki.trustManagers(), null);
          SSLEngine server = context.createSSLEngine();
          SSLEngine client = context.createSSLEngine(TestPki.HOST, 443);
          client.setUseClientMode(true);
          server.setUseClientMode(false);
          client.setEnabledProtocols(new String[] {protocol});
          handshake(client, server);
          PublicKey key = client.getSession().getPeerCertificates()[0].getPublicKey();
          assertEquals(protocol, client.getSession().getProtocol());
          assertEquals(key, KeyFactory.getInstance(key.getAlgorithm(), OURS).translateKey(key));
        }
      }
    } finally {
      Security.removeProvider(OURS.getName());
    }
  }

  private static void handshake(SSLEngine client, SSLEngine server) throws Exception {
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int round = 0; round < 100; round++) {
      step(client, toServer, toClient);
      step(server, toClient, toServer);
      if (done(client) && done(server)) {
        return;
      }
    }
    throw new AssertionError(client.getHandshakeStatus() + " " + server.getHandshakeStatus());
  }

  private static boolean done(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws Exception {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
    switch (engine.getHandshakeStatus()) {
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
      case NEED_UNWRAP -> {
        in.flip();
        engine.unwrap(in, ByteBuffer.allocate(1 << 15));
        in.compact();
      }
      default -> { }
    }
  }

  /** Gives one key. */
  private static final class One extends X509ExtendedKeyManager {
    private final PrivateKey key;
    private final TestPki.Identity identity;

    One(PrivateKey key, TestPki.Identity identity) {
      this.key = key;
      this.identity = identity;
    }

    private boolean fits(String... keyTypes) {
      String algorithm = identity.certificate().getPublicKey().getAlgorithm();
      return Arrays.stream(keyTypes).anyMatch(type -> type.startsWith(algorithm.substring(0, 2)));
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
      return fits(keyType) ? new String[] {"key"} : null;
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
      return fits(keyTypes) ? "key" : null;
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
      return fits(keyTypes) ? "key" : null;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
      return fits(keyType) ? new String[] {"key"} : null;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      return fits(keyType) ? "key" : null;
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
      return fits(keyType) ? "key" : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return identity.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }
  }
}
