package org.postscrypt.nat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What {@link NativeCrypto} promises of wrong arguments, for each native there is, and for each of {@link ShortCalls}: null
 * references, zero handles, handles of another type, ranges outside arrays. A new native is covered as it stands; where one of its arguments
 * means something else than its type suggests, one of the tables below says so.
 */
class NativeArgumentsTest {
  /** Bytes of the arrays passed as arguments. */
  private static final int SIZE = 64;

  /** References that may be null: method and index. */
  private static final Set<String> OPTIONAL = Set.of(
      "aeadSeal 6", "aeadSeal 7", "aeadOpen 6", "aeadOpen 7", "aeadBegin 7", "aeadBegin 8", "cipherBegin 3", "cipherRun 3", "keyWrap 2", "keyUnwrap 2",
      "tlsSelect 4", "tlsSetKeyResult 2", "tlsCredentialNew 3", "tlsCredentialNew 4", "tlsCredentialExternal 2",
      "tlsCredentialExternal 3", "tlsExportKeyingMaterial 3", "hpkeSenderNew 5", "hpkeRecipientNew 6",
      "keyFromRsaNumbers 3", "keyGenerate 2", "tlsNew 2", "tlsNew 3", "tlsSetFoundSession 2", "tlsSetPreSharedKey 2", "tlsSetPreSharedKey 3");

  /** Ints behind an array or buffer that are no range of it. */
  private static final Set<String> NO_RANGES = Set.of(
      "aeadSetKey 3", "tlsSelect 5", "tlsExportKeyingMaterial 4", "tlsGenerateEchKey 2", "cipherBegin 4", "cipherRun 4", "hkdfExpand 3", "pbkdf2 3", "pbkdf2 4");

  /** What the documentation of {@link NativeCrypto} names for arguments that are wrong, in whatever order it looks. */
  private static final Set<Class<?>> DOCUMENTED = Set.of(
      NullPointerException.class, IllegalStateException.class, IndexOutOfBoundsException.class,
      IllegalArgumentException.class);

  /** One live object for each type of handle that can be had without further ado. */
  private static final Map<String, Live> LIVE = makeLive();

  private record Live(long handle, NativeRef owner) {}

  private static Map<String, Live> makeLive() {
    Map<String, Live> live = new TreeMap<>();
    put(live, "digest", NativeCrypto.digestNew(NativeCrypto.SHA256), NativeCrypto::digestFree);
    put(live, "mac", NativeCrypto.macNew(NativeCrypto.SHA256), NativeCrypto::macFree);
    put(live, "aead", NativeCrypto.aeadNew(NativeCrypto.AES_GCM), NativeCrypto::aeadFree);
    put(live, "cipher", NativeCrypto.cipherNew(NativeCrypto.AES_CBC, true), NativeCrypto::cipherFree);
    long config = NativeCrypto.tlsConfigNew(
        false, 0x0303, 0x0304, new int[] {0x1301, 0xc02b}, true, new int[0], new int[0], new byte[0][]);
    put(live, "tlsConfig", config, NativeCrypto::tlsConfigFree);
    long context = NativeCrypto.tlsContextNew(config, live.get("tlsConfig").owner);
    put(live, "tlsContext", context, NativeCrypto::tlsContextFree);
    put(live, "tls", NativeCrypto.tlsNew(context, live.get("tlsContext").owner, null, 0, null), NativeCrypto::tlsFree);
    try {
      NativeCrypto.macSetKey(live.get("mac").handle, live.get("mac").owner, new byte[3]);
      Live cipher = live.get("cipher");
      long cipherKeyId = NativeCrypto.cipherSetKey(cipher.handle, cipher.owner, new byte[16], true);
      assertEquals(KEY_ID, cipherKeyId);
      NativeCrypto.cipherBegin(cipher.handle, cipher.owner, cipherKeyId, new byte[16], 0);
      long keyId = NativeCrypto.aeadSetKey(live.get("aead").handle, live.get("aead").owner, new byte[16], 16);
      assertEquals(KEY_ID, keyId);
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    return live;
  }

  /** The number of an AEAD's first key. */
  private static final long KEY_ID = 1;

  private static void put(Map<String, Live> live, String area, long handle, NativeRef.Free free) {
    live.put(area, new Live(handle, new NativeRef(handle, free)));
  }

  /** All natives, and the other way to some of them. */
  private static Stream<Method> natives() {
    Stream<Method> natives = Arrays.stream(NativeCrypto.class.getDeclaredMethods())
        .filter(m -> Modifier.isNative(m.getModifiers()))
        .peek(m -> m.setAccessible(true));
    return Stream.concat(natives, Arrays.stream(ShortCalls.class.getMethods()).filter(NativeArgumentsTest::isShortCall))
        .sorted((a, b) -> a.getName().compareTo(b.getName()));
  }

  private static boolean isShortCall(Method method) {
    return method.getDeclaringClass() == ShortCalls.class && method.getParameterCount() > 0;
  }

  /** Which live object is behind the method's first handle; null if there is none of its type. */
  private static String area(Method method) {
    String name = method.getName();
    if (name.startsWith("tlsSession") && takesHandle(method)
        || name.startsWith("tlsCredential")) {
      return null;
    }
    if (name.equals("tlsContextNew") || name.startsWith("tlsConfig")) {
      return "tlsConfig";
    }
    if (name.equals("tlsNew") || name.startsWith("tlsContext")) {
      return "tlsContext";
    }
    return LIVE.keySet().stream().filter(a -> !a.startsWith("tlsCon") && name.startsWith(a)).findFirst().orElse(null);
  }

  private static boolean takesHandle(Method method) {
    return isHandle(method, 0);
  }

  /** A long with its owner behind it. */
  private static boolean isHandle(Method method, int i) {
    Class<?>[] types = method.getParameterTypes();
    return i + 1 < types.length && types[i] == long.class && types[i + 1] == Object.class;
  }

  /** An offset or a length: an int behind an array or buffer, or behind the offset. */
  private static boolean isRange(Method method, int i) {
    Class<?>[] types = method.getParameterTypes();
    if (i == 0 || types[i] != int.class || NO_RANGES.contains(method.getName() + ' ' + i)) {
      return false;
    }
    return isBytes(types[i - 1]) || types[i - 1] == int.class && i > 1 && isBytes(types[i - 2]);
  }

  private static boolean isBytes(Class<?> type) {
    return type == byte[].class || type == ByteBuffer.class;
  }

  /** Arguments that are right in kind: a live handle if there is one, arrays of {@link #SIZE}, no buffers, zeros. */
  private static Object[] arguments(Method method) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    String area = area(method);
    for (int i = 0; i < types.length; i++) {
      Class<?> type = types[i];
      if (isHandle(method, i)) {
        arguments[i] = i == 0 && area != null ? LIVE.get(area).handle : 0L;
      } else if (type == Object.class) {
        arguments[i] = LIVE;
      } else if (type == long.class) {
        arguments[i] = i == 2 ? KEY_ID : 0L;
      } else if (type == int.class) {
        // Behind the number of an AEAD's key: the tag's length.
        arguments[i] = i == 3 && types[2] == long.class ? 16 : 0;
      } else if (type == boolean.class) {
        arguments[i] = true;
      } else if (type == byte[].class) {
        arguments[i] = new byte[SIZE];
      } else if (type.isArray()) {
        arguments[i] = Array.newInstance(type.getComponentType(), 0);
      } else if (type != ByteBuffer.class) {
        throw new AssertionError("teach this test what to pass as " + type + " to " + method);
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

  /** Asserts what a wrong argument gives; without a live handle beside it, what is wrong with that may come first. */
  private static void assertThrown(Class<?> expected, Method method, Object[] arguments, String what) throws Exception {
    Class<?> thrown = thrownBy(method, arguments);
    if (takesHandle(method) && area(method) == null) {
      assertTrue(DOCUMENTED.contains(thrown), method + ": " + what + " gives " + thrown);
    } else {
      assertEquals(expected, thrown, method + ": " + what);
    }
  }

  @TestFactory
  Stream<DynamicTest> eachNative() {
    return natives().map(m -> DynamicTest.dynamicTest(signature(m), () -> check(m)));
  }

  private static String signature(Method method) {
    return method.getDeclaringClass().getSimpleName() + '.' + method.getName() + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  private static void check(Method method) throws Exception {
    Class<?>[] types = method.getParameterTypes();
    if (method.getName().endsWith("Free")) {
      assertEquals(null, thrownBy(method, new Object[] {0L}), "zero is ignored");
      String own = method.getName().substring(0, method.getName().length() - "Free".length());
      for (Map.Entry<String, Live> live : LIVE.entrySet()) {
        if (!live.getKey().equals(own)) {
          Class<?> thrown = thrownBy(method, new Object[] {live.getValue().handle});
          assertEquals(IllegalStateException.class, thrown, "freed " + live.getKey());
        }
      }
      return;
    }
    for (int i = 0; i < types.length; i++) {
      if (isHandle(method, i)) {
        checkHandle(method, i);
      } else if (types[i].isArray() && !OPTIONAL.contains(method.getName() + ' ' + i)) {
        Object[] arguments = arguments(method);
        arguments[i] = null;
        assertThrown(NullPointerException.class, method, arguments, "argument " + i + " null");
        if (types[i] == byte[][].class) {
          arguments[i] = new byte[][] {new byte[1], null};
          assertThrown(NullPointerException.class, method, arguments, "argument " + i + " has a null element");
        } else if (types[i] == long[].class) {
          arguments[i] = new long[] {0};
          assertThrown(IllegalStateException.class, method, arguments, "argument " + i + " has a zero handle");
          arguments[i] = new long[] {LIVE.get("digest").handle};
          assertThrown(IllegalStateException.class, method, arguments, "argument " + i + " has a digest's handle");
        }
      } else if (types[i] == ByteBuffer.class && i > 0) {
        Object[] arguments = arguments(method);
        arguments[i - 1] = null;
        arguments[i] = ByteBuffer.allocate(SIZE);
        assertThrown(IllegalArgumentException.class, method, arguments, "argument " + i + " not direct");
        arguments[i] = ByteBuffer.allocateDirect(SIZE);
        checkRanges(method, arguments, i + 1);
      } else if (isRange(method, i)) {
        checkRanges(method, arguments(method), i);
      }
    }
  }

  private static void checkHandle(Method method, int i) throws Exception {
    Object[] arguments = arguments(method);
    arguments[i] = 0L;
    if (OPTIONAL.contains(method.getName() + ' ' + i)) {
      assertTrue(thrownBy(method, arguments) != IllegalStateException.class, method + ": argument " + i + " may be left out");
    } else {
      // The first handle is looked at before anything else, or after arguments that are right.
      assertEquals(IllegalStateException.class, thrownBy(method, arguments), method + ": argument " + i + " zero");
    }
    int refused = 0;
    for (Map.Entry<String, Live> live : LIVE.entrySet()) {
      if (i > 0 || !live.getKey().equals(area(method))) {
        arguments[i] = live.getValue().handle;
        Class<?> thrown = thrownBy(method, arguments);
        refused += thrown == IllegalStateException.class ? 1 : 0;
        // A type without a live object may be any of these areas' own.
        boolean own = method.getName().startsWith(live.getKey());
        assertTrue(own || thrown == IllegalStateException.class, method + ": " + live.getKey() + " gives " + thrown);
      }
    }
    assertTrue(refused >= LIVE.size() - 2, method.toString());
  }

  /** Checks the offset or length at {@code i} in a call with these other arguments. */
  private static void checkRanges(Method method, Object[] arguments, int i) throws Exception {
    if (i >= arguments.length || !isRange(method, i)) {
      return;
    }
    for (int bad : new int[] {-1, Integer.MIN_VALUE, SIZE + 1, Integer.MAX_VALUE}) {
      Object[] changed = arguments.clone();
      changed[i] = bad;
      assertThrown(IndexOutOfBoundsException.class, method, changed, "argument " + i + " " + bad);
    }
  }

  /** All references null, all numbers extreme: whatever comes of it, the JVM stays alive. */
  @Test
  void nothingIsEnoughToCrash() throws Exception {
    for (Method method : natives().toList()) {
      if (method.getName().equals("libraryVersion") || method.getParameterCount() == 0) {
        continue;
      }
      Object[] arguments = arguments(method);
      for (int number : new int[] {0, -1, Integer.MAX_VALUE}) {
        IntStream.range(0, arguments.length).forEach(i -> {
          Class<?> type = method.getParameterTypes()[i];
          arguments[i] = type == long.class ? (Object) 0L : type == int.class ? (Object) number
              : type == boolean.class ? (Object) false : null;
        });
        Class<?> thrown = thrownBy(method, arguments);
        boolean mustThrow = takesHandle(method) || Arrays.stream(method.getParameterTypes()).anyMatch(Class::isArray);
        assertFalse(mustThrow && thrown == null, () -> method + " took nothing but nulls and " + number);
        boolean declared = thrown != null && Arrays.asList(method.getExceptionTypes()).contains(thrown);
        assertTrue(thrown == null || declared || DOCUMENTED.contains(thrown), () -> method + " gives " + thrown);
      }
    }
  }

  @Test
  void addressesOfBuffers() {
    assertThrows(NullPointerException.class, () -> NativeCrypto.tlsBufferAddress(null));
    assertEquals(0, NativeCrypto.tlsBufferAddress(ByteBuffer.allocate(SIZE)), "not direct");
    assertTrue(NativeCrypto.tlsBufferAddress(ByteBuffer.allocateDirect(SIZE)) != 0);
  }

  /** Who begins an AEAD operation says which key and tag length are meant. */
  @Test
  void numbersOfKeys() throws Exception {
    for (Method method : natives().filter(m -> m.getName().matches("aead(Seal|Open|Begin)")).toList()) {
      for (int wrong : new int[] {2, 3}) {
        Object[] arguments = arguments(method);
        arguments[wrong] = wrong == 2 ? (Object) (KEY_ID + 1) : (Object) 15;
        assertEquals(IllegalStateException.class, thrownBy(method, arguments), method.toString());
      }
    }
    for (Method method : natives().filter(m -> m.getName().matches("cipher(Begin|Run)")).toList()) {
      Object[] arguments = arguments(method);
      arguments[2] = KEY_ID + 1;
      assertEquals(IllegalStateException.class, thrownBy(method, arguments), method.toString());
    }
  }

  @Test
  void shortCallsAreCovered() {
    assertEquals(
        Set.of("tlsBufferAddress", "tlsWrap", "tlsUnwrap", "digestOneShot", "macFinish", "aeadSeal", "aeadOpen", "cipherRun"),
        natives().filter(NativeArgumentsTest::isShortCall).map(Method::getName).collect(Collectors.toSet()));
  }

  /** The tables speak of natives that exist. */
  @Test
  void tablesAreUpToDate() {
    List<String> arguments = natives()
        .flatMap(m -> IntStream.range(0, m.getParameterCount()).mapToObj(i -> m.getName() + ' ' + i))
        .toList();
    assertTrue(arguments.containsAll(OPTIONAL), OPTIONAL::toString);
    assertTrue(arguments.containsAll(NO_RANGES), NO_RANGES::toString);
  }
}
