package org.postscrypt.conscryptabi;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;

/** Results as text, the same for the same result whatever library and class loader it is from. */
public final class Text {
  /** Whether messages are shown too: they differ where BoringSSL's revisions do. */
  private static final boolean MESSAGES = Boolean.getBoolean("org.postscrypt.test.messages");

  private Text() {}

  /** What a call answers or throws. */
  public static String of(Callable<?> call) {
    try {
      return of(call.call());
    } catch (InvocationTargetException e) {
      return thrown(e.getCause());
    } catch (Throwable e) {
      return thrown(e);
    }
  }

  private static String thrown(Throwable e) {
    if (e instanceof VirtualMachineError || e instanceof LinkageError) {
      return e.toString();
    }
    return "throws " + e.getClass().getName() + (MESSAGES ? ": " + e.getMessage() : "");
  }

  /** A value; arrays and collections with their elements. */
  public static String of(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.length > 4096 ? "bytes " + bytes.length + " " + java.util.Arrays.hashCode(bytes)
          : HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Collection<?> collection) {
      return of(collection.toArray());
    }
    if (value != null && value.getClass().isArray()) {
      List<String> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.add(of(Array.get(value, i)));
      }
      return elements.toString();
    }
    return String.valueOf(value);
  }
}
