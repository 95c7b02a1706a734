package org.conscrypt;

import static org.conscrypt.Check.all;
import static org.conscrypt.Check.attempt;
import static org.conscrypt.Check.bytes;

import java.io.FileDescriptor;
import java.math.BigInteger;
import java.security.cert.CertificateException;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.List;
import org.postscrypt.conscryptabi.Fixtures;
import org.postscrypt.conscryptabi.Identities;

/** TLS by natives alone: what is asked of Java and when, what connections say, what fails how. */
public final class TlsCases {
  private TlsCases() {}

  private static final long SSL_OP_NO_TICKET = 0x4000;
  private static final int[] VERSIONS = {Link.TLS12, Link.TLS13};
  private static final byte[] PROTOCOLS = Fixtures.ascii("\u0002h2\u0008http/1.1");

  public static Object handshakes() throws Exception {
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      try (Link link = new Link().versions(version)) {
        NativeCrypto.SSL_set_tlsext_host_name(link.client.ssl, null, "leaf.example");
        NativeCrypto.SSL_enable_ocsp_stapling(link.client.ssl, null);
        NativeCrypto.SSL_enable_signed_cert_timestamps(link.client.ssl, null);
        NativeCrypto.SSL_set_ocsp_response(link.server.ssl, null, bytes(20));
        NativeCrypto.SSL_set_signed_cert_timestamp_list(link.server.ssl, null, new byte[] {0, 3, 0, 1, 9});
        NativeCrypto.SSL_set1_groups(link.client.ssl, null, new int[] {948, 415});
        NativeCrypto.SSL_accept_renegotiations(link.client.ssl, null);
        results.add(Link.facts(link.client));
        results.add(link.handshake().outcome());
        results.add(Link.facts(link.client));
        results.add(Link.facts(link.server));
        results.add(java.util.Arrays.equals(NativeCrypto.SSL_get_tls_unique(link.client.ssl, null),
            NativeCrypto.SSL_get_tls_unique(link.server.ssl, null)));
        for (byte[] context : new byte[][] {null, {}, bytes(5)}) {
          byte[] mine = NativeCrypto.SSL_export_keying_material(link.client.ssl, null, bytes(4), context, 40);
          byte[] theirs = NativeCrypto.SSL_export_keying_material(link.server.ssl, null, bytes(4), context, 40);
          results.add(mine.length + " " + java.util.Arrays.equals(mine, theirs));
        }
        results.add(link.exchange());
        results.add(NativeCrypto.SSL_get_error(link.client.ssl, null, 1));
      }
    }
    return results;
  }

  public static Object protocols() throws Exception {
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      for (byte[] mine : new byte[][] {null, PROTOCOLS, Fixtures.ascii("\u0008http/1.1\u0002h2"), Fixtures.ascii("\u0001x")}) {
        try (Link link = new Link().versions(version)) {
          NativeCrypto.setApplicationProtocols(link.client.ssl, null, true, PROTOCOLS);
          NativeCrypto.setApplicationProtocols(link.server.ssl, null, false, mine);
          results.add(link.handshake().outcome());
          results.add(NativeCrypto.getApplicationProtocol(link.client.ssl, null));
          results.add(NativeCrypto.getApplicationProtocol(link.server.ssl, null));
        }
      }
      for (int selected : new int[] {-1, 0, 3}) {
        try (Link link = new Link().versions(version)) {
          NativeCrypto.setApplicationProtocols(link.client.ssl, null, true, PROTOCOLS);
          NativeCrypto.setHasApplicationProtocolSelector(link.server.ssl, null, true);
          link.server.selected = selected;
          link.handshake();
          results.add(sorted(link.server.log));
          results.add(NativeCrypto.getApplicationProtocol(link.client.ssl, null));
          results.add(NativeCrypto.getApplicationProtocol(link.server.ssl, null));
        }
      }
    }
    try (Link link = new Link()) {
      results.add(attempt(() -> NativeCrypto.setApplicationProtocols(link.client.ssl, null, true, new byte[] {5, 1})));
      results.add(attempt(() -> NativeCrypto.setApplicationProtocols(link.client.ssl, null, true, new byte[] {0})));
    }
    return results;
  }

  /** The selector is asked earlier than by the genuine library, so only what is asked is compared. */
  private static List<String> sorted(List<String> log) {
    List<String> sorted = new ArrayList<>(log);
    sorted.sort(null);
    return sorted;
  }

  private static long[] opaque() throws Exception {
    byte[] modulus = ((RSAPublicKey) Fixtures.RSA.getPublic()).getModulus().toByteArray();
    NativeRef.EC_GROUP group =
        new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("prime256v1"));
    return new long[] {
      NativeCrypto.getRSAPrivateKeyWrapper(Fixtures.RSA.getPrivate(), modulus),
      NativeCrypto.getECPrivateKeyWrapper(Fixtures.EC.getPrivate(), group),
    };
  }

  public static Object clientCertificates() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[] issuer = new javax.security.auth.x500.X500Principal(Fixtures.CA_NAME.getEncoded()).getEncoded();
    long[] opaque = opaque();
    NativeRef.EVP_PKEY[] keys = {null, Link.rsa(), Link.ec(), Check.key(opaque[0]), Check.key(opaque[1])};
    for (int version : VERSIONS) {
      for (int mode : new int[] {1, 3}) {
        for (int i = 0; i < keys.length; i++) {
          NativeRef.EVP_PKEY key = keys[i];
          byte[] certificate = (i % 2 == 1 ? Identities.RSA : Identities.EC).getEncoded();
          try (Link link = new Link().versions(version)) {
            NativeCrypto.SSL_set_verify(link.server.ssl, null, mode);
            NativeCrypto.SSL_set_client_CA_list(link.server.ssl, null, new byte[][] {issuer});
            link.client.actions.put("clientCertificate", () -> {
              if (key != null) {
                link.client.identity(certificate, key);
              }
            });
            results.add(link.handshake().outcome());
            if (link.client.done && link.server.done) {
              results.add(Link.facts(link.server));
              results.add(link.exchange());
            }
          }
        }
      }
    }
    // A server whose key is opaque, chosen when it is asked for.
    for (int version : VERSIONS) {
      try (Link link = new Link().versions(version)) {
        link.server.actions.put("serverCertificate", () -> link.server.identity(Identities.EC.getEncoded(), keys[4]));
        results.add(link.handshake().outcome());
        results.add(link.exchange());
      }
    }
    return results;
  }

  public static Object opaqueKeysThatFail() throws Exception {
    byte[] modulus = ((RSAPublicKey) Fixtures.RSA.getPublic()).getModulus().toByteArray();
    NativeRef.EVP_PKEY dead = Check.key(NativeCrypto.getRSAPrivateKeyWrapper(new java.security.PrivateKey() {
      @Override
      public String getAlgorithm() {
        return "RSA";
      }

      @Override
      public String getFormat() {
        return null;
      }

      @Override
      public byte[] getEncoded() {
        return null;
      }
    }, modulus));
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      try (Link link = new Link().versions(version)) {
        link.server.identity(Identities.RSA.getEncoded(), dead);
        link.handshake();
        results.add(link.server.failure);
        results.add(link.client.failure);
      }
    }
    return results;
  }

  public static Object exceptionsOfCallbacks() throws Exception {
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      for (String name : new String[] {"verify", "state", "session", "clientCertificate"}) {
        for (Throwable thrown : new Throwable[] {new CertificateException("no"), new IllegalStateException(), new StackOverflowError()}) {
          try (Link link = new Link().versions(version)) {
            NativeCrypto.SSL_set_verify(link.server.ssl, null, 1);
            link.client.actions.put(name, () -> {
              if (thrown instanceof Exception e) {
                throw e;
              }
              throw (Error) thrown;
            });
            link.handshake();
            results.add(name + " " + link.client.failure + " " + link.client.done);
            if (!name.equals("state")) {
              results.add(link.server.failure + " " + link.server.done);
            }
          }
        }
      }
      for (String name : new String[] {"serverCertificate", "select"}) {
        try (Link link = new Link().versions(version)) {
          NativeCrypto.setApplicationProtocols(link.client.ssl, null, true, PROTOCOLS);
          NativeCrypto.setHasApplicationProtocolSelector(link.server.ssl, null, true);
          link.server.actions.put(name, () -> {
            throw new java.io.IOException("no");
          });
          link.handshake();
          results.add(name + " " + link.server.failure + " " + link.server.done);
        }
      }
    }
    return results;
  }

  static void psk(Link link, byte[] client, byte[] server) throws Exception {
    NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, new String[] {"ECDHE-PSK-AES128-CBC-SHA"});
    NativeCrypto.SSL_set_cipher_lists(link.server.ssl, null, new String[] {"ECDHE-PSK-AES128-CBC-SHA"});
    NativeCrypto.set_SSL_psk_client_callback_enabled(link.client.ssl, null, true);
    NativeCrypto.set_SSL_psk_server_callback_enabled(link.server.ssl, null, true);
    NativeCrypto.SSL_use_psk_identity_hint(link.server.ssl, null, "hint \u00fc");
    link.client.psk = client;
    link.server.psk = server;
    link.versions(Link.TLS12);
  }

  public static Object preSharedKeys() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[][][] pairs = {
      {bytes(16), bytes(16)}, {bytes(16), bytes(17)}, {bytes(1), bytes(1)}, {null, bytes(16)}, {bytes(16), null},
      {bytes(300), bytes(16)}, {bytes(16), bytes(300)},
    };
    for (byte[][] pair : pairs) {
      try (Link link = new Link()) {
        psk(link, pair[0], pair[1]);
        results.add(link.handshake().outcome());
        if (link.client.done && link.server.done) {
          results.add(Link.facts(link.client));
          results.add(link.exchange());
        }
      }
    }
    for (String name : new String[] {"clientPsk", "serverPsk"}) {
      try (Link link = new Link()) {
        psk(link, bytes(16), bytes(16));
        Check.Action action = () -> {
          throw new IllegalStateException(name);
        };
        link.client.actions.put(name, action);
        link.server.actions.put(name, action);
        link.handshake();
        results.add(link.client.failure + " " + link.server.failure);
      }
    }
    try (Link link = new Link()) {
      psk(link, bytes(16), bytes(16));
      NativeCrypto.SSL_use_psk_identity_hint(link.server.ssl, null, null);
      NativeCrypto.set_SSL_psk_client_callback_enabled(link.client.ssl, null, false);
      link.handshake();
      results.add(link.client.failure + " " + link.server.failure);
      results.add(attempt(() ->
          NativeCrypto.SSL_use_psk_identity_hint(link.server.ssl, null, "x".repeat(200))));
    }
    // The connection may be asked in the middle.
    try (Link link = new Link()) {
      psk(link, bytes(16), bytes(16));
      List<Object> asked = new ArrayList<>();
      link.client.actions.put("clientPsk", () -> asked.add(NativeCrypto.SSL_get_version(link.client.ssl, null)));
      results.add(link.handshake().outcome());
      results.add(asked);
    }
    return results;
  }

  /** A link with the contexts of another one, whose sessions may be resumed. */
  private static Link contexts(Link base) throws Exception {
    NativeCrypto.SSL_CTX_set_session_id_context(base.server.context, null, bytes(8));
    return new Link(base.client.context, base.server.context);
  }

  private static Link resume(Link first, long session) throws Exception {
    Link second = new Link(first.client.context, first.server.context);
    NativeCrypto.SSL_set_session(second.client.ssl, null, session);
    return second;
  }

  public static Object resumption() throws Exception {
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      for (boolean tickets : new boolean[] {true, false}) {
        try (Link base = new Link();
            Link first = contexts(base).versions(version)) {
          results.add(NativeCrypto.SSL_CTX_set_timeout(base.server.context, null, 1234));
          results.add(NativeCrypto.SSL_CTX_set_timeout(base.client.context, null, 4321));
          tickets(first, tickets);
          results.add(first.handshake().outcome());
          results.add(first.client.sessions.size() + " " + first.server.sessions.size());
          first.exchange();
          if (first.client.sessions.isEmpty()) {
            continue;
          }
          long session = first.client.sessions.get(0);
          byte[] id = NativeCrypto.SSL_SESSION_session_id(session);
          results.add(all(id.length, NativeCrypto.SSL_SESSION_get_time(session) > 0,
              NativeCrypto.SSL_SESSION_get_timeout(session), NativeCrypto.SSL_SESSION_get_version(session),
              NativeCrypto.SSL_SESSION_cipher(session), NativeCrypto.SSL_SESSION_should_be_single_use(session)));
          byte[] encoded = NativeCrypto.i2d_SSL_SESSION(session);
          long decoded = NativeCrypto.d2i_SSL_SESSION(encoded);
          results.add(java.util.Arrays.equals(encoded, NativeCrypto.i2d_SSL_SESSION(decoded)));
          try (Link second = resume(base, decoded).versions(version)) {
            tickets(second, tickets);
            results.add(second.handshake().outcome());
            results.add(Link.facts(second.client));
            results.add(Link.facts(second.server));
            NativeCrypto.SSL_set_timeout(second.client.ssl, null, 5000);
            results.add(NativeCrypto.SSL_get_timeout(second.client.ssl, null));
            results.add(second.exchange());
          }
          // A server that knows neither the session nor its ticket.
          try (Link other = new Link(base.client.context, 0).versions(version)) {
            tickets(other, tickets);
            NativeCrypto.SSL_set_session(other.client.ssl, null, decoded);
            results.add(other.handshake().outcome());
            results.add(Link.facts(other.client));
          }
          NativeCrypto.SSL_SESSION_free(decoded);
        }
      }
    }
    try (Link link = new Link()) {
      NativeCrypto.SSL_set_session(link.client.ssl, null, 0);
      NativeCrypto.SSL_set_session_creation_enabled(link.client.ssl, null, false);
      link.handshake();
      results.add(link.client.failure + " " + link.server.failure);
      NativeCrypto.SSL_set_session_creation_enabled(link.server.ssl, null, true);
      results.add(NativeCrypto.SSL_get1_session(link.client.ssl, null));
      results.add(NativeCrypto.SSL_set_timeout(link.client.ssl, null, 5000));
    }
    for (byte[] bad : new byte[][] {{}, bytes(10), new byte[300]}) {
      results.add(attempt(() -> NativeCrypto.d2i_SSL_SESSION(bad)));
    }
    results.add(attempt(() -> NativeCrypto.d2i_SSL_SESSION(null)));
    return results;
  }

  private static void tickets(Link link, boolean tickets) {
    for (Link.End end : new Link.End[] {link.client, link.server}) {
      if (tickets) {
        NativeCrypto.SSL_clear_options(end.ssl, null, SSL_OP_NO_TICKET);
      } else {
        NativeCrypto.SSL_set_options(end.ssl, null, SSL_OP_NO_TICKET);
      }
    }
  }

  public static Object failures() throws Exception {
    List<Object> results = new ArrayList<>();
    try (Link link = new Link()) {
      NativeCrypto.SSL_set_protocol_versions(link.client.ssl, null, Link.TLS12, Link.TLS12);
      NativeCrypto.SSL_set_protocol_versions(link.server.ssl, null, Link.TLS13, Link.TLS13);
      results.add(link.handshake().outcome());
    }
    try (Link link = new Link().versions(Link.TLS12)) {
      NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, new String[] {"ECDHE-RSA-AES128-GCM-SHA256"});
      NativeCrypto.SSL_set_cipher_lists(link.server.ssl, null, new String[] {"ECDHE-RSA-AES256-GCM-SHA384"});
      results.add(link.handshake().outcome());
    }
    try (Link link = new Link()) {
      NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, new String[0]);
      results.add(NativeCrypto.SSL_get_ciphers(link.client.ssl, null).length);
      results.add(attempt(() -> NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, new String[] {"nonsense"})));
      results.add(attempt(() -> NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, new String[] {""})));
      results.add(attempt(() -> NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, new String[] {null})));
      results.add(attempt(() -> NativeCrypto.SSL_set_cipher_lists(link.client.ssl, null, null)));
      results.add(attempt(() -> NativeCrypto.SSL_set1_groups(link.client.ssl, null, new int[] {1})));
      results.add(attempt(() -> NativeCrypto.SSL_set1_groups(link.client.ssl, null, new int[0])));
      results.add(attempt(() -> NativeCrypto.SSL_set1_groups(link.client.ssl, null, null)));
      for (int nid : new int[] {415, 715, 716, 948, 964, 965, 966}) {
        results.add(nid + attempt(() -> NativeCrypto.SSL_set1_groups(link.client.ssl, null, new int[] {nid})));
      }
      results.add(NativeCrypto.SSL_set_protocol_versions(link.client.ssl, null, 0x302, 0x399));
      results.add(NativeCrypto.SSL_set_protocol_versions(link.client.ssl, null, 0x301, 0x304));
      results.add(attempt(() -> NativeCrypto.SSL_set_tlsext_host_name(link.client.ssl, null, "x".repeat(300))));
      results.add(attempt(() -> NativeCrypto.SSL_set_tlsext_host_name(link.client.ssl, null, null)));
      results.add(attempt(() -> NativeCrypto.setLocalCertsAndPrivateKey(link.client.ssl, null, null, Link.rsa())));
      results.add(attempt(() -> NativeCrypto.setLocalCertsAndPrivateKey(link.client.ssl, null, new byte[0][], Link.rsa())));
      results.add(attempt(() -> link.client.identity(Fixtures.CA, null)));
      results.add(attempt(() -> link.client.identity(Fixtures.CA, Link.ec())));
      results.add(attempt(() -> link.client.identity(bytes(9), Link.ec())));
      results.add(attempt(() -> NativeCrypto.SSL_set_client_CA_list(link.server.ssl, null, null)));
      results.add(attempt(() -> NativeCrypto.SSL_set_client_CA_list(link.server.ssl, null, new byte[0][])));
      results.add(attempt(() -> NativeCrypto.ENGINE_SSL_do_handshake(link.server.ssl, null, null)));
      results.add(attempt(() -> NativeCrypto.ENGINE_SSL_shutdown(link.server.ssl, null, null)));
      results.add(attempt(() -> NativeCrypto.ENGINE_SSL_shutdown(link.server.ssl, null, link.server)));
      results.add(attempt(() -> NativeCrypto.ENGINE_SSL_shutdown(0, null, link.server)));
      results.add(attempt(() -> NativeCrypto.SSL_export_keying_material(link.server.ssl, null, bytes(3), null, 20)));
      results.add(attempt(() ->
          NativeCrypto.SSL_CTX_set_session_id_context(link.server.context, null, new byte[33])));
      results.add(attempt(() -> NativeCrypto.SSL_CTX_set_session_id_context(link.server.context, null, null)));
    }
    // Not TLS at all; a record that was changed; data before the handshake.
    for (String text : new String[] {"GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001\u0000\u0005hello", "\u0017\u0003\u0003\u0000\u0001x"}) {
      try (Link link = new Link()) {
        java.nio.ByteBuffer buffer = Check.direct(Fixtures.ascii(text));
        NativeCrypto.ENGINE_SSL_write_BIO_direct(link.server.ssl, null, link.server.bio,
            NativeCrypto.getDirectBufferAddress(buffer), buffer.remaining(), link.server);
        results.add(attempt(() -> NativeCrypto.ENGINE_SSL_do_handshake(link.server.ssl, null, link.server)));
        results.add(attempt(() -> NativeCrypto.ENGINE_SSL_do_handshake(link.server.ssl, null, link.server)));
        results.add(NativeCrypto.SSL_pending_written_bytes_in_BIO(link.server.bio));
      }
    }
    for (int version : VERSIONS) {
      try (Link link = new Link().versions(version).handshake()) {
        link.client.write(bytes(10));
        java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocateDirect(1000);
        long address = NativeCrypto.getDirectBufferAddress(buffer);
        int count = NativeCrypto.ENGINE_SSL_read_BIO_direct(link.client.ssl, null, link.client.bio, address, 1000, link.client);
        buffer.put(count - 1, (byte) (buffer.get(count - 1) ^ 1));
        NativeCrypto.ENGINE_SSL_write_BIO_direct(link.server.ssl, null, link.server.bio, address, count, link.server);
        results.add(attempt(link.server::read));
        results.add(attempt(link.server::read));
        results.add(attempt(() -> link.server.write(bytes(3))));
        link.move();
        results.add(attempt(link.client::read));
        results.add(attempt(() -> NativeCrypto.ENGINE_SSL_force_read(link.client.ssl, null, link.client)));
      }
    }
    try (Link link = new Link()) {
      int result = link.client.write(bytes(3));
      results.add(result + " " + NativeCrypto.SSL_get_error(link.client.ssl, null, result));
      NativeCrypto.SSL_clear_error();
    }
    return results;
  }

  public static Object settings() throws Exception {
    List<Object> results = new ArrayList<>();
    try (Link link = new Link()) {
      long s = link.client.ssl;
      results.add(NativeCrypto.SSL_get_options(s, null) & SSL_OP_NO_TICKET);
      results.add(NativeCrypto.SSL_set_options(s, null, 0x400000) & 0x404000);
      results.add(NativeCrypto.SSL_clear_options(s, null, 0x404000) & 0x404000);
      long mode = NativeCrypto.SSL_get_mode(s, null);
      results.add(mode);
      results.add(NativeCrypto.SSL_set_mode(s, null, 0x400 | 0x100));
      results.add(NativeCrypto.SSL_clear_mode(s, null, 0x100));
      NativeCrypto.SSL_set_cipher_lists(s, null, new String[] {"ECDHE-RSA-AES128-GCM-SHA256", "AES128-SHA", "ECDHE-PSK-AES128-CBC-SHA"});
      for (long cipher : NativeCrypto.SSL_get_ciphers(s, null)) {
        results.add(NativeCrypto.SSL_CIPHER_get_kx_name(cipher));
      }
      results.add(attempt(() -> NativeCrypto.SSL_CIPHER_get_kx_name(0)));
      for (int scheme : new int[] {0x403, 0x804, 0x807, 0x201, 0x203, 0, 77, 0x10403}) {
        results.add(NativeCrypto.SSL_get_signature_algorithm_key_type(scheme));
      }
      results.add(NativeCrypto.SSL_BIO_new(s, null) != 0);
    }
    return results;
  }

  public static Object channelIds() throws Exception {
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      try (Link link = new Link().versions(version)) {
        NativeCrypto.SSL_enable_tls_channel_id(link.server.ssl, null);
        NativeCrypto.SSL_set1_tls_channel_id(link.client.ssl, null, Link.ec());
        results.add(link.handshake().outcome());
        results.add(NativeCrypto.SSL_get_tls_channel_id(link.server.ssl, null));
        results.add(NativeCrypto.SSL_get_tls_channel_id(link.client.ssl, null));
        results.add(attempt(() -> NativeCrypto.SSL_set1_tls_channel_id(link.client.ssl, null, Link.rsa())));
        results.add(attempt(() -> NativeCrypto.SSL_set1_tls_channel_id(link.client.ssl, null, null)));
      }
    }
    return results;
  }

  /** A private key of X25519 and its ECHConfig, for "public.example". */
  static byte[][] ech() throws Exception {
    byte[] privateKey = bytes(32);
    byte[] publicKey = new byte[32];
    byte[] base = new byte[32];
    base[0] = 9;
    NativeCrypto.X25519(publicKey, privateKey, base);
    byte[] name = Fixtures.ascii("public.example");
    byte[] contents = Fixtures.concat(new byte[] {7, 0, 0x20, 0, 0x20}, publicKey,
        new byte[] {0, 8, 0, 1, 0, 1, 0, 1, 0, 3, 64, (byte) name.length}, name, new byte[] {0, 0});
    byte[] config = Fixtures.concat(new byte[] {(byte) 0xfe, 0x0d, 0, (byte) contents.length}, contents);
    return new byte[][] {privateKey, config, Fixtures.concat(new byte[] {0, (byte) config.length}, config)};
  }

  public static Object encryptedHellos() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[][] ech = ech();
    try (Link link = new Link()) {
      results.add(NativeCrypto.SSL_CTX_ech_enable_server(link.server.context, null, ech[0], ech[1]));
      results.add(NativeCrypto.SSL_set1_ech_config_list(link.client.ssl, null, ech[2]));
      NativeCrypto.SSL_set_tlsext_host_name(link.client.ssl, null, "secret.example");
      results.add(link.handshake().outcome());
      results.add(Link.facts(link.client));
      results.add(Link.facts(link.server));
      results.add(NativeCrypto.SSL_get0_ech_name_override(link.client.ssl, null));
      results.add(link.exchange());
    }
    // Refused: the server's chain is checked for the public name, and then the handshake fails with what to try next.
    byte[] other = ech[2].clone();
    other[7] ^= 1;
    for (boolean known : new boolean[] {false, true}) {
      try (Link link = new Link()) {
        if (known) {
          NativeCrypto.SSL_CTX_ech_enable_server(link.server.context, null, ech[0], ech[1]);
        }
        NativeCrypto.SSL_set1_ech_config_list(link.client.ssl, null, other);
        link.client.actions.put("verify", () -> results.add(NativeCrypto.SSL_get0_ech_name_override(link.client.ssl, null)));
        results.add(link.handshake().outcome());
        results.add(NativeCrypto.SSL_get0_ech_retry_configs(link.client.ssl, null));
        results.add(NativeCrypto.SSL_get0_ech_name_override(link.client.ssl, null));
      }
    }
    try (Link link = new Link()) {
      NativeCrypto.SSL_set_enable_ech_grease(link.client.ssl, null, true);
      results.add(link.handshake().outcome());
      results.add(NativeCrypto.SSL_ech_accepted(link.client.ssl, null));
      results.add(attempt(() -> NativeCrypto.SSL_set1_ech_config_list(link.client.ssl, null, bytes(9))));
      results.add(attempt(() -> NativeCrypto.SSL_set1_ech_config_list(link.client.ssl, null, null)));
      results.add(attempt(() -> NativeCrypto.SSL_CTX_ech_enable_server(link.server.context, null, bytes(5), ech[1])));
      results.add(attempt(() -> NativeCrypto.SSL_CTX_ech_enable_server(link.server.context, null, ech[0], bytes(9))));
      results.add(attempt(() -> NativeCrypto.SSL_CTX_ech_enable_server(link.server.context, null, new byte[32], ech[1])));
    }
    long keys = NativeCrypto.SSL_ECH_KEYS_new();
    NativeCrypto.SSL_ECH_KEYS_up_ref(keys);
    NativeCrypto.SSL_ECH_KEYS_free(keys);
    NativeCrypto.SSL_ECH_KEYS_free(keys);
    return results;
  }

  public static Object spake() throws Exception {
    List<Object> results = new ArrayList<>();
    for (byte[] password : new byte[][] {bytes(8), bytes(9)}) {
      try (Link outer = new Link()) {
        NativeCrypto.SSL_CTX_set_spake_credential(
            bytes(3), bytes(8), bytes(4), bytes(5), true, 5, outer.client.context, null);
        NativeCrypto.SSL_CTX_set_spake_credential(
            bytes(3), password, bytes(4), bytes(5), false, 5, outer.server.context, null);
        Link.End client = new Link.End(false, outer.client.context);
        Link.End server = new Link.End(true, outer.server.context);
        NativeCrypto.SSL_set_protocol_versions(client.ssl, null, Link.TLS13, Link.TLS13);
        NativeCrypto.SSL_set_protocol_versions(server.ssl, null, Link.TLS13, Link.TLS13);
        try (Link link = new Link(client, server)) {
          results.add(link.handshake().outcome());
          if (client.done && server.done) {
            results.add(link.exchange());
          }
        }
      }
    }
    return results;
  }

  public static Object bigNumbersOfRecords() throws Exception {
    List<Object> results = new ArrayList<>();
    for (int version : VERSIONS) {
      try (Link link = new Link().versions(version).handshake()) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < 200; i++) {
          link.server.write(bytes(i * 70));
          link.move();
          sum = sum.add(new BigInteger(1, i == 0 ? new byte[1] : (byte[]) link.client.read()));
        }
        results.add(sum.toByteArray());
      }
    }
    return results;
  }

  /** Nothing is behind 4: what is null is said before that is looked at. */
  public static Object nullsComeBeforeMadeUpHandles() {
    byte[] some = new byte[1];
    List<Object> results = new ArrayList<>();
    results.add(attempt(() -> NativeCrypto.SSL_shutdown(4, null, null, null)));
    results.add(attempt(() -> NativeCrypto.SSL_shutdown(4, null, new FileDescriptor(), null)));
    results.add(attempt(() -> NativeCrypto.ENGINE_SSL_shutdown(4, null, null)));
    for (int missing = 0; missing < 4; missing++) {
      byte[][] four = {some, some, some, some};
      four[missing] = null;
      results.add(attempt(() ->
          NativeCrypto.SSL_CTX_set_spake_credential(four[0], four[1], four[2], four[3], false, 1, 4, null)));
    }
    return results;
  }
}
