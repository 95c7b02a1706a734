package org.postscrypt.jsse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.DelegatingKeyManager;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.Jvm;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;
import org.postscrypt.nat.NativeRef;

/**
 * Many threads whose connections fail in all sorts of ways: nothing hangs, and nothing is left behind. Each half takes
 * some seconds, or those in the system property {@value #SECONDS} (with Maven: {@code
 * -Dtest.jvm.arguments=-Dorg.postscrypt.test.stress.seconds=600}).
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class StressTest {
  private static final String SECONDS = "org.postscrypt.test.stress.seconds";

  private static final int THREADS = 16;
  /** What may remain in use: tickets and the like in caches, and what other threads of the JVM do. */
  private static final int MORE_OBJECTS = 32;
  private static final int MORE_FILES = 16;
  private static final int MORE_MEGABYTES = 64;

  private interface Scenario {
    /** One connection; answers a word for what became of it. */
    String run(Random random) throws Exception;
  }

  private static TlsCase at(Random random) {
    return at(random.nextBoolean() ? Tls.V13 : Tls.V12);
  }

  private static TlsCase at(Tls tls) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), tls, KeyType.EC, BufferKind.HEAP);
  }

  /** In a JVM whose heap is resident from the start, so that its growth is not ours. */
  private static void run(String what) throws Exception {
    long seconds = Long.getLong(SECONDS, 3);
    List<String> arguments =
        List.of("-Xms128m", "-Xmx128m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-D" + SECONDS + "=" + seconds);
    System.out.print(Jvm.run(StressTest.class, arguments, List.of(what), 2 * seconds + 60));
  }

  /** What the other JVM does. */
  public static void main(String[] what) throws Exception {
    if (what[0].equals("engines")) {
      manyEngines();
    } else {
      manySockets();
    }
  }

  /** The JDK's manager makes a new key object for each handshake, so that what is kept of keys would vary. */
  private static KeyManager sameKey(TestPki.Identity identity) {
    X509Certificate[] chain = identity.chain().toArray(new X509Certificate[0]);
    return new DelegatingKeyManager(identity) {
      @Override
      public PrivateKey getPrivateKey(String alias) {
        return identity.key();
      }

      @Override
      public X509Certificate[] getCertificateChain(String alias) {
        return chain;
      }
    };
  }

  /** What the process uses. */
  private record Use(int objects, int files, long megabytes) {
    static Use now() throws Exception {
      int objects = Integer.MAX_VALUE;
      // References come to their queue some time after the collection, on a busy machine late.
      for (int i = 0, same = 0; i < 60 && same < 5; i++) {
        System.gc();
        Thread.sleep(100);
        int alive = NativeRef.drain();
        same = alive == objects ? same + 1 : 0;
        objects = alive;
      }
      String[] files = new File("/proc/self/fd").list();
      Path status = Path.of("/proc/self/status");
      long megabytes = !Files.exists(status) ? 0 : Files.readAllLines(status).stream()
          .filter(l -> l.startsWith("VmRSS:"))
          .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) >> 10)
          .sum();
      return new Use(objects, files == null ? 0 : files.length, megabytes);
    }
  }

  /** Runs scenarios on all threads, at first for a third of the time so that caches fill; then nothing may grow. */
  private static void storm(Scenario scenario) throws Exception {
    long millis = Long.getLong(SECONDS, 3) * 1000;
    Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    storm(scenario, millis / 3, 0, outcomes);
    Use before = Use.now();
    storm(scenario, millis, THREADS, outcomes);
    Use after = Use.now();
    String what = before + " became " + after + " by " + new TreeMap<>(outcomes);
    System.out.println(what);
    assertTrue(after.objects <= before.objects + MORE_OBJECTS, what);
    assertTrue(after.files <= before.files + MORE_FILES, what);
    assertTrue(after.megabytes <= before.megabytes + MORE_MEGABYTES, what);
    assertTrue(outcomes.keySet().size() > 3 && outcomes.containsKey("well"), what);
  }

  private static void storm(Scenario scenario, long millis, int seed, Map<String, LongAdder> outcomes)
      throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      Thread thread = new Thread(() -> {
        while (System.nanoTime() - end < 0 && failure.get() == null) {
          try {
            outcomes.computeIfAbsent(scenario.run(random), k -> new LongAdder()).increment();
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
          }
        }
      }, "stress " + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(millis + 30_000);
      assertTrue(!thread.isAlive(), () -> thread + " hangs at " + List.of(thread.getStackTrace()));
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  // --- engines ---

  /** The contexts of one protocol version. */
  private static final class Contexts {
    final EngineSetup setup;
    final SSLContext client;
    final SSLContext server;
    final SSLContext rogue;

    Contexts(Tls tls) {
      setup = at(tls).engines().serverKeys(sameKey(TestPki.server(KeyType.EC)));
      client = setup.clientContext();
      server = setup.serverContext();
      rogue = at(tls).engines().serverKeys(sameKey(TestPki.untrusted())).serverContext();
    }
  }

  @Test
  void engines() throws Exception {
    run("engines");
  }

  private static void manyEngines() throws Exception {
    Map<Tls, Contexts> contexts = Map.of(Tls.V12, new Contexts(Tls.V12), Tls.V13, new Contexts(Tls.V13));
    storm(random -> engines(contexts.get(at(random).tls()), random));
  }

  private static String engines(Contexts contexts, Random random) throws Exception {
    int kind = random.nextInt(6);
    EnginePump pump = contexts.setup.open(contexts.client, kind == 1 ? contexts.rogue : contexts.server);
    if (kind == 0) {
      pump.handshake();
      pump.send(pump.client(), Bytes.pattern(random.nextInt(20_000)));
      pump.send(pump.server(), Bytes.pattern(random.nextInt(20_000)));
      pump.client().closeAndFlush();
      pump.settle();
      pump.server().closeAndFlush();
      return "well";
    }
    if (kind == 1) {
      pump.failHandshake();
      return "untrusted";
    }
    pump.begin();
    EngineSide side = random.nextBoolean() ? pump.client() : pump.server();
    for (int steps = random.nextInt(12); steps > 0; steps--) {
      pump.client().step();
      pump.server().step();
    }
    switch (kind) {
      case 2:
        return "dropped";
      case 3:
        side.engine().closeOutbound();
        pump.settleOrFail();
        return "closed";
      case 4:
        try {
          side.engine().closeInbound();
          return "closed inbound before a handshake";
        } catch (SSLException e) {
          pump.settleOrFail();
          return "truncated";
        }
      default:
        // Something on the wire, if there is anything, changes.
        byte[] wire = side.wire().take();
        if (wire.length > 0) {
          wire[random.nextInt(wire.length)] ^= (byte) (1 + random.nextInt(255));
          side.wire().add(wire);
        }
        pump.settleOrFail();
        return pump.client().failure() == null && pump.server().failure() == null ? "unharmed" : "corrupt";
    }
  }

  // --- sockets ---

  @Test
  void sockets() throws Exception {
    run("sockets");
  }

  private static void manySockets() throws Exception {
    Map<Tls, SocketSetup> setups = new TreeMap<>();
    Map<Tls, Loopback> right = new TreeMap<>();
    Map<Tls, Loopback> rogue = new TreeMap<>();
    try {
      for (Tls tls : Tls.values()) {
        SocketSetup setup = at(tls).sockets().serverKeys(sameKey(TestPki.server(KeyType.EC)));
        setups.put(tls, setup);
        right.put(tls, setup.serve(StressTest::serve));
        rogue.put(tls, at(tls).sockets().serverKeys(sameKey(TestPki.untrusted())).serve(StressTest::serve));
      }
      storm(random -> {
        Tls tls = at(random).tls();
        try {
          return sockets(setups.get(tls), right.get(tls), rogue.get(tls), random);
        } catch (SocketTimeoutException e) {
          throw new AssertionError(e);
        } catch (IOException e) {
          return "failed";
        }
      });
    } finally {
      for (Map<Tls, Loopback> servers : List.of(right, rogue)) {
        for (Loopback server : servers.values()) {
          server.close();
        }
      }
    }
  }

  /** Echoes, or hangs up: told by the first byte. */
  private static Object serve(SSLSocket socket) throws IOException {
    int first = socket.getInputStream().read();
    if (first == 1) {
      socket.setSoLinger(true, 0);
      return null;
    }
    byte[] rest = socket.getInputStream().readNBytes(Math.max(first, 0));
    socket.getOutputStream().write(rest);
    return null;
  }

  private static String sockets(SocketSetup setup, Loopback right, Loopback rogue, Random random) throws Exception {
    int kind = random.nextInt(7);
    if (kind < 2) {
      // No TLS at all, or but the beginning of it.
      try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), right.port())) {
        byte[] garbage = new byte[random.nextInt(600)];
        random.nextBytes(garbage);
        if (kind == 1 && garbage.length > 5) {
          System.arraycopy(new byte[] {22, 3, 1, 2, 0}, 0, garbage, 0, 5);
        }
        raw.getOutputStream().write(garbage);
        raw.setSoLinger(true, 0);
      }
      return kind == 0 ? "garbage" : "half a hello";
    }
    try (SSLSocket socket = setup.connect(kind == 2 ? rogue.port() : right.port())) {
      switch (kind) {
        case 2 -> {
          socket.startHandshake();
          throw new AssertionError("trusted");
        }
        case 3 -> {
          return "closed at once";
        }
        case 4 -> {
          Thread closer = closeLater(socket, random.nextInt(4_000_000));
          try {
            socket.startHandshake();
          } finally {
            closer.join();
          }
          return "closed late";
        }
        case 5 -> {
          socket.getOutputStream().write(1);
          int end = socket.getInputStream().read();
          return "hung up " + end;
        }
        default -> {
          byte[] data = Bytes.pattern(random.nextInt(100));
          socket.getOutputStream().write(data.length + 2 > 255 ? 0 : Math.max(data.length, 2));
          socket.getOutputStream().write(data.length < 2 ? new byte[2] : data);
          byte[] echo = socket.getInputStream().readNBytes(Math.max(data.length, 2));
          assertEquals(Math.max(data.length, 2), echo.length);
          return "well";
        }
      }
    }
  }

  /** Another thread closes it at some point of the handshake. */
  private static Thread closeLater(SSLSocket socket, long nanos) {
    Thread closer = new Thread(() -> {
      try {
        TimeUnit.NANOSECONDS.sleep(nanos);
        socket.close();
      } catch (IOException e) {
        // The peer has gone before: what this is about.
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    closer.start();
    return closer;
  }
}
