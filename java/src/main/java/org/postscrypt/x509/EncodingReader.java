package org.postscrypt.x509;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Takes one encoding after the other from a stream, and not a byte more than it needs: either a binary element, or a
 * PEM block (RFC 7468) with any text before it. What it holds is never more than what the stream gave.
 */
final class EncodingReader {
  /** How deep indefinite lengths may be nested. */
  private static final int MAX_DEPTH = 32;

  private static final int CHUNK_BYTES = 8192;

  /** What follows the hyphens that are read one by one. */
  private static final String BEGIN = "BEGIN ";

  private static final String END = "----END ";

  private final InputStream in;
  private boolean empty = true;

  /** Lines of this PEM block end in carriage returns alone. */
  private boolean bareReturns;

  /** An octet read behind such a header; -1 if there is none. */
  private int pending = -1;

  EncodingReader(InputStream in) {
    this.in = in;
  }

  /**
   * The next encoding; null if the stream ends before one begins.
   *
   * @throws IOException if the stream fails or ends inside an encoding, or a PEM block is malformed
   */
  byte[] next() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    empty = false;
    return first == Der.SEQUENCE ? binary(first) : pem(first);
  }

  /** True if the stream gave nothing at all. */
  boolean wasEmpty() {
    return empty;
  }

  // --- binary ---

  private byte[] binary(int tag) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(2048);
    out.write(tag);
    contents(out, 0);
    return out.toByteArray();
  }

  /** Copies an element's length and contents. */
  private void contents(ByteArrayOutputStream out, int depth) throws IOException {
    int first = required();
    out.write(first);
    long length = first;
    if (first == 0x80) {
      indefinite(out, depth);
      return;
    }
    if (first > 0x80) {
      int octets = first - 0x80;
      if (octets > 4) {
        throw new IOException("length of " + octets + " octets");
      }
      length = 0;
      for (int i = 0; i < octets; i++) {
        int octet = required();
        out.write(octet);
        length = length << 8 | octet;
      }
    }
    byte[] chunk = new byte[(int) Math.min(length, CHUNK_BYTES)];
    while (length > 0) {
      int count = in.read(chunk, 0, (int) Math.min(length, chunk.length));
      if (count < 0) {
        throw new EOFException("the stream ends inside an encoding");
      }
      out.write(chunk, 0, count);
      length -= count;
    }
  }

  private void indefinite(ByteArrayOutputStream out, int depth) throws IOException {
    if (depth == MAX_DEPTH) {
      throw new IOException("too deeply nested");
    }
    while (true) {
      int tag = required();
      out.write(tag);
      if (tag == 0) {
        int length = required();
        out.write(length);
        if (length != 0) {
          throw new IOException("malformed end of contents");
        }
        return;
      }
      if ((tag & 0x1f) == 0x1f) {
        throw new IOException("high tag number");
      }
      contents(out, depth + 1);
    }
  }

  private int required() throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw new EOFException("the stream ends inside an encoding");
    }
    return octet;
  }

  // --- PEM ---

  private byte[] pem(int first) throws IOException {
    String header;
    int c = first;
    do {
      if (!findHyphens(c)) {
        return null;
      }
      header = header();
      c = pending >= 0 ? pending : in.read();
    } while (!header.startsWith(BEGIN));
    ByteArrayOutputStream text = new ByteArrayOutputStream(4096);
    for (; c != '-'; c = required()) {
      if (c < 0) {
        throw new EOFException("the stream ends inside a PEM block");
      }
      text.write(c);
    }
    String footer = footer();
    if (!label(header, BEGIN).equals(label(footer, END))) {
      throw new IOException("PEM header and footer do not match");
    }
    return Base64Decoder.decode(text.toByteArray());
  }

  /** Reads up to five hyphens at the beginning of a line; false if there are none. */
  private boolean findHyphens(int first) throws IOException {
    boolean lineStart = true;
    int hyphens = 0;
    for (int c = first; c >= 0; c = in.read()) {
      if (c == '-' && (hyphens > 0 || lineStart)) {
        if (++hyphens == 5) {
          return true;
        }
      } else {
        hyphens = 0;
      }
      lineStart = c == '\n' || c == '\r';
    }
    return false;
  }

  /** The rest of a header's line, trimmed. What ends it ends the footer too. */
  private String header() throws IOException {
    StringBuilder line = new StringBuilder();
    bareReturns = false;
    pending = -1;
    int hyphens = 0;
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c == '\r' && hyphens >= 5) {
        int next = in.read();
        if (next != '\n') {
          bareReturns = true;
          pending = next;
        }
        break;
      }
      hyphens = c == '-' ? hyphens + 1 : c == ' ' || c == '\t' ? hyphens : 0;
      line.append((char) c);
    }
    return line.toString().trim();
  }

  /** The rest of a footer's line, trimmed. */
  private String footer() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n' && !(bareReturns && c == '\r'); c = in.read()) {
      line.append((char) c);
    }
    return line.toString().trim();
  }

  private static String label(String line, String prefix) throws IOException {
    if (!line.startsWith(prefix) || !line.endsWith("-----") || line.length() < prefix.length() + 5) {
      throw new IOException("not a PEM header or footer");
    }
    return line.substring(prefix.length(), line.length() - 5);
  }
}
