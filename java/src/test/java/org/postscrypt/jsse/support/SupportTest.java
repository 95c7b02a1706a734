package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That the suite's own checks can fail, and its buffers are what they claim. */
class SupportTest {
  @ParameterizedTest
  @EnumSource(BufferKind.class)
  void buffersHoldWhatTheyShould(BufferKind kind) {
    byte[] content = Bytes.pattern(50);
    ByteBuffer source = kind.source(content);
    assertEquals(50, source.remaining());
    assertEquals(kind.name().startsWith("DIRECT"), source.isDirect());
    assertEquals(kind.name().endsWith("READ_ONLY"), source.isReadOnly());
    byte[] read = new byte[50];
    source.get(read);
    assertArrayEquals(content, read);
    assertEquals(70, kind.destination(70).remaining());
    assertTrue(!kind.destination(70).isReadOnly() && !kind.writableSource(content).isReadOnly());
  }

  @Test
  void slicesHaveOffsetsAndGuards() {
    ByteBuffer buffer = BufferKind.HEAP_SLICE.destination(20);
    int start = buffer.position();
    assertTrue(buffer.arrayOffset() > 0 && start > 0 && buffer.limit() < buffer.capacity());
    buffer.put(new byte[20]);
    BufferKind.HEAP_SLICE.assertMarginsIntact(buffer, start);
    buffer.put(start - 1, (byte) 0);
    assertThrows(AssertionError.class, () -> BufferKind.HEAP_SLICE.assertMarginsIntact(buffer, start));
    ByteBuffer other = BufferKind.DIRECT_SLICE.destination(20);
    ByteBuffer beyond = other.duplicate();
    beyond.clear();
    beyond.put(other.limit(), (byte) 0);
    assertThrows(AssertionError.class, () -> BufferKind.DIRECT_SLICE.assertMarginsIntact(other, other.position()));
  }

  @Test
  void alertsAreLookedForInMessagesAndCauses() {
    Alerts.assertNames(new SSLException("Received fatal alert: bad_record_mac"), "bad_record_mac");
    Alerts.assertNames(new SSLException(new SSLException("TLSV1_ALERT_UNKNOWN_CA")), "no_such", "unknown_ca");
    assertThrows(AssertionError.class, () -> Alerts.assertNames(new SSLException("closed"), "bad_record_mac"));
    assertThrows(AssertionError.class, () -> Alerts.assertNames(null, "bad_record_mac"));
    SSLException caused = new SSLException(new IllegalStateException());
    Alerts.assertCause(IllegalStateException.class, caused);
    assertThrows(AssertionError.class, () -> Alerts.assertCause(SSLHandshakeException.class, caused));
  }

  @Test
  void queueKeepsOrder() {
    Bytes queue = new Bytes();
    for (int i = 0; i < 100; i++) {
      queue.add(Bytes.pattern(1000));
      assertArrayEquals(Bytes.pattern(1000), queue.peek(1000));
      queue.skip(999);
      assertEquals(1, queue.size());
      assertEquals(Bytes.pattern(1000)[999], queue.take()[0]);
    }
    assertEquals(0, queue.size());
  }

  @Test
  void hellosAreExact() throws Exception {
    TlsCase c = new TlsCase(new Pairing(Peer.JDK, Peer.JDK), Tls.V13, KeyType.EC, BufferKind.HEAP);
    EnginePump pump = c.engines().open();
    pump.client().engine().beginHandshake();
    pump.client().wrapAndSend();
    byte[] hello = pump.server().wire().take();
    Hello parsed = Hello.ofClient(hello);
    assertEquals(TestPki.HOST, parsed.serverName());
    assertEquals(List.of(0x0304), parsed.versions());
    assertThrows(AssertionError.class, () -> Hello.ofServer(hello));
    // The length of all extensions, one too few.
    int extensions = Bytes.HEADER + 4 + 2 + 32 + 1 + parsed.sessionId().length + 2 + 2 * parsed.suites().size() + 2;
    hello[extensions + 1]--;
    assertThrows(Throwable.class, () -> Hello.ofClient(hello));
    hello[extensions + 1]++;
    hello[8]++;
    assertThrows(AssertionError.class, () -> Hello.ofClient(hello));
  }
}
