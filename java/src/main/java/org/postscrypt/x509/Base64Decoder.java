package org.postscrypt.x509;

import java.io.IOException;
import java.util.Arrays;

/** Base64 (RFC 4648 section 4) between white space. ({@code java.util.Base64} is absent before Android 26.) */
final class Base64Decoder {
  private Base64Decoder() {}

  /**
   * The bytes; padding may be missing, as the JDK allows.
   *
   * @throws IOException if the text is anything else
   */
  static byte[] decode(byte[] text) throws IOException {
    byte[] out = new byte[(int) (text.length * 3L / 4)];
    int length = 0;
    int group = 0;
    int digits = 0;
    int padding = 0;
    for (byte c : text) {
      if (c == ' ' || c >= '\t' && c <= '\r') {
        continue;
      }
      if (c == '=') {
        padding++;
        continue;
      }
      int value = value(c);
      if (value < 0 || padding > 0) {
        throw new IOException("malformed base64");
      }
      group = group << 6 | value;
      if (++digits % 4 == 0) {
        out[length++] = (byte) (group >> 16);
        out[length++] = (byte) (group >> 8);
        out[length++] = (byte) group;
      }
    }
    int rest = digits % 4;
    if (rest == 1 || padding > 0 && (rest == 0 || rest + padding != 4)) {
      throw new IOException("malformed base64");
    }
    if (rest >= 2) {
      group <<= 6 * (4 - rest);
      out[length++] = (byte) (group >> 16);
      if (rest == 3) {
        out[length++] = (byte) (group >> 8);
      }
    }
    return Arrays.copyOf(out, length);
  }

  private static int value(byte c) {
    if (c >= 'A' && c <= 'Z') {
      return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
      return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  }
}
