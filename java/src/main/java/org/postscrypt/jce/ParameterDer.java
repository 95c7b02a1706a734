package org.postscrypt.jce;

import java.io.IOException;
import java.util.Arrays;

/** As much DER (X.690) as algorithm parameters need. */
final class ParameterDer {
  private final byte[] bytes;
  /** Where the next element begins. */
  int position;

  ParameterDer(byte[] bytes) {
    this.bytes = bytes;
  }

  static byte[] header(int tag, int length) {
    if (length < 0x80) {
      return new byte[] {(byte) tag, (byte) length};
    }
    int octets = (39 - Integer.numberOfLeadingZeros(length)) / 8;
    byte[] header = new byte[2 + octets];
    header[0] = (byte) tag;
    header[1] = (byte) (0x80 | octets);
    for (int i = octets; i > 0; i--, length >>>= 8) {
      header[1 + i] = (byte) length;
    }
    return header;
  }

  private int next() throws IOException {
    if (position >= bytes.length) {
      throw new IOException("the parameters are cut short");
    }
    return bytes[position++] & 0xff;
  }

  /** Goes behind an element's header; answers where its content ends. */
  int enter(int tag) throws IOException {
    if (next() != tag) {
      throw new IOException("these are other parameters");
    }
    int length = next();
    if (length >= 0x80) {
      int octets = length & 0x7f;
      if (octets == 0 || octets > 4) {
        throw new IOException("length of the parameters");
      }
      length = 0;
      for (int i = 0; i < octets; i++) {
        length = length << 8 | next();
      }
      if (length < 0x80 || octets > 1 && length >>> (octets - 1) * 8 == 0) {
        throw new IOException("length of the parameters");
      }
    }
    if (length > bytes.length - position) {
      throw new IOException("the parameters are cut short");
    }
    return position + length;
  }

  byte[] take(int tag) throws IOException {
    int end = enter(tag);
    byte[] content = Arrays.copyOfRange(bytes, position, end);
    position = end;
    return content;
  }
}
