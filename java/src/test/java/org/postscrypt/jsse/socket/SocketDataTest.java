package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLSocket;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.Loopback;
import org.postscrypt.jsse.support.TlsCase;

/** Streams of established sockets. */
class SocketDataTest {
  private static final int MIB = 1 << 20;

  @EachKey
  void oneMebibyteEachWayAtOnce(TlsCase c) throws Exception {
    byte[] up = Bytes.pattern(MIB);
    byte[] down = Bytes.pattern(MIB + 1);
    Loopback.Handler handler = socket -> exchange(socket, down, up.length);
    try (Loopback server = c.sockets().serve(handler); SSLSocket client = server.connect()) {
      byte[] got = exchange(client, up, down.length);
      assertArrayEquals(down, got);
      assertArrayEquals(up, (byte[]) server.result());
    }
  }

  /** Writes in another thread while this one reads. */
  private static byte[] exchange(SSLSocket socket, byte[] send, int expect) throws Exception {
    FutureTask<Void> writer = Loopback.async(() -> {
      OutputStream out = socket.getOutputStream();
      for (int at = 0, step = 1; at < send.length; at += step, step = Math.min(40_000, step * 3)) {
        out.write(send, at, Math.min(step, send.length - at));
      }
      out.flush();
      return null;
    });
    byte[] got = new byte[expect];
    new DataInputStream(socket.getInputStream()).readFully(got);
    Loopback.await(writer);
    return got;
  }

  @EachVersion
  void readGivesWhatIsThereAndKeepsTheRest(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      byte[] data = Bytes.pattern(1000);
      client.getOutputStream().write(data);
      InputStream in = client.getInputStream();
      assertEquals(data[0] & 0xFF, in.read());
      byte[] rest = new byte[999];
      int n = in.read(rest, 0, 10);
      assertTrue(n > 0 && n <= 10);
      new DataInputStream(in).readFully(rest, n, rest.length - n);
      assertArrayEquals(Arrays.copyOfRange(data, 1, 1000), rest);
    }
  }

  @EachVersion
  void zeroLengthsDoNothing(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.startHandshake();
      client.getOutputStream().write(new byte[0]);
      client.getOutputStream().write(new byte[5], 5, 0);
      assertEquals(0, client.getInputStream().read(new byte[0]));
      assertEquals(0, client.getInputStream().read(new byte[5], 2, 0));
      SocketHandshakeTest.assertEchoes(client);
    }
  }

  @EachVersion
  void wrongArgumentsOfStreams(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.startHandshake();
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] five = new byte[5];
      assertThrows(NullPointerException.class, () -> in.read(null));
      assertThrows(NullPointerException.class, () -> in.read(null, 0, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(five, -1, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(five, 0, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(five, 5, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(five, 2, -1));
      assertThrows(NullPointerException.class, () -> out.write(null));
      assertThrows(NullPointerException.class, () -> out.write(null, 0, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> out.write(five, -1, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> out.write(five, 0, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> out.write(five, 3, Integer.MAX_VALUE));
      SocketHandshakeTest.assertEchoes(client);
    }
  }

  @EachVersion
  void availableAndSkip(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.getOutputStream().write(Bytes.pattern(100));
      InputStream in = client.getInputStream();
      assertEquals(Bytes.pattern(100)[0] & 0xFF, in.read());
      int available = in.available();
      assertTrue(available >= 0 && available <= 99, "never more than can be read without blocking");
      assertEquals(available, in.readNBytes(available).length);
      long skipped = 0;
      while (skipped < 99 - available) {
        skipped += in.skip(99 - available - skipped);
      }
      assertEquals(99 - available, skipped);
      SocketHandshakeTest.assertEchoes(client);
    }
  }

  @EachVersion
  void timeOutOfReadLeavesTheSocketUsable(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      SocketHandshakeTest.assertEchoes(client);
      client.setSoTimeout(50);
      for (int i = 0; i < 3; i++) {
        assertThrows(SocketTimeoutException.class, () -> client.getInputStream().read());
      }
      client.setSoTimeout(Loopback.TIMEOUT_MILLIS);
      SocketHandshakeTest.assertEchoes(client);
      client.getOutputStream().write(Bytes.pattern(50_000));
      assertArrayEquals(Bytes.pattern(50_000), client.getInputStream().readNBytes(50_000));
    }
  }

  @EachVersion
  void streamsAreAlwaysTheSame(TlsCase c) throws Exception {
    try (Loopback server = c.sockets().serve(Loopback.ECHO); SSLSocket client = server.connect()) {
      client.startHandshake();
      client.getOutputStream().write(1);
      client.getOutputStream().write(2);
      assertEquals(1, client.getInputStream().read());
      assertEquals(2, client.getInputStream().read(), "nothing is lost between two calls of getInputStream()");
    }
  }
}
