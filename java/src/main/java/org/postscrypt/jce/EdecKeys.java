package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * Ed25519 keys in the JDK's terms: the seam to Java 15, which brings {@code java.security.interfaces.EdECKey} and its
 * specs. This is the version for platforms without them; {@code src/main/java15} has the other.
 */
final class EdecKeys {
  private EdecKeys() {}

  /** The key object. */
  static NativePublicKey publicKey(NativeRef ref) {
    return new RawPublicKey(ref, NativeCrypto.ED25519);
  }

  /** The key object. */
  static NativePrivateKey privateKey(NativeRef ref) {
    return new RawPrivateKey(ref, NativeCrypto.ED25519);
  }

  /**
   * The 32 bytes of an EdECPublicKeySpec; null if it is none.
   *
   * @throws InvalidKeyException if it is one of another curve
   */
  static byte[] publicBytes(KeySpec spec) throws InvalidKeyException {
    return null;
  }

  /** The 32 bytes of an EdECPrivateKeySpec; as {@link #publicBytes}. */
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

  /** Whether these are an EdDSAParameterSpec of plain Ed25519: no prehash, no context. */
  static boolean isPlain(AlgorithmParameterSpec spec) {
    return false;
  }
}
