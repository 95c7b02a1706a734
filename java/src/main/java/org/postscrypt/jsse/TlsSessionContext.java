package org.postscrypt.jsse;

import java.util.Collections;
import java.util.Enumeration;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/** The sessions of one side of a context that could be resumed: none yet, as nothing is resumed. */
final class TlsSessionContext implements SSLSessionContext {
  private static final int DEFAULT_CACHE_SIZE = 20480;
  private static final int DEFAULT_TIMEOUT_SECONDS = 86400;

  private volatile int cacheSize = DEFAULT_CACHE_SIZE;
  private volatile int timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;

  @Override
  public SSLSession getSession(byte[] sessionId) {
    if (sessionId == null) {
      throw new NullPointerException("session id cannot be null");
    }
    return null;
  }

  @Override
  public Enumeration<byte[]> getIds() {
    return Collections.emptyEnumeration();
  }

  @Override
  public void setSessionTimeout(int seconds) {
    if (seconds < 0) {
      throw new IllegalArgumentException("seconds: " + seconds);
    }
    timeoutSeconds = seconds;
  }

  @Override
  public int getSessionTimeout() {
    return timeoutSeconds;
  }

  @Override
  public void setSessionCacheSize(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("size: " + size);
    }
    cacheSize = size;
  }

  @Override
  public int getSessionCacheSize() {
    return cacheSize;
  }
}
