package org.postscrypt.nat;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;

/**
 * The natives whose work is so short that the way into native code counts: they do what those of {@link NativeCrypto} do, with the
 * same arguments, answers and exceptions, by whichever way is shorter.
 *
 * <p>That is {@code java.lang.foreign} where the JVM permits it to this module without a word: on JDK 22 and 23 if native access
 * is enabled, later always, as loading the library needed the same. Everything that is long, rare, or wrong goes through
 * JNI. Linking takes the JVM about 150 ms of CPU time, so it is done by a thread of its own once there were many calls; until it
 * is done calls go through JNI.
 */
public final class ShortCalls {
  private ShortCalls() {}

  /**
   * System property: whether {@code java.lang.foreign} may be used; read once. {@code false}: no. {@code true}: from the
   * first call on, where it is possible. Not set: where it is possible, once there were many calls.
   */
  public static final String PROPERTY = "org.postscrypt.native.ffm";

  /** Calls before it is linked: linking costs as much as one to three millions save, and who made so many will make more. */
  private static final int BEFORE_LINKING = 1 << 17;

  /** Input of one call, in bytes: a record with all around it. The garbage collector waits for the call. */
  private static final int MOST = 16384 + 2048;

  /** What a null IV is. */
  private static final byte[] NO_IV = new byte[0];

  /** Why JNI it stays; null if {@code java.lang.foreign} may be used. */
  private static final String OBSTACLE;

  private static final boolean POSSIBLE;
  private static final AtomicBoolean LINKING = new AtomicBoolean();

  /** Counted without care: threads may lose some. */
  private static int calls;

  /** Whether {@link Downcalls} is initialised: then its handles are there for who reads true, however late. */
  private static boolean linked;

  private static volatile Throwable failure;

  static {
    String wanted = System.getProperty(PROPERTY, "");
    OBSTACLE = obstacle(wanted);
    POSSIBLE = OBSTACLE == null;
    if (POSSIBLE && wanted.equals("true")) {
      LINKING.set(true);
      link();
    }
  }

  private static String obstacle(String wanted) {
    if (wanted.equals("false")) {
      return PROPERTY + " is false";
    }
    if (NativeLibrary.unavailabilityCause() != null) {
      return "the library is not loaded";
    }
    // The library is loaded: where that needed permission, it was given, or warned about.
    return ShortCalls.class.getModule().isNativeAccessEnabled() ? null : "native access is not enabled";
  }

  private static void link() {
    try {
      Downcalls.touch();
      linked = true;
    } catch (RuntimeException | Error e) {
      // A runtime without a linker, say: JNI does all of it.
      failure = e;
    }
  }

  /** Whether to call through {@link Downcalls}. */
  private static boolean isLinked() {
    return POSSIBLE && (linked || count());
  }

  private static boolean count() {
    if (calls < BEFORE_LINKING) {
      calls++;
    } else if (LINKING.compareAndSet(false, true)) {
      Thread thread = new Thread(null, ShortCalls::link, "postscrypt-link", 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      thread.start();
    }
    return false;
  }

  /** Whether calls do go through {@code java.lang.foreign} now. */
  public static boolean isForeign() {
    return linked;
  }

  /** Which way calls go, and why, in words. */
  public static String describe() {
    if (!POSSIBLE) {
      return "JNI (" + OBSTACLE + ")";
    }
    Throwable cause = failure;
    return cause != null ? "JNI (" + cause + ")"
        : linked ? "java.lang.foreign" : "JNI, java.lang.foreign once there were " + BEFORE_LINKING;
  }

  private static boolean inside(byte[] array, int offset, int length) {
    return (offset | length) >= 0 && length <= array.length - offset;
  }

  /** Whether a range is an array's part, or one of a buffer at a known address, for which the caller vouches. */
  private static boolean isGood(byte[] array, long address, int offset, int length) {
    return array != null ? inside(array, offset, length) : address != 0 && (offset | length) >= 0;
  }

  /** As {@link NativeCrypto#tlsBufferAddress}; zero, too, for a buffer whose memory may take long to come. */
  public static long tlsBufferAddress(ByteBuffer buffer) {
    // A file's pages may have to be read, for which no garbage collection shall wait: through JNI.
    return POSSIBLE && buffer.isDirect() && MemorySegment.ofBuffer(buffer).isMapped()
        ? 0
        : NativeCrypto.tlsBufferAddress(buffer);
  }

  /** As {@link NativeCrypto#tlsWrap}. */
  public static long tlsWrap(
      long connection, Object owner,
      byte[] sourceArray, ByteBuffer sourceBuffer, long sourceAddress, int sourceOffset, int sourceLength,
      byte[] destinationArray, ByteBuffer destinationBuffer, long destinationAddress, int destinationOffset,
      int destinationLength) {
    if (isLinked()
        && isGood(sourceArray, sourceAddress, sourceOffset, sourceLength)
        && isGood(destinationArray, destinationAddress, destinationOffset, destinationLength)) {
      try {
        long outcome = Downcalls.tlsWrap(
            connection, sourceArray, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destinationAddress, destinationOffset, destinationLength);
        if (outcome >= 0) {
          return outcome;
        }
        Downcalls.check(outcome);
      } finally {
        Reference.reachabilityFence(owner);
        Reference.reachabilityFence(sourceBuffer);
        Reference.reachabilityFence(destinationBuffer);
      }
    }
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
    if (isLinked()
        && isGood(sourceArray, sourceAddress, sourceOffset, sourceLength)
        && isGood(destinationArray, destinationAddress, destinationOffset, destinationLength)) {
      try {
        long outcome = Downcalls.tlsUnwrap(
            connection, sourceArray, sourceAddress, sourceOffset, sourceLength,
            destinationArray, destinationAddress, destinationOffset, destinationLength);
        if (outcome >= 0) {
          return outcome;
        }
        Downcalls.check(outcome);
      } finally {
        Reference.reachabilityFence(owner);
        Reference.reachabilityFence(sourceBuffer);
        Reference.reachabilityFence(destinationBuffer);
      }
    }
    return NativeCrypto.tlsUnwrap(
        connection, owner, sourceArray, sourceBuffer, sourceAddress, sourceOffset, sourceLength,
        destinationArray, destinationBuffer, destinationAddress, destinationOffset, destinationLength);
  }

  /** As {@link NativeCrypto#digestOneShot}. */
  public static int digestOneShot(
      int algorithm, byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset) {
    if (input != null && output != null && inputLength <= MOST && isLinked()
        && inside(input, inputOffset, inputLength) && inside(output, outputOffset, 0)) {
      long length = Downcalls.digestOneShot(algorithm, input, inputOffset, inputLength, output, outputOffset);
      if (length >= 0) {
        return (int) length;
      }
      Downcalls.check(length);
    }
    return NativeCrypto.digestOneShot(algorithm, input, inputOffset, inputLength, output, outputOffset);
  }

  /** As {@link NativeCrypto#macFinish}. */
  public static int macFinish(
      long mac, Object owner, boolean start, byte[] input, int inputOffset, int inputLength,
      byte[] output, int outputOffset) {
    if (start && input != null && output != null && inputLength <= MOST && isLinked()
        && inside(input, inputOffset, inputLength) && inside(output, outputOffset, 0)) {
      try {
        long length = Downcalls.macOneShot(mac, input, inputOffset, inputLength, output, outputOffset);
        if (length >= 0) {
          return (int) length;
        }
        Downcalls.check(length);
      } finally {
        Reference.reachabilityFence(owner);
      }
    }
    return NativeCrypto.macFinish(mac, owner, start, input, inputOffset, inputLength, output, outputOffset);
  }

  /** As {@link NativeCrypto#aeadSeal}. */
  public static int aeadSeal(
      long aead, Object owner, long keyId, int tagLength,
      long nonceHigh, int nonceLow, byte[] nonce, byte[] additional, int additionalLength,
      byte[] input, ByteBuffer inputBuffer, int inputOffset, int inputLength,
      byte[] output, ByteBuffer outputBuffer, int outputOffset) {
    if (nonce == null && inputLength <= MOST && tagLength >= 0 && tagLength <= NativeCrypto.AEAD_MAX_ADDITIONAL && isLinked()
        && isGoodAdditional(additional, additionalLength)) {
      int outputLength = inputLength + tagLength;
      try {
        long length = Downcalls.ELSEWHERE;
        if (input != null) {
          if (output != null && inside(input, inputOffset, inputLength) && inside(output, outputOffset, outputLength)) {
            length = Downcalls.aeadSeal(
                aead, keyId, tagLength, nonceHigh, nonceLow, additional, additionalLength,
                input, inputOffset, inputLength, output, outputOffset);
          }
        } else if (output == null) {
          long from = address(inputBuffer, inputOffset, inputLength);
          long to = address(outputBuffer, outputOffset, outputLength);
          if (from != 0 && to != 0) {
            length = Downcalls.aeadSeal(
                aead, keyId, tagLength, nonceHigh, nonceLow, additional, additionalLength, from, inputLength, to);
          }
        }
        if (length >= 0) {
          return (int) length;
        }
        Downcalls.check(length);
      } finally {
        Reference.reachabilityFence(owner);
        Reference.reachabilityFence(inputBuffer);
        Reference.reachabilityFence(outputBuffer);
      }
    }
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
    if (nonce == null && inputLength <= MOST && tagLength >= 0 && inputLength >= tagLength && isLinked()
        && isGoodAdditional(additional, additionalLength)) {
      int outputLength = inputLength - tagLength;
      try {
        long length = Downcalls.ELSEWHERE;
        if (input != null) {
          if (output != null && inside(input, inputOffset, inputLength) && inside(output, outputOffset, outputLength)) {
            length = Downcalls.aeadOpen(
                aead, keyId, tagLength, nonceHigh, nonceLow, additional, additionalLength,
                input, inputOffset, inputLength, output, outputOffset);
          }
        } else if (output == null) {
          long from = address(inputBuffer, inputOffset, inputLength);
          long to = address(outputBuffer, outputOffset, outputLength);
          if (from != 0 && to != 0) {
            length = Downcalls.aeadOpen(
                aead, keyId, tagLength, nonceHigh, nonceLow, additional, additionalLength, from, inputLength, to);
          }
        }
        if (length >= 0) {
          return (int) length;
        }
        Downcalls.check(length);
      } finally {
        Reference.reachabilityFence(owner);
        Reference.reachabilityFence(inputBuffer);
        Reference.reachabilityFence(outputBuffer);
      }
    }
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
    if (inputLength <= MOST && isLinked()) {
      byte[] start = iv == null ? NO_IV : iv;
      try {
        long length = Downcalls.ELSEWHERE;
        if (input != null) {
          if (output != null && inside(input, inputOffset, inputLength) && inside(output, outputOffset, outputLength)) {
            length = Downcalls.cipherRun(
                cipher, keyId, start, counter, input, inputOffset, inputLength, output, outputOffset, outputLength);
          }
        } else if (output == null) {
          long from = address(inputBuffer, inputOffset, inputLength);
          long to = address(outputBuffer, outputOffset, outputLength);
          if (from != 0 && to != 0) {
            length = Downcalls.cipherRun(cipher, keyId, start, counter, from, inputLength, to, outputLength);
          }
        }
        if (length >= 0) {
          return (int) length;
        }
        Downcalls.check(length);
      } finally {
        Reference.reachabilityFence(owner);
        Reference.reachabilityFence(inputBuffer);
        Reference.reachabilityFence(outputBuffer);
      }
    }
    return NativeCrypto.cipherRun(
        cipher, owner, keyId, iv, counter,
        input, inputBuffer, inputOffset, inputLength, output, outputBuffer, outputOffset, outputLength);
  }

  private static boolean isGoodAdditional(byte[] additional, int length) {
    return additional != null && inside(additional, 0, length) && length <= NativeCrypto.AEAD_MAX_ADDITIONAL;
  }

  /**
   * Where {@code length} bytes at the position of a direct buffer are; zero if that is not {@code offset}, or there are fewer, or
   * it is a file's (see {@link #tlsBufferAddress}). The segment has read position and limit once: whatever other threads do to them, the bytes lie in the buffer.
   */
  private static long address(ByteBuffer buffer, int offset, int length) {
    if (buffer == null || !buffer.isDirect() || buffer.position() != offset || length < 0) {
      return 0;
    }
    MemorySegment rest = MemorySegment.ofBuffer(buffer);
    return rest.byteSize() < length || rest.isMapped() ? 0 : rest.address();
  }
}
