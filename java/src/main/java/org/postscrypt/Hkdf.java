package org.postscrypt;

import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeLibrary;

/**
 * HKDF, the extract-and-expand key derivation function over HMAC (RFC 5869), on every Java version. Immutable and safe
 * for threads. Arrays are copied; zeroing them, and what is answered, is the caller's.
 *
 * <p>On Java 25 and later the provider also offers {@code HKDF-SHA256}, {@code HKDF-SHA384} and {@code HKDF-SHA512} as
 * a {@code javax.crypto.KDF}.
 */
public final class Hkdf {
  private final String hash;
  private final int algorithm;
  private final int hashBytes;

  private Hkdf(String hash, int algorithm, int hashBytes) {
    this.hash = hash;
    this.algorithm = algorithm;
    this.hashBytes = hashBytes;
  }

  /**
   * HKDF over one hash function.
   *
   * @param hash SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 or SHA-512/256; also as the name of its HMAC
   *     ({@code HmacSHA256}). Upper and lower case are the same
   * @throws NullPointerException if it is null
   * @throws NoSuchAlgorithmException if it is none of these
   * @throws java.security.ProviderException if the native library cannot be loaded
   */
  public static Hkdf getInstance(String hash) throws NoSuchAlgorithmException {
    NativeLibrary.requireAvailable();
    String name = hash.toUpperCase(Locale.ENGLISH).replace("HMAC", "").replace("SHA-", "SHA");
    switch (name) {
      case "SHA1":
        return new Hkdf("SHA-1", NativeCrypto.SHA1, 20);
      case "SHA224":
        return new Hkdf("SHA-224", NativeCrypto.SHA224, 28);
      case "SHA256":
        return new Hkdf("SHA-256", NativeCrypto.SHA256, 32);
      case "SHA384":
        return new Hkdf("SHA-384", NativeCrypto.SHA384, 48);
      case "SHA512":
        return new Hkdf("SHA-512", NativeCrypto.SHA512, 64);
      case "SHA512/256":
        return new Hkdf("SHA-512/256", NativeCrypto.SHA512_256, 32);
      default:
        throw new NoSuchAlgorithmException("HKDF over " + hash);
    }
  }

  /** Length of the hash and so of a pseudorandom key, in bytes. */
  public int hashLength() {
    return hashBytes;
  }

  /** The most bytes that {@link #expand} answers: 255 times the hash's length. */
  public int maxLength() {
    return 255 * hashBytes;
  }

  /**
   * HKDF-Extract (section 2.2): a pseudorandom key of {@link #hashLength} bytes.
   *
   * @param salt null or empty: as many zeros as the hash is long
   * @param secret the input keying material; may be empty
   * @throws NullPointerException if the secret is null
   */
  public byte[] extract(byte[] salt, byte[] secret) {
    return NativeCrypto.hkdfExtract(algorithm, secret, orEmpty(salt));
  }

  /**
   * HKDF-Expand (section 2.3): output keying material.
   *
   * @param key a pseudorandom key, at least as long as the hash; usually from {@link #extract}
   * @param info what the output is for; null is as empty
   * @param length of the output, in bytes
   * @throws NullPointerException if the key is null
   * @throws IllegalArgumentException if the key is too short, or the length is not between 1 and {@link #maxLength}
   */
  public byte[] expand(byte[] key, byte[] info, int length) {
    if (key.length < hashBytes) {
      throw new IllegalArgumentException("the key has " + key.length + " bytes, the hash " + hashBytes);
    }
    checkLength(length);
    return NativeCrypto.hkdfExpand(algorithm, key, orEmpty(info), length);
  }

  /**
   * {@link #extract}, then {@link #expand}; the key in between is zeroed.
   *
   * @throws NullPointerException if the secret is null
   * @throws IllegalArgumentException if the length is not between 1 and {@link #maxLength}
   */
  public byte[] extractAndExpand(byte[] salt, byte[] secret, byte[] info, int length) {
    checkLength(length);
    byte[] key = extract(salt, secret);
    try {
      return expand(key, info, length);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  private void checkLength(int length) {
    if (length < 1 || length > maxLength()) {
      throw new IllegalArgumentException(
          "HKDF over " + hash + " answers 1 to " + maxLength() + " bytes, not " + length);
    }
  }

  private static byte[] orEmpty(byte[] bytes) {
    return bytes == null ? new byte[0] : bytes;
  }

  @Override
  public String toString() {
    return "HKDF over " + hash;
  }
}
