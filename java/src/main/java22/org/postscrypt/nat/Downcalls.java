package org.postscrypt.nat;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C functions of {@code native/bridge/src/foreign.rs}, as handles that the JIT compiles to plain calls. They are critical: the
 * thread stays in its Java state, so arrays are passed where they lie, and the garbage collector waits for the call.
 *
 * <p>The functions believe what they are told: callers have checked that ranges lie in their arrays and buffers, and keep
 * the owners of handles and of direct memory reachable. Initialising this class links; it fails as the linker does.
 */
final class Downcalls {
  private Downcalls() {}

  /** Nothing was done: JNI is to be tried. */
  static final long ELSEWHERE = -1;

  private static final long FAILED = -2;

  /** An array's first byte, which its offset is added to. */
  private static final MemoryLayout ARRAY = ADDRESS;

  /** The address of direct memory, offset included. */
  private static final MemoryLayout DIRECT = JAVA_LONG;

  private static final MethodHandle WRAP_ARRAY_ARRAY;
  private static final MethodHandle WRAP_ARRAY_DIRECT;
  private static final MethodHandle WRAP_DIRECT_ARRAY;
  private static final MethodHandle WRAP_DIRECT_DIRECT;
  private static final MethodHandle UNWRAP_ARRAY_ARRAY;
  private static final MethodHandle UNWRAP_ARRAY_DIRECT;
  private static final MethodHandle UNWRAP_DIRECT_ARRAY;
  private static final MethodHandle UNWRAP_DIRECT_DIRECT;
  private static final MethodHandle DIGEST;
  private static final MethodHandle MAC;
  private static final MethodHandle SEAL_ARRAY;
  private static final MethodHandle SEAL_DIRECT;
  private static final MethodHandle OPEN_ARRAY;
  private static final MethodHandle OPEN_DIRECT;
  private static final MethodHandle RUN_ARRAY;
  private static final MethodHandle RUN_DIRECT;

  static {
    // Loads the classes of an arena: before that HotSpot cannot inline all that makes an array's segment, and allocates it.
    Arena.ofConfined().close();
    long[] functions = NativeCrypto.libraryForeignFunctions();
    WRAP_ARRAY_ARRAY = transfer(functions[0], ARRAY, ARRAY);
    WRAP_ARRAY_DIRECT = transfer(functions[0], ARRAY, DIRECT);
    WRAP_DIRECT_ARRAY = transfer(functions[0], DIRECT, ARRAY);
    WRAP_DIRECT_DIRECT = transfer(functions[0], DIRECT, DIRECT);
    UNWRAP_ARRAY_ARRAY = transfer(functions[1], ARRAY, ARRAY);
    UNWRAP_ARRAY_DIRECT = transfer(functions[1], ARRAY, DIRECT);
    UNWRAP_DIRECT_ARRAY = transfer(functions[1], DIRECT, ARRAY);
    UNWRAP_DIRECT_DIRECT = transfer(functions[1], DIRECT, DIRECT);
    DIGEST = transfer(functions[2], ARRAY, ARRAY);
    MAC = transfer(functions[3], ARRAY, ARRAY);
    SEAL_ARRAY = aead(functions[4], ARRAY);
    SEAL_DIRECT = aead(functions[4], DIRECT);
    OPEN_ARRAY = aead(functions[5], ARRAY);
    OPEN_DIRECT = aead(functions[5], DIRECT);
    RUN_ARRAY = cipher(functions[6], ARRAY);
    RUN_DIRECT = cipher(functions[6], DIRECT);
  }

  /** Initialises this class. */
  static void touch() {}

  /** Handle or number; source, offset, length; destination, offset, length. */
  private static MethodHandle transfer(long function, MemoryLayout source, MemoryLayout destination) {
    return link(function, source == ARRAY || destination == ARRAY, FunctionDescriptor.of(
        JAVA_LONG, JAVA_LONG, source, JAVA_LONG, JAVA_LONG, destination, JAVA_LONG, JAVA_LONG));
  }

  /** Handle, key, tag's length; nonce; additional data; input, offset, length; output, offset. */
  private static MethodHandle aead(long function, MemoryLayout data) {
    return link(function, true, FunctionDescriptor.of(
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, ARRAY, JAVA_LONG,
        data, JAVA_LONG, JAVA_LONG, data, JAVA_LONG));
  }

  /** Handle, key; IV, counter; input, offset, length; output, offset, length. */
  private static MethodHandle cipher(long function, MemoryLayout data) {
    return link(function, true, FunctionDescriptor.of(
        JAVA_LONG, JAVA_LONG, JAVA_LONG, ARRAY, JAVA_LONG, JAVA_INT,
        data, JAVA_LONG, JAVA_LONG, data, JAVA_LONG, JAVA_LONG));
  }

  // Restricted: a wrong address or signature crashes. These are the library's own, and it is of the same build.
  @SuppressWarnings("restricted")
  private static MethodHandle link(long function, boolean arrays, FunctionDescriptor descriptor) {
    return Linker.nativeLinker()
        .downcallHandle(MemorySegment.ofAddress(function), descriptor, Linker.Option.critical(arrays));
  }

  /** Throws what a call that answered {@code answer}, a negative number, failed with; returns if JNI is to be tried. */
  static void check(long answer) {
    if (answer == FAILED) {
      NativeCrypto.libraryForeignFailure();
    }
  }

  /** A null array: direct memory at the address. Negative: see {@link #check}. */
  static long tlsWrap(
      long connection, byte[] source, long sourceAddress, int sourceOffset, int sourceLength,
      byte[] destination, long destinationAddress, int destinationOffset, int destinationLength) {
    try {
      if (source == null) {
        return destination == null
            ? (long) WRAP_DIRECT_DIRECT.invokeExact(
                connection, sourceAddress, (long) sourceOffset, (long) sourceLength,
                destinationAddress, (long) destinationOffset, (long) destinationLength)
            : (long) WRAP_DIRECT_ARRAY.invokeExact(
                connection, sourceAddress, (long) sourceOffset, (long) sourceLength,
                MemorySegment.ofArray(destination), (long) destinationOffset, (long) destinationLength);
      }
      return destination == null
          ? (long) WRAP_ARRAY_DIRECT.invokeExact(
              connection, MemorySegment.ofArray(source), (long) sourceOffset, (long) sourceLength,
              destinationAddress, (long) destinationOffset, (long) destinationLength)
          : (long) WRAP_ARRAY_ARRAY.invokeExact(
              connection, MemorySegment.ofArray(source), (long) sourceOffset, (long) sourceLength,
              MemorySegment.ofArray(destination), (long) destinationOffset, (long) destinationLength);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** As {@link #tlsWrap}. */
  static long tlsUnwrap(
      long connection, byte[] source, long sourceAddress, int sourceOffset, int sourceLength,
      byte[] destination, long destinationAddress, int destinationOffset, int destinationLength) {
    try {
      if (source == null) {
        return destination == null
            ? (long) UNWRAP_DIRECT_DIRECT.invokeExact(
                connection, sourceAddress, (long) sourceOffset, (long) sourceLength,
                destinationAddress, (long) destinationOffset, (long) destinationLength)
            : (long) UNWRAP_DIRECT_ARRAY.invokeExact(
                connection, sourceAddress, (long) sourceOffset, (long) sourceLength,
                MemorySegment.ofArray(destination), (long) destinationOffset, (long) destinationLength);
      }
      return destination == null
          ? (long) UNWRAP_ARRAY_DIRECT.invokeExact(
              connection, MemorySegment.ofArray(source), (long) sourceOffset, (long) sourceLength,
              destinationAddress, (long) destinationOffset, (long) destinationLength)
          : (long) UNWRAP_ARRAY_ARRAY.invokeExact(
              connection, MemorySegment.ofArray(source), (long) sourceOffset, (long) sourceLength,
              MemorySegment.ofArray(destination), (long) destinationOffset, (long) destinationLength);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long digestOneShot(
      int algorithm, byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset) {
    try {
      return (long) DIGEST.invokeExact(
          (long) algorithm, MemorySegment.ofArray(input), (long) inputOffset, (long) inputLength,
          MemorySegment.ofArray(output), (long) outputOffset, (long) (output.length - outputOffset));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long macOneShot(
      long mac, byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset) {
    try {
      return (long) MAC.invokeExact(
          mac, MemorySegment.ofArray(input), (long) inputOffset, (long) inputLength,
          MemorySegment.ofArray(output), (long) outputOffset, (long) (output.length - outputOffset));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long aeadSeal(
      long aead, long keyId, int tagLength, long nonceHigh, int nonceLow, byte[] additional, int additionalLength,
      byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset) {
    try {
      return (long) SEAL_ARRAY.invokeExact(
          aead, keyId, tagLength, nonceHigh, nonceLow, MemorySegment.ofArray(additional), (long) additionalLength,
          MemorySegment.ofArray(input), (long) inputOffset, (long) inputLength,
          MemorySegment.ofArray(output), (long) outputOffset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long aeadSeal(
      long aead, long keyId, int tagLength, long nonceHigh, int nonceLow, byte[] additional, int additionalLength,
      long input, int inputLength, long output) {
    try {
      return (long) SEAL_DIRECT.invokeExact(
          aead, keyId, tagLength, nonceHigh, nonceLow, MemorySegment.ofArray(additional), (long) additionalLength,
          input, 0L, (long) inputLength, output, 0L);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long aeadOpen(
      long aead, long keyId, int tagLength, long nonceHigh, int nonceLow, byte[] additional, int additionalLength,
      byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset) {
    try {
      return (long) OPEN_ARRAY.invokeExact(
          aead, keyId, tagLength, nonceHigh, nonceLow, MemorySegment.ofArray(additional), (long) additionalLength,
          MemorySegment.ofArray(input), (long) inputOffset, (long) inputLength,
          MemorySegment.ofArray(output), (long) outputOffset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long aeadOpen(
      long aead, long keyId, int tagLength, long nonceHigh, int nonceLow, byte[] additional, int additionalLength,
      long input, int inputLength, long output) {
    try {
      return (long) OPEN_DIRECT.invokeExact(
          aead, keyId, tagLength, nonceHigh, nonceLow, MemorySegment.ofArray(additional), (long) additionalLength,
          input, 0L, (long) inputLength, output, 0L);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long cipherRun(
      long cipher, long keyId, byte[] iv, int counter,
      byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset, int outputLength) {
    try {
      return (long) RUN_ARRAY.invokeExact(
          cipher, keyId, MemorySegment.ofArray(iv), (long) iv.length, counter,
          MemorySegment.ofArray(input), (long) inputOffset, (long) inputLength,
          MemorySegment.ofArray(output), (long) outputOffset, (long) outputLength);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long cipherRun(
      long cipher, long keyId, byte[] iv, int counter, long input, int inputLength, long output, int outputLength) {
    try {
      return (long) RUN_DIRECT.invokeExact(
          cipher, keyId, MemorySegment.ofArray(iv), (long) iv.length, counter,
          input, 0L, (long) inputLength, output, 0L, (long) outputLength);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Handles of native functions throw nothing checked. */
  private static Error unexpected(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new AssertionError(e);
  }
}
