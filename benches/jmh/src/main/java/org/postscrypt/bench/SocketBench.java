package org.postscrypt.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A mebibyte from one TLS socket to another over loopback, in messages of one size; TLS 1.3, AES-128-GCM. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SocketBench {
  private static final int TOTAL = 1 << 20;

  /** What the kernel keeps for us between two sockets without effort: bytes, and messages. */
  private static final int AHEAD = 1 << 15;

  private static final int MESSAGES_AHEAD = 64;

  @Param({"postscrypt", "conscrypt", "jdk"})
  String provider;

  /** See {@link Sockets#connect}. */
  @Param({"none", "no-channel", "channel"})
  String channel;

  /** Who sends. */
  @Param({"client", "server"})
  String sender;

  @Param({"64", "512", "4096", "16384"})
  int size;

  private SSLSocket[] ends;
  private OutputStream out;
  private InputStream in;
  private byte[] message;
  private byte[] received;
  private final Semaphore wanted = new Semaphore(0);
  private final Semaphore arrived = new Semaphore(0);
  private volatile Throwable failure;
  private Thread reader;

  @Setup
  public void setup() throws Exception {
    ends = new Sockets(provider).connect(channel);
    out = ends[sender.equals("client") ? 0 : 1].getOutputStream();
    in = ends[sender.equals("client") ? 1 : 0].getInputStream();
    message = new byte[size];
    received = new byte[size];
    out.write(message);
    receive(size);
    for (int i = 0; i < size; i++) {
      message[i] = (byte) (i * 31 + 7);
    }
    out.write(message);
    for (int i = 0; i < size; i++) {
      if (in.read() != (message[i] & 0xff)) {
        throw new IllegalStateException("other data came out than went in");
      }
    }
    reader = new Thread(() -> {
      try {
        while (true) {
          wanted.acquire();
          receive(TOTAL);
          arrived.release();
        }
      } catch (InterruptedException | IOException e) {
        failure = e;
        arrived.release();
      }
    }, "reader");
    reader.setDaemon(true);
    reader.start();
  }

  @TearDown
  public void tearDown() throws Exception {
    reader.interrupt();
    reader.join();
    for (SSLSocket end : ends) {
      end.close();
    }
  }

  private void receive(int count) throws IOException {
    for (int left = count; left > 0; ) {
      int n = in.read(received, 0, Math.min(left, received.length));
      if (n < 0) {
        throw new EOFException();
      }
      left -= n;
    }
  }

  /** By one thread, which sends as much as the kernel keeps and then receives it: the work of both ends, without waiting. */
  @Benchmark
  public int oneThread() throws Exception {
    int ahead = Math.min(AHEAD, MESSAGES_AHEAD * size);
    for (int done = 0; done < TOTAL; done += ahead) {
      for (int sent = 0; sent < ahead; sent += size) {
        out.write(message);
      }
      receive(ahead);
    }
    return TOTAL;
  }

  /** By two threads, one for each end. */
  @Benchmark
  @Wall
  public int twoThreads() throws Exception {
    wanted.release();
    for (int sent = 0; sent < TOTAL; sent += size) {
      out.write(message);
    }
    arrived.acquire();
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
    return TOTAL;
  }
}
