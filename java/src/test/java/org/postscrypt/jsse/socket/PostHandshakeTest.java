package org.postscrypt.jsse.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.postscrypt.jsse.OverSunEngines;

/** The JDK's socket sends a KeyUpdate that wants an answer for each later startHandshake(). */
class PostHandshakeTest extends Loopback {
  @Test
  void keyUpdatesInDuplexTraffic() throws Exception {
    keyUpdates(established(Kind.OURS, Kind.JDK, "TLSv1.3"));
  }

  @Test
  void keyUpdatesWithAPickyEngine() throws Exception {
    keyUpdates(shake(connect(OverSunEngines.sockets(CLIENT_CONTEXT, PickyEngine::new),
        Kind.JDK.serverSockets(SERVER_CONTEXT), "TLSv1.3")));
  }

  private void keyUpdates(Pair pair) throws Exception {
    byte[] data = bytes(2_000_000);
    Future<Void> up = async(() -> send(pair.client, data, false));
    Future<Void> down = async(() -> send(pair.server, data, true));
    Future<Void> atServer = async(() -> receive(pair.server, data));
    Future<Void> atClient = async(() -> receive(pair.client, data));
    get(up);
    get(down);
    get(atServer);
    get(atClient);
  }

  private static Void send(SSLSocket socket, byte[] data, boolean update) throws IOException {
    OutputStream out = socket.getOutputStream();
    for (int at = 0; at < data.length; at += 10_000) {
      out.write(data, at, 10_000);
      if (update) {
        socket.startHandshake();
      }
    }
    return null;
  }

  private static Void receive(SSLSocket socket, byte[] data) throws IOException {
    byte[] got = new byte[data.length];
    new DataInputStream(socket.getInputStream()).readFully(got);
    assertTrue(Arrays.equals(data, got));
    return null;
  }

  @Test
  void readerGoesOnBesideABlockedWriter() throws Exception {
    Pair pair = established(Kind.OURS, Kind.JDK, "TLSv1.3");
    int size = 20_000_000;
    Future<Void> writer = async(() -> {
      pair.client.getOutputStream().write(bytes(size));
      return null;
    });
    Thread.sleep(500);
    assertFalse(writer.isDone(), "blocked: the server does not read");
    for (int i = 0; i < 5; i++) {
      pair.server.startHandshake();
      pair.server.getOutputStream().write(i);
      assertEquals(i, pair.client.getInputStream().read());
    }
    assertFalse(writer.isDone());
    receive(pair.server, bytes(size));
    get(writer);
    // The answers left as well: both directions work under their new keys.
    pair.client.getOutputStream().write(8);
    assertEquals(8, pair.server.getInputStream().read());
    pair.server.getOutputStream().write(9);
    assertEquals(9, pair.client.getInputStream().read());
  }

  @Test
  void endOfInputBesideABlockedWriter() throws Exception {
    // TLS 1.2: the reader owes a close_notify that the writer is in the way of.
    try (ServerSocket listener = new ServerSocket(0, 1); Clogged transport = new Clogged()) {
      transport.connect(new InetSocketAddress("127.0.0.1", listener.getLocalPort()));
      SSLSocket server = (SSLSocket) closing(SERVER_CONTEXT.getSocketFactory().createSocket(
          closing(listener.accept()), null, true));
      SSLSocket client = (SSLSocket) closing(
          OverSunEngines.sockets(CLIENT_CONTEXT).createSocket(transport, "localhost", 443, true));
      client.setEnabledProtocols(new String[] {"TLSv1.2"});
      shake(new Pair(client, server));
      transport.clog();
      Future<Void> writer = async(() -> {
        client.getOutputStream().write(bytes(1000));
        return null;
      });
      transport.entered.await();
      server.getOutputStream().write(1);
      server.shutdownOutput();
      assertEquals(1, client.getInputStream().read());
      assertEquals(-1, client.getInputStream().read());
      assertFalse(writer.isDone());
      Future<byte[]> got = async(() -> server.getInputStream().readAllBytes());
      transport.unclog();
      get(writer);
      assertArrayEquals(bytes(1000), get(got), "and then the writer's close_notify");
      assertThrows(IOException.class, () -> client.getOutputStream().write(1));
    }
  }
}
