package org.postscrypt.jsse.support;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import javax.net.ssl.SSLContext;

/** Whose implementation of JSSE one side of a connection is. */
public enum Peer {
  /** The JDK's own, SunJSSE. */
  JDK,
  /** Ours. */
  POSTSCRYPT;

  private static final String POSTSCRYPT_PROVIDER = "org.postscrypt.PostscryptProvider";

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

  /** Whether the class of this provider is on the class path; that it works is for the tests to find out. */
  public boolean isPresent() {
    if (this == JDK) {
      return true;
    }
    try {
      Class.forName(POSTSCRYPT_PROVIDER, false, Peer.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** The provider itself; it need not be registered. */
  public Provider provider() {
    return this == JDK ? Security.getProvider("SunJSSE") : Ours.PROVIDER;
  }

  /** A new context of this provider, not initialised. */
  public SSLContext newContext() {
    try {
      return SSLContext.getInstance("TLS", provider());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
