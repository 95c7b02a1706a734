package org.conscrypt;

import java.util.Enumeration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;

/** The client sessions of a context, and the cache beside them. */
final class ClientSessions implements SSLSessionContext {
  /** Eight hours. */
  static final int DEFAULT_TIMEOUT_SECONDS = 8 * 60 * 60;

  private static final int DEFAULT_SIZE = 10;

  private final SSLSessionContext own;
  private volatile Store store;

  /** With Conscrypt's bounds, which {@code own} gets. */
  ClientSessions(SSLSessionContext own) {
    this.own = own;
    own.setSessionCacheSize(DEFAULT_SIZE);
    own.setSessionTimeout(DEFAULT_TIMEOUT_SECONDS);
  }

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
