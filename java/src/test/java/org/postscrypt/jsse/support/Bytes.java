package org.postscrypt.jsse.support;

import java.util.Arrays;
import java.util.Random;

/** Test data, a growing queue of bytes, and TLS record headers. */
public final class Bytes {
  /** Bytes of a record header (RFC 8446 section 5.1). */
  public static final int HEADER = 5;

  /** The most plaintext in one record (RFC 8446 section 5.1). */
  public static final int MAX_PLAINTEXT = 16384;

  /** The most bytes of one record on the wire: header, plaintext, and 2048 of expansion (RFC 5246 section 6.2.3). */
  public static final int MAX_RECORD = HEADER + MAX_PLAINTEXT + 2048;

  private byte[] data = new byte[1024];
  private int start;
  private int end;

  /** {@code length} bytes, always the same for one length. */
  public static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Length on the wire, header included, of the record that begins at {@code offset}. */
  public static int recordLength(byte[] bytes, int offset) {
    return HEADER + ((bytes[offset + 3] & 0xFF) << 8 | bytes[offset + 4] & 0xFF);
  }

  /** {@code a} and then {@code b}. */
  public static byte[] concat(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** Appends. */
  public void add(byte[] bytes, int offset, int length) {
    if (data.length - end < length) {
      int size = size();
      byte[] bigger = new byte[Math.max(2 * (size + length), data.length)];
      System.arraycopy(data, start, bigger, 0, size);
      data = bigger;
      start = 0;
      end = size;
    }
    System.arraycopy(bytes, offset, data, end, length);
    end += length;
  }

  /** Appends. */
  public void add(byte[] bytes) {
    add(bytes, 0, bytes.length);
  }

  /** How many are waiting. */
  public int size() {
    return end - start;
  }

  /** Removes the first {@code n}. */
  public void skip(int n) {
    start += n;
  }

  /** Copies the first {@code n} (or all, if fewer) without removing them. */
  public byte[] peek(int n) {
    return Arrays.copyOfRange(data, start, start + Math.min(n, size()));
  }

  /** Removes and returns all. */
  public byte[] take() {
    byte[] all = peek(size());
    start = 0;
    end = 0;
    return all;
  }
}
