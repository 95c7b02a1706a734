package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.AEADBadTagException;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postscrypt.Allocated;
import org.postscrypt.Box;
import org.postscrypt.BoxHandshake;
import org.postscrypt.BoxOpener;
import org.postscrypt.BoxOpener.Result;
import org.postscrypt.BoxSealer;
import org.postscrypt.Kem;

@Timeout(60)
class BoxTest {
  private static final byte[] CONTEXT = {1, 2, 3};
  private static final int[] LENGTHS = {0, 1, 1000, 16384, 16385, 65535, 65536, 65537, 131072, 200_000, 5 << 20};

  private final KeyPair alice = Kem.DHKEM_X25519.generateKeyPair();
  private final KeyPair bob = Kem.DHKEM_X25519.generateKeyPair();

  private BoxHandshake initiator() throws Exception {
    return BoxHandshake.initiator(alice.getPrivate(), bob.getPublic(), CONTEXT);
  }

  private BoxHandshake responder() throws Exception {
    return BoxHandshake.responder(bob.getPrivate(), alice.getPublic(), CONTEXT);
  }

  /** Both ends of a channel. */
  private final class Channel {
    final BoxHandshake a = initiator();
    final BoxHandshake b = responder();
    final BoxSealer sealer;
    final BoxOpener opener;

    Channel() throws Exception {
      a.finish(b.respond(a.start()));
      sealer = a.sealer();
      opener = b.opener();
    }
  }

  @Test
  void messagesOfAnySize() throws Exception {
    Channel channel = new Channel();
    assertArrayEquals(channel.a.channelBinding(), channel.b.channelBinding());
    assertSame(channel.sealer, channel.a.sealer());
    for (int length : LENGTHS) {
      byte[] message = Pq.bytes(length, length);
      byte[] sealed = channel.sealer.seal(message);
      int records = Math.max(1, (length + 65535) / 65536);
      assertEquals(length + 20 * records, sealed.length);
      assertEquals(BoxSealer.sealedLength(length), sealed.length);
      assertArrayEquals(message, channel.opener.open(sealed));
      byte[] back = channel.b.sealer().seal(message);
      assertFalse(Arrays.equals(sealed, back), "each direction has its own key");
      assertArrayEquals(message, channel.a.opener().open(back));
    }
    byte[] padded = new byte[50];
    padded[7] = 42;
    byte[] sealed = channel.sealer.seal(padded, 7, 1);
    byte[] shifted = new byte[60];
    System.arraycopy(sealed, 0, shifted, 11, sealed.length);
    assertArrayEquals(new byte[] {42}, channel.opener.open(shifted, 11, sealed.length));
    assertFalse(channel.opener.isEnded());
    assertEquals(20, BoxSealer.sealedLength(0));
    byte[] end = channel.sealer.end();
    assertEquals(20, end.length);
    assertNull(channel.opener.open(end));
    assertTrue(channel.opener.isEnded());
    assertThrows(IllegalStateException.class, () -> channel.sealer.seal(new byte[1]));
    assertThrows(IllegalStateException.class, channel.sealer::end);
    assertThrows(IllegalStateException.class, () -> channel.opener.open(end));
    assertArrayEquals(new byte[1], channel.a.opener().open(channel.b.sealer().seal(new byte[1])), "half-closed");
    assertThrows(IllegalArgumentException.class, () -> BoxSealer.sealedLength(-1));
    assertThrows(ArithmeticException.class, () -> BoxSealer.sealedLength(Long.MAX_VALUE));
    assertEquals((1L << 40) + (20L << 24), BoxSealer.sealedLength(1L << 40));
  }

  /** On a thread of its own: the common pool may have but one. */
  private static CompletableFuture<Void> background(Runnable task) {
    return CompletableFuture.runAsync(task, work -> new Thread(work).start());
  }

  private interface Attack {
    byte[] on(byte[] first, byte[] second, byte[] third) throws Exception;
  }

  /** What the other side gets after it opened the first of three messages. */
  private void refused(String what, Attack attack) throws Exception {
    Channel channel = new Channel();
    byte[] first = channel.sealer.seal(Pq.bytes(1, 100));
    byte[] second = channel.sealer.seal(Pq.bytes(2, 100_000));
    byte[] third = channel.sealer.seal(Pq.bytes(3, 100));
    channel.opener.open(first);
    byte[] forged = attack.on(first, second, third);
    assertThrows(AEADBadTagException.class, () -> channel.opener.open(forged), what);
    assertThrows(IllegalStateException.class, () -> channel.opener.open(second), what + ": failed for good");
    assertFalse(channel.opener.isEnded());
    // The same through a stream.
    Channel again = new Channel();
    byte[] one = again.sealer.seal(Pq.bytes(1, 100));
    byte[] two = again.sealer.seal(Pq.bytes(2, 100_000));
    byte[] three = again.sealer.seal(Pq.bytes(3, 100));
    again.opener.open(one);
    InputStream source = new ByteArrayInputStream(attack.on(one, two, three));
    assertThrows(IOException.class, () -> again.opener.messageStream(source).readAllBytes(), what);
    assertThrows(IllegalStateException.class, () -> again.opener.messageStream(source), what);
  }

  @Test
  void attacksOnRecords() throws Exception {
    refused("replay", (first, second, third) -> first);
    refused("reorder, drop", (first, second, third) -> third);
    refused("truncated at a record", (first, second, third) -> Arrays.copyOf(second, 65536 + 20));
    refused("truncated", (first, second, third) -> Arrays.copyOf(second, second.length - 1));
    refused("truncated header", (first, second, third) -> Arrays.copyOf(second, 3));
    refused("nothing", (first, second, third) -> new byte[0]);
    refused("records swapped", (first, second, third) -> {
      byte[] swapped = new byte[second.length];
      int head = 65536 + 20;
      System.arraycopy(second, head, swapped, 0, second.length - head);
      System.arraycopy(second, 0, swapped, second.length - head, head);
      return swapped;
    });
    refused("another channel's", (first, second, third) -> new Channel().sealer.seal(Pq.bytes(2, 100)));
    refused("made up", (first, second, third) -> Pq.bytes(4, 120));
    refused("made up with a good header", (first, second, third) -> {
      byte[] forged = Pq.bytes(4, 120);
      System.arraycopy(new byte[] {1, 0, 0, 100}, 0, forged, 0, 4);
      return forged;
    });
    for (int at : new int[] {0, 1, 2, 3, 4, 5000, 65539, 65540, 65555, 65556, 65559, 65560, 100_039}) {
      for (int bit : new int[] {1, 2, 0x80}) {
        refused("bit " + bit + " of byte " + at, (first, second, third) -> {
          byte[] changed = second.clone();
          changed[at] ^= (byte) bit;
          return changed;
        });
      }
    }
  }

  @Test
  void reflection() throws Exception {
    Channel channel = new Channel();
    byte[] sealed = channel.sealer.seal(new byte[10]);
    assertThrows(AEADBadTagException.class, () -> channel.a.opener().open(sealed));
    BoxHandshake one = initiator();
    byte[] first = one.start();
    assertThrows(AEADBadTagException.class, () -> one.finish(first));
    assertThrows(AEADBadTagException.class,
        () -> BoxHandshake.responder(alice.getPrivate(), bob.getPublic(), CONTEXT).respond(first));
  }

  @Test
  void messagesThatAreTwoOrMore() throws Exception {
    Channel channel = new Channel();
    byte[] one = channel.sealer.seal(new byte[10]);
    byte[] two = channel.sealer.seal(new byte[10]);
    byte[] both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    assertThrows(AEADBadTagException.class, () -> channel.opener.open(both));
    // The end in the middle of a message.
    Channel other = new Channel();
    ByteBuffer part = ByteBuffer.allocate(100);
    assertFalse(other.sealer.sealRecord(ByteBuffer.wrap(new byte[5]), part, false));
    assertThrows(IllegalStateException.class, other.sealer::end);
    assertThrows(IllegalStateException.class, () -> other.sealer.seal(new byte[1]));
    assertThrows(IllegalStateException.class, () -> other.sealer.messageStream(new ByteArrayOutputStream()));
    assertThrows(AEADBadTagException.class,
        () -> other.opener.open(Arrays.copyOf(part.array(), part.position())), "a part is no message");
  }

  @Test
  void handshakeFailures() throws Exception {
    byte[] first = initiator().start();
    assertEquals(BoxHandshake.MESSAGE_LENGTH, first.length);
    for (int at = 0; at < first.length; at++) {
      byte[] changed = first.clone();
      changed[at] ^= 4;
      assertThrows(AEADBadTagException.class, () -> responder().respond(changed), "byte " + at);
    }
    for (int length : new int[] {0, 1, 32, 47, 49}) {
      assertThrows(AEADBadTagException.class, () -> responder().respond(Arrays.copyOf(first, length)));
    }
    BoxHandshake a = initiator();
    byte[] reply = responder().respond(a.start());
    byte[] changed = reply.clone();
    changed[40] ^= 1;
    assertThrows(AEADBadTagException.class, () -> a.finish(changed));
    assertThrows(IllegalStateException.class, () -> a.finish(reply), "failed for good");
    assertThrows(IllegalStateException.class, a::sealer);
    assertThrows(IllegalStateException.class, a::channelBinding);

    KeyPair eve = Kem.DHKEM_X25519.generateKeyPair();
    assertThrows(AEADBadTagException.class,
        () -> BoxHandshake.responder(bob.getPrivate(), eve.getPublic(), CONTEXT).respond(first), "from someone else");
    assertThrows(AEADBadTagException.class,
        () -> BoxHandshake.responder(eve.getPrivate(), alice.getPublic(), CONTEXT).respond(first), "for someone else");
    assertThrows(AEADBadTagException.class,
        () -> BoxHandshake.responder(bob.getPrivate(), alice.getPublic(), new byte[3]).respond(first), "context");
    // An old first message leads to a channel whose keys the player does not have; our records do not open in the old
    // one.
    Channel old = new Channel();
    BoxHandshake replayed = responder();
    byte[] second = replayed.respond(first);
    assertEquals(48, second.length);
    assertThrows(AEADBadTagException.class, () -> replayed.opener().open(old.sealer.seal(new byte[1])));
    // Nor is an old answer taken.
    BoxHandshake fresh = initiator();
    fresh.start();
    assertThrows(AEADBadTagException.class, () -> fresh.finish(second));
  }

  @Test
  void handshakeMisuse() throws Exception {
    BoxHandshake a = initiator();
    assertThrows(IllegalStateException.class, () -> a.respond(new byte[48]));
    assertThrows(IllegalStateException.class, () -> a.finish(new byte[48]));
    assertThrows(IllegalStateException.class, () -> responder().start());
    assertThrows(IllegalStateException.class, () -> responder().finish(new byte[48]));
    a.start();
    assertThrows(IllegalStateException.class, a::start);
    assertThrows(NullPointerException.class, () -> a.finish(null));
    a.close();
    a.close();
    assertThrows(IllegalStateException.class, () -> a.finish(new byte[48]));
    Channel channel = new Channel();
    assertThrows(IllegalStateException.class, () -> channel.a.finish(new byte[48]));
    channel.a.close();
    assertArrayEquals(new byte[9], channel.opener.open(channel.sealer.seal(new byte[9])), "the channel lives on");
    KeyPair p256 = Kem.DHKEM_P256.generateKeyPair();
    assertThrows(InvalidKeyException.class,
        () -> BoxHandshake.initiator(p256.getPrivate(), bob.getPublic(), CONTEXT));
    assertThrows(InvalidKeyException.class,
        () -> BoxHandshake.initiator(alice.getPrivate(), p256.getPublic(), CONTEXT));
    PublicKey small = Kem.DHKEM_X25519.publicKey(new byte[32]);
    assertThrows(InvalidKeyException.class, () -> BoxHandshake.initiator(alice.getPrivate(), small, CONTEXT));
    assertThrows(InvalidKeyException.class, () -> BoxHandshake.initiator(null, bob.getPublic(), CONTEXT));
    assertThrows(InvalidKeyException.class, () -> BoxHandshake.initiator(alice.getPrivate(), null, CONTEXT));
    assertThrows(NullPointerException.class,
        () -> BoxHandshake.initiator(alice.getPrivate(), bob.getPublic(), null));
    channel.sealer.close();
    assertThrows(IllegalStateException.class, () -> channel.sealer.seal(new byte[1]));
    channel.opener.close();
    assertThrows(IllegalStateException.class, () -> channel.opener.open(new byte[20]));
  }

  @Test
  void keysOfTheJdk() throws Exception {
    KeyPair other = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    BoxHandshake a = BoxHandshake.initiator(other.getPrivate(), bob.getPublic(), new byte[0]);
    BoxHandshake b = BoxHandshake.responder(bob.getPrivate(), other.getPublic(), new byte[0]);
    a.finish(b.respond(a.start()));
    assertArrayEquals(new byte[3], b.opener().open(a.sealer().seal(new byte[3])));
  }

  @Test
  void buffers() throws Exception {
    Channel channel = new Channel();
    byte[] message = Pq.bytes(7, 150_000);
    for (boolean directIn : new boolean[] {false, true}) {
      for (boolean directOut : new boolean[] {false, true}) {
        ByteBuffer plain = (directIn ? ByteBuffer.allocateDirect(150_003) : ByteBuffer.allocate(150_003)).position(3);
        plain.put(message).flip().position(3);
        ByteBuffer sealed = directOut ? ByteBuffer.allocateDirect(200_000) : ByteBuffer.allocate(200_000);
        ByteBuffer source = directIn ? plain : plain.asReadOnlyBuffer();
        assertFalse(channel.sealer.sealRecord(source, sealed, true));
        assertEquals(3 + 65536, source.position());
        assertEquals(65556, sealed.position());
        assertFalse(channel.sealer.sealRecord(source, sealed, true));
        assertTrue(channel.sealer.sealRecord(source, sealed, true));
        assertFalse(source.hasRemaining());
        sealed.flip();
        assertEquals(BoxSealer.sealedLength(message.length), sealed.remaining());
        ByteBuffer opened = directIn ? ByteBuffer.allocateDirect(150_000) : ByteBuffer.allocate(150_000);
        ByteBuffer cut = sealed.duplicate();
        cut.limit(3);
        assertEquals(Result.NEED_INPUT, channel.opener.openRecord(cut, opened));
        cut.limit(65555);
        assertEquals(Result.NEED_INPUT, channel.opener.openRecord(cut, opened));
        assertEquals(0, cut.position());
        assertEquals(Result.NEED_ROOM, channel.opener.openRecord(sealed, ByteBuffer.allocate(65535)));
        assertThrows(ReadOnlyBufferException.class,
            () -> channel.opener.openRecord(sealed, opened.asReadOnlyBuffer()));
        assertEquals(Result.PART, channel.opener.openRecord(sealed.asReadOnlyBuffer(), opened));
        assertThrows(IllegalStateException.class, () -> channel.opener.open(new byte[20]));
        sealed.position(65556);
        assertEquals(Result.PART, channel.opener.openRecord(sealed, opened));
        assertEquals(Result.LAST, channel.opener.openRecord(sealed, opened));
        assertFalse(sealed.hasRemaining());
        byte[] back = new byte[150_000];
        opened.flip().get(back);
        assertArrayEquals(message, back);
      }
    }
    // In place, in any overlap.
    for (int shift = -25; shift <= 25; shift++) {
      for (int length : new int[] {0, 1, 100, 5000}) {
        for (boolean direct : new boolean[] {false, true}) {
          ByteBuffer memory = direct ? ByteBuffer.allocateDirect(6000) : ByteBuffer.allocate(6000);
          byte[] bytes = Pq.bytes(shift, length);
          memory.duplicate().position(50).put(bytes);
          ByteBuffer plain = memory.duplicate().position(50).limit(50 + length);
          ByteBuffer sealed = memory.duplicate().position(50 + shift);
          assertTrue(channel.sealer.sealRecord(plain, sealed, true));
          ByteBuffer record = sealed.duplicate().flip().position(50 + shift);
          ByteBuffer opened = memory.duplicate().position(50);
          assertEquals(Result.LAST, channel.opener.openRecord(record, opened));
          byte[] back = new byte[length];
          opened.flip().position(50).get(back);
          assertArrayEquals(bytes, back, "shift " + shift + ", length " + length);
        }
      }
    }
    ByteBuffer plain = ByteBuffer.wrap(new byte[10]);
    assertThrows(ShortBufferException.class, () -> channel.sealer.sealRecord(plain, ByteBuffer.allocate(29), true));
    assertThrows(ReadOnlyBufferException.class,
        () -> channel.sealer.sealRecord(plain, ByteBuffer.allocate(30).asReadOnlyBuffer(), true));
    assertThrows(IllegalArgumentException.class,
        () -> channel.sealer.sealRecord(ByteBuffer.allocate(0), ByteBuffer.allocate(30), false));
    assertEquals(0, plain.position());
    ByteBuffer end = ByteBuffer.wrap(channel.sealer.end());
    assertEquals(Result.END, channel.opener.openRecord(end, ByteBuffer.allocate(0)));
    assertThrows(IllegalStateException.class, () -> channel.opener.openRecord(end, ByteBuffer.allocate(0)));
  }

  @Test
  void streams() throws Exception {
    Channel channel = new Channel();
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    byte[] message = Pq.bytes(1, 300_000);
    OutputStream out = channel.sealer.messageStream(wire);
    out.write(message, 0, 100_000);
    assertThrows(IllegalStateException.class, () -> channel.sealer.seal(message));
    assertThrows(IllegalStateException.class, channel.sealer::end);
    out.write(message[100_000]);
    out.flush();
    int flushed = wire.size();
    out.flush();
    assertEquals(flushed, wire.size(), "nothing to flush");
    out.write(message, 100_001, 199_999);
    out.close();
    out.close();
    assertThrows(IOException.class, () -> out.write(1));
    channel.sealer.messageStream(wire).close();
    try (OutputStream small = channel.sealer.messageStream(wire)) {
      small.write(5);
    }
    wire.write(channel.sealer.seal(message));
    wire.write(channel.sealer.end());
    wire.write(99);

    ByteArrayInputStream source = new ByteArrayInputStream(wire.toByteArray());
    InputStream in = channel.opener.messageStream(source);
    assertEquals(message[0] & 0xff, in.read());
    assertThrows(IllegalStateException.class, () -> channel.opener.open(new byte[20]));
    assertThrows(IllegalStateException.class,
        () -> channel.opener.openRecord(ByteBuffer.allocate(30), ByteBuffer.allocate(30)));
    byte[] rest = in.readAllBytes();
    assertArrayEquals(Arrays.copyOfRange(message, 1, message.length), rest);
    assertEquals(-1, in.read());
    assertEquals(-1, in.read(new byte[3]));
    assertEquals(0, in.read(new byte[0]));
    InputStream empty = channel.opener.messageStream(source);
    assertEquals(-1, empty.read());
    InputStream small = channel.opener.messageStream(source);
    assertEquals(1, small.available());
    small.close();
    assertThrows(IOException.class, small::read);
    InputStream half = channel.opener.messageStream(source);
    assertEquals(70_000, half.readNBytes(70_000).length);
    assertNull(channel.opener.messageStream(source), "what was not read is skipped");
    assertTrue(channel.opener.isEnded());
    assertEquals(99, source.read(), "nothing behind the end was touched");
  }

  @Test
  void cutOffStreams() throws Exception {
    Channel channel = new Channel();
    byte[] wire = channel.sealer.seal(Pq.bytes(1, 70_000));
    for (int length : new int[] {0, 3, 4, 100, 65555, 65556, 65560, wire.length - 1}) {
      Channel other = new Channel();
      byte[] sealed = other.sealer.seal(Pq.bytes(1, 70_000));
      InputStream cut = new ByteArrayInputStream(sealed, 0, length);
      assertThrows(EOFException.class, () -> other.opener.messageStream(cut).readAllBytes(), "at " + length);
      assertFalse(other.opener.isEnded());
    }
    InputStream whole = new ByteArrayInputStream(wire);
    assertEquals(70_000, channel.opener.messageStream(whole).readAllBytes().length);
    assertThrows(EOFException.class, () -> channel.opener.messageStream(whole), "no end record");
    IOException broken = assertThrows(IOException.class,
        () -> new Channel().opener.messageStream(new ByteArrayInputStream(wire)));
    assertInstanceOf(AEADBadTagException.class, broken.getCause());
  }

  /** Nothing grows with a message in a stream. */
  @Test
  void constantMemory() throws Exception {
    Channel channel = new Channel();
    long total = 200L << 20;
    java.io.PipedInputStream pipe = new java.io.PipedInputStream(1 << 17);
    java.io.PipedOutputStream sink = new java.io.PipedOutputStream(pipe);
    CompletableFuture<Void> sending = background(() -> {
      try (sink; OutputStream out = channel.sealer.messageStream(sink)) {
        byte[] chunk = new byte[100_000];
        for (long done = 0; done < total; done += chunk.length) {
          out.write(chunk, 0, (int) Math.min(chunk.length, total - done));
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    });
    long before = Allocated.soFar();
    InputStream in = channel.opener.messageStream(pipe);
    long read = 0;
    byte[] buffer = new byte[1 << 16];
    for (int n; (n = in.read(buffer)) >= 0; ) {
      read += n;
    }
    assertEquals(total, read);
    long allocated = Allocated.soFar() - before;
    assertTrue(allocated < 2 << 20, allocated + " bytes of heap for a message of " + total);
    sending.get(10, TimeUnit.SECONDS);
  }

  private interface Talk {
    void with(Box box) throws Exception;
  }

  private void connected(Talk one, Talk two) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(10_000);
      CompletableFuture<Void> other = background(() -> {
        try (Socket socket = server.accept()) {
          socket.setSoTimeout(10_000);
          try (Box box = Box.accept(
              socket.getInputStream(), socket.getOutputStream(), bob.getPrivate(), alice.getPublic(), CONTEXT)) {
            two.with(box);
          }
        } catch (Exception e) {
          throw new java.util.concurrent.CompletionException(e);
        }
      });
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.setSoTimeout(10_000);
        try (Box box = Box.connect(
            socket.getInputStream(), socket.getOutputStream(), alice.getPrivate(), bob.getPublic(), CONTEXT)) {
          one.with(box);
        }
      }
      other.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void overSockets() throws Exception {
    connected(
        box -> {
          for (int length : LENGTHS) {
            byte[] message = Pq.bytes(length, length);
            box.send(message);
            assertArrayEquals(message, box.receive(5 << 20));
          }
          box.send(new byte[1001]);
          box.send(new byte[0]);
          try (OutputStream stream = box.sendStream()) {
            stream.write(new byte[100]);
            assertThrows(IllegalStateException.class, () -> box.send(new byte[1]));
          }
          box.end();
          box.end();
          assertThrows(IllegalStateException.class, () -> box.send(new byte[1]));
          assertArrayEquals(box.channelBinding(), box.receive(32), "half-closed");
          assertNull(box.receive(1));
          assertThrows(IllegalStateException.class, () -> box.receive(1));
        },
        box -> {
          for (int length : LENGTHS) {
            byte[] message = box.receive(length);
            assertEquals(length, message.length);
            box.send(message);
          }
          assertThrows(IOException.class, () -> box.receive(1000), "longer");
          assertEquals(0, box.receive(1000).length);
          assertEquals(100, box.receiveStream().readAllBytes().length);
          assertNull(box.receive(0));
          box.send(box.channelBinding());
        });
  }

  @Test
  void cutOffSockets() throws Exception {
    connected(
        box -> {
          assertEquals(1, box.receive(10).length);
          assertThrows(EOFException.class, () -> box.receive(10).getClass());
        },
        box -> {
          box.send(new byte[1]);
          OutputStream unfinished = box.sendStream();
          unfinished.write(1);
          unfinished.flush();
        });
  }

  @Test
  void strangersOverStreams() throws Exception {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    IOException refused = assertThrows(IOException.class, () -> Box.connect(
        new ByteArrayInputStream(new byte[48]), sent, alice.getPrivate(), bob.getPublic(), CONTEXT));
    assertInstanceOf(AEADBadTagException.class, refused.getCause());
    assertEquals(48, sent.size());
    assertThrows(EOFException.class, () -> Box.connect(
        new ByteArrayInputStream(new byte[47]), sent, alice.getPrivate(), bob.getPublic(), CONTEXT));
    ByteArrayOutputStream nothing = new ByteArrayOutputStream();
    assertThrows(IOException.class, () -> Box.accept(
        new ByteArrayInputStream(new byte[48]), nothing, bob.getPrivate(), alice.getPublic(), CONTEXT));
    assertEquals(0, nothing.size(), "a stranger hears nothing");
  }

  @Test
  void bothDirectionsAtOnce() throws Exception {
    Talk talk = box -> {
      CompletableFuture<Void> sending = background(() -> {
        try {
          for (int i = 0; i < 200; i++) {
            box.send(Pq.bytes(i, i * 300));
          }
          box.end();
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      });
      for (int i = 0; i < 200; i++) {
        assertArrayEquals(Pq.bytes(i, i * 300), box.receive(100_000));
      }
      assertNull(box.receive(1));
      sending.get(20, TimeUnit.SECONDS);
    };
    connected(talk, talk);
  }
}
