package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.Bytes;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/**
 * The downcalls by themselves: they do the work, and say so when they leave it to JNI. ({@link ShortCalls} would hide that they
 * never did any.) By reflection, as these tests are compiled without the class.
 */
class DowncallsTest {
  private static final long ELSEWHERE = -1;

  @BeforeEach
  void onlyWhereThereAreAny() {
    assumeTrue(ShortCalls.isForeign(), "not in use here: see ShortCalls.PROPERTY");
  }

  private static long call(String name, Object... arguments) throws ReflectiveOperationException {
    for (Method method : Class.forName("org.postscrypt.nat.Downcalls").getDeclaredMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        method.setAccessible(true);
        return (long) method.invoke(null, arguments);
      }
    }
    throw new NoSuchMethodException(name);
  }

  private static EnginePump pump(Tls version, boolean connected) throws Exception {
    Pairing ours = new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT);
    TlsCase c = new TlsCase(ours, version, KeyType.EC, BufferKind.values()[0]);
    return connected ? c.connected() : c.engines().open();
  }

  private static NativeRef connection(SSLEngine engine) throws ReflectiveOperationException {
    Field field = engine.getClass().getDeclaredField("connection");
    field.setAccessible(true);
    return (NativeRef) field.get(engine);
  }

  private static int consumed(long outcome) {
    return (int) (outcome >>> 28) & 0x0fffffff;
  }

  private static int produced(long outcome) {
    return (int) outcome & 0x0fffffff;
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).rewind();
  }

  @ParameterizedTest
  @EnumSource
  void recordsOfData(Tls version) throws Exception {
    EnginePump pump = pump(version, true);
    long client = connection(pump.client().engine()).handle();
    long server = connection(pump.server().engine()).handle();
    for (int kind = 0; kind < 4; kind++) {
      for (int size : new int[] {1, 1000, 16384}) {
        byte[] data = Bytes.pattern(size);
        byte[] record = new byte[17000];
        byte[] plain = new byte[17000];
        ByteBuffer dataBuffer = direct(data);
        ByteBuffer recordBuffer = direct(record);
        ByteBuffer plainBuffer = direct(plain);
        boolean from = (kind & 1) == 0;
        boolean to = (kind & 2) == 0;
        long wrapped = call("tlsWrap", client,
            from ? data : null, from ? 0L : NativeCrypto.tlsBufferAddress(dataBuffer), 0, size,
            to ? record : null, to ? 0L : NativeCrypto.tlsBufferAddress(recordBuffer), 100, 16900);
        assertTrue(wrapped >= 0, "done here: " + wrapped);
        assertEquals(size, consumed(wrapped));
        if (!to) {
          recordBuffer.get(0, record);
        } else {
          recordBuffer.put(0, record);
        }
        long unwrapped = call("tlsUnwrap", server,
            to ? record : null, to ? 0L : NativeCrypto.tlsBufferAddress(recordBuffer), 100, produced(wrapped),
            from ? plain : null, from ? 0L : NativeCrypto.tlsBufferAddress(plainBuffer), 50, 16800);
        assertTrue(unwrapped >= 0, "done here: " + unwrapped);
        assertEquals(produced(wrapped), consumed(unwrapped));
        assertEquals(size, produced(unwrapped));
        if (!from) {
          plainBuffer.get(0, plain);
        }
        assertArrayEquals(data, Arrays.copyOfRange(plain, 50, 50 + size));
      }
    }
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }

  private static long wrap(NativeRef connection, byte[] source, int length, byte[] destination) throws Exception {
    return call("tlsWrap", connection.handle(), source, 0L, 0, length, destination, 0L, 0, destination.length);
  }

  private static long unwrap(NativeRef connection, byte[] source, int length, byte[] destination) throws Exception {
    return call("tlsUnwrap", connection.handle(), source, 0L, 0, length, destination, 0L, 0, destination.length);
  }

  @ParameterizedTest
  @EnumSource
  void handshakesAreLeftToJni(Tls version) throws Exception {
    EnginePump pump = pump(version, false);
    pump.begin();
    for (SSLEngine engine : new SSLEngine[] {pump.client().engine(), pump.server().engine()}) {
      NativeRef connection = connection(engine);
      assertEquals(ELSEWHERE, wrap(connection, new byte[100], 100, new byte[17000]));
      assertEquals(ELSEWHERE, unwrap(connection, new byte[100], 100, new byte[17000]));
    }
    pump.handshake();
    pump.send(pump.client(), Bytes.pattern(100));
    pump.send(pump.server(), Bytes.pattern(100));
  }

  /** Neither changes what comes after: the same record is refused, or taken, by the engine itself. */
  @ParameterizedTest
  @EnumSource
  void whatIsNoDataOrDoesNotFitIsLeftToJni(Tls version) throws Exception {
    EnginePump pump = pump(version, true);
    pump.send(pump.server(), Bytes.pattern(1));
    pump.send(pump.client(), Bytes.pattern(1));
    NativeRef server = connection(pump.server().engine());
    byte[] data = Bytes.pattern(200);
    byte[] record = pump.client().record(data);
    byte[] plain = new byte[17000];
    assertEquals(ELSEWHERE, unwrap(server, record, record.length, new byte[199]), "no room");
    byte[] damaged = record.clone();
    damaged[record.length - 1] ^= 1;
    assertEquals(ELSEWHERE, unwrap(server, damaged, damaged.length, plain));
    assertArrayEquals(new byte[plain.length], plain);
    long underflow = unwrap(server, record, record.length - 1, plain);
    assertTrue(underflow == ELSEWHERE || consumed(underflow) == 0 && produced(underflow) == 0);
    assertEquals(ELSEWHERE, wrap(server, data, 200, new byte[200]), "no room");
    assertEquals(ELSEWHERE, wrap(server, data, 0, plain), "nothing to send");
    ByteBuffer received = ByteBuffer.allocate(17000);
    assertEquals(200, pump.server().engine().unwrap(ByteBuffer.wrap(record), received).bytesProduced());
    assertArrayEquals(data, Arrays.copyOf(received.array(), 200));
    pump.client().engine().closeOutbound();
    NativeRef client = connection(pump.client().engine());
    assertEquals(ELSEWHERE, wrap(client, data, 200, plain), "an alert waits to be sent");
  }

  /** Reading a page may block, and what blocks goes through JNI. */
  @Test
  void filesAreLeftToJni(@TempDir Path directory) throws Exception {
    byte[] data = Bytes.pattern(5000);
    Path file = Files.write(directory.resolve("data"), Bytes.concat(data, new byte[5016]));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 10016);
      assertTrue(NativeCrypto.tlsBufferAddress(mapped) != 0);
      for (ByteBuffer view : new ByteBuffer[] {mapped, mapped.duplicate(), mapped.slice(), mapped.asReadOnlyBuffer()}) {
        assertEquals(0, ShortCalls.tlsBufferAddress(view));
      }
      EnginePump pump = pump(Tls.values()[0], true);
      for (int i = 0; i < 3; i++) {
        ByteBuffer record = ByteBuffer.allocateDirect(17000);
        assertEquals(5000, pump.client().engine().wrap(mapped.duplicate().limit(5000), record).bytesConsumed());
        ByteBuffer received = ByteBuffer.allocate(17000);
        assertEquals(5000, pump.server().engine().unwrap(record.flip(), received).bytesProduced());
        assertArrayEquals(data, Arrays.copyOf(received.array(), 5000));
      }
      NativeRef aead = new NativeRef(NativeCrypto.aeadNew(NativeCrypto.AES_GCM), NativeCrypto::aeadFree);
      long key = NativeCrypto.aeadSetKey(aead.handle(), aead, new byte[16], 16);
      byte[] expected = new byte[5016];
      ShortCalls.aeadSeal(
          aead.handle(), aead, key, 16, 1, 2, null, new byte[0], 0, data, null, 0, 5000, expected, null, 0);
      ShortCalls.aeadSeal(
          aead.handle(), aead, key, 16, 1, 2, null, new byte[0], 0, null, mapped, 0, 5000, null, mapped.duplicate().position(5000), 5000);
      byte[] actual = new byte[5016];
      mapped.get(5000, actual);
      assertArrayEquals(expected, actual);
    }
  }

  @Test
  void badHandlesAreLeftToJni() throws Exception {
    long digest = NativeCrypto.digestNew(NativeCrypto.SHA256);
    NativeRef owner = new NativeRef(digest, NativeCrypto::digestFree);
    byte[] bytes = new byte[100];
    for (long handle : new long[] {0, owner.handle()}) {
      assertEquals(ELSEWHERE, call("tlsWrap", handle, bytes, 0L, 0, 10, bytes, 0L, 0, 100));
      assertEquals(ELSEWHERE, call("tlsUnwrap", handle, bytes, 0L, 0, 10, bytes, 0L, 0, 100));
      assertEquals(ELSEWHERE, call("macOneShot", handle, bytes, 0, 10, bytes, 0));
      assertEquals(ELSEWHERE, call("aeadSeal", handle, 1L, 16, 0L, 0, bytes, 0, bytes, 0, 10, bytes, 0));
      assertEquals(ELSEWHERE, call("aeadOpen", handle, 1L, 16, 0L, 0, bytes, 0, bytes, 0, 50, bytes, 0));
      assertEquals(ELSEWHERE, call("cipherRun", handle, 1L, new byte[16], 0, bytes, 0, 16, bytes, 0, 100));
    }
  }

  @Test
  void singleOperations() throws Exception {
    byte[] in = new byte[100];
    byte[] out = new byte[132];
    assertEquals(32, call("digestOneShot", NativeCrypto.SHA256, in, 0, 100, out, 0));
    assertEquals(ELSEWHERE, call("digestOneShot", NativeCrypto.SHA256, in, 0, 100, out, 101), "no room");
    assertEquals(ELSEWHERE, call("digestOneShot", -1, in, 0, 100, out, 0), "no such algorithm");
    NativeRef mac = new NativeRef(NativeCrypto.macNew(NativeCrypto.SHA256), NativeCrypto::macFree);
    NativeCrypto.macSetKey(mac.handle(), mac, new byte[1]);
    assertEquals(32, call("macOneShot", mac.handle(), in, 0, 100, out, 0));
    assertEquals(ELSEWHERE, call("macOneShot", mac.handle(), in, 0, 100, out, 101), "no room");
    NativeRef aead = new NativeRef(NativeCrypto.aeadNew(NativeCrypto.AES_GCM), NativeCrypto::aeadFree);
    long key = NativeCrypto.aeadSetKey(aead.handle(), aead, new byte[16], 16);
    assertEquals(116, call("aeadSeal", aead.handle(), key, 16, 0L, 0, in, 0, in, 0, 100, out, 0));
    assertEquals(100, call("aeadOpen", aead.handle(), key, 16, 0L, 0, in, 0, out, 0, 116, out, 0));
    assertArrayEquals(in, Arrays.copyOf(out, 100));
    assertEquals(ELSEWHERE, call("aeadSeal", aead.handle(), key + 1, 16, 0L, 0, in, 0, in, 0, 100, out, 0), "another key");
    ByteBuffer from = ByteBuffer.allocateDirect(100);
    ByteBuffer to = ByteBuffer.allocateDirect(116);
    long fromAddress = NativeCrypto.tlsBufferAddress(from);
    long toAddress = NativeCrypto.tlsBufferAddress(to);
    assertEquals(116, call("aeadSeal", aead.handle(), key, 16, 0L, 0, in, 0, fromAddress, 100, toAddress));
    assertEquals(100, call("aeadOpen", aead.handle(), key, 16, 0L, 0, in, 0, toAddress, 116, fromAddress));
  }

  private static final class Keyed {
    final NativeRef ref;
    final long key;

    Keyed(int algorithm, boolean padded, int keyLength, boolean encrypt) throws Exception {
      ref = new NativeRef(NativeCrypto.cipherNew(algorithm, padded), NativeCrypto::cipherFree);
      key = NativeCrypto.cipherSetKey(ref.handle(), ref, new byte[keyLength], encrypt);
    }

    long run(byte[] iv, byte[] in, int from, int length, byte[] out, int to) throws Exception {
      return call("cipherRun", ref.handle(), key, iv, 0, in, from, length, out, to, out.length - to);
    }
  }

  @Test
  void ciphers() throws Exception {
    byte[] iv = new byte[16];
    byte[] in = Bytes.pattern(100);
    byte[] out = new byte[140];
    byte[] back = new byte[100];
    Keyed counter = new Keyed(NativeCrypto.AES_CTR, false, 16, true);
    assertEquals(100, counter.run(iv, in, 0, 100, out, 3));
    assertEquals(100, counter.run(iv, out, 3, 100, back, 0));
    assertArrayEquals(in, back);
    assertEquals(100, counter.run(iv, back, 0, 100, back, 0), "in place");
    assertEquals(ELSEWHERE, counter.run(iv, back, 1, 99, back, 0), "overlaps");
    assertEquals(ELSEWHERE, counter.run(iv, in, 0, 100, out, 41), "no room");
    assertEquals(ELSEWHERE, counter.run(new byte[15], in, 0, 100, out, 0));
    assertEquals(ELSEWHERE, counter.run(new byte[40], in, 0, 100, out, 0));
    assertEquals(
        ELSEWHERE, call("cipherRun", counter.ref.handle(), counter.key + 1, iv, 0, in, 0, 100, out, 0, 100), "another key");
    ByteBuffer from = direct(in);
    ByteBuffer to = ByteBuffer.allocateDirect(100);
    assertEquals(100, call("cipherRun", counter.ref.handle(), counter.key, iv, 0,
        NativeCrypto.tlsBufferAddress(from), 100, NativeCrypto.tlsBufferAddress(to), 100));
    to.get(back);
    assertArrayEquals(Arrays.copyOfRange(out, 3, 103), back);

    byte[] none = new byte[0];
    assertEquals(112, new Keyed(NativeCrypto.AES_ECB, true, 16, true).run(none, in, 0, 100, out, 0));
    Keyed decrypting = new Keyed(NativeCrypto.AES_ECB, true, 16, false);
    assertEquals(100, decrypting.run(none, out, 0, 112, new byte[112], 0));
    assertEquals(ELSEWHERE, decrypting.run(none, out, 0, 112, back, 0), "only the padding tells");
    assertEquals(ELSEWHERE, decrypting.run(none, out, 0, 100, new byte[112], 0), "no whole blocks");
    Keyed slow = new Keyed(NativeCrypto.DESEDE_CBC, false, 24, true);
    byte[] much = new byte[16384];
    assertEquals(8192, slow.run(new byte[8], much, 0, 8192, much, 8192));
    assertEquals(ELSEWHERE, slow.run(new byte[8], much, 0, 8200, new byte[8200], 0), "takes long");
  }
}
