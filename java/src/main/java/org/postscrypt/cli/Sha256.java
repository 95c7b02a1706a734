package org.postscrypt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of streams, in constant memory, by the JDK's own provider so that the demo checks itself independently. */
final class Sha256 {
  private Sha256() {}

  /** Reads to the end; lower-case hexadecimal. */
  static String of(InputStream in) throws IOException {
    return copy(in, null);
  }

  /** Copies to the end; the digest of what was copied, in lower-case hexadecimal. */
  static String copy(InputStream in, OutputStream out) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    byte[] buffer = new byte[1 << 16];
    for (int n; (n = in.read(buffer)) >= 0; ) {
      digest.update(buffer, 0, n);
      if (out != null) {
        out.write(buffer, 0, n);
      }
    }
    StringBuilder hex = new StringBuilder();
    for (byte b : digest.digest()) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }
}
