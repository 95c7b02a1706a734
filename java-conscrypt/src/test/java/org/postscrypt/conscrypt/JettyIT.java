package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Provider;
import java.security.Security;
import java.util.concurrent.TimeUnit;
import org.conscrypt.Conscrypt;
import org.eclipse.jetty.alpn.conscrypt.server.ConscryptServerALPNProcessor;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jetty with its modules jetty-alpn-conscrypt-server and jetty-alpn-conscrypt-client. */
class JettyIT {
  private static final Provider PROVIDER = Conscrypt.newProvider();

  @BeforeAll
  static void register() {
    Security.insertProviderAt(PROVIDER, 1);
  }

  @AfterAll
  static void remove() {
    Security.removeProvider("Conscrypt");
  }

  @Test
  void http2BetweenJettys() throws Exception {
    SslContextFactory.Client ssl = new SslContextFactory.Client();
    ssl.setProvider("Conscrypt");
    ssl.setTrustStore(Pki.trust());
    ClientConnector connector = new ClientConnector();
    connector.setSslContextFactory(ssl);
    HttpClient client = new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client(connector)));
    try (JettyServer server = new JettyServer()) {
      client.start();
      for (int i = 0; i < 3; i++) {
        ContentResponse response =
            client.newRequest("https://localhost:" + server.port() + "/").timeout(60, TimeUnit.SECONDS).send();
        assertEquals(HttpVersion.HTTP_2, response.getVersion());
        assertEquals("HTTP/2.0 " + Loopback.TEXT, response.getContentAsString());
      }
      assertTrue(Conscrypt.isConscrypt(server.engine.get()), "" + server.engine.get());
      assertTrue(new ConscryptServerALPNProcessor().appliesTo(server.engine.get()), "Jetty's module knows it");
      assertEquals("h2", Conscrypt.getApplicationProtocol(server.engine.get()));
    } finally {
      client.stop();
    }
  }

  @Test
  void http1ForClientsWithoutAlpn() throws Exception {
    try (JettyServer server = new JettyServer()) {
      assertEquals("HTTP/1.1 " + Loopback.TEXT, Loopback.get(server.port()));
    }
  }
}
