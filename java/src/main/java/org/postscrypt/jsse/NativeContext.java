package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.postscrypt.EchKey;
import org.postscrypt.PreSharedKey;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** A native context, and the part of a configuration that it is made of: made once, shared by all that are configured alike. */
final class NativeContext {
  private static final int REQUEST_STAPLING = 1;
  private static final int COMPRESS_CERTIFICATES = 2;
  private static final int GREASE = 4;
  private static final int PERMUTE_EXTENSIONS = 8;
  private static final int KEY_LOG = 16;
  private static final int ECH_GREASE = 32;
  private static final int NO_TICKETS = 64;
  private static final int REVERIFY = 128;
  private static final int ASK_PRE_SHARED_KEYS = 256;
  private static final int EXTERNAL_SESSIONS = 512;

  private static final byte X509 = 0;
  private static final byte RAW_PUBLIC_KEY = 2;

  /** What two configurations must have in common to share a context: compared part by part. */
  static final class Key {
    private final boolean server;
    private final int minVersion;
    private final int maxVersion;
    private final int[] cipherSuites;
    private final boolean serverOrder;
    private final int[] groups;
    private final int[] signatureSchemes;
    private final List<String> applicationProtocols;
    private final int clientAuth;
    private final int options;
    private final byte[] peerCertificateTypes;
    private final byte[] ownCertificateTypes;
    private final int sessionTimeout;
    private final int sessionCacheSize;
    private final TlsConfig config;
    /** The rest, and what else a peer is checked against, so that a session is never resumed under other rules. */
    private final List<Object> more;

    private final int hash;

    /**
     * {@code asksPreSharedKeys}: whether there is a manager of such.
     *
     * @throws SSLHandshakeException if the protocols and cipher suites leave nothing to negotiate
     */
    Key(TlsConfig config, boolean client, TlsSessionContext sessions, boolean asksPreSharedKeys)
        throws SSLHandshakeException {
      this.config = config;
      server = !client;
      Object own = config.algorithmConstraints();
      boolean tls12 = false;
      boolean tls13 = false;
      boolean preSharedKeys = false;
      List<String> permitted = new ArrayList<>();
      for (String suite : config.cipherSuites()) {
        if (Constraints.permitsCipherSuite(suite, own)) {
          permitted.add(suite);
        }
      }
      cipherSuites = CipherSuites.ids(permitted);
      for (int suite : cipherSuites) {
        tls13 |= CipherSuites.isTls13(suite);
        tls12 |= !CipherSuites.isTls13(suite);
        preSharedKeys |= CipherSuites.hasPreSharedKey(suite);
      }
      // A version without a suite of its own cannot be negotiated.
      tls12 &= config.protocols().contains(Protocols.TLS12) && Constraints.permitsProtocol(Protocols.TLS12, own);
      tls13 &= config.protocols().contains(Protocols.TLS13) && Constraints.permitsProtocol(Protocols.TLS13, own);
      if (!tls12 && !tls13) {
        throw new SSLHandshakeException(
            "No appropriate protocol (protocol is disabled or cipher suites are inappropriate): protocols "
                + config.protocols() + ", cipher suites " + config.cipherSuites());
      }
      minVersion = tls12 ? Protocols.TLS12_VERSION : Protocols.TLS13_VERSION;
      maxVersion = tls13 ? Protocols.TLS13_VERSION : Protocols.TLS12_VERSION;
      serverOrder = config.cipherSuitesOrder();
      groups = permittedGroups(config.namedGroups(), own);
      signatureSchemes = permittedSchemes(config.signatureSchemes(), own);
      applicationProtocols = config.applicationProtocols();
      clientAuth = server ? config.clientAuth() : TlsConfig.CLIENT_AUTH_NONE;
      options =
          (client ? REQUEST_STAPLING : 0)
              | (config.certificateCompression() ? COMPRESS_CERTIFICATES : 0)
              | (client && config.grease() ? GREASE : 0)
              | (client && config.extensionPermutation() ? PERMUTE_EXTENSIONS : 0)
              | (config.keyLog() != null ? KEY_LOG : 0)
              | (client && config.echGrease() ? ECH_GREASE : 0)
              | (config.sessionTickets() ? 0 : NO_TICKETS)
              | (client && config.sessionStore() != null ? REVERIFY : 0)
              | (asksPreSharedKeys && preSharedKeys && tls12 ? ASK_PRE_SHARED_KEYS : 0)
              | (server && config.serverSessionStore() != null ? EXTERNAL_SESSIONS : 0);
      peerCertificateTypes =
          config.trustedRawPublicKeys().isEmpty() ? new byte[0] : new byte[] {RAW_PUBLIC_KEY, X509};
      ownCertificateTypes =
          server || config.rawKeyPair() == null ? new byte[0] : new byte[] {RAW_PUBLIC_KEY, X509};
      sessionTimeout = server ? sessions.effectiveTimeout() : 0;
      sessionCacheSize = server ? sessions.effectiveCacheSize() : 0;
      more = new ArrayList<>();
      more.add(config.preSharedKeys());
      more.add(config.rawKeyPair());
      for (PublicKey key : config.trustedRawPublicKeys()) {
        more.add(ByteBuffer.wrap(key.getEncoded()));
      }
      more.add(config.algorithmConstraints());
      if (server) {
        more.add(config.echKeys());
        more.add(config.sniMatchers());
        more.add(config.endpointIdentification());
        for (byte[] key : config.sessionTicketKeys()) {
          more.add(ByteBuffer.wrap(key));
        }
      } else {
        more.add(ByteBuffer.wrap(config.echConfigList()));
      }
      int h = Arrays.hashCode(cipherSuites) * 31 + applicationProtocols.hashCode();
      h = (h * 31 + Arrays.hashCode(groups)) * 31 + Arrays.hashCode(signatureSchemes);
      h = (h * 31 + options) * 31 + clientAuth;
      hash = ((h * 31 + minVersion) * 31 + maxVersion) * 31 + (server ? 2 : 0) + (serverOrder ? 1 : 0);
    }

    private static int[] permittedGroups(int[] ids, Object own) throws SSLHandshakeException {
      int[] permitted = new int[ids.length];
      int n = 0;
      for (int id : ids) {
        if (Constraints.permitsGroup(NamedGroups.name(id), own)) {
          permitted[n++] = id;
        }
      }
      if (n == 0) {
        throw new SSLHandshakeException("No named group is enabled: all are unknown or disabled");
      }
      return Arrays.copyOf(permitted, n);
    }

    private static int[] permittedSchemes(int[] ids, Object own) throws SSLHandshakeException {
      int[] permitted = new int[ids.length];
      int n = 0;
      for (int id : ids) {
        if (Constraints.permitsScheme(SignatureSchemes.of(id), own)) {
          permitted[n++] = id;
        }
      }
      if (n == 0) {
        throw new SSLHandshakeException("No signature scheme is enabled: all are unknown or disabled");
      }
      return Arrays.copyOf(permitted, n);
    }

    /** Whether a change of the session context's settings since leaves this key what it is. */
    boolean isCurrent(TlsSessionContext sessions) {
      return !server
          || sessionTimeout == sessions.effectiveTimeout() && sessionCacheSize == sessions.effectiveCacheSize();
    }

    boolean isServer() {
      return server;
    }

    int[] signatureSchemes() {
      return signatureSchemes;
    }

    /** What a session of a server was made under, alike on all servers that are configured alike. */
    private byte[] sessionContext() {
      String text =
          minVersion + "-" + maxVersion + Arrays.toString(cipherSuites) + Arrays.toString(groups)
              + Arrays.toString(signatureSchemes) + applicationProtocols + clientAuth + Arrays.toString(peerCertificateTypes)
              + config.endpointIdentification();
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key)) {
        return false;
      }
      Key k = (Key) other;
      return hash == k.hash
          && server == k.server
          && minVersion == k.minVersion
          && maxVersion == k.maxVersion
          && serverOrder == k.serverOrder
          && clientAuth == k.clientAuth
          && options == k.options
          && sessionTimeout == k.sessionTimeout
          && sessionCacheSize == k.sessionCacheSize
          && Arrays.equals(cipherSuites, k.cipherSuites)
          && Arrays.equals(groups, k.groups)
          && Arrays.equals(signatureSchemes, k.signatureSchemes)
          && Arrays.equals(peerCertificateTypes, k.peerCertificateTypes)
          && Arrays.equals(ownCertificateTypes, k.ownCertificateTypes)
          && applicationProtocols.equals(k.applicationProtocols)
          && more.equals(k.more);
    }
  }

  private final NativeRef ref;
  private final Key key;
  private final TlsContext owner;

  /** {@code caNames}: DER names that a server tells with its certificate request. */
  NativeContext(TlsContext owner, Key key, byte[][] caNames) throws SSLException {
    this.owner = owner;
    this.key = key;
    byte[][] protocols = new byte[key.applicationProtocols.size()][];
    for (int i = 0; i < protocols.length; i++) {
      protocols[i] = key.applicationProtocols.get(i).getBytes(StandardCharsets.ISO_8859_1);
    }
    try (NativeRef c =
        new NativeRef(
            NativeCrypto.tlsConfigNew(
                key.server,
                key.minVersion,
                key.maxVersion,
                key.cipherSuites,
                key.serverOrder,
                key.groups,
                key.signatureSchemes,
                protocols),
            NativeCrypto::tlsConfigFree)) {
      TlsConfig config = key.config;
      NativeCrypto.tlsConfigSetOptions(c.handle(), c, key.options);
      NativeCrypto.tlsConfigSetCertificateTypes(c.handle(), c, key.peerCertificateTypes, key.ownCertificateTypes);
      for (PreSharedKey psk : config.preSharedKeys()) {
        byte[] secret = psk.getKey();
        try {
          NativeCrypto.tlsConfigAddPreSharedKey(c.handle(), c, psk.getIdentity(), secret, psk.getContext());
        } finally {
          Arrays.fill(secret, (byte) 0);
        }
      }
      byte[][] ticketKeys = key.server ? config.sessionTicketKeys().toArray(new byte[0][]) : new byte[0][];
      NativeCrypto.tlsConfigSetSessions(
          c.handle(), c, key.sessionTimeout, key.sessionCacheSize, key.sessionContext(), ticketKeys);
      if (key.server) {
        NativeCrypto.tlsConfigSetClientAuth(c.handle(), c, key.clientAuth, caNames);
        for (EchKey ech : config.echKeys()) {
          byte[] secret = ech.getPrivateKey();
          try {
            NativeCrypto.tlsConfigAddEchKey(c.handle(), c, ech.getConfig(), secret, ech.isRetry());
          } finally {
            Arrays.fill(secret, (byte) 0);
          }
        }
      } else {
        NativeCrypto.tlsConfigSetEchConfigList(c.handle(), c, config.echConfigList());
      }
      ref = new NativeRef(NativeCrypto.tlsContextNew(c.handle(), c), NativeCrypto::tlsContextFree);
    } catch (IllegalArgumentException e) {
      throw new SSLException("The configuration is not possible: " + e.getMessage(), e);
    }
  }

  /** Whether this is (still) what {@code context} would make for the configuration that it was made for. */
  boolean serves(TlsContext context, boolean client) {
    return owner == context && key.isServer() == !client && key.isCurrent(context.sessions(client));
  }

  /** The session that {@code NativeCrypto.tlsSessionEncode} gave; IllegalArgumentException if it is none. */
  NativeRef session(byte[] encoded) {
    return new NativeRef(NativeCrypto.tlsContextDecodeSession(ref.handle(), ref, encoded), NativeCrypto::tlsSessionFree);
  }

  /**
   * A new connection. Clients: the server name to send, the session to offer for resumption, and the key of the Channel ID; null
   * for none.
   *
   * @throws SSLHandshakeException if the key is not one for that
   */
  NativeRef connect(byte[] serverName, NativeRef session, PrivateKey channelIdKey) throws SSLHandshakeException {
    long handle = NativeCrypto.tlsNew(ref.handle(), ref, serverName, session == null ? 0 : session.handle(), session);
    NativeRef made = new NativeRef(handle, NativeCrypto::tlsFree);
    if (channelIdKey != null) {
      setChannelIdKey(made, channelIdKey);
    }
    return made;
  }

  private static void setChannelIdKey(NativeRef made, PrivateKey key) throws SSLHandshakeException {
    byte[] pkcs8 = KeyEncoding.pkcs8(key);
    try {
      if (pkcs8 == null) {
        throw new InvalidKeyException("no PKCS#8 encoding");
      }
      NativeCrypto.tlsSetChannelIdKey(made.handle(), made, pkcs8);
    } catch (InvalidKeyException e) {
      made.close();
      SSLHandshakeException failure = new SSLHandshakeException("Not a key for a Channel ID");
      failure.initCause(e);
      throw failure;
    } finally {
      if (pkcs8 != null) {
        Arrays.fill(pkcs8, (byte) 0);
      }
    }
  }
}
