package org.postscrypt.jce;

import java.io.IOException;
import java.util.Arrays;

/** As much DER (X.690) as algorithm parameters need; reading refuses every other form of BER. */
final class Asn1 {
  static final int INTEGER = 0x02;
  static final int OCTET_STRING = 0x04;
  static final int NULL = 0x05;
  static final int OBJECT = 0x06;
  static final int SEQUENCE = 0x30;

  private final byte[] bytes;
  private int position;
  private final int end;

  Asn1(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private Asn1(byte[] bytes, int position, int end) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  boolean isEmpty() {
    return position == end;
  }

  /** The next element's tag; -1 behind the last. */
  int tag() {
    return isEmpty() ? -1 : bytes[position] & 0xff;
  }

  private int next() throws IOException {
    if (isEmpty()) {
      throw new IOException("encoding is cut short");
    }
    return bytes[position++] & 0xff;
  }

  /** The inside of the next element, which has this tag. */
  Asn1 enter(int tag) throws IOException {
    if (next() != tag) {
      throw new IOException("unexpected element in the encoding");
    }
    int length = next();
    if (length >= 0x80) {
      int octets = length & 0x7f;
      if (octets == 0 || octets > 3) {
        throw new IOException("not a DER length");
      }
      length = 0;
      for (int i = 0; i < octets; i++) {
        length = length << 8 | next();
      }
      if (length < 0x80 || length >>> (octets - 1) * 8 == 0) {
        throw new IOException("not a DER length");
      }
    }
    if (length > end - position) {
      throw new IOException("encoding is cut short");
    }
    Asn1 inside = new Asn1(bytes, position, position + length);
    position += length;
    return inside;
  }

  /** The content of the next element, which has this tag. */
  byte[] take(int tag) throws IOException {
    Asn1 inside = enter(tag);
    return Arrays.copyOfRange(bytes, inside.position, inside.end);
  }

  /** A non-negative integer below 2^31. */
  int integer() throws IOException {
    byte[] content = take(INTEGER);
    if (content.length == 0 || content.length > 4 || content[0] < 0
        || content.length > 1 && content[0] == 0 && content[1] >= 0) {
      throw new IOException("not a small integer");
    }
    int value = 0;
    for (byte b : content) {
      value = value << 8 | b & 0xff;
    }
    return value;
  }

  void end() throws IOException {
    if (!isEmpty()) {
      throw new IOException("bytes behind the encoding");
    }
  }

  /** An element with the parts one behind the other as its content. */
  static byte[] element(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    int octets = length < 0x80 ? 0 : (39 - Integer.numberOfLeadingZeros(length)) / 8;
    byte[] out = new byte[2 + octets + length];
    out[0] = (byte) tag;
    out[1] = (byte) (octets == 0 ? length : 0x80 | octets);
    for (int i = octets, rest = length; i > 0; i--, rest >>>= 8) {
      out[1 + i] = (byte) rest;
    }
    int at = 2 + octets;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, out, at, part.length);
      at += part.length;
    }
    return out;
  }

  static byte[] integer(int value) {
    return element(INTEGER, java.math.BigInteger.valueOf(value).toByteArray());
  }

  /** The content of an object identifier's element. */
  static byte[] oid(String dotted) {
    String[] arcs = dotted.split("\\.");
    byte[] out = new byte[5 * arcs.length];
    int length = 0;
    for (int i = 1; i < arcs.length; i++) {
      int arc = Integer.parseInt(arcs[i]) + (i == 1 ? 40 * Integer.parseInt(arcs[0]) : 0);
      for (int shift = 28; shift >= 0; shift -= 7) {
        if (arc >>> shift != 0 || shift == 0) {
          out[length++] = (byte) (arc >>> shift & 0x7f | (shift == 0 ? 0 : 0x80));
        }
      }
    }
    return Arrays.copyOf(out, length);
  }
}
