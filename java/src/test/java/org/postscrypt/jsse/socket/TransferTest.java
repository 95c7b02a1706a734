package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.OverSunEngines;

class TransferTest extends Loopback {
  @ParameterizedTest
  @MethodSource("pairs")
  void everySizeBothWays(Kind client, Kind server, String protocol) throws Exception {
    everySize(connect(client, server, protocol)); // implicit handshake
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void pickyEngines(String protocol) throws Exception {
    everySize(connect(OverSunEngines.sockets(CLIENT_CONTEXT, PickyEngine::new),
        OverSunEngines.serverSockets(SERVER_CONTEXT, PickyEngine::new), protocol));
  }

  private void everySize(Pair pair) throws Exception {
    int[] sizes = {1, 2, 15, 16, 17, 4095, 8192, 16383, 16384, 16385, 70_000, 1 << 20};
    Future<Void> echo = async(() -> {
      DataInputStream in = new DataInputStream(pair.server.getInputStream());
      OutputStream out = pair.server.getOutputStream();
      for (int size : sizes) {
        byte[] b = new byte[size];
        in.readFully(b);
        out.write(b);
      }
      assertEquals(-1, in.read());
      return null;
    });
    Future<Void> reader = async(() -> {
      DataInputStream in = new DataInputStream(pair.client.getInputStream());
      for (int size : sizes) {
        byte[] b = new byte[size];
        in.readFully(b);
        assertArrayEquals(bytes(size), b);
      }
      return null;
    });
    for (int size : sizes) {
      pair.client.getOutputStream().write(bytes(size));
    }
    pair.client.getOutputStream().flush();
    get(reader);
    pair.client.close();
    get(echo);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void randomPiecesDuplex(Kind client, Kind server, String protocol) throws Exception {
    Pair pair = established(client, server, protocol);
    byte[] data = bytes(3_000_000);
    Future<Void> a = async(() -> send(pair.client.getOutputStream(), data, 1));
    Future<Void> b = async(() -> send(pair.server.getOutputStream(), data, 2));
    Future<Void> c = async(() -> receive(pair.client.getInputStream(), data, 3));
    Future<Void> d = async(() -> receive(pair.server.getInputStream(), data, 4));
    get(a);
    get(b);
    get(c);
    get(d);
  }

  private static Void send(OutputStream out, byte[] data, long seed) throws Exception {
    Random random = new Random(seed);
    for (int at = 0; at < data.length; ) {
      int n = Math.min(data.length - at, 1 + random.nextInt(random.nextInt(5) == 0 ? 100_000 : 3000));
      if (n == 1) {
        out.write(data[at]);
      } else {
        out.write(data, at, n);
      }
      at += n;
    }
    return null;
  }

  private static Void receive(InputStream in, byte[] data, long seed) throws Exception {
    Random random = new Random(seed);
    byte[] b = new byte[40_000];
    for (int at = 0; at < data.length; ) {
      int off = random.nextInt(100);
      int len = random.nextInt(3) == 0 ? b.length - off : 1 + random.nextInt(9000);
      Arrays.fill(b, (byte) 0x5a);
      int promised = in.available();
      int n;
      if (random.nextInt(20) == 0) {
        n = 1;
        b[off] = (byte) in.read();
      } else {
        n = in.read(b, off, len);
        assertTrue(n >= Math.min(promised, len), "available() lied");
        assertTrue(n > 0 && n <= len);
      }
      for (int i = 0; i < off; i++) {
        assertEquals(0x5a, b[i]);
      }
      for (int i = off + n; i < b.length; i++) {
        assertEquals(0x5a, b[i], "written beyond the count");
      }
      assertTrue(Arrays.equals(b, off, off + n, data, at, at + n));
      at += n;
    }
    return null;
  }

  @Test
  void availableCountsDecryptedBytes() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    InputStream in = pair.client.getInputStream();
    assertEquals(0, in.available());
    pair.server.getOutputStream().write(bytes(1000));
    assertEquals(bytes(1)[0] & 0xff, in.read());
    assertEquals(999, in.available());
    assertEquals(500, in.skip(500));
    assertEquals(499, in.available());
    byte[] rest = new byte[2000];
    assertEquals(499, in.read(rest));
    assertArrayEquals(Arrays.copyOfRange(bytes(1000), 501, 1000), Arrays.copyOf(rest, 499));
    assertEquals(0, in.available());
  }

  @Test
  void availableDoesNotWaitForAReader() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    Future<Integer> reader = async(() -> pair.client.getInputStream().read());
    Thread.sleep(100);
    assertEquals(0, pair.client.getInputStream().available());
    pair.server.getOutputStream().write(7);
    assertEquals(7, get(reader));
  }

  @Test
  void argumentChecks() throws Exception {
    Pair pair = connect(Kind.OURS, Kind.JDK, "TLSv1.3");
    InputStream in = pair.client.getInputStream();
    OutputStream out = pair.client.getOutputStream();
    byte[] b = new byte[10];
    assertThrows(NullPointerException.class, () -> in.read(null, 0, 0));
    assertThrows(NullPointerException.class, () -> out.write(null, 0, 0));
    int[][] bad = {{-1, 1}, {0, -1}, {0, 11}, {11, 0}, {10, 1}, {1, Integer.MAX_VALUE}, {Integer.MAX_VALUE, 1}};
    for (int[] range : bad) {
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(b, range[0], range[1]));
      assertThrows(IndexOutOfBoundsException.class, () -> out.write(b, range[0], range[1]));
    }
    // Nothing to do: no handshake (the other side has not started, so this would hang).
    assertEquals(0, in.read(b, 10, 0));
    out.write(b, 10, 0);
    out.flush();
  }
}
