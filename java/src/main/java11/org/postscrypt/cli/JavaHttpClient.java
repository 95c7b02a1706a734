package org.postscrypt.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** {@code java.net.http.HttpClient}, which prefers HTTP/2 and so offers it by ALPN. */
final class JavaHttpClient {
  private static final Duration CONNECT = Duration.ofSeconds(30);
  private static final Duration WHOLE = Duration.ofSeconds(120);

  private JavaHttpClient() {}

  static boolean isAvailable() {
    return true;
  }

  /** GET; the body's text. */
  static String get(SSLContext context, URI uri) throws IOException, InterruptedException {
    return send(context, request(uri).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  /** PUT of a file; the answer's text. */
  static String put(SSLContext context, URI uri, Path file) throws IOException, InterruptedException {
    HttpRequest request = request(uri).PUT(HttpRequest.BodyPublishers.ofFile(file)).build();
    return send(context, request, HttpResponse.BodyHandlers.ofString());
  }

  /** GET; the body's SHA-256. */
  static String digest(SSLContext context, URI uri) throws IOException, InterruptedException {
    Sha256 sha256 = new Sha256();
    send(context, request(uri).GET().build(), HttpResponse.BodyHandlers.ofByteArrayConsumer(
        chunk -> chunk.ifPresent(bytes -> sha256.update(bytes, bytes.length))));
    return sha256.hex();
  }

  private static HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(WHOLE);
  }

  private static <T> T send(SSLContext context, HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder()
        .proxy(HttpClient.Builder.NO_PROXY)
        .connectTimeout(CONNECT)
        .sslContext(context)
        .sslParameters(context.getDefaultSSLParameters())
        .build();
    try {
      // The request's own limit ends with the response's headers, this one with its body.
      HttpResponse<T> response = client.sendAsync(request, handler).get(WHOLE.getSeconds(), TimeUnit.SECONDS);
      if (response.statusCode() != 200) {
        throw new IOException("HTTP status " + response.statusCode());
      }
      return response.body();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no complete answer within " + WHOLE.getSeconds() + " s", e);
    }
  }
}
