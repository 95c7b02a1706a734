package org.postscrypt.nat;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import javax.crypto.AEADBadTagException;

/**
 * Every native method of Postscrypt: the only class with any.
 *
 * <p>One static method per operation, grouped by area as in {@code native/bridge/src/natives}. A {@code long} handle is owned by
 * a {@link NativeRef}, which is passed beside it so that it stays reachable during the call. Null references give {@link
 * NullPointerException}, offsets and lengths outside an array or buffer {@link IndexOutOfBoundsException}, a zero handle or one
 * that another thread is using {@link IllegalStateException}; none of these changes anything.
 */
public final class NativeCrypto {
  private NativeCrypto() {}

  static {
    NativeLibrary.load();
  }

  // --- library ---

  /** The native half's version; equals the Java half's, or the two do not belong together. */
  static native byte[] libraryVersion();

  /** BoringSSL's identity in one line, ASCII. */
  public static native byte[] libraryBoringVersion();

  /** CPU features in use, separated by spaces, ASCII; may be empty. */
  public static native byte[] libraryCpuFeatures();

  /** Files and directories with the operating system's CA certificates, separated by newlines, UTF-8; may be empty. */
  public static native byte[] librarySystemCertificates();

  // --- digest, mac, aead, random: the JCE's ---
  //
  // Input and output: a range of an array or, where that is null, of a direct buffer's whole memory (index 0 to
  // capacity, its position does not matter). Ranges are in bytes.

  /** MD5, 16 bytes: a digest algorithm's number. */
  public static final int MD5 = 0;

  /** SHA-1, 20 bytes. */
  public static final int SHA1 = 1;

  /** SHA-224, 28 bytes. */
  public static final int SHA224 = 2;

  /** SHA-256, 32 bytes. */
  public static final int SHA256 = 3;

  /** SHA-384, 48 bytes. */
  public static final int SHA384 = 4;

  /** SHA-512, 64 bytes. */
  public static final int SHA512 = 5;

  /** SHA-512/256, 32 bytes. */
  public static final int SHA512_256 = 6;

  /** A digest of the empty message. */
  public static native long digestNew(int algorithm);

  /** Frees a digest; zero is ignored. */
  public static native void digestFree(long digest);

  /** An independent copy. */
  public static native long digestClone(long digest, Object owner);

  /** Back to the empty message. */
  public static native void digestReset(long digest, Object owner);

  /** Appends input; {@code start}: to the empty message, whatever was there. */
  public static native void digestUpdate(
      long digest, Object owner, boolean start, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** As {@link #digestUpdate}, then writes the digest and goes back to the empty message; answers its length. */
  public static native int digestFinish(
      long digest, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset);

  /** Writes the digest of input; answers its length. */
  public static native int digestOneShot(
      int algorithm, byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset);

  /**
   * An HMAC over a digest algorithm, without a key yet: until it has one, using it is an {@link IllegalStateException}.
   */
  public static native long hmacNew(int algorithm);

  /** Frees an HMAC; zero is ignored. */
  public static native void hmacFree(long hmac);

  /** An independent copy of key and state. */
  public static native long hmacClone(long hmac, Object owner);

  /** Takes a key of any length and starts an empty message. */
  public static native void hmacSetKey(long hmac, Object owner, byte[] key);

  /** Back to the empty message under the same key. */
  public static native void hmacReset(long hmac, Object owner);

  /** Appends input; {@code start}: to the empty message, whatever was there. */
  public static native void hmacUpdate(
      long hmac, Object owner, boolean start, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** As {@link #hmacUpdate}, then writes the code and goes back to the empty message; answers its length. */
  public static native int hmacFinish(
      long hmac, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset);

  /** Additional data of an operation's start may be this long; more goes through {@link #aeadAdditional}. */
  public static final int AEAD_MAX_ADDITIONAL = 2048;

  /** AES-GCM without a key yet: until it has one, using it is an {@link IllegalStateException}. */
  public static native long aeadNew();

  /** Frees an AEAD; zero is ignored. */
  public static native void aeadFree(long aead);

  /**
   * Takes a key of 16, 24 or 32 bytes and a tag length of 12 to 16 bytes; whatever was being streamed is given up.
   * Answers the key's number. Who begins an operation says which number and tag length are meant; others than the
   * object has are an {@link IllegalStateException}.
   *
   * @throws InvalidKeyException if the key has another length
   * @throws InvalidAlgorithmParameterException if the tag has
   */
  public static native long aeadSetKey(long aead, Object owner, byte[] key, int tagLength)
      throws InvalidKeyException, InvalidAlgorithmParameterException;

  /** Another tag length for the same key; whatever was being streamed is given up. */
  public static native void aeadSetTagLength(long aead, Object owner, int tagLength)
      throws InvalidAlgorithmParameterException;

  /** Gives up what was being streamed. */
  public static native void aeadAbandon(long aead, Object owner);

  /**
   * Seals in one step: ciphertext and tag are written; answers the length of both. Input and output may overlap in any
   * way if the input has at most 1 MiB or both are direct; otherwise they must not overlap partly
   * (IllegalArgumentException).
   *
   * @param nonceHigh the first 8 bytes, big-endian, of a nonce of 12
   * @param nonceLow its last 4 bytes
   * @param nonce a nonce of any other length; null: the two numbers are it
   * @param additional the first {@code additionalLength} bytes are authenticated; may be null if that is zero
   */
  public static native int aeadSeal(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /**
   * Opens ciphertext and tag in one step; answers the length of the plaintext. Input and output may overlap in any way.
   * Parameters as {@link #aeadSeal}.
   *
   * @throws AEADBadTagException if the tag is wrong or missing; the output's range is unchanged or all zero
   */
  public static native int aeadOpen(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException;

  /**
   * Starts a stream that seals or opens, giving up an unfinished one. Nonce and additional data as {@link #aeadSeal}.
   */
  public static native void aeadBegin(
      long aead, Object owner, long keyId, int tagLength, boolean seal,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength);

  /** Appends additional data to a stream without data so far. */
  public static native void aeadAdditional(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /** Seals the next bytes of a stream; as many are written. Overlap as {@link #aeadSeal}. */
  public static native void aeadSealPiece(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /** Seals the last bytes of a stream and writes the tag behind them; answers the length of both. */
  public static native int aeadFinishSeal(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset);

  /** Keeps the next bytes of a stream that opens, in native memory. */
  public static native void aeadHold(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength);

  /**
   * Keeps the last bytes, checks the tag and only then writes the plaintext; answers its length. What was kept is
   * zeroed.
   *
   * @throws AEADBadTagException if the tag is wrong or missing; the output is unchanged
   */
  public static native int aeadFinishOpen(
      long aead, Object owner, byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException;

  /** Fills a range with random bytes. */
  public static native void randomBytes(byte[] output, int outputOffset, int outputLength);

  // --- tls ---
}
