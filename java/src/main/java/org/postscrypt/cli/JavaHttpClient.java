package org.postscrypt.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * {@code java.net.http.HttpClient}, which only Java 11 and newer have: the class in {@code META-INF/versions/11} uses
 * it.
 */
final class JavaHttpClient {
  private JavaHttpClient() {}

  static boolean isAvailable() {
    return false;
  }

  /** GET; the body's text. */
  static String get(SSLContext context, URI uri) throws IOException, InterruptedException {
    throw new UnsupportedOperationException("needs Java 11");
  }

  /** PUT of a file; the answer's text. */
  static String put(SSLContext context, URI uri, Path file) throws IOException, InterruptedException {
    throw new UnsupportedOperationException("needs Java 11");
  }

  /** GET; the body's SHA-256. */
  static String digest(SSLContext context, URI uri) throws IOException, InterruptedException {
    throw new UnsupportedOperationException("needs Java 11");
  }
}
