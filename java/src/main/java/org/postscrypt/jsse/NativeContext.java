package org.postscrypt.jsse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** A native context, and the part of a configuration that it is made of: made once, shared by all that are configured alike. */
final class NativeContext {
  /** What two configurations must have in common to share a context. */
  static final class Key {
    final boolean server;
    private final int minVersion;
    private final int maxVersion;
    private final int[] cipherSuites;
    private final boolean serverOrder;
    private final List<String> applicationProtocols;
    private final int clientAuth;
    private final int sessionTimeout;
    private final int sessionCacheSize;
    /** Server: what else a client was checked against, so that a session is never resumed under other rules. */
    private final Object verification;
    private final int hash;

    /**
     * @throws SSLHandshakeException if the protocols and cipher suites leave nothing to negotiate
     */
    Key(TlsConfig config, boolean client, TlsSessionContext sessions) throws SSLHandshakeException {
      server = !client;
      boolean tls12 = false;
      boolean tls13 = false;
      cipherSuites = CipherSuites.ids(config.cipherSuites());
      for (int suite : cipherSuites) {
        tls13 |= CipherSuites.isTls13(suite);
        tls12 |= !CipherSuites.isTls13(suite);
      }
      // A version without a suite of its own cannot be negotiated.
      tls12 &= config.protocols().contains(Protocols.TLS12);
      tls13 &= config.protocols().contains(Protocols.TLS13);
      if (!tls12 && !tls13) {
        throw new SSLHandshakeException(
            "No appropriate protocol (protocol is disabled or cipher suites are inappropriate): protocols "
                + config.protocols() + ", cipher suites " + config.cipherSuites());
      }
      minVersion = tls12 ? Protocols.TLS12_VERSION : Protocols.TLS13_VERSION;
      maxVersion = tls13 ? Protocols.TLS13_VERSION : Protocols.TLS12_VERSION;
      serverOrder = config.cipherSuitesOrder();
      applicationProtocols = config.applicationProtocols();
      clientAuth = server ? config.clientAuth() : TlsConfig.CLIENT_AUTH_NONE;
      sessionTimeout = server ? sessions.effectiveTimeout() : 0;
      sessionCacheSize = server ? sessions.effectiveCacheSize() : 0;
      verification =
          server
              ? Arrays.asList(config.sniMatchers(), config.endpointIdentification(), config.algorithmConstraints())
              : Collections.emptyList();
      int h = Arrays.hashCode(cipherSuites) * 31 + applicationProtocols.hashCode();
      hash = ((h * 31 + minVersion) * 31 + maxVersion) * 31 + clientAuth * 4 + (server ? 2 : 0) + (serverOrder ? 1 : 0);
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
      return server == k.server
          && minVersion == k.minVersion
          && maxVersion == k.maxVersion
          && serverOrder == k.serverOrder
          && clientAuth == k.clientAuth
          && sessionTimeout == k.sessionTimeout
          && sessionCacheSize == k.sessionCacheSize
          && verification.equals(k.verification)
          && Arrays.equals(cipherSuites, k.cipherSuites)
          && applicationProtocols.equals(k.applicationProtocols);
    }
  }

  private final NativeRef ref;

  /** {@code caNames}: DER names that a server tells with its certificate request. */
  NativeContext(Key key, byte[][] caNames) throws SSLException {
    byte[][] protocols = new byte[key.applicationProtocols.size()][];
    for (int i = 0; i < protocols.length; i++) {
      protocols[i] = key.applicationProtocols.get(i).getBytes(StandardCharsets.ISO_8859_1);
    }
    long handle;
    try {
      handle =
          NativeCrypto.tlsContextNew(
              key.server,
              key.minVersion,
              key.maxVersion,
              key.cipherSuites,
              key.serverOrder,
              new int[0],
              SignatureSchemes.DEFAULT,
              protocols,
              key.clientAuth,
              caNames,
              true,
              key.sessionTimeout,
              key.sessionCacheSize);
    } catch (IllegalArgumentException e) {
      throw new SSLException("The configuration is not possible: " + e.getMessage(), e);
    }
    ref = new NativeRef(handle, NativeCrypto::tlsContextFree);
  }

  /** A new connection. */
  NativeRef connect() {
    return new NativeRef(NativeCrypto.tlsNew(ref.handle(), ref), NativeCrypto::tlsFree);
  }
}
