package org.postscrypt.x509;

/** Bytes for people to read. */
final class Hex {
  private Hex() {}

  /** Appends at most {@code limit} of the bytes, and says if there were more. */
  static StringBuilder append(StringBuilder text, byte[] bytes, int limit) {
    int shown = Math.min(bytes.length, limit);
    for (int i = 0; i < shown; i++) {
      text.append(Character.forDigit(bytes[i] >> 4 & 15, 16)).append(Character.forDigit(bytes[i] & 15, 16));
    }
    return shown == bytes.length ? text : text.append("… (").append(bytes.length).append(" bytes)");
  }
}
