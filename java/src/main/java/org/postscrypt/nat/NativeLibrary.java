package org.postscrypt.nat;

import java.security.ProviderException;

/** Finds and loads the native half. */
public final class NativeLibrary {
  private NativeLibrary() {}

  /**
   * Returns if the native half is loaded and usable.
   *
   * @throws ProviderException if it is not; the cause says why
   */
  public static void requireAvailable() {
    try {
      NativeCrypto.libraryVersion();
    } catch (LinkageError e) {
      throw new ProviderException("the native half of Postscrypt is not available", e);
    }
  }

  static void load() {
    System.load(System.getProperty("org.postscrypt.native.path"));
  }
}
