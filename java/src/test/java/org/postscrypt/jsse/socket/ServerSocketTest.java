package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Set;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.EachPairing;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TlsCase;

/** Server sockets: settings, their inheritance, and acceptance. */
class ServerSocketTest {
  private static final String SUITE = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";

  @EachPairing
  void settingsAreInherited(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (SSLServerSocket server = setup.serverSocket();
        SSLSocket client = setup.connect(server.getLocalPort())) {
      assertTrue(client.isConnected());
      server.setNeedClientAuth(true);
      server.setEnabledProtocols(new String[] {"TLSv1.2"});
      server.setEnabledCipherSuites(new String[] {SUITE});
      server.setEnableSessionCreation(false);
      SSLParameters parameters = server.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      parameters.setUseCipherSuitesOrder(false);
      server.setSSLParameters(parameters);
      try (SSLSocket accepted = (SSLSocket) server.accept()) {
        assertTrue(accepted.getNeedClientAuth());
        assertFalse(accepted.getWantClientAuth());
        assertFalse(accepted.getUseClientMode());
        assertFalse(accepted.getEnableSessionCreation());
        assertArrayEquals(new String[] {"TLSv1.2"}, accepted.getEnabledProtocols());
        assertArrayEquals(new String[] {SUITE}, accepted.getEnabledCipherSuites());
        assertArrayEquals(new String[] {"h2"}, accepted.getSSLParameters().getApplicationProtocols());
        assertFalse(accepted.getSSLParameters().getUseCipherSuitesOrder());
        // and later changes of the server socket do not matter to it
        server.setNeedClientAuth(false);
        server.setEnabledProtocols(new String[] {"TLSv1.3"});
        assertTrue(accepted.getNeedClientAuth());
        assertArrayEquals(new String[] {"TLSv1.2"}, accepted.getEnabledProtocols());
      }
    }
  }

  @EachPairing
  void settersAndGetters(TlsCase c) throws Exception {
    try (SSLServerSocket server = c.sockets().serverSocket()) {
      Set<String> supported = Set.of(server.getSupportedCipherSuites());
      assertTrue(supported.containsAll(Set.of(server.getEnabledCipherSuites())));
      assertTrue(Set.of(server.getSupportedProtocols()).containsAll(Set.of("TLSv1.2", "TLSv1.3")));
      assertThrows(IllegalArgumentException.class, () -> server.setEnabledProtocols(null));
      assertThrows(IllegalArgumentException.class, () -> server.setEnabledProtocols(new String[] {"TLSv9"}));
      assertThrows(IllegalArgumentException.class, () -> server.setEnabledCipherSuites(null));
      assertThrows(IllegalArgumentException.class, () -> server.setEnabledCipherSuites(new String[] {"NO_SUCH"}));
      assertFalse(server.getNeedClientAuth());
      assertFalse(server.getWantClientAuth());
      assertFalse(server.getUseClientMode());
      assertTrue(server.getEnableSessionCreation());
      server.setWantClientAuth(true);
      assertTrue(server.getWantClientAuth());
      server.setNeedClientAuth(true);
      assertTrue(server.getNeedClientAuth());
      assertFalse(server.getWantClientAuth());
      server.setUseClientMode(true);
      assertTrue(server.getUseClientMode());
    }
  }

  @EachPairing
  void everyFactoryMethod(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    SSLServerSocketFactory factory = setup.serverContext().getServerSocketFactory();
    assertTrue(factory.getSupportedCipherSuites().length >= factory.getDefaultCipherSuites().length);
    try (SSLServerSocket unbound = (SSLServerSocket) factory.createServerSocket()) {
      assertFalse(unbound.isBound());
      unbound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertTrue(unbound.isBound());
      assertTrue(unbound.getLocalPort() > 0);
    }
    try (SSLServerSocket socket = (SSLServerSocket) factory.createServerSocket(0)) {
      assertTrue(socket.getLocalPort() > 0);
    }
    try (SSLServerSocket socket = (SSLServerSocket) factory.createServerSocket(0, 5)) {
      assertTrue(socket.getLocalPort() > 0);
    }
    try (SSLServerSocket socket =
        (SSLServerSocket) factory.createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertEquals(InetAddress.getLoopbackAddress(), socket.getInetAddress());
      assertTrue(socket.toString().length() > 0);
    }
  }

  @EachPairing
  void acceptTimesOut(TlsCase c) throws Exception {
    try (SSLServerSocket server = c.sockets().serverSocket()) {
      server.setSoTimeout(50);
      assertThrows(SocketTimeoutException.class, server::accept);
      server.setSoTimeout(Loopback.TIMEOUT_MILLIS);
    }
  }

  /** accept() does not wait for the handshake: a silent client must not stop a server. */
  @EachVersion
  void acceptDoesNotHandshake(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (SSLServerSocket server = setup.serverSocket();
        SSLSocket silent = setup.connect(server.getLocalPort());
        SSLSocket accepted = (SSLSocket) server.accept()) {
      assertEquals(silent.getLocalPort(), accepted.getPort());
      assertEquals(InetAddress.getLoopbackAddress(), accepted.getInetAddress());
    }
  }

  /** An accepted socket may be told to be the client; both are of the server's provider. */
  @EachVersion
  void reversedRoles(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (SSLServerSocket server = setup.serverSocket()) {
      SSLSocket connected = (SSLSocket) setup.serverContext().getSocketFactory()
          .createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort());
      try (SSLSocket tlsServer = connected; SSLSocket tlsClient = (SSLSocket) server.accept()) {
        tlsServer.setUseClientMode(false);
        tlsServer.setSoTimeout(Loopback.TIMEOUT_MILLIS);
        tlsClient.setUseClientMode(true);
        tlsClient.setSoTimeout(Loopback.TIMEOUT_MILLIS);
        var handshake = Loopback.async(() -> {
          tlsServer.startHandshake();
          return tlsServer.getInputStream().read();
        });
        tlsClient.getOutputStream().write(3);
        assertEquals(3, Loopback.await(handshake));
      }
    }
  }
}
