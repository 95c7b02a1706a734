package org.postscrypt.jsse.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.postscrypt.jsse.support.Alerts;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EachKey;
import org.postscrypt.jsse.support.EachVersion;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TlsCase;

/** Bytes that are no TLS, or no longer what was sent. */
class EngineBadInputTest {
  private static final byte[] HTTP =
      "GET / HTTP/1.1\r\nHost: www.example.org\r\nUser-Agent: test\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** {@code side} gets {@code bytes}; it must throw an SSLException, and then close down without hanging. */
  private static Exception assertRefuses(EnginePump pump, EngineSide side, byte[] bytes) {
    side.wire().take();
    side.wire().add(bytes);
    pump.settleOrFail();
    assertInstanceOf(SSLException.class, side.failure(), () -> side.history());
    assertTrue(side.engine().isOutboundDone(), "after its alert it has nothing to say");
    return side.failure();
  }

  @EachVersion
  void httpInsteadOfAClientHello(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.server().engine().beginHandshake();
    assertRefuses(pump, pump.server(), HTTP);
    assertEquals(0, pump.server().finished());
  }

  @EachVersion
  void httpInsteadOfAServerHello(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.client().engine().beginHandshake();
    pump.client().wrapAndSend();
    pump.server().wire().take();
    assertRefuses(pump, pump.client(), "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  /** Whatever ends a handshake is the exception for handshakes, by which clients tell what they may try again. */
  @EachVersion
  void everyFailureOfAHandshakeIsOne(TlsCase c) throws Exception {
    assumeTrue(c.pairing().client() == Peer.POSTSCRYPT);
    byte[] helloRequestOfLength4 = {22, 3, 3, 0, 8, 0, 0, 0, 4, 1, 2, 3, 4};
    byte[] unknownMessage = {22, 3, 3, 0, 4, 77, 0, 0, 0};
    byte[] unknownRecord = {99, 3, 3, 0, 2, 2, 0};
    byte[] internalError = {21, 3, 3, 0, 2, 2, 80};
    byte[] unexpectedMessage = {21, 3, 3, 0, 2, 2, 10};
    byte[][] all = {helloRequestOfLength4, unknownMessage, unknownRecord, internalError, unexpectedMessage};
    for (byte[] bytes : all) {
      EnginePump pump = c.engines().open();
      pump.client().engine().beginHandshake();
      pump.client().wrapAndSend();
      pump.server().wire().take();
      assertInstanceOf(SSLHandshakeException.class, assertRefuses(pump, pump.client(), bytes), Arrays.toString(bytes));
    }
  }

  @EachVersion
  void noise(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.server().engine().beginHandshake();
    byte[] noise = Bytes.pattern(20_000);
    noise[0] = (byte) 0x7F;
    assertRefuses(pump, pump.server(), noise);
  }

  @EachVersion
  void wellFramedNoise(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.server().engine().beginHandshake();
    byte[] record = Bytes.pattern(105);
    System.arraycopy(new byte[] {22, 3, 1, 0, 100}, 0, record, 0, 5);
    assertRefuses(pump, pump.server(), record);
  }

  @EachVersion
  void unknownContentType(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] record = pump.client().record(Bytes.pattern(50));
    record[0] = 99;
    assertRefuses(pump, pump.server(), record);
  }

  @EachVersion
  void oversizedRecord(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] record = new byte[5 + 0xFFFF];
    System.arraycopy(new byte[] {23, 3, 3, (byte) 0xFF, (byte) 0xFF}, 0, record, 0, 5);
    assertRefuses(pump, pump.server(), record);
  }

  @EachVersion
  void oversizedRecordInsteadOfAHello(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.server().engine().beginHandshake();
    byte[] record = new byte[5 + 0xFFFF];
    System.arraycopy(new byte[] {22, 3, 1, (byte) 0xFF, (byte) 0xFF}, 0, record, 0, 5);
    assertRefuses(pump, pump.server(), record);
  }

  @EachKey
  void flippedBitsAreFound(TlsCase c) throws Exception {
    for (double where : new double[] {0, 0.1, 0.5, 1}) {
      for (boolean toServer : new boolean[] {true, false}) {
        EnginePump pump = c.connected();
        EngineSide victim = toServer ? pump.server() : pump.client();
        EngineSide sender = pump.peerOf(victim);
        byte[] record = sender.record(Bytes.pattern(100));
        int at = Bytes.HEADER + (int) (where * (record.length - Bytes.HEADER - 1));
        record[at] ^= 1;
        assertRefuses(pump, victim, record);
        assertEquals(0, victim.takeReceived().length, "nothing of it was delivered");
        assertInstanceOf(SSLException.class, sender.failure(), () -> "byte " + at + ": " + sender.history());
        Alerts.assertNames(sender.failure(), "bad_record_mac");
      }
    }
  }

  @EachVersion
  void lostRecordIsFound(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    pump.client().record(Bytes.pattern(10));
    assertRefuses(pump, pump.server(), pump.client().record(Bytes.pattern(10)));
    Alerts.assertNames(pump.client().failure(), "bad_record_mac");
  }

  @EachVersion
  void repeatedRecordIsFound(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] record = pump.client().record(Bytes.pattern(10));
    pump.server().wire().add(record);
    assertEquals(10, pump.server().unwrapNext().bytesProduced());
    assertRefuses(pump, pump.server(), record);
    Alerts.assertNames(pump.client().failure(), "bad_record_mac");
  }

  @EachVersion
  void plaintextDataDuringTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    byte[] record = Bytes.concat(new byte[] {23, 3, 3, 0, 10}, Bytes.pattern(10));
    assertRefuses(pump, pump.server(), record);
    assertEquals(0, pump.server().takeReceived().length);
    assertEquals(0, pump.server().finished());
  }

  @EachVersion
  void fatalAlertInPlaintextEndsTheHandshake(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.client().engine().beginHandshake();
    pump.client().wrapAndSend();
    Exception failure = assertRefuses(pump, pump.client(), new byte[] {21, 3, 3, 0, 2, 2, 40});
    Alerts.assertNames(failure, "handshake_failure");
  }

  @EachVersion
  void truncatedRecordThenClose(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    EngineSide server = pump.server();
    byte[] record = pump.client().record(Bytes.pattern(100));
    server.wire().add(Arrays.copyOf(record, record.length - 1));
    assertEquals(Status.BUFFER_UNDERFLOW, server.unwrapNext().getStatus());
    assertThrows(SSLException.class, () -> server.engine().closeInbound());
    assertTrue(server.engine().isInboundDone());
    server.closeAndFlush();
    assertEquals(0, server.takeReceived().length);
  }

  @EachVersion
  void afterARefusedRecordNothingIsAccepted(TlsCase c) throws Exception {
    EnginePump pump = c.connected();
    byte[] bad = pump.client().record(Bytes.pattern(100));
    byte[] good = pump.client().record(Bytes.pattern(100));
    bad[20] ^= 1;
    assertRefuses(pump, pump.server(), bad);
    int accepted = 0;
    try {
      accepted = pump.server().engine().unwrap(ByteBuffer.wrap(good), pump.server().applicationBuffer())
          .bytesProduced();
    } catch (SSLException e) {
      assertNotNull(e.getMessage());
    }
    assertEquals(0, accepted);
  }

  @EachVersion
  void helloCutByTheEndOfTheStream(TlsCase c) throws Exception {
    EnginePump pump = c.engines().open();
    pump.begin();
    pump.client().wrapAndSend();
    EngineSide server = pump.server();
    byte[] hello = server.wire().take();
    server.wire().add(hello, 0, hello.length / 2);
    assertEquals(Status.BUFFER_UNDERFLOW, server.unwrapNext().getStatus());
    assertThrows(SSLException.class, () -> server.engine().closeInbound());
    assertTrue(server.engine().isInboundDone());
  }
}
