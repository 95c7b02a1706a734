package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TlsCase;

/** Many connections and many threads. */
class SocketConcurrencyTest {
  @EachVersion
  void fiftyConnectionsOneAfterTheOther(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      for (int i = 0; i < 50; i++) {
        try (SSLSocket client = server.connect()) {
          SocketHandshakeTest.assertEchoes(client);
        }
        assertEquals(1L, server.result());
      }
    }
  }

  @EachVersion
  void sixteenConnectionsAtOnce(TlsCase c) throws Exception {
    SocketSetup setup = c.sockets();
    try (Loopback server = setup.serve(Loopback.ECHO)) {
      setup.clientContext();
      List<FutureTask<byte[]>> clients = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        byte[] data = Bytes.pattern(10_000 + i);
        clients.add(Loopback.async(() -> {
          try (SSLSocket client = server.connect()) {
            client.getOutputStream().write(data);
            return client.getInputStream().readNBytes(data.length);
          }
        }));
      }
      for (int i = 0; i < 16; i++) {
        assertArrayEquals(Bytes.pattern(10_000 + i), Loopback.await(clients.get(i)));
      }
      long sum = 0;
      for (int i = 0; i < 16; i++) {
        sum += (Long) server.result();
      }
      assertEquals(16 * 10_000 + 120, sum);
    }
  }

  /** Each write of up to one record arrives whole, whoever else writes. */
  @EachVersion
  void writersDoNotMixWithinOneWrite(TlsCase c) throws Exception {
    int size = 1000;
    int writers = 4;
    int each = 25;
    Loopback.Handler collect = socket -> socket.getInputStream().readNBytes(size * writers * each);
    try (Loopback server = c.sockets().serve(collect); SSLSocket client = server.connect()) {
      client.startHandshake();
      List<FutureTask<Void>> tasks = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        byte[] block = new byte[size];
        Arrays.fill(block, (byte) (w + 1));
        tasks.add(Loopback.async(() -> {
          OutputStream out = client.getOutputStream();
          for (int i = 0; i < each; i++) {
            out.write(block);
          }
          return null;
        }));
      }
      for (FutureTask<Void> task : tasks) {
        Loopback.await(task);
      }
      byte[] all = (byte[]) server.result();
      assertEquals(size * writers * each, all.length);
      int[] counts = new int[writers + 1];
      for (int at = 0; at < all.length; at += size) {
        for (int i = 1; i < size; i++) {
          assertEquals(all[at], all[at + i]);
        }
        counts[all[at]]++;
      }
      for (int w = 1; w <= writers; w++) {
        assertEquals(each, counts[w]);
      }
    }
  }

  /** Threads that may call startHandshake(), getSession(), read and write first, all at once. */
  @EachVersion
  void handshakeIsDoneOnceForAllThreads(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      List<FutureTask<String>> tasks = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        tasks.add(Loopback.async(() -> client.getSession().getCipherSuite()));
      }
      FutureTask<Integer> reader = Loopback.async(() -> client.getInputStream().read());
      client.getOutputStream().write(9);
      assertEquals(9, Loopback.await(reader));
      Set<String> suites = new HashSet<>();
      for (FutureTask<String> task : tasks) {
        suites.add(Loopback.await(task));
      }
      assertEquals(Set.of(client.getSession().getCipherSuite()), suites);
    }
  }

  @EachVersion
  void noThreadIsLeftBehind(TlsCase c) throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (Loopback server = c.sockets().serve(Loopback.ECHO)) {
      for (int i = 0; i < 20; i++) {
        try (SSLSocket client = server.connect()) {
          SocketHandshakeTest.assertEchoes(client);
        }
        assertEquals(1L, server.result());
      }
    }
    Set<Thread> left = Set.of();
    // The thread that breaks writes of closing sockets ends after five idle seconds.
    for (int i = 0; i < 200; i++) {
      left = new HashSet<>(Thread.getAllStackTraces().keySet());
      left.removeAll(before);
      left.removeIf(t -> !t.isAlive() || isOfTheJvm(t));
      if (left.isEmpty()) {
        break;
      }
      Thread.sleep(50);
    }
    assertTrue(left.isEmpty(), left::toString);
  }

  /** Threads that the virtual machine or JUnit may start at any time. */
  private static boolean isOfTheJvm(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    String name = thread.getName();
    return group == null
        || group.getName().equals("system")
        || group.getName().equals("InnocuousThreadGroup")
        || name.startsWith("junit-")
        || name.startsWith("surefire-");
  }
}
