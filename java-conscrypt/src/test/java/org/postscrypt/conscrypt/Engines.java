package org.postscrypt.conscrypt;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** A client's and a server's engine, and the bytes between them. */
final class Engines {
  private static final int MOST_STEPS = 200;

  final SSLEngine client;
  final SSLEngine server;
  private final ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
  private final ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
  private final ByteBuffer received = ByteBuffer.allocate(1 << 15);

  Engines(SSLEngine client, SSLEngine server) {
    this.client = client;
    this.server = server;
    client.setUseClientMode(true);
    server.setUseClientMode(false);
  }

  static Engines of(SSLContext client, SSLContext server) {
    return new Engines(client.createSSLEngine("example.com", 443), server.createSSLEngine());
  }

  /** With one version alone. */
  Engines speaking(String protocol) {
    client.setEnabledProtocols(new String[] {protocol});
    server.setEnabledProtocols(new String[] {protocol});
    return this;
  }

  Engines handshake() throws SSLException {
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < MOST_STEPS; i++) {
      boolean moved = step(client, toServer, toClient);
      moved |= step(server, toClient, toServer);
      if (!moved
          && client.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
          && server.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
        return this;
      }
    }
    throw new SSLException("no end: client " + client.getHandshakeStatus() + ", server " + server.getHandshakeStatus());
  }

  private boolean step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
    boolean moved = false;
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
        task.run();
      }
      moved = true;
    }
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      moved |= engine.wrap(ByteBuffer.allocate(0), out).bytesProduced() > 0;
    }
    in.flip();
    try {
      if (in.hasRemaining()) {
        received.clear();
        SSLEngineResult result = engine.unwrap(in, received);
        moved |= result.bytesConsumed() > 0 || result.getStatus() == Status.OK && result.bytesProduced() > 0;
      }
    } finally {
      in.compact();
    }
    return moved;
  }

  /** What {@code from} makes of the data: one record or more. */
  static ByteBuffer sealed(SSLEngine from, ByteBuffer... data) throws SSLException {
    ByteBuffer records = ByteBuffer.allocate(1 << 17);
    boolean more = true;
    while (more) {
      SSLEngineResult result = from.wrap(data, records);
      if (result.getStatus() != Status.OK) {
        throw new SSLException("wrap: " + result);
      }
      more = false;
      for (ByteBuffer part : data) {
        more |= part.hasRemaining();
      }
    }
    records.flip();
    return records;
  }

  /** What {@code to} reads in records. */
  static byte[] opened(SSLEngine to, ByteBuffer records) throws SSLException {
    ByteBuffer data = ByteBuffer.allocate(1 << 17);
    while (records.hasRemaining()) {
      SSLEngineResult result = to.unwrap(records, data);
      if (result.getStatus() != Status.OK) {
        throw new SSLException("unwrap: " + result);
      }
    }
    data.flip();
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    return bytes;
  }

  /** Data both ways. */
  void exchange() throws SSLException {
    for (int i = 0; i < 2; i++) {
      SSLEngine from = i == 0 ? client : server;
      SSLEngine to = i == 0 ? server : client;
      byte[] data = new byte[20_000];
      new java.util.Random(i).nextBytes(data);
      byte[] read = opened(to, sealed(from, ByteBuffer.wrap(data)));
      if (!java.util.Arrays.equals(data, read)) {
        throw new SSLException("other data");
      }
    }
  }

  /** What is on its way between the two goes where it goes: tickets, say. */
  void drain() throws SSLException {
    for (int i = 0; i < 10; i++) {
      step(client, toServer, toClient);
      step(server, toClient, toServer);
    }
  }
}
