package org.conscrypt;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;

/** The cache beside the client sessions of a context. */
final class ClientSessions {
  private volatile Store store;

  /** Sets the cache; null for none. For connections that are made from now on. */
  void setCache(SSLClientSessionCache cache) {
    store = cache == null ? null : new Store(cache);
  }

  /** Whether {@code parameters} were changed. */
  boolean applyTo(SSLParameters parameters) {
    Store current = store;
    if (current != null) {
      ((TlsParameters) parameters).setSessionStore(current);
    }
    return current != null;
  }

  private static final class Store implements SessionStore {
    private final SSLClientSessionCache cache;

    Store(SSLClientSessionCache cache) {
      this.cache = cache;
    }

    @Override
    public byte[] get(String host, int port) {
      return cache.getSessionData(host, port);
    }

    @Override
    public void put(SSLSession session, byte[] data) {
      cache.putSessionData(session, data);
    }
  }
}
