package org.conscrypt;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.postscrypt.conscryptabi.Text;

/** What cases share. */
final class Check {
  private Check() {}

  interface Action {
    void run() throws Exception;
  }

  /** Values as one. */
  static Object[] all(Object... values) {
    return values;
  }

  /** What a call answers or throws. */
  static String attempt(Callable<?> call) {
    return Text.of(call);
  }

  /** What an action throws, or nothing. */
  static String attempt(Action action) {
    return Text.of(() -> {
      action.run();
      return "done";
    });
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7 + 3);
    }
    return bytes;
  }

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  static byte[] first(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, length);
  }

  static java.nio.ByteBuffer direct(byte[] bytes) {
    java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocateDirect(bytes.length);
    buffer.put(bytes).flip();
    return buffer;
  }

  static NativeRef.EVP_PKEY key(long address) {
    return new NativeRef.EVP_PKEY(address);
  }
}
