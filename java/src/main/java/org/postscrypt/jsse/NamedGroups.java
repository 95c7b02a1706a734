package org.postscrypt.jsse;

import java.util.Locale;

/** Named groups of the key exchange by their IANA names and numbers. */
final class NamedGroups {
  private NamedGroups() {}

  private static final String[] NAMES = {
    "X25519MLKEM768", "x25519", "secp256r1", "secp384r1", "secp521r1", "MLKEM1024",
  };
  private static final int[] IDS = {0x11ec, 29, 23, 24, 25, 0x0202};

  /**
   * Enabled when nobody says otherwise: post-quantum first. P-521 is among them for certificates, whose curve must be a group too in
   * TLS 1.2 (RFC 8422 section 5.1.1).
   */
  static final int[] DEFAULT = {0x11ec, 29, 23, 24, 25};

  /** The group's name; null for 0. */
  static String name(int id) {
    for (int i = 0; i < IDS.length; i++) {
      if (IDS[i] == id) {
        return NAMES[i];
      }
    }
    return id == 0 ? null : String.format("0x%04x", id);
  }

  /** The number of the group with this name, in any case; 0 if it is none of ours. */
  static int id(String name) {
    String wanted = name.trim().toLowerCase(Locale.ROOT);
    // NIST's names (FIPS 186-4, appendix D), as Conscrypt and netty-tcnative take them.
    if (wanted.startsWith("p-")) {
      wanted = "secp" + wanted.substring(2) + "r1";
    }
    for (int i = 0; i < IDS.length; i++) {
      if (NAMES[i].toLowerCase(Locale.ROOT).equals(wanted)) {
        return IDS[i];
      }
    }
    return 0;
  }

  /** The numbers of those named that are ours, in their order. */
  static int[] ids(String[] names) {
    int[] ids = new int[names.length];
    int n = 0;
    for (String name : names) {
      int id = id(name);
      if (id != 0) {
        ids[n++] = id;
      }
    }
    return java.util.Arrays.copyOf(ids, n);
  }

  /** Names of these groups. */
  static String[] names(int[] ids) {
    String[] names = new String[ids.length];
    for (int i = 0; i < ids.length; i++) {
      names[i] = name(ids[i]);
    }
    return names;
  }
}
