package org.postscrypt.nat;

/** Finds and loads the native half. */
public final class NativeLibrary {
  private NativeLibrary() {}

  static void load() {
    System.load(System.getProperty("org.postscrypt.native.path"));
  }
}
