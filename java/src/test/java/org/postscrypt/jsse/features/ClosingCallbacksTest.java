package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jsse.features.OurEngines.engines;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.ServerSessionStore;
import org.postscrypt.SessionStore;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.Tls;

/** What an application has us call may close the very engine that calls it: its native half is freed under the call. */
class ClosingCallbacksTest {
  private static final int PACKET = 16709;

  static Stream<Arguments> cases() {
    return Stream.of(Tls.values()).flatMap(version -> Stream.of(Callback.values())
        // TLS 1.3 has no sessions that a server keeps.
        .filter(callback -> version == Tls.V12 || callback != Callback.SERVER_SESSION_STORE)
        .map(callback -> Arguments.of(version, callback)));
  }

  private enum Callback {
    CLIENT_KEY_LOG(true, (p, close) -> p.setKeyLog(line -> close.run())),
    SERVER_KEY_LOG(false, (p, close) -> p.setKeyLog(line -> close.run())),
    SESSION_STORE(true, (p, close) -> p.setSessionStore(new SessionStore() {
      @Override
      public void put(SSLSession session, byte[] encoded) {
        close.run();
      }

      @Override
      public byte[] get(String host, int port) {
        return null;
      }
    })),
    SERVER_SESSION_STORE(false, (p, close) -> p.setServerSessionStore(new ServerSessionStore() {
      @Override
      public void put(SSLSession session, byte[] encoded) {
        close.run();
      }

      @Override
      public byte[] get(byte[] id) {
        return null;
      }
    }));

    private final boolean client;
    private final BiConsumer<TlsParameters, Runnable> setting;

    Callback(boolean client, BiConsumer<TlsParameters, Runnable> setting) {
      this.client = client;
      this.setting = setting;
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theEngineIsClosedAndNothingElse(Tls version, Callback callback) throws Exception {
    AtomicInteger called = new AtomicInteger();
    Consumer<SSLEngine> closing = engine -> {
      TlsParameters parameters = new TlsParameters();
      parameters.setSessionTickets(callback != Callback.SERVER_SESSION_STORE);
      callback.setting.accept(parameters, () -> {
        called.incrementAndGet();
        engine.closeOutbound();
        try {
          engine.closeInbound();
        } catch (SSLException e) {
          // The peer had not closed: as it should be said.
          assertTrue(e.getMessage() != null);
        }
      });
      engine.setSSLParameters(parameters);
    };
    EnginePump pump = callback.client ? engines(version).peer("localhost", 443).client(closing).open() : engines(version).server(closing).open();
    SSLEngine client = pump.client().engine();
    SSLEngine server = pump.server().engine();
    try {
      ByteBuffer toServer = ByteBuffer.allocate(8 * PACKET);
      ByteBuffer toClient = ByteBuffer.allocate(8 * PACKET);
      for (int i = 0; i < 20; i++) {
        move(client, toServer, server);
        move(server, toClient, client);
      }
    } catch (SSLException e) {
      // One side is closed, the other learns of it.
      assertTrue(called.get() > 0, e::toString);
    }
    assertTrue(called.get() > 0, "never called");
    SSLEngine closed = callback.client ? client : server;
    assertTrue(closed.isInboundDone());
    ByteBuffer room = ByteBuffer.allocate(PACKET);
    for (int i = 0; i < 20 && !closed.isOutboundDone(); i++) {
      closed.wrap(ByteBuffer.allocate(0), room);
    }
    assertTrue(closed.isOutboundDone());
    assertEquals(SSLEngineResult.Status.CLOSED, closed.unwrap(ByteBuffer.allocate(0), room).getStatus());
  }

  /** What one has to say, and data, to the other, as far as that takes it. */
  private static void move(SSLEngine from, ByteBuffer records, SSLEngine to) throws SSLException {
    ByteBuffer data = ByteBuffer.wrap(OurEngines.DATA);
    SSLEngineResult result;
    do {
      runTasks(from);
      result = from.wrap(data, records);
    } while (result.bytesProduced() > 0 && data.hasRemaining());
    records.flip();
    do {
      runTasks(to);
      result = to.unwrap(records, ByteBuffer.allocate(PACKET));
    } while (result.bytesConsumed() > 0 || result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK);
    records.compact();
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }
}
