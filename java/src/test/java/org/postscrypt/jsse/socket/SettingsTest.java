package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.OverSunEngines;

class SettingsTest extends Loopback {
  private final SSLSocketFactory clients = OverSunEngines.sockets(CLIENT_CONTEXT);

  @Test
  void factories() throws Exception {
    assertArrayEquals(CLIENT_CONTEXT.getSocketFactory().getDefaultCipherSuites(), clients.getDefaultCipherSuites());
    assertArrayEquals(CLIENT_CONTEXT.getSocketFactory().getSupportedCipherSuites(), clients.getSupportedCipherSuites());
    assertArrayEquals(CLIENT_CONTEXT.getServerSocketFactory().getDefaultCipherSuites(),
        OverSunEngines.serverSockets(CLIENT_CONTEXT).getDefaultCipherSuites());
    assertArrayEquals(CLIENT_CONTEXT.getServerSocketFactory().getSupportedCipherSuites(),
        OverSunEngines.serverSockets(CLIENT_CONTEXT).getSupportedCipherSuites());
  }

  @Test
  void everyWayToConnect() throws Exception {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    try (ServerSocket listener = new ServerSocket(0, 10, loopback)) {
      int port = listener.getLocalPort();
      Socket unconnected = clients.createSocket();
      assertFalse(unconnected.isConnected());
      assertEquals(-1, ((SSLSocket) unconnected).getSession().getPeerPort());
      assertThrows(SocketException.class, unconnected::getInputStream);
      assertThrows(SocketException.class, unconnected::getOutputStream);
      assertThrows(SocketException.class, unconnected::shutdownOutput);
      unconnected.setSoTimeout(77);
      unconnected.bind(null);
      assertTrue(unconnected.isBound());
      unconnected.connect(new InetSocketAddress(loopback, port), 5000);
      assertEquals(77, unconnected.getSoTimeout());
      assertThrows(SocketException.class, () -> unconnected.connect(new InetSocketAddress(loopback, port)));
      Socket[] all = {unconnected, clients.createSocket("127.0.0.1", port), clients.createSocket(loopback, port),
          clients.createSocket("127.0.0.1", port, loopback, 0), clients.createSocket(loopback, port, loopback, 0),
          clients.createSocket((String) null, port)};
      for (Socket each : all) {
        assertTrue(each.isConnected());
        assertEquals(port, each.getPort());
        assertTrue(((SSLSocket) each).getUseClientMode());
        each.close();
      }
      assertThrows(IllegalArgumentException.class, () -> clients.createSocket("127.0.0.1", 70_000));
      assertThrows(UnknownHostException.class, () -> clients.createSocket("no-such-host.invalid", port));
      Socket negative = closing(clients.createSocket());
      assertThrows(IllegalArgumentException.class, () -> negative.connect(new InetSocketAddress(loopback, port), -1));
    }
    int free;
    try (ServerSocket listener = new ServerSocket(0, 1, loopback)) {
      free = listener.getLocalPort();
    }
    assertThrows(ConnectException.class, () -> clients.createSocket(loopback, free));
  }

  @Test
  void settersBeforeAndAfterConnecting() throws Exception {
    SSLSocket socket = (SSLSocket) closing(clients.createSocket());
    String[] suites = {"TLS_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"};
    socket.setEnabledCipherSuites(suites);
    socket.setEnabledProtocols(new String[] {"TLSv1.2"});
    socket.setEnableSessionCreation(false);
    assertThrows(IllegalArgumentException.class, () -> socket.setEnabledProtocols(new String[] {"TLSv9"}));
    assertThrows(IllegalArgumentException.class, () -> socket.setEnabledProtocols(null));
    assertThrows(IllegalArgumentException.class, () -> socket.setEnabledCipherSuites(new String[] {"NONE_SUCH"}));
    BiFunction<SSLSocket, List<String>, String> selector = (s, l) -> null;
    socket.setHandshakeApplicationProtocolSelector(selector);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      socket.connect(new InetSocketAddress("localhost", listener.getLocalPort()));
    }
    assertArrayEquals(suites, socket.getEnabledCipherSuites());
    assertArrayEquals(new String[] {"TLSv1.2"}, socket.getEnabledProtocols());
    assertFalse(socket.getEnableSessionCreation());
    assertSame(selector, socket.getHandshakeApplicationProtocolSelector());
    assertArrayEquals(new String[] {"h2"}, socket.getSSLParameters().getApplicationProtocols());
    assertEquals("HTTPS", socket.getSSLParameters().getEndpointIdentificationAlgorithm());
    assertTrue(socket.getSupportedProtocols().length > 1);
    assertTrue(socket.getSupportedCipherSuites().length > 2);
    socket.setUseClientMode(false);
    assertFalse(socket.getUseClientMode());
    socket.setNeedClientAuth(true);
    assertTrue(socket.getNeedClientAuth());
    socket.setWantClientAuth(true);
    assertTrue(socket.getWantClientAuth());
    assertFalse(socket.getNeedClientAuth());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void peerNameFromTheAddressConnectedTo(String protocol) throws Exception {
    try (SSLServerSocket listener = (SSLServerSocket) SERVER_CONTEXT.getServerSocketFactory().createServerSocket(0)) {
      InetAddress named = InetAddress.getByAddress("server.example", new byte[] {127, 0, 0, 1});
      for (int form = 0; form < 4; form++) {
        String name = form == 0 ? "127.0.0.1" : "server.example";
        int port = listener.getLocalPort();
        Socket made = form == 1 ? clients.createSocket(named, port)
            : form == 3 ? clients.createSocket(new Socket("127.0.0.1", port), name, port, true)
            : clients.createSocket();
        SSLSocket client = (SSLSocket) closing(made);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(new String[] {protocol});
        client.setSSLParameters(parameters);
        if (!client.isConnected()) {
          client.connect(form == 0 ? new InetSocketAddress(name, port) : new InetSocketAddress(named, port));
        }
        SSLSocket server = (SSLSocket) closing(listener.accept());
        shake(new Pair(client, server));
        assertEquals(form == 0 ? Collections.emptyList() : Collections.singletonList(new SNIHostName(name)),
            ((ExtendedSSLSession) server.getSession()).getRequestedServerNames());
        assertEquals(name, client.getSession().getPeerHost());
        assertEquals(port, client.getSession().getPeerPort());
      }
    }
  }

  @Test
  void wrongNameIsRefused() throws Exception {
    Socket[] plain = plain();
    SSLSocket client = (SSLSocket) closing(clients.createSocket(plain[0], "elsewhere.example", 443, true));
    SSLParameters parameters = client.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    client.setSSLParameters(parameters);
    SSLSocket server = (SSLSocket) closing(SERVER_CONTEXT.getSocketFactory().createSocket(plain[1], null, true));
    Future<Integer> other = async(() -> server.getInputStream().read());
    assertThrows(SSLHandshakeException.class, client::startHandshake);
    failure(IOException.class, other);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void alpnByList(Kind clientKind, Kind serverKind, String protocol) throws Exception {
    Pair pair = connect(clientKind, serverKind, protocol);
    assertNull(pair.client.getApplicationProtocol());
    assertNull(pair.client.getHandshakeApplicationProtocol());
    for (SSLSocket each : new SSLSocket[] {pair.client, pair.server}) {
      SSLParameters parameters = each.getSSLParameters();
      parameters.setApplicationProtocols(each == pair.client ? new String[] {"a", "b"} : new String[] {"b", "c"});
      each.setSSLParameters(parameters);
    }
    shake(pair);
    assertEquals("b", pair.client.getApplicationProtocol());
    assertEquals("b", pair.server.getApplicationProtocol());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void alpnBySelector(String protocol) throws Exception {
    Pair pair = connect(Kind.JDK, Kind.OURS, protocol);
    SSLParameters parameters = pair.client.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"a", "b"});
    pair.client.setSSLParameters(parameters);
    AtomicReference<SSLSocket> asked = new AtomicReference<>();
    BiFunction<SSLSocket, List<String>, String> selector = (s, names) -> {
      asked.set(s);
      return names.get(1);
    };
    pair.server.setHandshakeApplicationProtocolSelector(selector);
    assertSame(selector, pair.server.getHandshakeApplicationProtocolSelector());
    shake(pair);
    assertSame(pair.server, asked.get());
    assertEquals("b", pair.server.getApplicationProtocol());
    pair.server.setHandshakeApplicationProtocolSelector(null);
    assertNull(pair.server.getHandshakeApplicationProtocolSelector());
  }

  @Test
  void serverSocketSettingsAreInherited() throws Exception {
    try (SSLServerSocket listener = (SSLServerSocket) OverSunEngines.serverSockets(SERVER_CONTEXT)
        .createServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      assertFalse(listener.getUseClientMode());
      assertTrue(listener.getEnableSessionCreation());
      assertTrue(listener.getSupportedProtocols().length > 1);
      assertTrue(listener.getEnabledProtocols().length > 0);
      assertTrue(listener.getSupportedCipherSuites().length >= listener.getEnabledCipherSuites().length);
      assertThrows(IllegalArgumentException.class, () -> listener.setEnabledProtocols(new String[] {"TLSv9"}));
      SSLSocket plain = acceptOne(listener);
      assertFalse(plain.getUseClientMode());
      assertEquals("127.0.0.1", plain.getInetAddress().getHostAddress());
      listener.setEnabledProtocols(new String[] {"TLSv1.2"});
      listener.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
      listener.setNeedClientAuth(true);
      listener.setEnableSessionCreation(false);
      SSLParameters parameters = listener.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"x"});
      listener.setSSLParameters(parameters);
      SSLSocket s = acceptOne(listener);
      assertArrayEquals(new String[] {"TLSv1.2"}, s.getEnabledProtocols());
      assertArrayEquals(listener.getEnabledCipherSuites(), s.getEnabledCipherSuites());
      assertTrue(s.getNeedClientAuth());
      assertFalse(s.getEnableSessionCreation());
      assertArrayEquals(new String[] {"x"}, s.getSSLParameters().getApplicationProtocols());
      listener.setWantClientAuth(true);
      listener.setUseClientMode(true);
      assertTrue(listener.getWantClientAuth() && listener.getUseClientMode() && !listener.getNeedClientAuth());
      assertTrue(acceptOne(listener).getUseClientMode());
    }
  }

  private SSLSocket acceptOne(SSLServerSocket listener) throws IOException {
    closing(new Socket("127.0.0.1", listener.getLocalPort()));
    return (SSLSocket) closing(listener.accept());
  }

  @Test
  void serverSocketForms() throws Exception {
    ServerSocket unbound = closing(OverSunEngines.serverSockets(SERVER_CONTEXT).createServerSocket());
    assertFalse(unbound.isBound());
    assertThrows(SocketException.class, unbound::accept);
    unbound.bind(new InetSocketAddress("127.0.0.1", 0));
    unbound.setSoTimeout(50);
    assertThrows(IOException.class, unbound::accept);
    assertTrue(unbound.toString().startsWith("TlsServerSocket["));
    unbound.setSoTimeout(0);
    Future<Socket> accepting = async(unbound::accept);
    Thread.sleep(50);
    unbound.close();
    failure(SocketException.class, accepting);
    assertThrows(SocketException.class, unbound::accept);
    for (ServerSocket each : new ServerSocket[] {OverSunEngines.serverSockets(SERVER_CONTEXT).createServerSocket(0),
        OverSunEngines.serverSockets(SERVER_CONTEXT).createServerSocket(0, 3)}) {
      assertTrue(each.isBound());
      each.close();
    }
  }

  @Test
  void acceptedSocketIsClosedWhenSettingsFail() throws Exception {
    AtomicReference<Boolean> broken = new AtomicReference<>(false);
    try (ServerSocket listener = OverSunEngines.serverSockets(SERVER_CONTEXT, e -> {
      if (broken.get()) {
        throw new IllegalStateException("no engine");
      }
      return e;
    }).createServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      broken.set(true);
      Socket client = closing(new Socket("127.0.0.1", listener.getLocalPort()));
      assertThrows(IllegalStateException.class, listener::accept);
      assertEquals(-1, client.getInputStream().read());
    }
  }
}
