package org.postscrypt;

import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.Provider;
import java.security.ProviderException;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeLibrary;

/**
 * What the standard APIs have no word for: whether Postscrypt works here, what it is, and the operating system's
 * certificates.
 *
 * <p>Everything else goes through {@code java.security} and {@code javax.net.ssl}:
 *
 * <pre>{@code
 * SSLContext context = SSLContext.getInstance("TLS", Postscrypt.newProvider());
 * }</pre>
 *
 * <p>All methods may be called by any thread. The first use of this class or of the provider loads the native library.
 */
public final class Postscrypt {
  private static volatile BufferAllocator defaultBufferAllocator;

  private Postscrypt() {}

  /** Whether the native library is loaded, trying that if need be; never throws. The answer stays the same. */
  public static boolean isAvailable() {
    return unavailabilityCause() == null;
  }

  /**
   * Why {@link #isAvailable()} is false, or null if it is true; never throws.
   *
   * @return an error whose message says what was tried, each failure being one of its suppressed exceptions
   */
  public static Throwable unavailabilityCause() {
    return NativeLibrary.unavailabilityCause();
  }

  /** Postscrypt's version and, if it is available, BoringSSL's, in one line. */
  public static String version() {
    String version = "Postscrypt " + NativeLibrary.version();
    return isAvailable()
        ? version + " (" + new String(NativeCrypto.libraryBoringVersion(), StandardCharsets.US_ASCII) + ")"
        : version;
  }

  /**
   * A new provider, not registered with {@link java.security.Security}: pass it to {@code getInstance} or register it.
   *
   * @throws ProviderException if Postscrypt is not available, with {@link #unavailabilityCause()} as its cause
   */
  public static Provider newProvider() {
    NativeLibrary.requireAvailable();
    return new PostscryptProvider();
  }

  /** Where engines take direct buffers from if their parameters do not say; null if they keep their own, which is the default. */
  public static BufferAllocator getDefaultBufferAllocator() {
    return defaultBufferAllocator;
  }

  /** Sets where engines, existing ones too, take direct buffers from if their parameters do not say; null: each keeps its own. */
  public static void setDefaultBufferAllocator(BufferAllocator allocator) {
    defaultBufferAllocator = allocator;
  }

  /**
   * The certification authorities that the operating system trusts, for a {@link javax.net.ssl.TrustManagerFactory}:
   *
   * <pre>{@code
   * TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
   * factory.init(Postscrypt.systemTrustStore());
   * }</pre>
   *
   * <p>Read anew at each call from the PEM files where OpenSSL looks for them on this system; the environment variables
   * {@code SSL_CERT_FILE} and {@code SSL_CERT_DIR} come first. A certificate that occurs twice is taken once, one that
   * cannot be parsed is left out.
   *
   * @return a new key store in memory, with trusted certificates only; never empty
   * @throws KeyStoreException if there is not one certificate, with what could not be read as suppressed exceptions
   * @throws ProviderException if Postscrypt is not available
   */
  public static KeyStore systemTrustStore() throws KeyStoreException {
    NativeLibrary.requireAvailable();
    return SystemCertificates.load(new String(NativeCrypto.librarySystemCertificates(), StandardCharsets.UTF_8));
  }
}
