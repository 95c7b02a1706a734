package org.postscrypt.nat;

/**
 * Every native method of Postscrypt: the only class with any.
 *
 * <p>One static method per operation, grouped by area as in {@code native/bridge/src/natives}. A {@code long} handle is owned by
 * a {@link NativeRef}, which is passed beside it so that it stays reachable during the call. Null references give {@link
 * NullPointerException}, offsets and lengths outside an array or buffer {@link IndexOutOfBoundsException}, a zero handle or one
 * that another thread is using {@link IllegalStateException}; none of these changes anything.
 */
public final class NativeCrypto {
  private NativeCrypto() {}

  // Loading happens here, so that this class's own initialisation lock is the only lock: JNI_OnLoad initialises this class
  // too. Never throws; where nothing could be loaded, natives give UnsatisfiedLinkError and NativeLibrary tells why.
  static {
    NativeLibrary.initialize();
  }

  /** Initialises this class and so loads the library. */
  static void touch() {}

  // --- library ---

  /** The native half's version; equals the Java half's, or the two do not belong together. */
  static native byte[] libraryVersion();

  /** BoringSSL's identity in one line, ASCII. */
  public static native byte[] libraryBoringVersion();

  /** CPU features in use, separated by spaces, ASCII; may be empty. */
  public static native byte[] libraryCpuFeatures();

  /** Files and directories with the operating system's CA certificates, separated by newlines, UTF-8; may be empty. */
  public static native byte[] librarySystemCertificates();

  // --- digest, mac, aead, random: the JCE's ---

  // --- tls ---
}
