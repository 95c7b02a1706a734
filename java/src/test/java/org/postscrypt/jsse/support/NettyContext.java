package org.postscrypt.jsse.support;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** The engines of one of netty's OpenSSL contexts, looking like a JSSE context's. */
final class NettyContext extends SSLContextSpi {
  private final SslContext context;

  private NettyContext(SslContext context) {
    this.context = context;
  }

  static Throwable unavailabilityCause() {
    return OpenSsl.isAvailable() ? null : OpenSsl.unavailabilityCause();
  }

  static SSLContext create(boolean client, KeyManager[] keys, TrustManager[] trust, String... protocols) {
    try {
      SslContextBuilder builder = client ? SslContextBuilder.forClient() : SslContextBuilder.forServer(keys[0]);
      if (client && keys.length > 0) {
        builder.keyManager(keys[0]);
      }
      builder.sslProvider(SslProvider.OPENSSL).trustManager(trust[0]).endpointIdentificationAlgorithm(null);
      if (protocols.length > 0) {
        builder.applicationProtocolConfig(new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            protocols));
      }
      SslContext made = builder.build();
      ((OpenSslSessionContext) made.sessionContext()).setSessionCacheEnabled(true);
      return new SSLContext(new NettyContext(made), null, "TLS") {};
    } catch (SSLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, port);
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return context.newEngine(UnpooledByteBufAllocator.DEFAULT);
  }

  @Override
  protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
    throw new IllegalStateException("made ready for use");
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    throw new UnsupportedOperationException("engines only");
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    throw new UnsupportedOperationException("engines only");
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return context.sessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return context.sessionContext();
  }
}
