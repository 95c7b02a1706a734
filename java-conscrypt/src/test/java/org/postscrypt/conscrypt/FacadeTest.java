package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Provider;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.conscrypt.BufferAllocator;
import org.conscrypt.Conscrypt;
import org.conscrypt.OpenSSLSocketImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.PostscryptSession;

/** What is this façade's own. */
@Tag("facade")
class FacadeTest {
  private final Provider provider = Conscrypt.newProvider();

  @Test
  void whatIsNotServedSaysSo() {
    assertThrows(
        UnsupportedOperationException.class, () -> Conscrypt.newProviderBuilder().isTlsV1Enabled(true));
  }

  @Test
  void enginesAndSocketsOfPostscryptsContextsAreOurs() throws Exception {
    Provider own = new PostscryptProvider();
    assertTrue(Conscrypt.isConscrypt(own));
    SSLContext client = SSLContext.getInstance("TLS", own);
    client.init(null, new javax.net.ssl.TrustManager[] {Pki.trustManager(provider)}, null);
    assertTrue(Conscrypt.isConscrypt(client));
    Engines e = new Engines(client.createSSLEngine("example.com", 443), Pki.server(provider).createSSLEngine());
    assertTrue(Conscrypt.isConscrypt(e.client));
    Conscrypt.setApplicationProtocols(e.client, new String[] {"h2"});
    Conscrypt.setApplicationProtocols(e.server, new String[] {"h2"});
    Conscrypt.setHostname(e.client, "www.example.org");
    Conscrypt.setUseSessionTickets(e.client, true);
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setHandshakeListener(e.client, null));
    assertThrows(
        IllegalArgumentException.class, () -> Conscrypt.setBufferAllocator(e.client, BufferAllocator.unpooled()));
    e.handshake();
    assertEquals("h2", Conscrypt.getApplicationProtocol(e.client));
    assertEquals("www.example.org", Conscrypt.getHostname(e.client));
    assertArrayEquals(
        Conscrypt.exportKeyingMaterial(e.server, "EXPERIMENTAL x", null, 9),
        Conscrypt.exportKeyingMaterial(e.client, "EXPERIMENTAL x", null, 9));
    e.drain();
    ByteBuffer record = Engines.sealed(e.server, ByteBuffer.wrap(new byte[50]));
    ByteBuffer first = ByteBuffer.allocate(7);
    while (first.hasRemaining()) {
      first.put(record.get());
    }
    first.flip();
    ByteBuffer[] destinations = {ByteBuffer.allocate(20), ByteBuffer.allocate(1 << 15)};
    assertEquals(50, Conscrypt.unwrap(e.client, new ByteBuffer[] {first, record}, destinations).bytesProduced());
    try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket()) {
      assertTrue(Conscrypt.isConscrypt(socket));
      Conscrypt.setNamedGroups(socket, new String[] {"P-256"});
      Conscrypt.setApplicationProtocols(socket, new String[] {"h2"});
      assertArrayEquals(new String[] {"h2"}, Conscrypt.getApplicationProtocols(socket));
      Conscrypt.setHostname(socket, "example.com");
      assertEquals("example.com", Conscrypt.getHostname(socket));
    }
    assertFalse(Conscrypt.isConscrypt(client.getSocketFactory()));
  }

  @Test
  void withoutTicketsTls12ResumesById() throws Exception {
    SSLContext client = Pki.client(provider);
    SSLContext server = Pki.server(provider);
    for (int i = 0; i < 2; i++) {
      Engines e = Engines.of(client, server).speaking("TLSv1.2");
      Conscrypt.setUseSessionTickets(e.client, false);
      e.handshake();
      assertEquals(i == 1, ((PostscryptSession) e.client.getSession()).isResumed());
      assertEquals(32, e.client.getSession().getId().length);
    }
    for (int i = 0; i < 2; i++) {
      Engines e = Engines.of(client, server).speaking("TLSv1.3");
      Conscrypt.setUseSessionTickets(e.server, false);
      e.handshake();
      e.exchange();
      e.drain();
      assertFalse(((PostscryptSession) e.client.getSession()).isResumed(), "the server issues none");
    }
  }

  /** With groups in {@code jdk.tls.namedGroups} that nobody knows, Conscrypt's classes do not initialise. */
  @Test
  void unknownNamedGroupsInThePropertyAreIgnored() throws Exception {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Djdk.tls.namedGroups=ffdhe2048,bogus",
                "-Dorg.postscrypt.native.path=" + System.getProperty("org.postscrypt.native.path"),
                "-cp",
                System.getProperty("java.class.path"),
                Handshake.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), output);
    assertTrue(output.trim().endsWith("handshake done"), output);
  }

  /** A handshake, in a JVM of its own. */
  static final class Handshake {
    public static void main(String[] args) throws Exception {
      Provider provider = Conscrypt.newProvider();
      Engines.of(Pki.client(provider), Pki.server(provider)).handshake();
      System.out.println("handshake done");
    }
  }

  /** SunEC asks the first provider for the curve of a size, in a class that nobody else knows. */
  @Test
  void curvesOfOthersAreNotAskedForInCircles() throws Exception {
    Provider second = new PostscryptProvider();
    java.security.Security.insertProviderAt(provider, 1);
    java.security.Security.insertProviderAt(second, 1);
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "SunEC");
      generator.initialize(256);
      assertEquals(
          256, ((java.security.interfaces.ECKey) generator.generateKeyPair().getPublic()).getParams().getOrder().bitLength());
    } finally {
      java.security.Security.removeProvider(provider.getName());
      java.security.Security.removeProvider(second.getName());
    }
  }

  @Test
  void keysOfThisPackageAuthenticateServers() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EdDSA", provider).generateKeyPair();
    KeyStore identity = Pki.identity(pair.getPrivate(), Pki.leaf(pair.getPublic(), "example.com"));
    SSLContext server = Pki.context(provider, "TLS", identity, Pki.trustManager(provider));
    Engines e = Engines.of(Pki.client(provider), server).handshake();
    assertEquals(
        pair.getPublic(),
        java.security.KeyFactory.getInstance("EdDSA", provider)
            .translateKey(e.client.getSession().getPeerCertificates()[0].getPublicKey()));
  }

  /** gRPC over OkHttp finds these by reflection. */
  @Test
  void methodsThatLibrariesLookFor() throws Exception {
    try (SSLSocket socket = (SSLSocket) Pki.client(provider).getSocketFactory().createSocket()) {
      Class<?> type = socket.getClass();
      assertEquals(OpenSSLSocketImpl.class, type);
      assertTrue(java.lang.reflect.Modifier.isPublic(type.getModifiers()));
      type.getMethod("setUseSessionTickets", boolean.class).invoke(socket, true);
      type.getMethod("setHostname", String.class).invoke(socket, "example.com");
      type.getMethod("setAlpnProtocols", byte[].class).invoke(socket, (Object) new byte[] {2, 'h', '2', 1, 'x'});
      assertArrayEquals(new String[] {"h2", "x"}, Conscrypt.getApplicationProtocols(socket));
      assertNull(type.getMethod("getAlpnSelectedProtocol").invoke(socket));
      assertThrows(
          IllegalArgumentException.class, () -> ((OpenSSLSocketImpl) socket).setAlpnProtocols(new byte[] {3, 'h', '2'}));
      assertThrows(
          IllegalArgumentException.class, () -> ((OpenSSLSocketImpl) socket).setAlpnProtocols(new byte[] {0}));
      ((OpenSSLSocketImpl) socket).setAlpnProtocols((byte[]) null);
      assertEquals(0, Conscrypt.getApplicationProtocols(socket).length);
      assertNotNull(((OpenSSLSocketImpl) socket).supportedOptions());
    }
  }
}
