package org.postscrypt.jsse.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Flight Recorder's event for each handshake. */
class HandshakeEventTest {
  @TempDir Path directory;

  @Test
  void eachSideOfAHandshakeIsRecorded() throws Exception {
    TlsCase ours = new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), Tls.V13, KeyType.EC, BufferKind.HEAP);
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("org.postscrypt.TLSHandshake");
      recording.start();
      EnginePump pump = ours.engines().peer(TestPki.HOST, 443).clientIdentity(TestPki.client(KeyType.EC))
          .server(e -> e.setNeedClientAuth(true)).open();
      pump.handshake();
      recording.stop();
      Path file = directory.resolve("handshakes.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
    assertEquals(2, events.size());
    for (RecordedEvent event : events) {
      assertEquals("TLSv1.3", event.getString("protocolVersion"));
      assertEquals("TLS_AES_128_GCM_SHA256", event.getString("cipherSuite"));
      assertEquals("X25519MLKEM768", event.getString("namedGroup"));
      assertFalse(event.getBoolean("resumed"));
      assertTrue(event.getBoolean("clientAuthenticated"));
      assertTrue(event.getDuration().toNanos() > 0);
    }
    RecordedEvent client = events.stream().filter(e -> e.getBoolean("clientMode")).findFirst().orElseThrow();
    assertEquals(TestPki.HOST, client.getString("peerHost"));
    assertEquals(443, client.getInt("peerPort"));
  }
}
