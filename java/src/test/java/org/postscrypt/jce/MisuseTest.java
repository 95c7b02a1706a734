package org.postscrypt.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** Wrong use, by threads and by arguments: an exception or a wrong answer, never a crash. */
@Timeout(60)
class MisuseTest {
  interface Step {
    void run(int i) throws Exception;
  }

  /** Runs the step in four threads on one object; exceptions are expected, errors are not. */
  private static void storm(int rounds, Step step) throws InterruptedException {
    AtomicReference<Throwable> error = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int first = t;
      Thread thread = new Thread(() -> {
        for (int i = 0; i < rounds; i++) {
          try {
            step.run(first + 4 * i);
          } catch (Exception e) {
            // What a misused object may answer.
          } catch (Throwable e) {
            error.set(e);
          }
        }
      });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(null, error.get());
  }

  @Test
  void threadsOnOneDigest() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256", Ours.PROVIDER);
    storm(3000, i -> {
      switch (i % 5) {
        case 0 -> digest.update(new byte[i % 3000]);
        case 1 -> digest.digest();
        case 2 -> ((MessageDigest) digest.clone()).digest();
        case 3 -> digest.update((byte) i);
        default -> digest.reset();
      }
    });
    for (int length : new int[] {9, 3000}) {
      digest.reset();
      byte[] expected = MessageDigest.getInstance("SHA-256", "SUN").digest(new byte[length]);
      assertArrayEquals(expected, digest.digest(new byte[length]), "reset is enough");
    }
  }

  @Test
  void threadsOnOneMac() throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256", Ours.PROVIDER);
    SecretKeySpec[] keys = {new SecretKeySpec(new byte[5], "x"), new SecretKeySpec(new byte[500], "x")};
    mac.init(keys[0]);
    storm(3000, i -> {
      switch (i % 5) {
        case 0 -> mac.update(new byte[i % 3000]);
        case 1 -> mac.doFinal();
        case 2 -> ((Mac) mac.clone()).doFinal();
        case 3 -> mac.init(keys[i / 5 % 2]);
        default -> mac.reset();
      }
    });
    for (SecretKeySpec key : keys) {
      mac.reset();
      mac.update(new byte[3000]);
      mac.init(key);
    }
    Mac theirs = Mac.getInstance("HmacSHA256", "SunJCE");
    theirs.init(keys[1]);
    assertArrayEquals(theirs.doFinal(new byte[9]), mac.doFinal(new byte[9]));
  }

  @Test
  void threadsOnOneCipher() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
    SecretKeySpec[] keys = {new SecretKeySpec(new byte[16], "AES"), new SecretKeySpec(new byte[32], "AES")};
    byte[] shared = new byte[70000];
    storm(3000, i -> {
      int mode = i % 3 == 0 ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
      switch (i % 7) {
        case 0, 1 -> cipher.init(mode, keys[i / 7 % 2], new GCMParameterSpec(96 + i % 5 * 8, Ours.bytes(i, 12)));
        case 2 -> cipher.update(new byte[i % 5000]);
        case 3 -> cipher.doFinal(shared, 0, i % 70000, shared, i % 100);
        case 4 -> cipher.updateAAD(new byte[i % 3000]);
        case 5 -> cipher.update(ByteBuffer.wrap(shared, 0, i % 4000), ByteBuffer.allocateDirect(i % 5000));
        default -> cipher.doFinal();
      }
    });
    // Used by one thread again: the right answer, or at first a refusal; never one under another key.
    for (int i = 0; i < 2; i++) {
      GCMParameterSpec spec = new GCMParameterSpec(128, Ours.bytes(-1 - i, 12));
      byte[] sealed = null;
      for (int refused = 0; sealed == null; refused++) {
        try {
          cipher.init(Cipher.ENCRYPT_MODE, keys[i], spec);
          sealed = cipher.doFinal(shared);
        } catch (IllegalStateException e) {
          assertEquals(0, refused, "refused again: " + e);
        }
      }
      Cipher theirs = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
      theirs.init(Cipher.DECRYPT_MODE, keys[i], spec);
      assertArrayEquals(shared, theirs.doFinal(sealed));
    }
  }

  @Test
  void threadsOnOnePlainCipher() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding", Ours.PROVIDER);
    SecretKeySpec[] keys = {new SecretKeySpec(new byte[16], "AES"), new SecretKeySpec(new byte[32], "AES")};
    byte[] shared = new byte[70000];
    storm(3000, i -> {
      int mode = i % 3 == 0 ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
      switch (i % 6) {
        case 0, 1 -> cipher.init(mode, keys[i / 7 % 2], new IvParameterSpec(Ours.bytes(i, 16)));
        case 2 -> cipher.update(new byte[i % 5000]);
        case 3 -> cipher.doFinal(shared, 0, i % 70000, shared, i % 100);
        case 4 -> cipher.update(ByteBuffer.wrap(shared, 0, i % 4000), ByteBuffer.allocateDirect(i % 5000));
        default -> cipher.doFinal();
      }
    });
    for (int i = 0; i < 2; i++) {
      IvParameterSpec spec = new IvParameterSpec(Ours.bytes(-1 - i, 16));
      byte[] sealed = null;
      for (int refused = 0; sealed == null; refused++) {
        try {
          cipher.init(Cipher.ENCRYPT_MODE, keys[i], spec);
          sealed = cipher.doFinal(shared);
        } catch (IllegalStateException e) {
          assertEquals(0, refused, "refused again: " + e);
        }
      }
      Cipher theirs = Cipher.getInstance("AES/CBC/PKCS5Padding", "SunJCE");
      theirs.init(Cipher.DECRYPT_MODE, keys[i], spec);
      assertArrayEquals(shared, theirs.doFinal(sealed));
    }
  }

  // --- natives: what NativeArgumentsTest cannot know ---

  private static final class Live {
    final long digest = NativeCrypto.digestNew(NativeCrypto.SHA256);
    final long mac = NativeCrypto.macNew(NativeCrypto.SHA256);
    final long aead = NativeCrypto.aeadNew(NativeCrypto.AES_GCM);
    final long cipher = NativeCrypto.cipherNew(NativeCrypto.AES_CBC, true);
    final long keyId;
    final long cipherKeyId;
    final NativeRef[] owners = {
      new NativeRef(digest, NativeCrypto::digestFree),
      new NativeRef(mac, NativeCrypto::macFree),
      new NativeRef(aead, NativeCrypto::aeadFree),
      new NativeRef(cipher, NativeCrypto::cipherFree)
    };

    Live() throws Exception {
      NativeCrypto.macSetKey(mac, owners[1], new byte[3]);
      keyId = NativeCrypto.aeadSetKey(aead, owners[2], new byte[16], 16);
      cipherKeyId = NativeCrypto.cipherSetKey(cipher, owners[3], new byte[16], true);
      NativeCrypto.cipherBegin(cipher, owners[3], cipherKeyId, new byte[16], 0);
    }
  }

  @Test
  void nothingWasChanged() throws Exception {
    Live live = new Live();
    NativeRef owner = live.owners[0];
    byte[] out = new byte[32];
    NativeCrypto.digestUpdate(live.digest, owner, false, new byte[] {1, 2, 3}, null, 0, 3);
    assertThrows(IndexOutOfBoundsException.class,
        () -> NativeCrypto.digestUpdate(live.digest, owner, false, new byte[3], null, 1, 3));
    assertThrows(IndexOutOfBoundsException.class,
        () -> NativeCrypto.digestFinish(live.digest, owner, false, new byte[3], 0, 3, out, 1));
    NativeCrypto.digestFinish(live.digest, owner, false, new byte[0], 0, 0, out, 0);
    assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(new byte[] {1, 2, 3}), out);

    NativeRef aead = live.owners[2];
    byte[] sealed = new byte[19];
    NativeCrypto.aeadBegin(live.aead, aead, live.keyId, 16, true, 0, 1, null, null, 0);
    assertThrows(IndexOutOfBoundsException.class, () -> NativeCrypto.aeadFinishSeal(
        live.aead, aead, new byte[3], null, 0, 3, new byte[18], null, 0));
    NativeCrypto.aeadFinishSeal(live.aead, aead, new byte[3], null, 0, 3, sealed, null, 0);
    NativeCrypto.aeadBegin(live.aead, aead, live.keyId, 16, false, 0, 1, null, null, 0);
    NativeCrypto.aeadHold(live.aead, aead, sealed, null, 0, 10);
    assertThrows(IndexOutOfBoundsException.class, () -> NativeCrypto.aeadHold(live.aead, aead, sealed, null, 10, 10));
    assertThrows(IndexOutOfBoundsException.class, () -> NativeCrypto.aeadFinishOpen(
        live.aead, aead, sealed, null, 10, 9, new byte[2], null, 0));
    byte[] plain = {9, 9, 9};
    assertEquals(3, NativeCrypto.aeadFinishOpen(live.aead, aead, sealed, null, 10, 9, plain, null, 0));
    assertArrayEquals(new byte[3], plain);
    assertThrows(AEADBadTagException.class, () -> NativeCrypto.aeadOpen(
        live.aead, aead, live.keyId, 16, 0, 2, null, null, 0, sealed, null, 0, 19, plain, null, 0));
    assertThrows(IllegalStateException.class, () -> NativeCrypto.aeadFinishSeal(
        live.aead, aead, new byte[0], null, 0, 0, new byte[16], null, 0));
    assertDoesNotThrow(() -> NativeCrypto.aeadAbandon(live.aead, aead));
    assertThrows(IllegalArgumentException.class, () -> NativeCrypto.digestNew(11));
    assertThrows(IllegalArgumentException.class, () -> NativeCrypto.macNew(-1));
  }
}
