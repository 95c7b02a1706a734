package org.conscrypt;

import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;

/** Raw keys as key specifications of the caller's own class. */
public final class KeySpecUtil {
  private KeySpecUtil() {}

  /**
   * {@code encoded} as a {@code keySpecClass}, a public class that extends {@link EncodedKeySpec}, has a public
   * constructor for the
   * bytes and the format {@code raw}.
   *
   * @throws InvalidKeySpecException if the class is not that
   */
  public static <T extends KeySpec> T makeRawKeySpec(byte[] encoded, Class<T> keySpecClass)
      throws InvalidKeySpecException {
    T spec;
    try {
      spec = keySpecClass.getConstructor(byte[].class).newInstance((Object) encoded);
    } catch (ReflectiveOperationException e) {
      throw new InvalidKeySpecException("Can't process KeySpec class " + keySpecClass.getName(), e);
    }
    if (!(spec instanceof EncodedKeySpec) || !"raw".equalsIgnoreCase(((EncodedKeySpec) spec).getFormat())) {
      throw new InvalidKeySpecException("EncodedKeySpec class must be raw format");
    }
    return spec;
  }
}
