package org.postscrypt.nat;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;

/**
 * The natives whose work is so short that the way into native code counts: they do what those of {@link NativeCrypto} do, with the
 * same arguments, answers and exceptions, by whichever way is shorter.
 *
 * <p>Here that is JNI. The class for JDK 22 and newer, in {@code META-INF/versions/22}, can use {@code java.lang.foreign}.
 */
public final class ShortCalls {
  private ShortCalls() {}

  /**
   * System property: whether {@code java.lang.foreign} may be used; read once. {@code false}: no. {@code true}: from the
   * first call on, where it is possible. Not set: where it is possible, once there were many calls.
   */
  public static final String PROPERTY = "org.postscrypt.native.ffm";

  /** Whether calls do go through {@code java.lang.foreign} now. */
  public static boolean isForeign() {
    return false;
  }

  /** Which way calls go, and why, in words. */
  public static String describe() {
    return "JNI (before JDK 22 there is nothing else)";
  }

  /** As {@link NativeCrypto#tlsBufferAddress}; zero, too, for a buffer whose memory may take long to come. */
  public static long tlsBufferAddress(ByteBuffer buffer) {
    return NativeCrypto.tlsBufferAddress(buffer);
  }

  /** As {@link NativeCrypto#tlsWrap}. */
  public static long tlsWrap(
      long connection, Object owner,
      byte[] sourceArray, ByteBuffer sourceBuffer, long sourceAddress, int sourceOffset, int sourceLength,
      byte[] destinationArray, ByteBuffer destinationBuffer, long destinationAddress, int destinationOffset,
      int destinationLength) {
    return NativeCrypto.tlsWrap(
        connection, owner, sourceArray, sourceBuffer, sourceAddress, sourceOffset, sourceLength,
        destinationArray, destinationBuffer, destinationAddress, destinationOffset, destinationLength);
  }

  /** As {@link NativeCrypto#tlsUnwrap}. */
  public static long tlsUnwrap(
      long connection, Object owner,
      byte[] sourceArray, ByteBuffer sourceBuffer, long sourceAddress, int sourceOffset, int sourceLength,
      byte[] destinationArray, ByteBuffer destinationBuffer, long destinationAddress, int destinationOffset,
      int destinationLength) {
    return NativeCrypto.tlsUnwrap(
        connection, owner, sourceArray, sourceBuffer, sourceAddress, sourceOffset, sourceLength,
        destinationArray, destinationBuffer, destinationAddress, destinationOffset, destinationLength);
  }

  /** As {@link NativeCrypto#digestOneShot}. */
  public static int digestOneShot(
      int algorithm, byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset) {
    return NativeCrypto.digestOneShot(algorithm, input, inputOffset, inputLength, output, outputOffset);
  }

  /** As {@link NativeCrypto#macFinish}. */
  public static int macFinish(
      long mac, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset) {
    return NativeCrypto.macFinish(mac, owner, start, input, inputOffset, inputLength, output, outputOffset);
  }

  /** As {@link NativeCrypto#aeadSeal}. */
  public static int aeadSeal(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset) {
    return NativeCrypto.aeadSeal(
        aead, owner, keyId, tagLength, nonceHigh, nonceLow, nonce, additional, additionalLength,
        input, inputBuffer, inputOffset, inputLength, output, outputBuffer, outputOffset);
  }

  /** As {@link NativeCrypto#aeadOpen}. */
  public static int aeadOpen(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset)
      throws AEADBadTagException {
    return NativeCrypto.aeadOpen(
        aead, owner, keyId, tagLength, nonceHigh, nonceLow, nonce, additional, additionalLength,
        input, inputBuffer, inputOffset, inputLength, output, outputBuffer, outputOffset);
  }

  /** As {@link NativeCrypto#cipherRun}. */
  public static int cipherRun(
      long cipher, Object owner, long keyId, byte[] iv, int counter,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset, int outputLength)
      throws InvalidAlgorithmParameterException, ShortBufferException, IllegalBlockSizeException, BadPaddingException {
    return NativeCrypto.cipherRun(
        cipher, owner, keyId, iv, counter,
        input, inputBuffer, inputOffset, inputLength, output, outputBuffer, outputOffset, outputLength);
  }
}
