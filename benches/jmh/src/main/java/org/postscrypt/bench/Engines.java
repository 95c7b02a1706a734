package org.postscrypt.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;
import java.security.Provider;
import java.util.Collections;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.conscrypt.AllocatedBuffer;
import org.conscrypt.BufferAllocator;
import org.conscrypt.Conscrypt;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.TlsParameters;

/** Client and server contexts of one provider, made once, and engines of them. */
final class Engines {
  private static final int PACKET = 17 * 1024;
  private static final Provider POSTSCRYPT = new PostscryptProvider();
  private static final Provider CONSCRYPT = Conscrypt.newProvider();

  final Pki pki;
  final Pki.Trust trust;
  /** The client's and the server's, of a provider that has {@code SSLContext}s (Netty has not), and what to set on what they make. */
  final SSLContext[] contexts;
  final SSLParameters parameters;
  private final Maker client;
  private final Maker server;
  private final Wire wire;
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  /** What connects two engines; kept from one handshake to the next. */
  static final class Wire {
    private final ByteBuffer[] ways = {ByteBuffer.allocateDirect(4 * PACKET), ByteBuffer.allocateDirect(4 * PACKET)};
    private final ByteBuffer oneByte = ByteBuffer.allocateDirect(1);
    private final ByteBuffer plain = ByteBuffer.allocateDirect(PACKET);
  }

  private interface Maker {
    SSLEngine make() throws Exception;
  }

  /** Engines that take the temporary memory they need from the JVM, or wherever they like. */
  Engines(String provider, String version, String keyType, String group, boolean check) throws Exception {
    this(new Pki(keyType), new Wire(), provider, version, keyType, group, check, false);
  }

  /**
   * @param pki of that type of key
   * @param provider {@code postscrypt}, {@code conscrypt}, {@code netty} or {@code jdk}
   * @param version {@code TLSv1.3} or {@code TLSv1.2}
   * @param keyType {@code EC} (P-256) or {@code RSA} (2048 bits)
   * @param group {@code x25519} or {@code X25519MLKEM768}
   * @param check whether the client checks the chain by PKIX
   * @param pooled whether engines are given a pooled allocator for the temporary memory they need, as far as they take one
   * @throws UnsupportedOperationException if the provider cannot do that
   */
  Engines(
      Pki pki, Wire wire, String provider, String version, String keyType, String group, boolean check, boolean pooled) throws Exception {
    this.pki = pki;
    this.wire = wire;
    trust = pki.new Trust(check);
    String[] suites = version.equals("TLSv1.3")
        ? new String[] {"TLS_AES_128_GCM_SHA256"}
        : new String[] {
          keyType.equals("EC") ? "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256" : "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
        };
    boolean classic = group.equals("x25519");
    if (!classic && (provider.equals("jdk") || provider.equals("conscrypt"))) {
      throw new UnsupportedOperationException("no such group");
    }
    if (provider.equals("netty")) {
      String[] groups = classic ? new String[] {"X25519", "P-256"} : new String[] {group, "X25519", "P-256"};
      SslContextBuilder forServer = SslContextBuilder.forServer(pki.keyManagers);
      SslContextBuilder forClient = SslContextBuilder.forClient().trustManager(trust).endpointIdentificationAlgorithm(null);
      SslContext[] made = new SslContext[2];
      SslContextBuilder[] builders = {forClient, forServer};
      for (int i = 0; i < 2; i++) {
        made[i] = builders[i].sslProvider(SslProvider.OPENSSL).protocols(version)
            .option(OpenSslContextOption.GROUPS, groups)
            .ciphers(version.equals("TLSv1.3") ? null : Collections.singleton(suites[0])).build();
      }
      contexts = null;
      parameters = null;
      client = () -> made[0].newEngine(PooledByteBufAllocator.DEFAULT, Pki.HOST, 443);
      server = () -> made[1].newEngine(PooledByteBufAllocator.DEFAULT);
      return;
    }
    Provider jca = switch (provider) {
      case "postscrypt" -> POSTSCRYPT;
      case "conscrypt" -> CONSCRYPT;
      default -> null;
    };
    contexts = new SSLContext[2];
    for (int i = 0; i < 2; i++) {
      contexts[i] = jca == null ? SSLContext.getInstance("TLS", "SunJSSE") : SSLContext.getInstance("TLS", jca);
      contexts[i].init(
          i == 1 ? pki.keyManagers.getKeyManagers() : new KeyManager[0], new TrustManager[] {trust}, null);
    }
    // The JDK and Postscrypt take their groups from jdk.tls.namedGroups (see tools/bench); Conscrypt's are X25519 first.
    TlsParameters ours = new TlsParameters();
    if (provider.equals("postscrypt")) {
      // No peer compresses certificates unless told to.
      ours.setCertificateCompression(false);
      if (!classic) {
        ours.setNamedGroups(new String[] {group, "x25519", "secp256r1"});
      }
    }
    parameters = provider.equals("postscrypt") ? ours : new SSLParameters();
    parameters.setProtocols(new String[] {version});
    if (!provider.equals("conscrypt") || version.equals("TLSv1.2")) {
      // Conscrypt derives the key types that it looks for from the older suites; its TLS 1.3 suites cannot be chosen.
      parameters.setCipherSuites(suites);
    }
    client = () -> configured(contexts[0].createSSLEngine(Pki.HOST, 443), true, pooled);
    server = () -> configured(contexts[1].createSSLEngine(), false, pooled);
  }

  private SSLEngine configured(SSLEngine engine, boolean client, boolean pooled) {
    engine.setUseClientMode(client);
    engine.setSSLParameters(parameters);
    if (pooled && Conscrypt.isConscrypt(engine)) {
      Conscrypt.setBufferAllocator(engine, new Pool());
    }
    return engine;
  }

  /** Netty's pool of direct memory as Conscrypt's source of temporary buffers. */
  private static final class Pool extends BufferAllocator {
    @Override
    public AllocatedBuffer allocateDirectBuffer(int capacity) {
      ByteBuf pooled = PooledByteBufAllocator.DEFAULT.directBuffer(capacity);
      ByteBuffer buffer = pooled.nioBuffer(0, capacity);
      return new AllocatedBuffer() {
        @Override
        public ByteBuffer nioBuffer() {
          return buffer;
        }

        @Override
        public AllocatedBuffer retain() {
          pooled.retain();
          return this;
        }

        @Override
        public AllocatedBuffer release() {
          pooled.release();
          return this;
        }
      };
    }
  }

  SSLEngine client() throws Exception {
    return client.make();
  }

  SSLEngine server() throws Exception {
    return server.make();
  }

  /** Completes the handshake of the two, tickets included. */
  void handshake(SSLEngine client, SSLEngine server) throws SSLException {
    handshake(client, server, wire.ways, wire.plain);
  }

  static void handshake(SSLEngine client, SSLEngine server, ByteBuffer[] wire, ByteBuffer plain) throws SSLException {
    SSLEngine[] ends = {client, server};
    wire[0].clear();
    wire[1].clear();
    client.beginHandshake();
    server.beginHandshake();
    for (int quiet = 0, rounds = 0; quiet < 2; rounds++) {
      if (rounds > 100) {
        throw new SSLException("the handshake does not end");
      }
      int moved = 0;
      for (int i = 0; i < 2; i++) {
        while (true) {
          runTasks(ends[i]);
          int before = wire[i].position();
          SSLEngineResult result = ends[i].wrap(NOTHING, wire[i]);
          moved += wire[i].position() - before;
          runTasks(ends[i]);
          if (result.getStatus() != Status.OK || wire[i].position() == before) {
            break;
          }
        }
        wire[i].flip();
        while (wire[i].hasRemaining()) {
          plain.clear();
          SSLEngineResult result = ends[1 - i].unwrap(wire[i], plain);
          runTasks(ends[1 - i]);
          if (result.getStatus() != Status.OK
              || (result.bytesConsumed() == 0 && ends[1 - i].getHandshakeStatus() == HandshakeStatus.NEED_WRAP)) {
            break;
          }
        }
        wire[i].compact();
      }
      quiet = moved == 0 ? quiet + 1 : 0;
    }
    for (SSLEngine end : ends) {
      if (!end.getSession().isValid() || end.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
        throw new SSLException("not established: " + end.getHandshakeStatus());
      }
    }
  }

  /** A byte from server to client: BoringSSL's servers hold their tickets back until they send data. */
  void deliverTickets(SSLEngine client, SSLEngine server) throws SSLException {
    wire.oneByte.clear();
    wire.ways[1].clear();
    wire.plain.clear();
    while (wire.oneByte.hasRemaining()) {
      if (server.wrap(wire.oneByte, wire.ways[1]).getStatus() != Status.OK) {
        throw new SSLException("cannot send");
      }
    }
    wire.ways[1].flip();
    while (wire.ways[1].hasRemaining()) {
      if (client.unwrap(wire.ways[1], wire.plain).getStatus() != Status.OK) {
        throw new SSLException("cannot receive");
      }
    }
    if (wire.plain.position() != 1) {
      throw new SSLException("the byte did not come");
    }
  }

  static void runTasks(SSLEngine engine) {
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      Runnable task = engine.getDelegatedTask();
      if (task == null) {
        return;
      }
      task.run();
    }
  }
}
