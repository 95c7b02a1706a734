package org.postscrypt.jsse.support;

import java.lang.management.ManagementFactory;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.jsse.provider.BouncyCastleJsseProvider;
import org.conscrypt.Conscrypt;

/** Whose implementation of JSSE one side of a connection is. */
public enum Peer {
  /** The JDK's own, SunJSSE. */
  JDK(true),
  /** Ours. */
  POSTSCRYPT(true),
  /** Conscrypt, over its own BoringSSL. */
  CONSCRYPT(false),
  /** Netty's OpenSslEngine over netty-tcnative with BoringSSL; engines only. */
  NETTY(false),
  /** Bouncy Castle's JSSE. */
  BCJSSE(false);

  private static final String POSTSCRYPT_PROVIDER = "org.postscrypt.PostscryptProvider";

  private final boolean strict;

  Peer(boolean strict) {
    this.strict = strict;
  }

  /** Made once, when first asked for. */
  private static final class Ours {
    static final Provider PROVIDER = create();

    private static Provider create() {
      try {
        return (Provider) Class.forName(POSTSCRYPT_PROVIDER).getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(POSTSCRYPT_PROVIDER, e);
      }
    }
  }

  /** Not registered, as Bouncy Castle's: only the one under test may meet what it does. */
  private static final class OfConscrypt {
    static final Provider PROVIDER = Conscrypt.newProvider();
  }

  private static final class OfBouncyCastle {
    /** Kept, or the level would be forgotten with the logger: it tells of each failed handshake. */
    static final Logger QUIET = Logger.getLogger("org.bouncycastle.jsse");

    static final Provider PROVIDER = create();

    private static Provider create() {
      QUIET.setLevel(Level.OFF);
      return new BouncyCastleJsseProvider(new BouncyCastleProvider());
    }
  }

  /** Whether its engines keep {@link javax.net.ssl.SSLEngine}'s contract to the letter, so that it is checked. */
  boolean isStrict() {
    return strict;
  }

  /** Whether the class of this provider is on the class path; that it works is for the tests to find out. */
  public boolean isPresent() {
    if (this != POSTSCRYPT) {
      return true;
    }
    try {
      Class.forName(POSTSCRYPT_PROVIDER, false, Peer.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Why this peer cannot be had on this platform; null if it can. */
  public String unavailability() {
    try {
      switch (this) {
        case CONSCRYPT -> {
          if (ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-Xcheck:jni")) {
            return "-Xcheck:jni finds fault with its native half, and ours is what is checked";
          }
          if (OfConscrypt.PROVIDER == null) {
            return "no provider";
          }
        }
        case NETTY -> {
          Throwable cause = NettyContext.unavailabilityCause();
          return cause == null ? null : cause.toString();
        }
        default -> { }
      }
      return null;
    } catch (LinkageError e) {
      // Its native library is for some platforms only.
      return e.toString();
    }
  }

  /** The provider itself; it need not be registered. */
  public Provider provider() {
    return switch (this) {
      case JDK -> Security.getProvider("SunJSSE");
      case POSTSCRYPT -> Ours.PROVIDER;
      case CONSCRYPT -> OfConscrypt.PROVIDER;
      case BCJSSE -> OfBouncyCastle.PROVIDER;
      case NETTY -> throw new IllegalStateException("no provider");
    };
  }

  /** Key managers over {@code identities}: the JDK's, unless this peer has its own names for types of keys. */
  KeyManager[] keyManagers(TestPki.Identity... identities) {
    return TestPki.keyManagers(this == BCJSSE ? provider() : JDK.provider(), identities);
  }

  /** A new context of this provider, not initialised. */
  public SSLContext newContext() {
    try {
      return SSLContext.getInstance("TLS", provider());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A new context of one side.
   *
   * @param protocols ALPN; for those who cannot be told by SSLParameters
   */
  SSLContext context(boolean client, KeyManager[] keys, TrustManager[] trust, String... protocols) {
    if (this == NETTY) {
      return NettyContext.create(client, keys, trust, protocols);
    }
    try {
      SSLContext context = newContext();
      // Conscrypt's authType of TLS 1.3, GENERIC, is none that the JDK's trust manager knows.
      context.init(keys, this == CONSCRYPT ? DelegatingTrustManager.ofUnknownType(trust) : trust, null);
      return context;
    } catch (KeyManagementException e) {
      throw new IllegalStateException(e);
    }
  }
}
