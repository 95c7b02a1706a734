package org.postscrypt.jce;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import org.postscrypt.PostscryptProvider;

/** What the JCE's tests share. */
public final class Ours {
  public static final Provider PROVIDER = new PostscryptProvider();

  private Ours() {}

  /** {@code length} bytes that depend on nothing but the two numbers. */
  public static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** The rows of a vector file, split at bars; lines that begin with # are comments. */
  public static List<String[]> vectors(String file) throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        Ours.class.getResourceAsStream("/vectors/" + file), StandardCharsets.UTF_8))) {
      for (String line; (line = reader.readLine()) != null; ) {
        if (!line.startsWith("#")) {
          rows.add(line.split("\\|", -1));
        }
      }
    }
    return rows;
  }

  public static byte[] hex(String text) {
    byte[] bytes = new byte[text.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  public static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }

  /** How a ByteBuffer can hold its bytes. */
  public enum Kind {
    HEAP, HEAP_SLICE, HEAP_READ_ONLY, DIRECT, DIRECT_SLICE, DIRECT_READ_ONLY;

    public boolean writable() {
      return this != HEAP_READ_ONLY && this != DIRECT_READ_ONLY;
    }

    /** A buffer with these bytes remaining, 3 bytes before and 5 behind them. */
    public ByteBuffer of(byte[] bytes) {
      boolean direct = name().startsWith("DIRECT");
      int capacity = bytes.length + 16;
      ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
      if (name().endsWith("SLICE")) {
        buffer.position(8);
        buffer = buffer.slice();
      }
      buffer.position(3);
      buffer.put(bytes);
      buffer.limit(buffer.position()).position(3);
      return writable() ? buffer : buffer.asReadOnlyBuffer();
    }

    /** A writable buffer with room for this many bytes. */
    public ByteBuffer room(int length) {
      return of(new byte[length]);
    }
  }

  /** The bytes between the position where the buffer began (3) and its position now. */
  public static byte[] written(ByteBuffer buffer) {
    ByteBuffer view = buffer.duplicate();
    view.flip().position(3);
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }
}
