package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingTrustManager;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/**
 * Sockets of ours on virtual threads (JDK 21 and newer): while one waits for its peer or its trust manager, its carrier
 * is free for others.
 */
class VirtualThreadsTest {
  private static final int CONNECTIONS = 1000;
  /** Were carriers blocked, the whole would take minutes. */
  private static final long NAP_MILLIS = 500;

  @TempDir private Path directory;

  private static ExecutorService virtualThreads() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "there are no virtual threads in this JDK");
    return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  private static final class Napping extends DelegatingTrustManager {
    private final AtomicInteger naps = new AtomicInteger();

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      try {
        Thread.sleep(NAP_MILLIS);
      } catch (InterruptedException e) {
        throw new CertificateException(e);
      }
      naps.incrementAndGet();
    }
  }

  private static int serve(SSLSocket accepted) throws Exception {
    try (SSLSocket socket = accepted) {
      // As many threads as there are make every step late.
      socket.setSoTimeout(60_000);
      byte[] data = socket.getInputStream().readNBytes(100);
      socket.getOutputStream().write(data);
      return socket.getInputStream().read();
    }
  }

  private static int connect(SocketSetup setup, int port) throws Exception {
    SSLSocket plain = (SSLSocket) setup.clientContext().getSocketFactory().createSocket();
    try (SSLSocket socket = setup.configure(plain)) {
      socket.setSoTimeout(60_000);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
      socket.getOutputStream().write(Bytes.pattern(100));
      return socket.getInputStream().readNBytes(100).length;
    }
  }

  @ParameterizedTest
  @EnumSource(Tls.class)
  @Timeout(120)
  void noCarrierIsBlocked(Tls tls) throws Exception {
    Napping trust = new Napping();
    TlsCase c = new TlsCase(
        new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), tls, KeyType.EC, BufferKind.HEAP);
    SocketSetup setup = c.sockets().clientTrust(trust);
    try (SSLServerSocket server = (SSLServerSocket) setup.serverContext().getServerSocketFactory()
            .createServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress());
        Recording recording = new Recording()) {
      server.setEnabledProtocols(new String[] {tls.protocol()});
      ExecutorService threads = virtualThreads();
      // Classes are initialised by a thread that cannot give way.
      storm(threads, setup, server, 1);
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      recording.start();
      // No session yet: a client that has one does not ask its trust manager.
      setup.clientContext().getClientSessionContext().setSessionTimeout(1);
      Thread.sleep(1100);
      long start = System.nanoTime();
      storm(threads, setup, server, CONNECTIONS);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      recording.stop();
      threads.shutdown();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
      assertTrue(trust.naps.get() > CONNECTIONS / 2, () -> "naps: " + trust.naps);
      int carriers = Runtime.getRuntime().availableProcessors();
      long pinned = trust.naps.get() * NAP_MILLIS / carriers;
      assertTrue(millis < pinned / 2, () -> millis + " ms; with pinned carriers it would be " + pinned);
      Path file = Files.createTempFile(directory, "pinned", ".jfr");
      recording.dump(file);
      assertNothingPinned(file);
    }
  }

  private static void storm(ExecutorService threads, SocketSetup setup, SSLServerSocket server, int connections)
      throws Exception {
    List<Future<Integer>> served = new ArrayList<>();
    Future<?> acceptor = threads.submit(() -> {
      for (int i = 0; i < connections; i++) {
        SSLSocket accepted = (SSLSocket) server.accept();
        served.add(threads.submit(() -> serve(accepted)));
      }
      return null;
    });
    List<Future<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      clients.add(threads.submit(() -> connect(setup, server.getLocalPort())));
    }
    for (Future<Integer> client : clients) {
      assertEquals(100, client.get(100, TimeUnit.SECONDS));
    }
    acceptor.get(10, TimeUnit.SECONDS);
    for (Future<Integer> one : served) {
      assertEquals(-1, one.get(10, TimeUnit.SECONDS));
    }
  }

  /**
   * JDK 24 took the last reason for pinning that is not a native frame or a class's initialisation (JEP 491). The recorder pins threads that
   * write an event of ours while it starts a new chunk: its monitor, not ours.
   */
  private static void assertNothingPinned(Path file) throws Exception {
    List<String> pinned = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("jdk.VirtualThreadPinned") && event.getStackTrace() != null
          && !event.getStackTrace().getFrames().get(0).getMethod().getType().getName().startsWith("jdk.jfr.")) {
        StringBuilder frames = new StringBuilder();
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
          frames.append("\n  ").append(frame.getMethod().getType().getName()).append('.')
              .append(frame.getMethod().getName()).append(':').append(frame.getLineNumber());
        }
        if (frames.indexOf("org.postscrypt.jsse.") >= 0) {
          pinned.add(event + frames.toString());
        }
      }
    }
    assertTrue(Runtime.version().feature() < 24 || pinned.isEmpty(), pinned::toString);
  }
}
