package org.postscrypt.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;

/**
 * Memory of what is idle: established engines, established sockets (one end of a connection each), and contexts that have connected two
 * engines. It is what the process's resident set and the Java heap grow by for each. The heap has to be committed and touched beforehand
 * (-Xms = -Xmx, -XX:+AlwaysPreTouch), so that the resident set grows outside it alone.
 */
public final class IdleMemory {
  private interface Maker {
    /** Makes two of the kind, one for each side, and keeps them alive. */
    void make(List<Object> alive) throws Exception;
  }

  private IdleMemory() {}

  /** Where to put the result, a provider, and {@code engine}, {@code socket} or {@code context}: a process each, as freed memory is not
   * given back. */
  public static void main(String[] arguments) throws Exception {
    String provider = arguments[1];
    String kind = arguments[2];
    // Sockets: each has a file descriptor.
    int pairs = kind.equals("engine") ? 2000 : kind.equals("socket") ? 200 : 500;
    Maker maker;
    try {
      maker = maker(provider, kind);
    } catch (UnsupportedOperationException e) {
      System.out.println(provider + " " + kind + ": none");
      return;
    }
    List<Object> alive = new ArrayList<>();
    // The first make the process grow for other reasons.
    fill(maker, alive, pairs);
    long resident = resident();
    long heap = heap();
    fill(maker, alive, pairs);
    long residentPer = Math.max(0, resident() - resident) / (2 * pairs);
    long heapPer = (heap() - heap) / (2 * pairs);
    System.out.println(provider + " " + kind + ": " + residentPer + " B outside the heap, " + heapPer + " B of heap");
    List<String> results = new ArrayList<>();
    long[] values = {residentPer, heapPer};
    String[] names = {"native", "heap"};
    for (int i = 0; i < 2; i++) {
      results.add("{\"benchmark\":\"" + IdleMemory.class.getName() + "." + names[i] + "\",\"jdkVersion\":\""
          + System.getProperty("java.version") + "\",\"params\":{\"provider\":\"" + provider + "\",\"kind\":\"" + kind
          + "\"},\"primaryMetric\":{\"score\":" + values[i] + ",\"scoreUnit\":\"B/op\"}}");
    }
    Quick.write(Path.of(arguments[0]), results);
    if (alive.size() < 4 * pairs) {
      throw new AssertionError();
    }
    // Open sockets would be closed one by one otherwise.
    Runtime.getRuntime().halt(0);
  }

  private static Maker maker(String provider, String kind) throws Exception {
    switch (kind) {
      case "engine" -> {
        Engines engines = new Engines(provider, "TLSv1.3", "EC", "x25519", false);
        return alive -> {
          SSLEngine client = engines.client();
          SSLEngine server = engines.server();
          engines.handshake(client, server);
          alive.add(client);
          alive.add(server);
        };
      }
      case "socket" -> {
        Sockets sockets = new Sockets(provider);
        return alive -> {
          for (SSLSocket end : sockets.connect("none")) {
            alive.add(end);
          }
        };
      }
      case "context" -> {
        Pki pki = new Pki("EC");
        Engines.Wire wire = new Engines.Wire();
        return alive -> {
          Engines engines = new Engines(pki, wire, provider, "TLSv1.3", "EC", "x25519", false, false);
          SSLEngine client = engines.client();
          SSLEngine server = engines.server();
          engines.handshake(client, server);
          client.closeOutbound();
          server.closeOutbound();
          alive.add(engines);
          alive.add(engines);
        };
      }
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private static void fill(Maker maker, List<Object> alive, int pairs) throws Exception {
    for (int i = 0; i < pairs; i++) {
      maker.make(alive);
    }
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long resident() throws Exception {
    heap();
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IllegalStateException("no VmRSS");
  }
}
