package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.Provider;
import java.security.Security;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSession;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** gRPC over Netty, whose set-up knows Conscrypt's provider, and over OkHttp, which looks for its sockets' methods. */
class GrpcIT {
  private static final Provider PROVIDER = Conscrypt.newProvider();

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.newBuilder(BYTES, BYTES)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Echo/Echo")
          .build();

  private static final AtomicReference<SSLSession> SESSION = new AtomicReference<>();
  private static Server server;

  @BeforeAll
  static void start() throws Exception {
    Security.insertProviderAt(PROVIDER, 1);
    KeyPair pair = Pki.ecKey();
    SslContext ssl =
        GrpcSslContexts.configure(
                SslContextBuilder.forServer(
                    pair.getPrivate(), Pki.leaf(pair.getPublic(), "localhost", "127.0.0.1"), Pki.CA),
                PROVIDER)
            .build();
    ServerInterceptor interceptor =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            SESSION.set(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
            return next.startCall(call, headers);
          }
        };
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("test.Echo")
            .addMethod(
                ECHO,
                ServerCalls.asyncUnaryCall(
                    (request, observer) -> {
                      observer.onNext(request);
                      observer.onCompleted();
                    }))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
            .sslContext(ssl)
            .addService(ServerInterceptors.intercept(service, interceptor))
            .build()
            .start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    Security.removeProvider("Conscrypt");
  }

  private static void call(ManagedChannel channel) throws Exception {
    try {
      for (int length : new int[] {0, 10, 100_000}) {
        byte[] message = new byte[length];
        new java.util.Random(length).nextBytes(message);
        byte[] answer =
            ClientCalls.blockingUnaryCall(
                channel, ECHO, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), message);
        assertArrayEquals(message, answer);
      }
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
    // gRPC speaks nothing newer over a provider that it takes for Conscrypt.
    assertEquals("TLSv1.2", SESSION.get().getProtocol());
    assertTrue(SESSION.get().getClass().getName().matches("org\\.(post|con)scrypt\\..*"), SESSION.get().getClass().getName());
  }

  @Test
  void overNetty() throws Exception {
    SslContext ssl =
        GrpcSslContexts.configure(SslContextBuilder.forClient().trustManager(Pki.CA), PROVIDER).build();
    call(NettyChannelBuilder.forAddress("localhost", server.getPort()).sslContext(ssl).build());
  }

  @Test
  void overOkHttp() throws Exception {
    Class<?> platform = Class.forName("io.grpc.okhttp.internal.Platform");
    Object chosen = platform.getMethod("get").invoke(null);
    assertEquals(PROVIDER, platform.getMethod("getProvider").invoke(chosen), "its Conscrypt platform");
    call(
        OkHttpChannelBuilder.forAddress("localhost", server.getPort())
            .sslSocketFactory(Pki.client(PROVIDER).getSocketFactory())
            .build());
  }
}
