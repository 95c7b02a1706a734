package org.postscrypt.x509;

import java.io.ByteArrayOutputStream;

/** Writes the few DER structures that we make ourselves. */
final class DerWriter {
  private DerWriter() {}

  /** An element of these parts, joined. */
  static byte[] element(int tag, byte[]... parts) {
    long length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    if (length > Integer.MAX_VALUE - 16) {
      throw new OutOfMemoryError("an encoding of " + length + " bytes");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) length + 6);
    out.write(tag);
    if (length < 0x80) {
      out.write((int) length);
    } else {
      int octets = (71 - Long.numberOfLeadingZeros(length)) / 8;
      out.write(0x80 | octets);
      for (int shift = 8 * (octets - 1); shift >= 0; shift -= 8) {
        out.write((int) (length >>> shift));
      }
    }
    for (byte[] part : parts) {
      out.write(part, 0, part.length);
    }
    return out.toByteArray();
  }
}
