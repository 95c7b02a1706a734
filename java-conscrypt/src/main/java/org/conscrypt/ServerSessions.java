package org.conscrypt;

import java.util.Enumeration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.TlsParameters;

/** The server sessions of a context. */
final class ServerSessions implements SSLSessionContext {
  private static final int DEFAULT_SIZE = 100;

  private final SSLSessionContext own;

  private volatile Store store;

  /** With Conscrypt's bounds, which {@code own} gets. */
  ServerSessions(SSLSessionContext own) {
    this.own = own;
    own.setSessionCacheSize(DEFAULT_SIZE);
    own.setSessionTimeout(ClientSessions.DEFAULT_TIMEOUT_SECONDS);
  }

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

  @Override
  public SSLSession getSession(byte[] id) {
    return own.getSession(id);
  }

  @Override
  public Enumeration<byte[]> getIds() {
    return own.getIds();
  }

  @Override
  public void setSessionTimeout(int seconds) {
    own.setSessionTimeout(seconds);
  }

  @Override
  public int getSessionTimeout() {
    return own.getSessionTimeout();
  }

  @Override
  public void setSessionCacheSize(int size) {
    own.setSessionCacheSize(size);
  }

  @Override
  public int getSessionCacheSize() {
    return own.getSessionCacheSize();
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
