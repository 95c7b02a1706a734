package org.postscrypt.x509;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * One element of a DER encoding (ITU-T X.690), with a position inside its contents; or a whole encoding, which then
 * counts as the contents. Strict: definite and minimal lengths, low tag numbers, minimal integers. Reading elements
 * advances the position; nothing is copied until asked for. Not for several threads.
 */
final class Der {
  static final int BOOLEAN = 0x01;
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int NULL = 0x05;
  static final int OID = 0x06;
  static final int ENUMERATED = 0x0a;
  static final int UTC_TIME = 0x17;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  /** The identifier octet; 0 for a whole encoding. */
  final int tag;

  private final byte[] in;
  private final int head;
  private final int body;
  private final int end;
  private int at;

  private Der(byte[] in, int tag, int head, int body, int end) {
    this.in = in;
    this.tag = tag;
    this.head = head;
    this.body = body;
    this.end = end;
    this.at = body;
  }

  /** All these bytes, which must not change. */
  static Der of(byte[] encoding) {
    return from(encoding, 0);
  }

  /** These bytes from an offset on, which must not change. */
  static Der from(byte[] encoding, int offset) {
    return new Der(encoding, 0, offset, offset, encoding.length);
  }

  /** The one element that all these bytes are. */
  static Der of(byte[] encoding, int tag) throws DerException {
    Der whole = of(encoding);
    Der element = whole.next(tag);
    whole.finish();
    return element;
  }

  /** A context-specific, primitive tag. */
  static int implicit(int number) {
    return 0x80 | number;
  }

  /** A context-specific, constructed tag. */
  static int explicit(int number) {
    return 0xa0 | number;
  }

  // --- the elements inside ---

  /** True if contents are left. */
  boolean more() {
    return at < end;
  }

  /** True if the next element has this tag. */
  boolean has(int wanted) {
    return at < end && (in[at] & 0xff) == wanted;
  }

  /** The next element, which must have this tag. */
  Der next(int wanted) throws DerException {
    if (!has(wanted)) {
      throw new DerException(
          at < end
              ? String.format("tag 0x%02x where 0x%02x is expected", in[at] & 0xff, wanted)
              : String.format("nothing where tag 0x%02x is expected", wanted));
    }
    return next();
  }

  /** The next element if it has this tag, else null. */
  Der optional(int wanted) throws DerException {
    return has(wanted) ? next() : null;
  }

  /** The next element. */
  Der next() throws DerException {
    int start = at;
    if (end - start < 2) {
      throw new DerException("truncated element");
    }
    int identifier = in[start] & 0xff;
    if ((identifier & 0x1f) == 0x1f || identifier == 0) {
      throw new DerException(String.format("tag 0x%02x", identifier));
    }
    int first = in[start + 1] & 0xff;
    int from = start + 2;
    int length = first;
    if (first >= 0x80) {
      int octets = first - 0x80;
      if (octets == 0 || octets > 4 || octets > end - from) {
        throw new DerException("indefinite, truncated or huge length");
      }
      long value = 0;
      for (int i = 0; i < octets; i++) {
        value = value << 8 | in[from++] & 0xff;
      }
      if (value < 0x80 || value >>> 8 * (octets - 1) == 0) {
        throw new DerException("length is not minimal");
      }
      if (value > end - from) {
        throw new DerException("element is longer than what holds it");
      }
      length = (int) value;
    } else if (length > end - from) {
      throw new DerException("element is longer than what holds it");
    }
    at = from + length;
    return new Der(in, identifier, start, from, at);
  }

  /** Requires that nothing is left. */
  void finish() throws DerException {
    if (at != end) {
      throw new DerException("trailing data");
    }
  }

  // --- the element as a value ---

  /** The number of content octets. */
  int length() {
    return end - body;
  }

  /** Content octet {@code i}, unsigned. */
  int octet(int i) {
    return in[body + i] & 0xff;
  }

  /** A copy of the contents. */
  byte[] contents() {
    return Arrays.copyOfRange(in, body, end);
  }

  /** A copy of the element with its header. */
  byte[] encoded() {
    return Arrays.copyOfRange(in, head, end);
  }

  /** The same element from its start. */
  Der again() {
    return new Der(in, tag, head, body, end);
  }

  /** True if both elements, headers included, are the same bytes. */
  boolean sameAs(Der other) {
    if (end - head != other.end - other.head) {
      return false;
    }
    for (int i = head, j = other.head; i < end; i++, j++) {
      if (in[i] != other.in[j]) {
        return false;
      }
    }
    return true;
  }

  /** An INTEGER or ENUMERATED, however it is tagged. */
  BigInteger integer() throws DerException {
    checkInteger();
    return new BigInteger(contents());
  }

  /** Requires a minimal INTEGER. */
  void checkInteger() throws DerException {
    if (length() == 0) {
      throw new DerException("empty integer");
    }
    if (length() > 1 && (octet(0) == 0 && octet(1) < 0x80 || octet(0) == 0xff && octet(1) >= 0x80)) {
      throw new DerException("integer is not minimal");
    }
  }

  /** An INTEGER that is not negative. */
  BigInteger natural() throws DerException {
    BigInteger value = integer();
    if (value.signum() < 0) {
      throw new DerException("negative number");
    }
    return value;
  }

  /** An INTEGER from 0 to {@link Integer#MAX_VALUE}. */
  int small() throws DerException {
    BigInteger value = natural();
    if (value.bitLength() > 31) {
      throw new DerException("number is too large");
    }
    return value.intValue();
  }

  boolean bool() throws DerException {
    if (length() != 1 || octet(0) != 0 && octet(0) != 0xff) {
      throw new DerException("not a boolean");
    }
    return octet(0) != 0;
  }

  /** An OBJECT IDENTIFIER in dotted form. */
  String oid() throws DerException {
    return Oids.decode(in, body, end);
  }

  /** The number of bits of a BIT STRING whose unused bits are checked. */
  int bits() throws DerException {
    int length = length();
    if (length == 0) {
      throw new DerException("empty bit string");
    }
    int unused = octet(0);
    if (unused > 7 || unused > 0 && (length == 1 || (octet(length - 1) & (1 << unused) - 1) != 0)) {
      throw new DerException("unused bits of a bit string");
    }
    return 8 * (length - 1) - unused;
  }

  /** A BIT STRING, bit by bit. */
  boolean[] bitArray() throws DerException {
    boolean[] bits = new boolean[bits()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (octet(1 + i / 8) & 0x80 >> i % 8) != 0;
    }
    return bits;
  }

  /** A BIT STRING of whole octets, without the octet that counts unused bits. */
  byte[] bitOctets() throws DerException {
    checkBitOctets();
    return Arrays.copyOfRange(in, body + 1, end);
  }

  /** Requires a BIT STRING of whole octets. */
  void checkBitOctets() throws DerException {
    if (bits() % 8 != 0) {
      throw new DerException("bit string is not of whole octets");
    }
  }

  /** What a BIT STRING of whole octets encloses. */
  Der inBits() throws DerException {
    checkBitOctets();
    return new Der(in, 0, body + 1, body + 1, end);
  }

  /** What an OCTET STRING encloses. */
  Der inOctets() {
    return new Der(in, 0, body, body, end);
  }

  /** An IA5String: 7 bits each. */
  String ia5() throws DerException {
    char[] chars = new char[length()];
    for (int i = 0; i < chars.length; i++) {
      if (octet(i) >= 0x80) {
        throw new DerException("not an IA5String");
      }
      chars[i] = (char) octet(i);
    }
    return new String(chars);
  }
}
