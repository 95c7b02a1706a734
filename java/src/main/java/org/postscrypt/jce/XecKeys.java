package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * X25519 keys in the JDK's terms: the seam to Java 11, which brings {@code java.security.interfaces.XECKey} and its
 * specs. This is the version for platforms without them; {@code src/main/java11} has the other.
 */
final class XecKeys {
  private XecKeys() {}

  /** The key object. */
  static NativePublicKey publicKey(NativeRef ref) {
    return new RawPublicKey(ref, NativeCrypto.X25519);
  }

  /** The key object. */
  static NativePrivateKey privateKey(NativeRef ref) {
    return new RawPrivateKey(ref, NativeCrypto.X25519);
  }

  /**
   * The 32 bytes of an XECPublicKeySpec; null if it is none.
   *
   * @throws InvalidKeyException if it is one of another curve
   */
  static byte[] publicBytes(KeySpec spec) throws InvalidKeyException {
    return null;
  }

  /** The 32 bytes of an XECPrivateKeySpec; as {@link #publicBytes}. */
  static byte[] privateBytes(KeySpec spec) throws InvalidKeyException {
    return null;
  }

  /** The bytes as the platform's spec; null if {@code type} is not its. */
  static KeySpec publicSpec(Class<?> type, byte[] bytes) {
    return null;
  }

  /** As {@link #publicSpec}. */
  static KeySpec privateSpec(Class<?> type, byte[] bytes) {
    return null;
  }

  /** The name in a NamedParameterSpec; null if it is none. */
  static String name(AlgorithmParameterSpec spec) {
    return null;
  }
}
