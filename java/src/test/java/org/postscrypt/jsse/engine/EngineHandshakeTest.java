package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachBuffer;
import org.postscrypt.jsse.support.EachKeyOfAll;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Handshakes that succeed. */
class EngineHandshakeTest {
  @EachKeyOfAll
  void everyKindOfServerKey(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    assertEquals(c.tls().protocol(), pump.client().engine().getSession().getProtocol());
    assertEquals(c.tls().protocol(), pump.server().engine().getSession().getProtocol());
    assertEquals(TestPki.server(c.key()).certificate(), pump.client().engine().getSession().getPeerCertificates()[0]);
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }

  @EachBuffer
  void everyKindOfBuffer(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.send(pump.client(), Bytes.pattern(10));
  }

  @EachVersion
  void beginsWithTheFirstWrapAndUnwrap(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    assertEquals(HandshakeStatus.NOT_HANDSHAKING, pump.client().engine().getHandshakeStatus());
    assertEquals(HandshakeStatus.NOT_HANDSHAKING, pump.server().engine().getHandshakeStatus());
    SSLEngineResult hello = pump.client().wrapAndSend();
    assertEquals(Status.OK, hello.getStatus());
    assertTrue(hello.bytesProduced() > 0);
    pump.server().unwrapNext();
    pump.settle();
    pump.assertEstablished();
  }

  @EachVersion
  void beginHandshakeSaysWhatIsNeeded(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    assertEquals(HandshakeStatus.NEED_WRAP, pump.client().engine().getHandshakeStatus());
    assertEquals(HandshakeStatus.NEED_UNWRAP, pump.server().engine().getHandshakeStatus());
    pump.settle();
    pump.assertEstablished();
  }

  @EachVersion
  void applicationDataIsNotConsumedBeforeTheHandshakeIsOver(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    ByteBuffer data = ByteBuffer.wrap(Bytes.pattern(100));
    SSLEngineResult result = pump.client().wrapAndSend(data);
    assertEquals(0, result.bytesConsumed());
    assertEquals(100, data.remaining());
    pump.settle();
    pump.assertEstablished();
    assertEquals(100, pump.client().wrapAndSend(data).bytesConsumed());
    pump.deliver(pump.server());
    assertArrayEquals(Bytes.pattern(100), pump.server().takeReceived());
  }

  @EachVersion
  void emptyDestinationDuringTheHandshakeLosesNothing(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    ByteBuffer[] none = {ByteBuffer.allocate(0)};
    for (int i = 0; i < 200; i++) {
      for (EngineSide side : List.of(pump.client(), pump.server())) {
        switch (side.engine().getHandshakeStatus()) {
          case NEED_TASK -> side.runTasks();
          case NEED_WRAP -> side.wrapAndSend();
          default -> {
            if (side.wire().size() > 0) {
              SSLEngineResult result = side.unwrap(ByteBuffer.wrap(side.wire().peek(Bytes.MAX_RECORD)), none, 0, 1);
              side.wire().skip(result.bytesConsumed());
              if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                // SunJSSE cannot tell an encrypted handshake message of TLS 1.3 from data before it has decrypted it.
                assertEquals(Tls.V13, c.tls());
                side.unwrapNext();
              } else {
                assertEquals(Status.OK, result.getStatus());
              }
            }
          }
        }
      }
    }
    pump.assertEstablished();
  }

  @EachVersion
  void flightsMayArriveByteByByte(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    for (int i = 0; i < 100 && (pump.client().finished() == 0 || pump.server().finished() == 0); i++) {
      trickle(pump.client());
      trickle(pump.server());
    }
    pump.settle();
    pump.assertEstablished();
  }

  /** Gives what is on the wire one byte more at a time. */
  private static void trickle(EngineSide side) throws SSLException {
    int have = 0;
    while (side.engine().getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      switch (side.engine().getHandshakeStatus()) {
        case NEED_TASK -> side.runTasks();
        case NEED_WRAP -> side.wrapAndSend();
        default -> {
          if (have > side.wire().size()) {
            return;
          }
          SSLEngineResult result = side.unwrap(
              ByteBuffer.wrap(side.wire().peek(have)), new ByteBuffer[] {side.applicationBuffer()}, 0, 1);
          side.wire().skip(result.bytesConsumed());
          have = result.bytesConsumed() > 0 ? 0 : have + 1;
        }
      }
    }
  }

  @EachVersion
  void smallDestinationDuringTheHandshakeLosesNothing(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    for (int i = 0; i < 200; i++) {
      for (EngineSide side : List.of(pump.client(), pump.server())) {
        if (side.engine().getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
          SSLEngineResult result =
              side.wrap(new ByteBuffer[] {ByteBuffer.allocate(0)}, 0, 1, side.buffers().destination(4));
          assertEquals(Status.BUFFER_OVERFLOW, result.getStatus());
        }
        side.step();
      }
    }
    pump.assertEstablished();
    pump.send(pump.client(), Bytes.pattern(10));
  }

  @EachVersion
  void clientAuthenticationWithAThousandAcceptedIssuers(TlsCase c) throws Exception {
    List<X509Certificate> issuers = new ArrayList<>(TestPki.authorities(1000));
    issuers.add(TestPki.root());
    EnginePump pump = c.engines()
        .clientIdentity(TestPki.client(c.key()))
        .serverTrust(TestPki.trustManagers(issuers))
        .server(e -> e.setNeedClientAuth(true))
        .open();
    pump.handshake();
    assertEquals(TestPki.client(c.key()).certificate(), pump.server().engine().getSession().getPeerCertificates()[0]);
    int sent = pump.server().results().stream().mapToInt(SSLEngineResult::bytesProduced).sum();
    assertTrue(sent > 25_000, "a large flight");
    pump.send(pump.server(), Bytes.pattern(20_000));
  }

  @EachVersion
  void chainWithAnIntermediate(TlsCase c) throws Exception {
    EnginePump pump = c.engines().serverIdentity(TestPki.serverBehindIntermediate()).open();
    pump.handshake();
    assertEquals(
        TestPki.serverBehindIntermediate().chain(), List.of(pump.client().engine().getSession().getPeerCertificates()));
  }

  @EachVersion
  void modeCannotChangeOnceBegun(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    assertThrows(IllegalArgumentException.class, () -> pump.client().engine().setUseClientMode(false));
    assertThrows(IllegalArgumentException.class, () -> pump.server().engine().setUseClientMode(true));
    assertTrue(pump.client().engine().getUseClientMode());
    assertFalse(pump.server().engine().getUseClientMode());
    pump.send(pump.client(), Bytes.pattern(10));
  }

  @EachVersion
  void bothVersionsEnabledGivesTheNewer(TlsCase c) throws Exception {
    String[] both = {"TLSv1.2", "TLSv1.3"};
    EnginePump pump = c.engines()
        .client(e -> e.setEnabledProtocols(both))
        .open();
    pump.handshake();
    assertEquals(c.tls().protocol(), pump.client().engine().getSession().getProtocol(), "the server has only this");
    EnginePump other = c.engines()
        .client(e -> e.setEnabledProtocols(both))
        .server(e -> e.setEnabledProtocols(both))
        .open();
    other.handshake();
    assertEquals("TLSv1.3", other.client().engine().getSession().getProtocol());
  }

  @EachVersion
  void noDelegatedTaskWhenNoneIsNeeded(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    assertNull(pump.client().engine().getDelegatedTask());
    pump.handshake();
    SSLEngine engine = pump.server().engine();
    assertNull(engine.getDelegatedTask());
  }
}
