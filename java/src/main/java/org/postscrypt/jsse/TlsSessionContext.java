package org.postscrypt.jsse;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * The sessions of one side of a context. A client's are kept with what resumes them; a server's are listed here, while tickets
 * (which clients keep) and the native cache resume them.
 *
 * <p>Thread-safe; its lock is held for look-ups only.
 */
final class TlsSessionContext implements SSLSessionContext {
  private static final int DEFAULT_CACHE_SIZE = 20480;
  private static final int DEFAULT_TIMEOUT_SECONDS = 86400;
  /** RFC 8446 section 4.6.1: no ticket may live longer. */
  private static final int LONGEST_TIMEOUT_SECONDS = 7 * 86400;
  /** Tickets kept of one session: what parallel connections can use up. */
  private static final int MOST_TICKETS = 8;

  /**
   * All that a server's identity was verified with and that was negotiated under: a session is only offered to the same peer under
   * the very same rules. Trust and key managers are the context's, so they need no place in it.
   */
  static final class Key {
    private final NativeContext nativeContext;
    private final String host;
    private final int port;
    private final String endpointIdentification;
    private final Object constraints;
    private final List<?> serverNames;

    private Key(NativeContext nativeContext, TlsConfig config, String host, int port, List<?> serverNames) {
      this.nativeContext = nativeContext;
      this.host = host;
      this.port = port;
      this.endpointIdentification = config.endpointIdentification();
      this.constraints = config.algorithmConstraints();
      this.serverNames = serverNames;
    }

    /** Null if the peer is not known, so that nothing can be kept. */
    static Key of(NativeContext nativeContext, TlsConfig config, String host, int port, List<?> serverNames) {
      return host == null ? null : new Key(nativeContext, config, host.toLowerCase(Locale.ROOT), port, serverNames);
    }

    @Override
    public int hashCode() {
      return (System.identityHashCode(nativeContext) * 31 + host.hashCode()) * 31 + port;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key)) {
        return false;
      }
      Key k = (Key) other;
      return nativeContext == k.nativeContext
          && port == k.port
          && host.equals(k.host)
          && constraints == k.constraints
          && Objects.equals(endpointIdentification, k.endpointIdentification)
          && serverNames.equals(k.serverNames);
    }
  }

  /** A session with what resumes it. */
  static final class Resumable {
    final TlsSession session;
    final NativeRef ticket;
    private final boolean singleUse;
    private final long expires;

    private Resumable(TlsSession session, NativeRef ticket, boolean singleUse, long expires) {
      this.session = session;
      this.ticket = ticket;
      this.singleUse = singleUse;
      this.expires = expires;
    }
  }

  private final Map<Key, Deque<Resumable>> resumables = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<ByteBuffer, TlsSession> byId = new LinkedHashMap<>(16, 0.75f, true);
  private int cacheSize = DEFAULT_CACHE_SIZE;
  private int timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;

  /** A session id where the protocol has none: 32 random bytes. */
  static byte[] newId() {
    byte[] id = new byte[32];
    NativeCrypto.randomBytes(id, 0, id.length);
    return id;
  }

  /** Lists an established session. */
  void register(TlsSession session) {
    session.touch();
    synchronized (byId) {
      byId.put(ByteBuffer.wrap(session.getId()), session);
      trim(byId, cacheSize);
    }
  }

  /** Keeps a client's session under {@code key}; a null key keeps nothing. */
  void put(Key key, TlsSession session, NativeRef ticket) {
    if (key == null || !session.isValid()) {
      return;
    }
    long use = NativeCrypto.tlsSessionUse(ticket.handle(), ticket);
    long expires = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(use & 0xffffffffL, LONGEST_TIMEOUT_SECONDS));
    Resumable resumable = new Resumable(session, ticket, use >>> 32 != 0, expires);
    synchronized (byId) {
      Deque<Resumable> kept = resumables.get(key);
      if (kept == null) {
        kept = new ArrayDeque<>();
        resumables.put(key, kept);
      }
      if (!resumable.singleUse) {
        kept.clear();
      }
      kept.addLast(resumable);
      if (kept.size() > MOST_TICKETS) {
        kept.removeFirst();
      }
      trim(resumables, cacheSize);
    }
  }

  /** The newest session that can be resumed under {@code key}; taken, if it may be used but once. Null if there is none. */
  Resumable take(Key key) {
    if (key == null) {
      return null;
    }
    synchronized (byId) {
      Deque<Resumable> kept = resumables.get(key);
      while (kept != null && !kept.isEmpty()) {
        Resumable newest = kept.removeLast();
        if (newest.session.isValid() && newest.expires - System.nanoTime() > 0 && !isOld(newest.session)) {
          if (!newest.singleUse) {
            kept.addLast(newest);
          }
          return newest;
        }
      }
      resumables.remove(key);
      return null;
    }
  }

  /** Forgets a session and what resumes it. */
  void remove(TlsSession session) {
    synchronized (byId) {
      for (Iterator<TlsSession> sessions = byId.values().iterator(); sessions.hasNext(); ) {
        if (sessions.next() == session) {
          sessions.remove();
        }
      }
      for (Deque<Resumable> kept : resumables.values()) {
        for (Iterator<Resumable> each = kept.iterator(); each.hasNext(); ) {
          if (each.next().session == session) {
            each.remove();
          }
        }
      }
    }
  }

  private boolean isOld(TlsSession session) {
    return timeoutSeconds != 0
        && System.currentTimeMillis() - session.getCreationTime() >= TimeUnit.SECONDS.toMillis(timeoutSeconds);
  }

  private static void trim(Map<?, ?> map, int size) {
    if (size > 0) {
      for (Iterator<?> oldest = map.entrySet().iterator(); map.size() > size && oldest.hasNext(); ) {
        oldest.next();
        oldest.remove();
      }
    }
  }

  /** For the native side: seconds; no limit means the longest that TLS allows. */
  int effectiveTimeout() {
    int seconds = getSessionTimeout();
    return seconds == 0 ? LONGEST_TIMEOUT_SECONDS : Math.min(seconds, LONGEST_TIMEOUT_SECONDS);
  }

  /** For the native side: no limit means a large one. */
  int effectiveCacheSize() {
    int size = getSessionCacheSize();
    return size == 0 ? Integer.MAX_VALUE : size;
  }

  @Override
  public SSLSession getSession(byte[] sessionId) {
    if (sessionId == null) {
      throw new NullPointerException("session id cannot be null");
    }
    synchronized (byId) {
      TlsSession session = byId.get(ByteBuffer.wrap(sessionId));
      return session == null || isOld(session) ? null : session.shown();
    }
  }

  @Override
  public Enumeration<byte[]> getIds() {
    List<byte[]> ids = new ArrayList<>();
    synchronized (byId) {
      for (Iterator<TlsSession> sessions = byId.values().iterator(); sessions.hasNext(); ) {
        TlsSession session = sessions.next();
        if (isOld(session)) {
          sessions.remove();
        } else {
          ids.add(session.getId());
        }
      }
    }
    return Collections.enumeration(ids);
  }

  @Override
  public void setSessionTimeout(int seconds) {
    if (seconds < 0) {
      throw new IllegalArgumentException("seconds: " + seconds);
    }
    synchronized (byId) {
      timeoutSeconds = seconds;
    }
  }

  @Override
  public int getSessionTimeout() {
    synchronized (byId) {
      return timeoutSeconds;
    }
  }

  @Override
  public void setSessionCacheSize(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("size: " + size);
    }
    synchronized (byId) {
      cacheSize = size;
      trim(byId, size);
      trim(resumables, size);
    }
  }

  @Override
  public int getSessionCacheSize() {
    synchronized (byId) {
      return cacheSize;
    }
  }
}
