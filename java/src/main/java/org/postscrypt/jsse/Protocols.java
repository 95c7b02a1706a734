package org.postscrypt.jsse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The protocol versions by their JSSE names. */
final class Protocols {
  private Protocols() {}

  static final String TLS12 = "TLSv1.2";
  static final String TLS13 = "TLSv1.3";
  static final int TLS12_VERSION = 0x0303;
  static final int TLS13_VERSION = 0x0304;

  /** Best first. */
  static final List<String> SUPPORTED = Collections.unmodifiableList(Arrays.asList(TLS13, TLS12));

  /** The name of a version on the wire; {@code NONE} before there is one. */
  static String name(int version) {
    switch (version) {
      case TLS12_VERSION:
        return TLS12;
      case TLS13_VERSION:
        return TLS13;
      default:
        return "NONE";
    }
  }

  /**
   * A copy of {@code names}.
   *
   * @throws IllegalArgumentException if it is null or has a name that is null or unknown
   */
  static List<String> checked(String[] names) {
    if (names == null) {
      throw new IllegalArgumentException("protocols cannot be null");
    }
    List<String> checked = new ArrayList<>(names.length);
    for (String name : names) {
      if (!SUPPORTED.contains(name)) {
        throw new IllegalArgumentException("Unsupported protocol: " + name);
      }
      checked.add(name);
    }
    return Collections.unmodifiableList(checked);
  }
}
