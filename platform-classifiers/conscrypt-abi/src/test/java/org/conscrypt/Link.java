package org.conscrypt;

import static org.conscrypt.Check.attempt;

import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.postscrypt.conscryptabi.Fixtures;
import org.postscrypt.conscryptabi.Identities;
import org.postscrypt.conscryptabi.Text;

/** A client and a server in memory, by natives alone. */
final class Link implements AutoCloseable {
  static final int TLS12 = 0x303;
  static final int TLS13 = 0x304;

  /** One end: its objects, what it was asked, and how it answers. */
  static final class End implements NativeCrypto.SSLHandshakeCallbacks {
    final long context = NativeCrypto.SSL_CTX_new();
    final long ssl;
    final long bio;
    final List<String> log = new ArrayList<>();
    final List<Long> sessions = new ArrayList<>();
    /** Called in the callback of this name; what it throws, the callback throws. */
    java.util.Map<String, Check.Action> actions = new java.util.HashMap<>();
    byte[] psk;
    String pskIdentity = "id";
    int selected = -1;
    boolean done;
    String failure;

    End(boolean server, long sharedContext) throws Exception {
      ssl = NativeCrypto.SSL_new(sharedContext != 0 ? sharedContext : context, null);
      bio = NativeCrypto.SSL_BIO_new(ssl, null);
      if (server) {
        NativeCrypto.SSL_set_accept_state(ssl, null);
        NativeCrypto.SSL_set_verify(ssl, null, 0);
      } else {
        NativeCrypto.SSL_set_connect_state(ssl, null);
      }
      NativeCrypto.SSL_set_protocol_versions(ssl, null, TLS12, TLS13);
    }

    private void called(String name, Object... arguments) {
      log.add(name + Text.of(arguments));
      Check.Action action = actions.get(name);
      if (action != null) {
        try {
          action.run();
        } catch (Throwable e) {
          sneak(e);
        }
      }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable e) throws T {
      throw (T) e;
    }

    @Override
    public void verifyCertificateChain(byte[][] chain, String method) throws CertificateException {
      called("verify", chain.length, chain.length == 0 ? 0 : Arrays.hashCode(chain[0]), method);
    }

    @Override
    public void clientCertificateRequested(byte[] types, int[] schemes, byte[][] issuers) {
      called("clientCertificate", types, Text.of(schemes), issuers);
    }

    @Override
    public void serverCertificateRequested(int[] schemes) {
      // The genuine library knows none of the client's yet.
      called("serverCertificate");
    }

    @Override
    public int clientPSKKeyRequested(String hint, byte[] identity, byte[] key) {
      called("clientPsk", hint, identity.length, key.length);
      byte[] name = pskIdentity.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      System.arraycopy(name, 0, identity, 0, name.length);
      return key(key);
    }

    @Override
    public int serverPSKKeyRequested(String hint, String identity, byte[] key) {
      called("serverPsk", hint, identity, key.length);
      return key(key);
    }

    private int key(byte[] key) {
      if (psk == null) {
        return 0;
      }
      System.arraycopy(psk, 0, key, 0, Math.min(psk.length, key.length));
      return psk.length;
    }

    @Override
    public void onSSLStateChange(int type, int value) {
      called("state", type, value);
    }

    @Override
    public void onNewSessionEstablished(long session) {
      called("session", NativeCrypto.SSL_SESSION_get_version(session), NativeCrypto.SSL_SESSION_cipher(session),
          NativeCrypto.SSL_SESSION_should_be_single_use(session));
      NativeCrypto.SSL_SESSION_up_ref(session);
      sessions.add(session);
    }

    @Override
    public long serverSessionRequested(byte[] id) {
      called("sessionRequested", id.length);
      return 0;
    }

    @Override
    public int selectApplicationProtocol(byte[] protocols) {
      called("select", protocols);
      return selected;
    }

    /** One step of the handshake; a failure is kept. */
    private void step() {
      if (!done && failure == null) {
        String result = attempt(() -> NativeCrypto.ENGINE_SSL_do_handshake(ssl, null, this));
        if (result.startsWith("throws")) {
          failure = result;
        } else {
          done = result.equals("0");
        }
      }
    }

    int write(byte[] data) throws Exception {
      ByteBuffer buffer = Check.direct(data);
      return NativeCrypto.ENGINE_SSL_write_direct(
          ssl, null, NativeCrypto.getDirectBufferAddress(buffer), data.length, this);
    }

    /** Up to 64 KiB; a negative code is answered as text. */
    Object read() throws Exception {
      ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
      int count = NativeCrypto.ENGINE_SSL_read_direct(
          ssl, null, NativeCrypto.getDirectBufferAddress(buffer), buffer.capacity(), this);
      if (count < 0) {
        return count;
      }
      byte[] data = new byte[count];
      buffer.get(data);
      return data;
    }

    void identity(byte[] certificate, NativeRef.EVP_PKEY key) throws Exception {
      NativeCrypto.setLocalCertsAndPrivateKey(ssl, null, new byte[][] {certificate}, key);
    }

    void close() {
      sessions.forEach(NativeCrypto::SSL_SESSION_free);
      NativeCrypto.SSL_free(ssl, null);
      NativeCrypto.BIO_free_all(bio);
      NativeCrypto.SSL_CTX_free(context, null);
    }
  }

  final End client;
  final End server;

  Link() throws Exception {
    this(0, 0);
  }

  /** With contexts of another link. */
  Link(long clientContext, long serverContext) throws Exception {
    client = new End(false, clientContext);
    server = new End(true, serverContext);
    server.identity(Identities.RSA.getEncoded(), rsa());
  }

  /** Of ends that were configured already. */
  Link(End client, End server) {
    this.client = client;
    this.server = server;
  }

  static NativeRef.EVP_PKEY rsa() throws Exception {
    return Check.key(NativeCrypto.EVP_parse_private_key(Fixtures.RSA.getPrivate().getEncoded()));
  }

  static NativeRef.EVP_PKEY ec() throws Exception {
    return Check.key(NativeCrypto.EVP_parse_private_key(Fixtures.EC.getPrivate().getEncoded()));
  }

  Link versions(int version) {
    NativeCrypto.SSL_set_protocol_versions(client.ssl, null, version, version);
    return this;
  }

  /** Moves what one end has for the other. */
  private static boolean move(End from, End to) throws Exception {
    boolean moved = false;
    for (int i = 0; i < 100; i++) {
      int pending = NativeCrypto.SSL_pending_written_bytes_in_BIO(from.bio);
      if (pending == 0) {
        break;
      }
      ByteBuffer buffer = ByteBuffer.allocateDirect(pending);
      long address = NativeCrypto.getDirectBufferAddress(buffer);
      int read = NativeCrypto.ENGINE_SSL_read_BIO_direct(from.ssl, null, from.bio, address, pending, from);
      if (read <= 0 || NativeCrypto.ENGINE_SSL_write_BIO_direct(to.ssl, null, to.bio, address, read, to) != read) {
        throw new IllegalStateException("lost bytes");
      }
      moved = true;
    }
    return moved;
  }

  boolean move() throws Exception {
    return move(client, server) | move(server, client);
  }

  /** Until both are done or one has failed; what the other one then says is looked for as well. */
  Link handshake() throws Exception {
    for (int i = 0; i < 60; i++) {
      client.step();
      boolean moved = move();
      server.step();
      moved |= move();
      if (!moved && (client.done || client.failure != null || server.failure != null)
          && (server.done || server.failure != null || client.failure != null)) {
        break;
      }
    }
    // Tickets of TLS 1.3.
    if (client.done && server.done) {
      NativeCrypto.ENGINE_SSL_force_read(client.ssl, null, client);
    }
    return this;
  }

  /** How it went. */
  List<Object> outcome() {
    List<Object> outcome = new ArrayList<>();
    for (End end : new End[] {client, server}) {
      outcome.add(end.done ? "done" : String.valueOf(end.failure));
      outcome.add(end.log);
    }
    return outcome;
  }

  static Object facts(End end) throws Exception {
    byte[] unique = NativeCrypto.SSL_get_tls_unique(end.ssl, null);
    byte[] id = NativeCrypto.SSL_session_id(end.ssl, null);
    byte[][] peer = NativeCrypto.SSL_get0_peer_certificates(end.ssl, null);
    long session = NativeCrypto.SSL_get1_session(end.ssl, null);
    Object timeout = session == 0 ? null : NativeCrypto.SSL_SESSION_get_timeout(session);
    if (session != 0) {
      NativeCrypto.SSL_SESSION_free(session);
    }
    return Check.all(NativeCrypto.SSL_get_version(end.ssl, null), NativeCrypto.SSL_get_current_cipher(end.ssl, null),
        NativeCrypto.SSL_get_servername(end.ssl, null), NativeCrypto.getApplicationProtocol(end.ssl, null),
        NativeCrypto.SSL_get_ocsp_response(end.ssl, null), NativeCrypto.SSL_get_signed_cert_timestamp_list(end.ssl, null),
        unique == null ? -1 : unique.length, id == null ? -1 : id.length, peer == null ? -1 : peer.length,
        NativeCrypto.SSL_session_reused(end.ssl, null), NativeCrypto.SSL_get_shutdown(end.ssl, null),
        NativeCrypto.SSL_max_seal_overhead(end.ssl, null), NativeCrypto.SSL_get_timeout(end.ssl, null), timeout,
        NativeCrypto.SSL_ech_accepted(end.ssl, null), NativeCrypto.SSL_get_time(end.ssl, null) > 0,
        NativeCrypto.SSL_pending_readable_bytes(end.ssl, null), NativeCrypto.SSL_get_curve_name(end.ssl, null));
  }

  /** A message each way, and the end. */
  Object exchange() throws Exception {
    List<Object> results = new ArrayList<>();
    results.add(client.write(Fixtures.ascii("hello")));
    move();
    results.add(server.read());
    results.add(server.write(Check.bytes(12000)));
    move();
    results.add(client.read());
    results.add(client.read());
    NativeCrypto.ENGINE_SSL_shutdown(client.ssl, null, client);
    move();
    results.add(server.read());
    results.add(NativeCrypto.SSL_get_shutdown(server.ssl, null));
    NativeCrypto.ENGINE_SSL_shutdown(server.ssl, null, server);
    move();
    results.add(client.read());
    results.add(NativeCrypto.SSL_get_shutdown(client.ssl, null));
    return results;
  }

  static String hex(byte[] bytes) {
    return bytes == null ? "null" : HexFormat.of().formatHex(bytes);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
