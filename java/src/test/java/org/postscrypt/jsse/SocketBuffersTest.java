package org.postscrypt.jsse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.SocketSetup;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** What sockets hold when idle, and that nobody uses a buffer that somebody else may have. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SocketBuffersTest {
  /** Bytes of buffers of an established connection that has nothing to do. */
  private static final int IDLE = 1024;

  private enum Transport {
    OWN,
    LAYERED,
    CHANNEL,
    KEPT_OPEN
  }

  private static SocketSetup setup(Tls tls) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), tls, KeyType.EC, BufferKind.HEAP).sockets();
  }

  private static SSLSocket connect(SocketSetup setup, Loopback server, Transport transport) throws IOException {
    if (transport == Transport.OWN) {
      return server.connect();
    }
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    Socket plain;
    if (transport == Transport.CHANNEL) {
      plain = SocketChannel.open(address).socket();
    } else {
      plain = new Socket();
      plain.connect(address);
    }
    return setup.configure((SSLSocket) setup.clientContext().getSocketFactory()
        .createSocket(plain, TestPki.HOST, plain.getPort(), transport != Transport.KEPT_OPEN));
  }

  private static int held(SSLSocket socket) throws IOException {
    return ((TlsSocket) socket).heldBytes();
  }

  private static void awaitHeld(int most, SSLSocket socket) throws Exception {
    for (int i = 0; held(socket) > most && i < 500; i++) {
      Thread.sleep(10);
    }
    assertTrue(held(socket) <= most, () -> {
      try {
        return held(socket) + " bytes are held";
      } catch (IOException e) {
        return e.toString();
      }
    });
  }

  /** Closes; a transport that is kept open may not let us say close_notify. */
  private static void close(SSLSocket socket, Transport transport) throws IOException {
    try {
      socket.close();
    } catch (SSLException e) {
      assertEquals(Transport.KEPT_OPEN, transport, e::toString);
    }
  }

  /** A server that hands its sockets over and echoes. */
  private static Loopback echo(SocketSetup setup, SynchronousQueue<SSLSocket> accepted) throws IOException {
    return setup.serve(socket -> {
      socket.startHandshake();
      accepted.put(socket);
      return Loopback.ECHO.handle(socket);
    });
  }

  @ParameterizedTest
  @CsvSource({"V12,OWN", "V13,OWN", "V13,LAYERED", "V13,CHANNEL", "V12,KEPT_OPEN", "V13,KEPT_OPEN"})
  void anIdleConnectionHoldsLittle(Tls tls, Transport transport) throws Exception {
    SocketSetup setup = setup(tls);
    SynchronousQueue<SSLSocket> accepted = new SynchronousQueue<>();
    try (Loopback server = echo(setup, accepted); SSLSocket client = connect(setup, server, transport)) {
      client.startHandshake();
      awaitHeld(IDLE, client);
      SSLSocket other = accepted.poll(10, TimeUnit.SECONDS);
      InputStream in = client.getInputStream();
      for (int size : new int[] {1, 100, 1000, 5000, 16384, 200_000}) {
        byte[] data = Bytes.pattern(size);
        FutureTask<Void> sending = Loopback.async(() -> {
          client.getOutputStream().write(data);
          return null;
        });
        assertArrayEquals(data, in.readNBytes(size));
        Loopback.await(sending);
        awaitHeld(IDLE, client);
        // This one waits in a read.
        awaitHeld(IDLE, other);
      }
      // The first of a record keeps the rest until it is read.
      byte[] data = Bytes.pattern(5000);
      client.getOutputStream().write(data);
      assertEquals(data[0], (byte) in.read());
      assertTrue(held(client) >= 4999);
      assertEquals(4999, in.available());
      assertArrayEquals(Arrays.copyOfRange(data, 1, 5000), in.readNBytes(4999));
      awaitHeld(IDLE, client);
      client.setSoTimeout(20);
      assertThrows(SocketTimeoutException.class, in::read);
      awaitHeld(IDLE, client);
      close(client, transport);
      assertEquals(0, held(client));
      server.result();
      awaitHeld(0, other);
    }
  }

  /** Closing while other threads read and write, with something of everything buffered. */
  @ParameterizedTest
  @CsvSource({"OWN", "CHANNEL", "KEPT_OPEN"})
  void aClosedSocketHoldsNothing(Transport transport) throws Exception {
    SocketSetup setup = setup(Tls.V13);
    SynchronousQueue<Integer> go = new SynchronousQueue<>();
    Loopback.Handler deaf = socket -> {
      socket.getOutputStream().write(Bytes.pattern(40_000));
      return go.poll(20, TimeUnit.SECONDS);
    };
    try (Loopback server = setup.serve(deaf); SSLSocket client = connect(setup, server, transport)) {
      byte[] target = new byte[10];
      assertEquals(10, client.getInputStream().readNBytes(target, 0, 10));
      FutureTask<IOException> writer = Loopback.async(() -> {
        byte[] data = new byte[100_000];
        try {
          for (int i = 0; i < 1000; i++) {
            client.getOutputStream().write(data);
          }
          return null;
        } catch (IOException e) {
          return e;
        }
      });
      FutureTask<IOException> reader = Loopback.async(() -> {
        try {
          while (client.getInputStream().read() >= 0) {
            assertTrue(held(client) > 0);
          }
          return null;
        } catch (IOException e) {
          return e;
        }
      });
      while (held(client) < BufferPool.BULK) {
        Thread.sleep(5);
      }
      Thread.sleep(50);
      close(client, transport);
      assertTrue(Loopback.await(writer) instanceof SocketException);
      assertTrue(Loopback.await(reader) instanceof SocketException);
      awaitHeld(0, client);
      go.put(1);
      server.result();
    }
  }

  /** Finds what is given back twice, used after that, or given back with plaintext in it. */
  private static final class Guard implements BufferPool.Watch {
    private static final byte POISON = (byte) 0xa5;

    private final Set<ByteBuffer> back = Collections.newSetFromMap(new IdentityHashMap<>());
    private final AtomicReference<String> violation = new AtomicReference<>();
    private int lent;

    @Override
    public synchronized void taken(BufferPool pool, ByteBuffer buffer) {
      lent++;
      if (back.remove(buffer)) {
        check(buffer, POISON, "a buffer was used after it was given back");
      }
    }

    @Override
    public synchronized void given(BufferPool pool, ByteBuffer buffer) {
      if (!back.add(buffer)) {
        violation.compareAndSet(null, "a buffer was given back twice");
      }
      if (pool == BufferPool.PLAINTEXT) {
        check(buffer, (byte) 0, "a buffer was given back with plaintext in it");
      }
      Arrays.fill(buffer.array(), POISON);
    }

    private void check(ByteBuffer buffer, byte expected, String text) {
      for (byte b : buffer.array()) {
        if (b != expected) {
          violation.compareAndSet(null, text);
        }
      }
    }
  }

  @Test
  void theGuardFindsViolations() {
    Guard guard = new Guard();
    BufferPool.setWatch(guard);
    try {
      ByteBuffer buffer = BufferPool.RECORDS.take(100);
      BufferPool.RECORDS.give(buffer);
      assertNull(guard.violation.get());
      buffer.put(0, (byte) 1);
      guard.taken(BufferPool.RECORDS, buffer);
      assertEquals("a buffer was used after it was given back", guard.violation.getAndSet(null));
      guard.given(BufferPool.RECORDS, buffer);
      guard.given(BufferPool.RECORDS, buffer);
      assertEquals("a buffer was given back twice", guard.violation.get());
    } finally {
      BufferPool.setWatch(null);
    }
  }

  /** Connections that transfer and are closed at any time by any thread: data is right up to the end, and no buffer is misused. */
  @Test
  void buffersAreNotMixedUp() throws Exception {
    Guard guard = new Guard();
    BufferPool.setWatch(guard);
    try {
      List<FutureTask<Void>> all = new ArrayList<>();
      List<SSLSocket> sockets = Collections.synchronizedList(new ArrayList<>());
      for (Tls tls : Tls.values()) {
        SocketSetup setup = setup(tls);
        setup.clientContext();
        for (Transport transport : Transport.values()) {
          all.add(Loopback.async(() -> {
            for (int i = 0; i < 12; i++) {
              transfer(setup, transport, new Random(31 * i + transport.ordinal()), i % 3 != 0, sockets);
            }
            return null;
          }));
        }
      }
      for (FutureTask<Void> each : all) {
        each.get(100, TimeUnit.SECONDS);
        assertNull(guard.violation.get());
      }
      for (SSLSocket socket : sockets) {
        awaitHeld(0, socket);
      }
      assertNull(guard.violation.get());
      assertTrue(guard.lent > 1000);
    } finally {
      BufferPool.setWatch(null);
    }
  }

  /** Both ways at once, in pieces of any size; {@code broken}: until somebody closes. */
  private static void transfer(
      SocketSetup setup, Transport transport, Random random, boolean broken, List<SSLSocket> sockets) throws Exception {
    int total = 50_000 + random.nextInt(300_000);
    byte[] data = new byte[total];
    random.nextBytes(data);
    Loopback.Handler both = socket -> {
      sockets.add(socket);
      return transfer(socket, data, new Random(total), broken);
    };
    try (Loopback server = setup.serve(both); SSLSocket client = connect(setup, server, transport)) {
      sockets.add(client);
      FutureTask<Integer> work = Loopback.async(() -> transfer(client, data, new Random(total + 1), broken));
      if (broken) {
        Thread.sleep(random.nextInt(30));
        close(client, transport);
        Loopback.await(work);
        try {
          server.result();
        } catch (IOException e) {
          allowed(e, true); // the server's thread may have closed it itself
        }
      } else {
        assertEquals(total, Loopback.await(work));
        assertEquals(total, server.result());
      }
    }
  }

  /** How many bytes arrived, all of them right. */
  private static int transfer(SSLSocket socket, byte[] data, Random random, boolean broken) throws Exception {
    FutureTask<Void> writer = Loopback.async(() -> {
      Random sizes = new Random(data.length);
      try {
        OutputStream out = socket.getOutputStream();
        for (int at = 0, n; at < data.length; at += n) {
          n = Math.min(data.length - at, 1 + sizes.nextInt(sizes.nextBoolean() ? 300 : 70_000));
          if (n == 1) {
            out.write(data[at]);
          } else {
            out.write(data, at, n);
          }
        }
      } catch (IOException e) {
        allowed(e, broken);
      }
      return null;
    });
    int count = 0;
    try {
      InputStream in = socket.getInputStream();
      byte[] target = new byte[40_000];
      while (count < data.length) {
        int n;
        if (random.nextInt(4) == 0) {
          int b = in.read();
          target[0] = (byte) b;
          n = b < 0 ? -1 : 1;
        } else {
          n = in.read(target, 0, 1 + random.nextInt(random.nextBoolean() ? 200 : target.length));
        }
        if (n < 0) {
          assertTrue(broken);
          break;
        }
        assertArrayEquals(Arrays.copyOfRange(data, count, count + n), Arrays.copyOf(target, n));
        count += n;
      }
    } catch (IOException e) {
      allowed(e, broken);
    }
    if (broken) {
      // A writer may wait for a peer that does not read any more.
      try {
        socket.close();
      } catch (SSLException e) {
        allowed(e, true);
      }
    }
    Loopback.await(writer);
    return count;
  }

  /** A closed connection may fail, but never because of what is in its records. */
  private static void allowed(IOException e, boolean broken) {
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (!broken || text.contains("mac") || text.contains("decrypt") || text.contains("version") || text.contains("unexpected")) {
      throw new AssertionError(e);
    }
  }
}
