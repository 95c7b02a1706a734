package org.postscrypt.x509;

import java.math.BigInteger;

/** Object identifiers in dotted form (ITU-T X.690 section 8.19). */
final class Oids {
  /** What the contents of an identifier are limited to, in octets. */
  private static final int MAX_OCTETS = 4096;

  private Oids() {}

  static String decode(byte[] in, int from, int end) throws DerException {
    if (from == end || end - from > MAX_OCTETS || (in[end - 1] & 0x80) != 0) {
      throw new DerException("empty, huge or truncated object identifier");
    }
    StringBuilder text = new StringBuilder(2 * (end - from) + 4);
    for (int at = from; at < end; ) {
      if ((in[at] & 0xff) == 0x80) {
        throw new DerException("object identifier is not minimal");
      }
      int start = at;
      long value = 0;
      do {
        value = value << 7 | in[at] & 0x7f;
      } while ((in[at++] & 0x80) != 0);
      boolean large = at - start > 8;
      if (start > from) {
        text.append('.');
        if (large) {
          text.append(large(in, start, at));
        } else {
          text.append(value);
        }
      } else if (large) {
        text.append("2.").append(large(in, start, at).subtract(BigInteger.valueOf(80)));
      } else {
        long first = Math.min(value / 40, 2);
        text.append(first).append('.').append(value - 40 * first);
      }
    }
    return text.toString();
  }

  private static BigInteger large(byte[] in, int from, int end) {
    // Eight octets of seven bits are seven of eight.
    byte[] magnitude = new byte[((end - from) * 7 + 7) / 8];
    int bit = 0;
    for (int i = end - 1; i >= from; i--) {
      for (int b = 0; b < 7; b++, bit++) {
        if ((in[i] >> b & 1) != 0) {
          magnitude[magnitude.length - 1 - bit / 8] |= (byte) (1 << bit % 8);
        }
      }
    }
    return new BigInteger(1, magnitude);
  }
}
