package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;
import org.postscrypt.jce.Ours;

/**
 * {@code javax.crypto.KDF} of Java 25; its public methods are called by name, as tests are compiled for an older one.
 * What is tested depends on whether the overlay for Java 25 was built, which takes its compiler.
 */
class KdfTest {
  /** Whether the jar was built by a JDK 25, and runs on one. */
  static boolean isThere() {
    String overlay = "/META-INF/versions/25/org/postscrypt/jce/KdfServices.class";
    return Runtime.version().feature() >= 25 && KdfTest.class.getResource(overlay) != null;
  }

  private static final String SPEC = "javax.crypto.spec.HKDFParameterSpec";

  private static SecretKey key(int seed, int length) {
    return new SecretKeySpec(Ours.bytes(seed, length), "Generic");
  }

  /** Calls a public method (static if {@code target} is a class) that takes as many arguments of these types. */
  private static Object call(Object target, String name, Object... arguments) throws Exception {
    boolean isStatic = target instanceof Class<?>;
    Class<?> type = isStatic ? (Class<?>) target : target.getClass();
    for (Method method : type.getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      boolean fits = method.getName().equals(name) && types.length == arguments.length
          && Modifier.isStatic(method.getModifiers()) == isStatic;
      for (int i = 0; fits && i < types.length; i++) {
        fits = arguments[i] == null ? !types[i].isPrimitive()
            : types[i] == int.class ? arguments[i] instanceof Integer : types[i].isInstance(arguments[i]);
      }
      if (fits) {
        try {
          return method.invoke(isStatic ? null : target, arguments);
        } catch (InvocationTargetException e) {
          throw (Exception) e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(type + "." + name);
  }

  private static Object kdf(String name, Provider provider) throws Exception {
    return call(Class.forName("javax.crypto.KDF"), "getInstance", name, provider);
  }

  private static Object expandOnly(SecretKey key, byte[] info, int length) throws Exception {
    return call(Class.forName(SPEC), "expandOnly", key, info, length);
  }

  @Test
  @DisabledIf("isThere")
  void theBaseHasNone() {
    assertNull(Ours.PROVIDER.getService("KDF", "HKDF-SHA256"));
  }

  @Test
  @EnabledIf("isThere")
  void agreesWithTheJdk() throws Exception {
    for (String name : new String[] {"HKDF-SHA256", "HKDF-SHA384", "HKDF-SHA512"}) {
      Object ours = kdf(name, Ours.PROVIDER);
      Object theirs = kdf(name, java.security.Security.getProvider("SunJCE"));
      assertEquals("Postscrypt", call(ours, "getProviderName"));
      assertNull(call(ours, "getParameters"));
      for (int i = 1; i < 40; i++) {
        Object builder = call(Class.forName(SPEC), "ofExtract");
        call(builder, "addIKM", key(i, i));
        call(builder, "addIKM", key(i + 1, 5));
        if (i % 3 != 0) {
          call(builder, "addSalt", Ours.bytes(i, i));
          call(builder, "addSalt", key(i, 3));
        }
        byte[] info = i % 4 == 0 ? null : Ours.bytes(i, i);
        for (Object spec : Arrays.asList(
            call(builder, "extractOnly"),
            call(builder, "thenExpand", info, i * 17),
            expandOnly(key(i, 64), info, i * 3))) {
          assertArrayEquals((byte[]) call(theirs, "deriveData", spec), (byte[]) call(ours, "deriveData", spec), name);
          assertEquals(call(theirs, "deriveKey", "HmacSHA256", spec), call(ours, "deriveKey", "HmacSHA256", spec));
        }
      }
    }
  }

  @Test
  @EnabledIf("isThere")
  void refusals() throws Exception {
    Object kdf = kdf("HKDF-SHA256", Ours.PROVIDER);
    AlgorithmParameterSpec iv = new IvParameterSpec(new byte[16]);
    assertThrows(InvalidAlgorithmParameterException.class, () -> call(kdf, "deriveData", iv));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> call(kdf, "deriveData", expandOnly(key(1, 31), null, 8)), "the key is too short");
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> call(kdf, "deriveData", expandOnly(key(1, 32), null, 255 * 32 + 1)));
    Object good = expandOnly(key(1, 32), null, 16);
    assertThrows(NullPointerException.class, () -> call(kdf, "deriveKey", null, good));
    assertThrows(NoSuchAlgorithmException.class, () -> call(kdf, "deriveKey", "", good));
    Class<?> parameters = Class.forName("javax.crypto.KDFParameters");
    Object some = Proxy.newProxyInstance(
        KdfTest.class.getClassLoader(), new Class<?>[] {parameters}, (proxy, method, arguments) -> null);
    assertTrue(parameters.isInstance(some));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> call(Class.forName("javax.crypto.KDF"), "getInstance", "HKDF-SHA256", some, Ours.PROVIDER));
  }
}
