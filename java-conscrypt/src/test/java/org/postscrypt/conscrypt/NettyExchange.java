package org.postscrypt.conscrypt;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.Provider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.conscrypt.Conscrypt;

/** Netty on both sides of an HTTPS exchange, and the JDK's client, with the provider under Netty's JDK engines and ALPN. */
final class NettyExchange {
  /** Over several records: a large answer. */
  private static final String ANSWER = Loopback.TEXT + " ".repeat(50_000) + ".";

  private NettyExchange() {}

  /** Prints the classes of Netty's engines, client's first, and the protocol agreed on. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      // Netty uses Conscrypt's own API up to Java 14 only.
      System.setProperty("java.specification.version", args[0]);
    }
    System.out.println(run(Conscrypt.newProvider()));
  }

  static String run(Provider provider) throws Exception {
    KeyPair pair = Pki.ecKey();
    ApplicationProtocolConfig alpn =
        new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            "x-other",
            "http/1.1");
    SslContext serverSsl =
        SslContextBuilder.forServer(pair.getPrivate(), Pki.leaf(pair.getPublic(), "localhost", "127.0.0.1"), Pki.CA)
            .sslProvider(SslProvider.JDK)
            .sslContextProvider(provider)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    alpn.protocol(), alpn.selectorFailureBehavior(), alpn.selectedListenerFailureBehavior(), "http/1.1"))
            .build();
    SslContext clientSsl =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .sslContextProvider(provider)
            .trustManager(Pki.CA)
            .applicationProtocolConfig(alpn)
            .build();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    CompletableFuture<String> server = new CompletableFuture<>();
    CompletableFuture<String> client = new CompletableFuture<>();
    try {
      Channel listener =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childHandler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(serverSsl.newHandler(channel.alloc()), new HttpServerCodec());
                      channel.pipeline().addLast(new HttpObjectAggregator(1 << 16), new Answering(server));
                    }
                  })
              .bind("localhost", 0)
              .sync()
              .channel();
      int port = ((java.net.InetSocketAddress) listener.localAddress()).getPort();
      Channel connection =
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(clientSsl.newHandler(channel.alloc(), "localhost", port));
                      channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(1 << 20));
                      channel.pipeline().addLast(new Asking(client));
                    }
                  })
              .connect("localhost", port)
              .sync()
              .channel();
      SslHandler handler = connection.pipeline().get(SslHandler.class);
      handler.handshakeFuture().sync();
      connection.writeAndFlush(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/")).sync();
      String answer = client.get(60, TimeUnit.SECONDS);
      if (!answer.equals(ANSWER)) {
        throw new IllegalStateException("the answer is another: " + answer.length());
      }
      String engines = handler.engine().getClass().getSimpleName() + " of " + handler.engine().getClass().getSuperclass().getSimpleName();
      String protocol = handler.applicationProtocol();
      connection.close().sync();
      if (!Loopback.get(port).equals(ANSWER)) {
        throw new IllegalStateException("the JDK's client read something else");
      }
      return engines + ", " + server.get(60, TimeUnit.SECONDS) + ", " + protocol;
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  private static final class Answering extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final CompletableFuture<String> engine;

    Answering(CompletableFuture<String> engine) {
      this.engine = engine;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      engine.complete(context.pipeline().get(SslHandler.class).engine().getClass().getSimpleName());
      DefaultFullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              HttpResponseStatus.OK,
              Unpooled.copiedBuffer(ANSWER, StandardCharsets.UTF_8));
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
      context.writeAndFlush(response);
    }
  }

  private static final class Asking extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final CompletableFuture<String> answer;

    Asking(CompletableFuture<String> answer) {
      this.answer = answer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      answer.complete(response.content().toString(StandardCharsets.UTF_8));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      answer.completeExceptionally(cause);
    }
  }
}
