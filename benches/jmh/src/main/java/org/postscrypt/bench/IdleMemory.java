package org.postscrypt.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;

/**
 * Memory of idle, established engines: what the process's resident set and the Java heap grow by for each. The heap has to be
 * committed and touched beforehand (-Xms = -Xmx, -XX:+AlwaysPreTouch), so that the resident set grows outside it alone.
 */
public final class IdleMemory {
  private static final int PAIRS = 2000;

  private IdleMemory() {}

  /** Where to put the result, and one provider: a process each, as freed memory is not given back. */
  public static void main(String[] arguments) throws Exception {
    Engines engines = new Engines(arguments[1], "TLSv1.3", "EC", "x25519", false);
    List<SSLEngine> alive = new ArrayList<>();
    fill(engines, alive, PAIRS);
    long resident = resident();
    long heap = heap();
    fill(engines, alive, PAIRS);
    long residentPer = Math.max(0, resident() - resident) / (2 * PAIRS);
    long heapPer = (heap() - heap) / (2 * PAIRS);
    System.out.println(arguments[1] + ": " + residentPer + " B outside the heap, " + heapPer + " B of heap per engine");
    List<String> results = new ArrayList<>();
    long[] values = {residentPer, heapPer};
    String[] names = {"native", "heap"};
    for (int i = 0; i < 2; i++) {
      results.add("{\"benchmark\":\"" + IdleMemory.class.getName() + "." + names[i] + "\",\"jdkVersion\":\""
          + System.getProperty("java.version") + "\",\"params\":{\"provider\":\"" + arguments[1]
          + "\"},\"primaryMetric\":{\"score\":" + values[i] + ",\"scoreUnit\":\"B/op\"}}");
    }
    Quick.write(Path.of(arguments[0]), results);
    if (alive.isEmpty()) {
      throw new AssertionError();
    }
  }

  private static void fill(Engines engines, List<SSLEngine> alive, int pairs) throws Exception {
    for (int i = 0; i < pairs; i++) {
      SSLEngine client = engines.client();
      SSLEngine server = engines.server();
      engines.handshake(client, server);
      alive.add(client);
      alive.add(server);
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
