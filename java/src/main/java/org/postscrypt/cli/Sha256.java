package org.postscrypt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of streams, in constant memory, by the JDK's own provider so that the demo checks itself independently. */
final class Sha256 {
  private final MessageDigest digest;

  Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Reads to the end; lower-case hexadecimal. */
  static String of(InputStream in) throws IOException {
    Sha256 sha256 = new Sha256();
    byte[] buffer = new byte[1 << 16];
    for (int n; (n = in.read(buffer)) >= 0; ) {
      sha256.update(buffer, n);
    }
    return sha256.hex();
  }

  /** Copies to the end; the digest of what was copied, in lower-case hexadecimal. */
  static String copy(InputStream in, OutputStream out) throws IOException {
    Sha256 sha256 = new Sha256();
    byte[] buffer = new byte[1 << 16];
    for (int n; (n = in.read(buffer)) >= 0; ) {
      sha256.update(buffer, n);
      out.write(buffer, 0, n);
    }
    return sha256.hex();
  }

  void update(byte[] bytes, int length) {
    digest.update(bytes, 0, length);
  }

  String hex() {
    StringBuilder hex = new StringBuilder();
    for (byte b : digest.digest()) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }
}
