package org.conscrypt;

import java.util.Enumeration;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/** The server sessions of a context. */
final class ServerSessions implements SSLSessionContext {
  private final SSLSessionContext own;

  ServerSessions(SSLSessionContext own) {
    this.own = own;
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
}
