package org.postscrypt.jce.asymmetric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.postscrypt.jce.asymmetric.Asymmetric.OURS;
import static org.postscrypt.jce.asymmetric.Asymmetric.bytes;
import static org.postscrypt.jce.asymmetric.Asymmetric.pair;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** Wrong use, by threads and by arguments: an exception or a wrong answer, never a crash. */
@Timeout(60)
class AsymmetricMisuseTest {
  private interface Step {
    void run(int i) throws Exception;
  }

  /** Runs the step in four threads; {@code strict}: every exception is an error. */
  private static void storm(int rounds, boolean strict, Step step) throws InterruptedException {
    AtomicReference<Throwable> error = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int first = t;
      Thread thread = new Thread(() -> {
        for (int i = 0; i < rounds && error.get() == null; i++) {
          try {
            step.run(first + 4 * i);
          } catch (Exception e) {
            if (strict) {
              error.set(e);
            }
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
    assertNull(error.get());
  }

  @Test
  void oneKeyInManyThreads() throws Exception {
    for (String[] each : new String[][] {
      {"RSA", "SHA256withRSA"}, {"RSA", "SHA256withRSA/PSS"}, {"secp256r1", "SHA256withECDSA"}, {"Ed25519", "Ed25519"}
    }) {
      KeyPair pair = pair(each[0]);
      storm(each[0].equals("RSA") ? 20 : 200, true, i -> {
        Signature signature = Signature.getInstance(each[1], OURS);
        byte[] message = bytes(i, i % 1500);
        signature.initSign(pair.getPrivate());
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(message);
        assertTrue(signature.verify(signed));
        assertEquals(pair.getPrivate().hashCode(), pair.getPrivate().hashCode());
      });
    }
    storm(200, true, i -> {
      KeyAgreement agreement = KeyAgreement.getInstance("X25519", OURS);
      agreement.init(pair("X25519").getPrivate());
      agreement.doPhase(pair("X25519").getPublic(), true);
      assertEquals(32, agreement.generateSecret().length);
    });
  }

  @Test
  void destroyedWhileInUse() throws Exception {
    byte[] encoded = pair("secp256r1").getPrivate().getEncoded();
    KeyFactory factory = KeyFactory.getInstance("EC", OURS);
    for (int round = 0; round < 20; round++) {
      PrivateKey key = factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
      storm(20, false, i -> {
        if (i == 30) {
          key.destroy();
          NativeRef.drain();
        }
        Signature signature = Signature.getInstance("SHA256withECDSA", OURS);
        signature.initSign(key);
        signature.update((byte) i);
        signature.sign();
      });
      assertTrue(key.isDestroyed());
    }
  }

  @Test
  void threadsOnOneObject() throws Exception {
    for (String name : new String[] {"SHA256withECDSA", "Ed25519", "NONEwithECDSA"}) {
      KeyPair pair = pair(name.equals("Ed25519") ? name : "secp256r1");
      Signature signature = Signature.getInstance(name, OURS);
      signature.initSign(pair.getPrivate());
      storm(1000, false, i -> {
        switch (i % 6) {
          case 0 -> signature.update(new byte[i % 3000]);
          case 1 -> signature.update((byte) i);
          case 2 -> signature.sign();
          case 3 -> signature.initSign(pair.getPrivate());
          case 4 -> signature.initVerify(pair.getPublic());
          default -> signature.verify(new byte[64]);
        }
      });
      byte[] message = bytes(1, 40);
      signature.initSign(pair.getPrivate());
      signature.update(message);
      byte[] signed = signature.sign();
      signature.initVerify(pair.getPublic());
      signature.update(message);
      assertTrue(signature.verify(signed), name + ": used by one thread again");
    }
    Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding", OURS);
    storm(300, false, i -> {
      switch (i % 4) {
        case 0 -> cipher.init(Cipher.ENCRYPT_MODE, pair("RSA").getPublic());
        case 1 -> cipher.update(new byte[i % 200]);
        case 2 -> cipher.doFinal();
        default -> cipher.doFinal(new byte[i % 300], 0, i % 300, new byte[256], 0);
      }
    });
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH", OURS);
    storm(500, false, i -> {
      switch (i % 3) {
        case 0 -> agreement.init(pair("secp256r1").getPrivate());
        case 1 -> agreement.doPhase(pair("secp256r1").getPublic(), true);
        default -> agreement.generateSecret(new byte[33], 1);
      }
    });
  }

  // --- arguments of the natives ---

  private static final Pattern ASYMMETRIC = Pattern.compile("(key(?!Wrap|Unwrap)|signature|agreement|rsa)[A-Z].*");

  private static final class Live {
    final long key = NativeCrypto.keyGenerate(NativeCrypto.P256, 0, null);
    final NativeRef owner = new NativeRef(key, NativeCrypto::keyFree);
    final long digest = NativeCrypto.digestNew(NativeCrypto.SHA256);
    final NativeRef digestOwner = new NativeRef(digest, NativeCrypto::digestFree);

    Live() throws Exception {}
  }

  private static List<Method> natives() {
    List<Method> natives = new ArrayList<>();
    for (Method method : NativeCrypto.class.getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers()) && ASYMMETRIC.matcher(method.getName()).matches()) {
        natives.add(method);
      }
    }
    assertTrue(natives.size() >= 17, natives.toString());
    return natives;
  }

  /** Arguments that are right in kind: live handles, arrays of 64 bytes, ECDSA over SHA-256, no padding. */
  private static Object[] arguments(Method method, Live live) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      if (types[i] == long.class) {
        arguments[i] = i == 7 ? live.digest : live.key;
      } else if (types[i] == int.class) {
        boolean signature = method.getName().startsWith("signature");
        arguments[i] = signature && i == 2 ? NativeCrypto.SIGN_ECDSA
            : i == 0 || signature && i == 3 ? NativeCrypto.SHA256 : 0;
      } else if (types[i] == boolean.class) {
        arguments[i] = false;
      } else if (types[i] == byte[].class) {
        arguments[i] = new byte[64];
      } else if (types[i] == byte[][].class) {
        arguments[i] = new byte[][] {{1}, {1}};
      } else {
        arguments[i] = live;
      }
    }
    return arguments;
  }

  private static Class<?> thrownBy(Method method, Object[] arguments) throws IllegalAccessException {
    try {
      method.invoke(null, arguments);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause().getClass();
    }
  }

  @Test
  void handles() throws Exception {
    Live live = new Live();
    int checked = 0;
    for (Method method : natives()) {
      Class<?>[] types = method.getParameterTypes();
      for (int i = 0; i + 1 < types.length; i++) {
        if (types[i] == long.class && types[i + 1] == Object.class) {
          for (long bad : new long[] {0, i == 7 ? live.key : live.digest}) {
            Object[] arguments = arguments(method, live);
            arguments[i] = bad;
            if (i == 7) {
              arguments[6] = true;
            }
            assertEquals(IllegalStateException.class, thrownBy(method, arguments), method + " argument " + i);
            checked++;
          }
        }
      }
    }
    assertTrue(checked >= 24, "only " + checked);
    NativeCrypto.keyFree(0);
  }

  @Test
  void nullArrays() throws Exception {
    Live live = new Live();
    int checked = 0;
    for (Method method : natives()) {
      Class<?>[] types = method.getParameterTypes();
      for (int i = 0; i < types.length; i++) {
        boolean optional = method.getName().equals("keyGenerate") || method.getName().startsWith("rsa") && i == 6
            || method.getName().equals("keyFromRsaNumbers") && i == 3;
        if (types[i].isArray() && !optional) {
          Object[] arguments = arguments(method, live);
          arguments[i] = null;
          if (method.getName().equals("rsaApply")) {
            continue; // Needs an RSA key to come so far: below.
          }
          assertEquals(NullPointerException.class, thrownBy(method, arguments), method + " argument " + i);
          checked++;
        }
      }
    }
    assertTrue(checked >= 8, "only " + checked);
    Object[] numbers = {false, false, new byte[][] {{1}, null}, null};
    for (Method method : natives()) {
      if (method.getName().equals("keyFromRsaNumbers")) {
        assertEquals(NullPointerException.class, thrownBy(method, numbers));
        numbers[2] = new byte[][] {{1}};
        assertEquals(IllegalArgumentException.class, thrownBy(method, numbers));
      }
    }
  }

  @Test
  void rangesAndNumbers() throws Exception {
    Live live = new Live();
    long rsa = NativeCrypto.keyGenerate(NativeCrypto.RSA, 512, new byte[] {3});
    NativeRef rsaOwner = new NativeRef(rsa, NativeCrypto::keyFree);
    int checked = 0;
    for (Method method : natives()) {
      Class<?>[] types = method.getParameterTypes();
      for (int i = 1; i < types.length; i++) {
        boolean range = types[i] == int.class
            && (types[i - 1] == byte[].class || i > 1 && types[i - 1] == int.class && types[i - 2] == byte[].class);
        if (range) {
          for (int bad : new int[] {-1, Integer.MIN_VALUE, 65, Integer.MAX_VALUE}) {
            Object[] arguments = arguments(method, live);
            if (method.getName().equals("rsaApply")) {
              arguments[0] = rsa;
            }
            arguments[i] = bad;
            assertEquals(
                IndexOutOfBoundsException.class, thrownBy(method, arguments), method + " argument " + i + " " + bad);
            checked++;
          }
        }
      }
      if (method.getName().startsWith("signature")) {
        for (int[] bad : new int[][] {{2, 6}, {2, -1}, {3, 99}}) {
          Object[] arguments = arguments(method, live);
          arguments[bad[0]] = bad[1];
          assertEquals(IllegalArgumentException.class, thrownBy(method, arguments), method + Arrays.toString(bad));
        }
        Object[] arguments = arguments(method, live);
        arguments[3] = NativeCrypto.SHA1;
        arguments[6] = true;
        assertEquals(IllegalArgumentException.class, thrownBy(method, arguments), "a digest of another algorithm");
      }
    }
    assertTrue(checked >= 36, "only " + checked);
    for (int bad : new int[] {-1, 8, Integer.MAX_VALUE}) {
      for (Method method : natives()) {
        if (method.getParameterTypes()[0] == int.class) {
          Object[] arguments = arguments(method, live);
          arguments[0] = bad;
          assertEquals(IllegalArgumentException.class, thrownBy(method, arguments), method.toString());
        }
      }
    }
    assertEquals(64, NativeCrypto.rsaSize(rsa, rsaOwner));
    for (Method method : natives()) {
      if (method.getName().equals("rsaApply")) {
        for (int array : new int[] {7, 10}) {
          Object[] arguments = arguments(method, live);
          arguments[0] = rsa;
          arguments[array] = null;
          assertEquals(NullPointerException.class, thrownBy(method, arguments), "array " + array);
        }
      }
    }
  }
}
