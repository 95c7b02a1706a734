package org.postscrypt.jce.pq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.Destroyable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.RawKeySpec;

class SignaturesTest {
  static Stream<String> all() {
    return Pq.SIGNATURES.stream();
  }

  private static int length(String name) {
    switch (name) {
      case "ML-DSA-44":
        return 2420;
      case "ML-DSA-65":
        return 3309;
      case "ML-DSA-87":
        return 4627;
      default:
        return 7856;
    }
  }

  /** Signs with one provider, verifies with ours and the other. */
  static void assertSigns(
      PrivateKey key, Provider signing, String name, PublicKey publicKey, Provider verifying, String theirName)
      throws Exception {
    byte[] message = Pq.bytes(1, 3000);
    Signature signer = Signature.getInstance(name, signing);
    signer.initSign(key);
    signer.update(message);
    byte[] signature = signer.sign();
    for (Signature verifier : new Signature[] {
      Signature.getInstance(name, Pq.OURS), Signature.getInstance(theirName, verifying)
    }) {
      PublicKey translated = publicKey;
      if (verifier.getProvider() == Pq.BC) { // Takes its own keys only.
        translated = KeyFactory.getInstance(name, Pq.BC).generatePublic(new X509EncodedKeySpec(publicKey.getEncoded()));
      }
      verifier.initVerify(translated);
      verifier.update(message);
      assertTrue(verifier.verify(signature), name + " by " + verifier.getProvider());
      verifier.update(message, 1, message.length - 1);
      assertFalse(verifier.verify(signature));
    }
  }

  /** As above, verified by whatever provider the JDK chooses for the key. */
  static void assertSigns(
      PrivateKey key, Provider signing, String name, PublicKey publicKey, PublicKey theirKey, String theirName)
      throws Exception {
    Signature theirs = Signature.getInstance(theirName);
    theirs.initVerify(theirKey);
    assertSigns(key, signing, name, publicKey, theirs.getProvider(), theirName);
  }

  @ParameterizedTest
  @MethodSource("all")
  void bouncyCastle(String name) throws Exception {
    KeyPair ours = Pq.keyPair(name);
    assertSigns(ours.getPrivate(), Pq.OURS, name, ours.getPublic(), Pq.BC, name);
    KeyPair theirs = java.security.KeyPairGenerator.getInstance(name, Pq.BC).generateKeyPair();
    assertSigns(theirs.getPrivate(), Pq.BC, name, theirs.getPublic(), Pq.BC, name);
  }

  /** Pieces of every kind make the same message. */
  @ParameterizedTest
  @MethodSource("all")
  void pieces(String name) throws Exception {
    KeyPair pair = Pq.keyPair(name);
    byte[] message = Pq.bytes(2, 200_000);
    Signature signer = Signature.getInstance(name, Pq.OURS);
    signer.initSign(pair.getPrivate());
    signer.update(message);
    byte[] signature = signer.sign();
    assertEquals(length(name), signature.length);
    Signature verifier = Signature.getInstance(name, Pq.OURS);
    verifier.initVerify(pair.getPublic());
    for (int size : new int[] {7, 511, 512, 513, 70_000}) {
      for (int at = 0; at < message.length; at += size) {
        verifier.update(message, at, Math.min(size, message.length - at));
      }
      assertTrue(verifier.verify(signature), "in pieces of " + size);
    }
    for (byte b : message) {
      verifier.update(b);
    }
    assertTrue(verifier.verify(signature), "byte by byte");
    ByteBuffer direct = ByteBuffer.allocateDirect(message.length).put(message).flip();
    ByteBuffer slice = ByteBuffer.wrap(Arrays.copyOf(message, message.length + 9)).slice(0, message.length);
    for (ByteBuffer buffer : new ByteBuffer[] {
      ByteBuffer.wrap(message), ByteBuffer.wrap(message).asReadOnlyBuffer(), direct, slice
    }) {
      buffer.limit(300);
      verifier.update(buffer);
      assertEquals(300, buffer.position());
      buffer.limit(message.length);
      verifier.update(buffer);
      assertFalse(buffer.hasRemaining());
      assertTrue(verifier.verify(signature));
    }
    assertFalse(verifier.verify(signature), "the empty message");
  }

  @ParameterizedTest
  @MethodSource("all")
  void wrongSignatures(String name) throws Exception {
    KeyPair pair = Pq.keyPair(name);
    Signature signer = Signature.getInstance(name, Pq.OURS);
    signer.initSign(pair.getPrivate());
    signer.update((byte) 1);
    byte[] buffer = new byte[length(name) + 20];
    assertEquals(length(name), signer.sign(buffer, 3, length(name) + 7));
    byte[] signature = Arrays.copyOfRange(buffer, 3, 3 + length(name));
    Signature verifier = Signature.getInstance(name, Pq.OURS);
    verifier.initVerify(pair.getPublic());
    for (int at : new int[] {0, 40, length(name) / 2, length(name) - 1}) {
      signature[at] ^= 0x20;
      verifier.update((byte) 1);
      assertFalse(verifier.verify(signature));
      signature[at] ^= 0x20;
    }
    for (int wrong : new int[] {0, 1, length(name) - 1, length(name) + 1}) {
      verifier.update((byte) 1);
      assertThrows(SignatureException.class, () -> verifier.verify(Arrays.copyOf(signature, wrong)));
    }
    verifier.update((byte) 1);
    assertTrue(verifier.verify(buffer, 3, length(name)), "usable after all that, and of a range");
    assertFalse(verifier.verify(new byte[length(name)]));
    Signature other = Signature.getInstance(name, Pq.OURS);
    other.initVerify(Pq.keyPair(name).getPublic());
    other.update((byte) 1);
    assertFalse(other.verify(signature), "another key");

    signer.update((byte) 1);
    assertThrows(SignatureException.class, () -> signer.sign(new byte[length(name)], 0, length(name) - 1));
    byte[] again = signer.sign();
    verifier.update((byte) 1);
    assertTrue(verifier.verify(again), "no room changes nothing");
    assertFalse(Arrays.equals(signature, again), "hedged");
  }

  @ParameterizedTest
  @MethodSource("all")
  void misuse(String name) throws Exception {
    KeyPair pair = Pq.keyPair(name);
    Signature signature = Signature.getInstance(name, Pq.OURS);
    assertThrows(SignatureException.class, () -> signature.update((byte) 1));
    assertThrows(SignatureException.class, signature::sign);
    assertThrows(InvalidKeyException.class, () -> signature.initSign(null));
    assertThrows(InvalidKeyException.class, () -> signature.initVerify((PublicKey) null));
    PrivateKey kem = Pq.keyPair("ML-KEM-768").getPrivate();
    assertThrows(InvalidKeyException.class, () -> signature.initSign(kem));
    PublicKey x25519 = java.security.KeyPairGenerator.getInstance("X25519").generateKeyPair().getPublic();
    assertThrows(InvalidKeyException.class, () -> signature.initVerify(x25519));
    assertThrows(InvalidAlgorithmParameterException.class, () -> signature.setParameter(PSSParameterSpec.DEFAULT));
    signature.setParameter(null);
    assertNull(signature.getParameters());
    setAndGet(signature);
    signature.initVerify(pair.getPublic());
    assertThrows(SignatureException.class, signature::sign);
    signature.initSign(pair.getPrivate());
    assertThrows(SignatureException.class, () -> signature.verify(new byte[length(name)]));
    signature.update((byte) 9);
    signature.initSign(pair.getPrivate());
    byte[] empty = signature.sign();
    signature.initVerify(pair.getPublic());
    assertTrue(signature.verify(empty), "initialising forgets the message");

    signature.initSign(pair.getPrivate());
    ((Destroyable) pair.getPrivate()).destroy();
    assertThrows(SignatureException.class, signature::sign);
    assertThrows(InvalidKeyException.class, () -> signature.initSign(pair.getPrivate()));
    assertThrows(CloneNotSupportedException.class, signature::clone);
  }

  @SuppressWarnings("deprecation")
  private static void setAndGet(Signature signature) {
    assertThrows(InvalidParameterException.class, () -> signature.setParameter("x", 1));
    assertThrows(InvalidParameterException.class, () -> signature.getParameter("x"));
  }

  @Test
  void families() throws Exception {
    Signature any = Signature.getInstance("ML-DSA", Pq.OURS);
    for (String name : new String[] {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}) {
      KeyPair pair = Pq.keyPair(name);
      any.initSign(pair.getPrivate());
      byte[] signature = any.sign();
      any.initVerify(pair.getPublic());
      assertTrue(any.verify(signature));
      for (String other : Pq.SIGNATURES) {
        if (!other.equals(name)) {
          Signature strict = Signature.getInstance(other, Pq.OURS);
          assertThrows(InvalidKeyException.class, () -> strict.initSign(pair.getPrivate()));
          assertThrows(InvalidKeyException.class, () -> strict.initVerify(pair.getPublic()));
        }
      }
    }
    PrivateKey slh = Pq.keyPair("SLH-DSA-SHA2-128S").getPrivate();
    assertThrows(InvalidKeyException.class, () -> any.initSign(slh));
  }

  @Test
  void slhDsaKnownAnswer() throws Exception {
    String[] row = Pq.vectors("slh-dsa.txt").get(0);
    PrivateKey key = Pq.factory("SLH-DSA-SHA2-128S").generatePrivate(new RawKeySpec(Pq.hex(row[0])));
    PublicKey publicKey = Pq.factory("SLH-DSA-SHA2-128S").generatePublic(new RawKeySpec(Pq.hex(row[1])));
    Signature verifier = Signature.getInstance("SLH-DSA-SHA2-128S", Pq.OURS);
    verifier.initVerify(publicKey);
    assertTrue(verifier.verify(Pq.hex(row[2])));
    assertArrayEquals(Pq.hex(row[0]), Pq.factory("SLH-DSA-SHA2-128S").getKeySpec(key, RawKeySpec.class).getEncoded());
  }

  /** Signing builds the tree from the secret seed; only its real root, NIST's public key, verifies. */
  @Test
  void slhDsaKeys() throws Exception {
    List<String[]> rows = Pq.vectors("slh-dsa-keys.txt");
    assertEquals(10, rows.size());
    for (String[] row : rows) {
      Signature signature = Signature.getInstance("SLH-DSA-SHA2-128S", Pq.OURS);
      signature.initSign(Pq.factory("SLH-DSA-SHA2-128S").generatePrivate(new RawKeySpec(Pq.hex(row[0]))));
      signature.update(Pq.hex(row[0]));
      byte[] signed = signature.sign();
      signature.initVerify(
          Pq.factory("SLH-DSA-SHA2-128S").generatePublic(new RawKeySpec(Pq.hex(row[0].substring(64)))));
      signature.update(Pq.hex(row[0]));
      assertTrue(signature.verify(signed));
    }
  }

  /** Two threads on one object get exceptions or wrong answers. */
  @Test
  void threads() throws Exception {
    KeyPair pair = Pq.keyPair("ML-DSA-44");
    Signature shared = Signature.getInstance("ML-DSA-44", Pq.OURS);
    shared.initSign(pair.getPrivate());
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> {
        for (int n = 0; n < 300; n++) {
          try {
            shared.update(new byte[n * 7]);
            shared.sign();
          } catch (SignatureException | RuntimeException expected) {
            // Misuse: anything but a crash.
          }
        }
      });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join(20_000);
      assertFalse(thread.isAlive());
    }
    shared.initSign(pair.getPrivate());
    byte[] signature = shared.sign();
    shared.initVerify(pair.getPublic());
    assertTrue(shared.verify(signature));
  }
}
