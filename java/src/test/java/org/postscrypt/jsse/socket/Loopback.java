package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.provider.Arguments;
import org.postscrypt.jsse.OverSunEngines;

/** What the socket tests share: identities, pairs of connected sockets, threads that end with the test. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class Loopback {
  static final Identity SERVER;
  static final Identity CLIENT;
  static final SSLContext SERVER_CONTEXT;
  static final SSLContext CLIENT_CONTEXT;

  static {
    try {
      SERVER = new Identity("server");
      CLIENT = new Identity("client");
      SERVER_CONTEXT = Identity.context(SERVER, CLIENT);
      CLIENT_CONTEXT = Identity.context(CLIENT, SERVER);
    } catch (Exception e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whose socket; the engine is always the JDK's. */
  enum Kind {
    OURS,
    JDK;

    SSLSocketFactory sockets(SSLContext context) {
      return this == OURS ? OverSunEngines.sockets(context) : context.getSocketFactory();
    }

    SSLServerSocketFactory serverSockets(SSLContext context) {
      return this == OURS ? OverSunEngines.serverSockets(context) : context.getServerSocketFactory();
    }
  }

  /** Client kind, server kind, protocol: at least one side ours. */
  static Stream<Arguments> pairs() {
    List<Arguments> all = new ArrayList<>();
    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      all.add(Arguments.of(Kind.OURS, Kind.JDK, protocol));
      all.add(Arguments.of(Kind.JDK, Kind.OURS, protocol));
      all.add(Arguments.of(Kind.OURS, Kind.OURS, protocol));
    }
    return all.stream();
  }

  static Stream<String> protocols() {
    return Stream.of("TLSv1.2", "TLSv1.3");
  }

  private final ExecutorService threads = Executors.newCachedThreadPool(r -> {
    Thread thread = new Thread(r, "test");
    thread.setDaemon(true);
    return thread;
  });
  private final List<AutoCloseable> closed = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : closed) {
      each.close();
    }
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS), "a thread is stuck");
  }

  <T extends AutoCloseable> T closing(T resource) {
    synchronized (closed) {
      closed.add(resource);
    }
    return resource;
  }

  <T> Future<T> async(Callable<T> work) {
    return threads.submit(work);
  }

  static <T> T get(Future<T> future) throws Exception {
    return future.get(15, TimeUnit.SECONDS);
  }

  /** The exception that ended {@code future}, which has to be an {@link Exception} of that type. */
  static <E extends Exception> E failure(Class<E> type, Future<?> future) throws Exception {
    ExecutionException e = assertThrows(ExecutionException.class, () -> get(future));
    return assertThrows(type, () -> {
      throw e.getCause();
    });
  }

  /** Two connected sockets, client first. */
  static final class Pair {
    final SSLSocket client;
    final SSLSocket server;

    Pair(SSLSocket client, SSLSocket server) {
      this.client = client;
      this.server = server;
    }
  }

  /** Connected, no handshake yet. */
  Pair connect(Kind client, Kind server, String protocol) throws Exception {
    return connect(client, CLIENT_CONTEXT, server, SERVER_CONTEXT, protocol);
  }

  Pair connect(Kind client, SSLContext clientContext, Kind server, SSLContext serverContext, String protocol)
      throws Exception {
    return connect(client.sockets(clientContext), server.serverSockets(serverContext), protocol);
  }

  Pair connect(SSLSocketFactory clients, SSLServerSocketFactory servers, String protocol) throws Exception {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    try (SSLServerSocket listener = (SSLServerSocket) servers.createServerSocket(0, 5, loopback)) {
      listener.setEnabledProtocols(new String[] {protocol});
      SSLSocket c = (SSLSocket) closing(clients.createSocket("localhost", listener.getLocalPort()));
      SSLSocket s = (SSLSocket) closing(listener.accept());
      c.setEnabledProtocols(new String[] {protocol});
      return new Pair(c, s);
    }
  }

  /** Connected and established. */
  Pair established(Kind client, Kind server, String protocol) throws Exception {
    return shake(connect(client, server, protocol));
  }

  Pair shake(Pair pair) throws Exception {
    Future<Void> other = async(() -> {
      pair.server.startHandshake();
      return null;
    });
    pair.client.startHandshake();
    get(other);
    assertEquals(pair.client.getSession().getCipherSuite(), pair.server.getSession().getCipherSuite());
    return pair;
  }

  /** Two plain sockets, connected. */
  Socket[] plain() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Socket c = closing(new Socket("127.0.0.1", listener.getLocalPort()));
      return new Socket[] {c, closing(listener.accept())};
    }
  }

  static byte[] bytes(int length) {
    byte[] b = new byte[length];
    for (int i = 0; i < length; i++) {
      b[i] = (byte) (i * 31 + (i >> 8));
    }
    return b;
  }

  static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
