package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Passwords as bytes. */
final class Passwords {
  private Passwords() {}

  /**
   * The password in UTF-8, for the caller to zero. As with SunJCE, half a surrogate pair becomes a question mark.
   */
  static byte[] utf8(char[] password) {
    ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(password));
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    Arrays.fill(encoded.array(), (byte) 0);
    return bytes;
  }
}
