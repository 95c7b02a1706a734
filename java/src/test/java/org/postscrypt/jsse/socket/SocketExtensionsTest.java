package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.TlsCase;

/** SNI, ALPN and client authentication over sockets. */
class SocketExtensionsTest {
  private static Consumer<SSLSocket> name(String name) {
    return socket -> {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(name)));
      socket.setSSLParameters(parameters);
    };
  }

  private static Consumer<SSLServerSocket> matching(String regex) {
    return socket -> {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher(regex)));
      socket.setSSLParameters(parameters);
    };
  }

  private static Consumer<SSLSocket> offering(String... protocols) {
    return socket -> {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      socket.setSSLParameters(parameters);
    };
  }

  private static Consumer<SSLServerSocket> accepting(String... protocols) {
    return socket -> {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      socket.setSSLParameters(parameters);
    };
  }

  @EachVersion
  void sniIsSeenByTheServer(TlsCase c) throws Exception {
    Loopback.Handler names = socket -> {
      socket.startHandshake();
      socket.getInputStream().read();
      return ((ExtendedSSLSession) socket.getSession()).getRequestedServerNames();
    };
    SocketSetup setup = c.sockets().client(name("sni.example.com")).server(matching(".*\\.example\\.com"));
    try (Loopback server = setup.serve(names); SSLSocket client = server.connect()) {
      client.getOutputStream().write(1);
      assertEquals(List.of(new SNIHostName("sni.example.com")), server.result());
    }
  }

  @EachVersion
  void sniRefused(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().client(name("sni.example.com")).server(matching("other"));
    try (Loopback server = setup.serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      IOException e = assertThrows(IOException.class, client::startHandshake);
      Alerts.assertNames(e, "unrecognized_name");
      assertInstanceOf(SSLHandshakeException.class, server.failure());
    }
  }

  @EachVersion
  void alpn(TlsCase c) throws Exception {
    Loopback.Handler protocol = socket -> {
      assertNull(socket.getApplicationProtocol());
      socket.startHandshake();
      socket.getInputStream().read();
      return socket.getApplicationProtocol();
    };
    SocketSetup setup = c.sockets().client(offering("http/1.1", "h2")).server(accepting("h2", "http/1.1"));
    try (Loopback server = setup.serve(protocol); SSLSocket client = server.connect()) {
      assertNull(client.getApplicationProtocol());
      client.startHandshake();
      assertEquals("h2", client.getApplicationProtocol());
      client.getOutputStream().write(1);
      assertEquals("h2", server.result());
    }
    try (Loopback server = c.sockets().server(s -> { }).serve(protocol); SSLSocket client = server.connect()) {
      client.startHandshake();
      assertEquals("", client.getApplicationProtocol());
      client.getOutputStream().write(1);
      assertEquals("", server.result());
    }
  }

  @EachVersion
  void alpnWithNothingInCommon(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().client(offering("a")).server(accepting("b"));
    try (Loopback server = setup.serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      IOException e = assertThrows(IOException.class, client::startHandshake);
      Alerts.assertNames(e, "no_application_protocol");
      assertInstanceOf(SSLHandshakeException.class, server.failure());
    }
  }

  @EachVersion
  void alpnSelector(TlsCase c) throws Exception {
    List<List<String>> seen = new ArrayList<>();
    Loopback.Handler selecting = socket -> {
      socket.setHandshakeApplicationProtocolSelector((s, list) -> {
        seen.add(List.copyOf(list));
        return "b";
      });
      socket.getInputStream().read();
      return socket.getApplicationProtocol();
    };
    SocketSetup setup = c.sockets().client(offering("a", "b"));
    try (Loopback server = setup.serve(selecting); SSLSocket client = server.connect()) {
      client.getOutputStream().write(1);
      assertEquals("b", server.result());
      assertEquals("b", client.getApplicationProtocol());
      assertEquals(List.of(List.of("a", "b")), seen);
    }
  }

  private static final Loopback.Handler PEER = socket -> {
    socket.getInputStream().read();
    try {
      return List.of(socket.getSession().getPeerCertificates());
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  };

  @EachVersion
  void clientAuthenticationNeeded(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().clientIdentity(TestPki.client(c.key())).server(s -> s.setNeedClientAuth(true));
    try (Loopback server = setup.serve(PEER); SSLSocket client = server.connect()) {
      client.getOutputStream().write(1);
      assertEquals(TestPki.client(c.key()).chain(), server.result());
      assertArrayEquals(TestPki.client(c.key()).chain().toArray(), client.getSession().getLocalCertificates());
    }
  }

  @EachVersion
  void clientAuthenticationWanted(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().server(s -> s.setWantClientAuth(true));
    try (Loopback server = setup.serve(PEER); SSLSocket client = server.connect()) {
      client.getOutputStream().write(1);
      assertEquals(List.of(), server.result());
    }
  }

  /** In TLS 1.3 the client has finished before the server refuses: it learns by its first read at the latest. */
  @EachVersion
  void clientAuthenticationMissing(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets().server(s -> s.setNeedClientAuth(true));
    try (Loopback server = setup.serve(PEER); SSLSocket client = server.connect()) {
      assertThrows(IOException.class, () -> {
        client.startHandshake();
        client.getInputStream().read();
      });
      assertInstanceOf(SSLHandshakeException.class, server.failure());
    }
  }
}
