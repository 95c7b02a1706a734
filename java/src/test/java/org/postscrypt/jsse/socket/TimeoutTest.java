package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jsse.OverSunEngines;

class TimeoutTest extends Loopback {
  @ParameterizedTest
  @MethodSource("protocols")
  void handshakeResumes(String protocol) throws Exception {
    Pair pair = connect(Kind.OURS, Kind.JDK, protocol);
    pair.client.setSoTimeout(50);
    assertEquals(50, pair.client.getSoTimeout());
    assertThrows(SocketTimeoutException.class, pair.client::startHandshake);
    assertThrows(SocketTimeoutException.class, () -> pair.client.getInputStream().read());
    assertThrows(SocketTimeoutException.class, () -> pair.client.getOutputStream().write(1));
    assertEquals("SSL_NULL_WITH_NULL_NULL", pair.client.getSession().getCipherSuite());
    assertFalse(pair.client.isClosed());
    pair.client.setSoTimeout(10_000);
    shake(pair);
    pair.client.getOutputStream().write(1);
    assertEquals(1, pair.server.getInputStream().read());
  }

  @Test
  void readTimesOutAndGoesOn() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    pair.client.setSoTimeout(30);
    InputStream in = pair.client.getInputStream();
    for (int i = 0; i < 3; i++) {
      assertThrows(SocketTimeoutException.class, in::read);
      pair.server.getOutputStream().write(i);
      pair.client.setSoTimeout(5000);
      assertEquals(i, in.read());
      pair.client.setSoTimeout(30);
    }
    assertThrows(IllegalArgumentException.class, () -> pair.client.setSoTimeout(-1));
  }

  /** Forwards in small pieces with pauses, so that time-outs fall anywhere in a record. */
  private static Void drip(InputStream in, OutputStream out) throws Exception {
    byte[] b = new byte[4096];
    for (int n; (n = in.read(b)) > 0; ) {
      for (int at = 0; at < n; at += 211) {
        out.write(b, at, Math.min(211, n - at));
        Thread.sleep(6);
      }
    }
    return null;
  }

  @ParameterizedTest
  @MethodSource("pairsOfAutoClose")
  void partialRecordsAreKept(String protocol, boolean autoClose) throws Exception {
    Socket[] near = plain();
    Socket[] far = plain();
    async(() -> drip(near[1].getInputStream(), far[0].getOutputStream()));
    async(() -> drip(far[0].getInputStream(), near[1].getOutputStream()));
    SSLSocket client = (SSLSocket) closing(
        OverSunEngines.sockets(CLIENT_CONTEXT).createSocket(near[0], "localhost", 443, autoClose));
    client.setEnabledProtocols(new String[] {protocol});
    SSLSocket server = (SSLSocket) closing(SERVER_CONTEXT.getSocketFactory().createSocket(far[1], null, true));
    byte[] data = bytes(12_000);
    Future<Void> sender = async(() -> {
      server.getOutputStream().write(data);
      return null;
    });
    client.setSoTimeout(2);
    int timeouts = 0;
    byte[] got = new byte[data.length];
    for (int at = 0; at < got.length; ) {
      try {
        at += client.getInputStream().read(got, at, got.length - at);
      } catch (SocketTimeoutException e) {
        timeouts++;
      }
    }
    get(sender);
    assertTrue(timeouts > 5, () -> "too few to mean anything");
    assertArrayEquals(data, Arrays.copyOf(got, got.length));
  }

  static Stream<Arguments> pairsOfAutoClose() {
    return protocols().flatMap(p -> Stream.of(true, false)
        .map(a -> Arguments.of(p, a)));
  }
}
