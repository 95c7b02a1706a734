package org.conscrypt;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.TlsParameters;

/** The cache beside the server sessions of a context. */
final class ServerSessions {
  private volatile Store store;

  /** Sets the cache; null for none. For connections that are made from now on. */
  void setCache(SSLServerSessionCache cache) {
    store = cache == null ? null : new Store(cache);
  }

  /** Whether {@code parameters} were changed. */
  boolean applyTo(SSLParameters parameters) {
    Store current = store;
    if (current != null) {
      // What clients keep themselves, in tickets, is not in the cache.
      ((TlsParameters) parameters).setSessionTickets(false);
      ((TlsParameters) parameters).setServerSessionStore(current);
    }
    return current != null;
  }

  private static final class Store implements ServerSessionStore {
    private final SSLServerSessionCache cache;

    Store(SSLServerSessionCache cache) {
      this.cache = cache;
    }

    @Override
    public byte[] get(byte[] id) {
      return cache.getSessionData(id);
    }

    @Override
    public void put(SSLSession session, byte[] data) {
      cache.putSessionData(session, data);
    }
  }
}
