package org.postscrypt.jsse.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A TLS server in this JVM while it is open; nothing in it blocks for longer than {@link #TIMEOUT_MILLIS}. */
public final class Loopback implements AutoCloseable {
  /** Bound of every blocking step, in milliseconds. */
  public static final int TIMEOUT_MILLIS = 10_000;

  /** What a server does with one connection, which is closed after it. */
  public interface Handler {
    /** May throw; {@link Loopback#result} throws it on. */
    Object handle(SSLSocket socket) throws Exception;
  }

  /** Copies what arrives until the end of the stream. */
  public static final Handler ECHO = socket -> {
    InputStream in = socket.getInputStream();
    OutputStream out = socket.getOutputStream();
    byte[] buffer = new byte[8192];
    long sum = 0;
    for (int n; (n = in.read(buffer)) >= 0; sum += n) {
      out.write(buffer, 0, n);
    }
    return sum;
  };

  private final SocketSetup setup;
  private final SSLServerSocket socket;
  private final BlockingQueue<CompletableFuture<Object>> results = new LinkedBlockingQueue<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread acceptor;

  Loopback(SocketSetup setup, SSLServerSocket socket, Handler handler) {
    this.setup = setup;
    this.socket = socket;
    this.acceptor = start("acceptor", () -> accept(handler));
  }

  private Void accept(Handler handler) throws IOException {
    while (closing.getCount() > 0) {
      SSLSocket accepted;
      try {
        accepted = (SSLSocket) socket.accept();
      } catch (IOException e) {
        if (closing.getCount() == 0) {
          return null;
        }
        throw e;
      }
      accepted.setSoTimeout(TIMEOUT_MILLIS);
      accepted.setTcpNoDelay(true);
      CompletableFuture<Object> result = new CompletableFuture<>();
      results.add(result);
      spawn("handler", () -> handle(accepted, handler, result));
    }
    return null;
  }

  private static void handle(SSLSocket socket, Handler handler, CompletableFuture<Object> result) {
    Object value = null;
    Throwable thrown = null;
    try {
      value = handler.handle(socket);
      // SunJSSE's close() waits for the peer's answer, at most this long in TLS 1.3.
      socket.setSoTimeout(1000);
    } catch (Throwable t) {
      thrown = t;
    }
    // Before close(), for the test may close the other end only once it knows.
    if (thrown == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(thrown);
    }
    try {
      socket.close();
    } catch (IOException e) {
      // The peer may have gone already; then close_notify cannot be sent. No concern of this test's.
      return;
    }
  }

  /** The port. */
  public int port() {
    return socket.getLocalPort();
  }

  /** A new client, handshake not begun. */
  public SSLSocket connect() throws IOException {
    return setup.connect(port());
  }

  /** What the handler of the next connection (in the order of acceptance) returned; throws what it threw. */
  public Object result() throws Exception {
    CompletableFuture<Object> task = results.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    if (task == null) {
      throw new AssertionError("no connection was accepted");
    }
    return await(task);
  }

  /** The exception of the next connection's handler; fails if it returned. */
  public Exception failure() throws Exception {
    Object result;
    try {
      result = result();
    } catch (TimeoutException e) {
      throw e;
    } catch (Exception e) {
      return e;
    }
    throw new AssertionError("the server did not fail but returned " + result);
  }

  @Override
  public void close() throws IOException {
    closing.countDown();
    socket.close();
    try {
      acceptor.join(TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (acceptor.isAlive()) {
      throw new AssertionError("close() does not end accept()");
    }
  }

  /** Runs {@code task} in a new daemon thread. */
  public static <T> FutureTask<T> async(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    spawn("async", future);
    return future;
  }

  /** The result of {@code task}, or its exception, or TimeoutException. */
  public static <T> T await(Future<T> task) throws Exception {
    return await(task, TIMEOUT_MILLIS);
  }

  /** As {@link #await(Future)}, with a bound in milliseconds. */
  public static <T> T await(Future<T> task, long millis) throws Exception {
    try {
      return task.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    }
  }

  private static Thread start(String name, Callable<Void> body) {
    return spawn(name, new FutureTask<>(body));
  }

  private static Thread spawn(String name, Runnable body) {
    Thread thread = new Thread(body, "loopback " + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
