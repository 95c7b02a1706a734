package org.postscrypt.jsse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The cipher suites by their JSSE (IANA) names and numbers. */
final class CipherSuites {
  private CipherSuites() {}

  /** Sent by every client of ours anyway (RFC 5746): accepted as a name, as JSSE users list it among the suites. */
  private static final String RENEGOTIATION_INFO = "TLS_EMPTY_RENEGOTIATION_INFO_SCSV";

  private static final Map<String, Integer> IDS = new HashMap<>();
  private static final Map<Integer, String> NAMES = new HashMap<>();
  private static final List<String> DEFAULT = new ArrayList<>();
  private static final List<String> SUPPORTED = new ArrayList<>();

  static {
    // In order of preference; AES first, as nearly every machine has it in hardware.
    add(0x1301, "TLS_AES_128_GCM_SHA256", true);
    add(0x1302, "TLS_AES_256_GCM_SHA384", true);
    add(0x1303, "TLS_CHACHA20_POLY1305_SHA256", true);
    add(0xc02b, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", true);
    add(0xc02f, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", true);
    add(0xc02c, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", true);
    add(0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", true);
    add(0xcca9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", true);
    add(0xcca8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", true);
    // Without authenticated encryption or forward secrecy: there for those who ask.
    add(0xc023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", false);
    add(0xc027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", false);
    add(0xc009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", false);
    add(0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", false);
    add(0xc00a, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", false);
    add(0xc014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", false);
    add(0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256", false);
    add(0x009d, "TLS_RSA_WITH_AES_256_GCM_SHA384", false);
    add(0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA", false);
    add(0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA", false);
    // For pre-shared keys of TLS 1.2.
    add(0xccac, "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256", false);
    add(0xc035, "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA", false);
    add(0xc036, "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA", false);
    add(0x008c, "TLS_PSK_WITH_AES_128_CBC_SHA", false);
    add(0x008d, "TLS_PSK_WITH_AES_256_CBC_SHA", false);
    SUPPORTED.add(RENEGOTIATION_INFO);
  }

  private static void add(int id, String name, boolean enabled) {
    IDS.put(name, id);
    NAMES.put(id, name);
    SUPPORTED.add(name);
    if (enabled) {
      DEFAULT.add(name);
    }
  }

  /** Names of all suites there are, best first. */
  static List<String> supported() {
    return Collections.unmodifiableList(SUPPORTED);
  }

  /** Names of the suites enabled when nobody says otherwise. */
  static List<String> defaults() {
    return Collections.unmodifiableList(DEFAULT);
  }

  /** The suite's name; {@code SSL_NULL_WITH_NULL_NULL} for 0. */
  static String name(int id) {
    String name = NAMES.get(id);
    return name != null ? name : id == 0 ? "SSL_NULL_WITH_NULL_NULL" : String.format("0x%04X", id);
  }

  /** The numbers of those named that are suites (signalling values have none). */
  static int[] ids(List<String> names) {
    int[] ids = new int[names.size()];
    int n = 0;
    for (String name : names) {
      Integer id = IDS.get(name);
      if (id != null) {
        ids[n++] = id;
      }
    }
    return java.util.Arrays.copyOf(ids, n);
  }

  static boolean isTls13(int id) {
    return id >> 8 == 0x13;
  }

  /** Whether the peers authenticate by a pre-shared key of TLS 1.2. */
  static boolean hasPreSharedKey(int id) {
    return name(id).contains("_PSK_");
  }

  /** How many bytes of its nonce a record of data carries before its content: TLS 1.2's AES-GCM does (RFC 5288 section 3). */
  static int explicitNonce(int id) {
    return !isTls13(id) && name(id).contains("_AES_") && name(id).contains("_GCM_") ? 8 : 0;
  }

  /** The authType that SunJSSE gives the trust manager for a server's certificate under this suite of TLS 1.2. */
  static String keyExchange(int id) {
    String name = name(id);
    int with = name.indexOf("_WITH_");
    return with < 0 ? "UNKNOWN" : name.substring("TLS_".length(), with);
  }

  /**
   * A copy of {@code names}.
   *
   * @throws IllegalArgumentException if it is null or has a name that is null or unknown
   */
  static List<String> checked(String[] names) {
    if (names == null) {
      throw new IllegalArgumentException("cipher suites cannot be null");
    }
    List<String> checked = new ArrayList<>(names.length);
    for (String name : names) {
      if (name == null || !(IDS.containsKey(name) || name.equals(RENEGOTIATION_INFO))) {
        throw new IllegalArgumentException("Unsupported cipher suite: " + name);
      }
      checked.add(name);
    }
    return Collections.unmodifiableList(checked);
  }
}
