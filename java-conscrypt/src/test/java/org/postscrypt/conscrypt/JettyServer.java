package org.postscrypt.conscrypt;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Jetty with HTTP/2 and HTTP/1.1 over TLS of the registered provider {@code Conscrypt}; answers with the protocol. */
final class JettyServer implements AutoCloseable {
  private final Server server = new Server();
  private final ServerConnector connector;
  /** Of the last request's connection. */
  final AtomicReference<SSLEngine> engine = new AtomicReference<>();

  JettyServer() throws Exception {
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    ssl.setProvider("Conscrypt");
    KeyStore identity = Pki.identity("localhost", "127.0.0.1");
    ssl.setKeyStore(identity);
    ssl.setKeyStorePassword(new String(Pki.PASSWORD));
    ssl.setSniRequired(false);
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    connector =
        new ServerConnector(server, new SslConnectionFactory(ssl, alpn.getProtocol()), alpn, http2, http1);
    connector.setHost("localhost");
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
            if (endPoint instanceof SslConnection.SslEndPoint) {
              engine.set(((SslConnection.SslEndPoint) endPoint).getSslConnection().getSSLEngine());
            }
            String text = request.getConnectionMetaData().getHttpVersion().asString() + " " + Loopback.TEXT;
            response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
            return true;
          }
        });
    server.start();
  }

  int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }
}
