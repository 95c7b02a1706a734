package org.postscrypt.x509;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** JCA Standard Names of the algorithms in certificates. */
final class AlgorithmNames {
  static final String RSA = "1.2.840.113549.1.1.1";
  static final String RSASSA_PSS = "1.2.840.113549.1.1.10";
  static final String EC = "1.2.840.10045.2.1";

  private static final Map<String, String> DIGESTS;
  private static final Map<String, String> SIGNATURES;
  private static final Map<String, String> KEYS;

  static {
    String pkcs1 = "1.2.840.113549.1.1.";
    String x962 = "1.2.840.10045.4.";
    String nistHash = "2.16.840.1.101.3.4.2.";
    String nist = "2.16.840.1.101.3.4.3.";
    String kem = "2.16.840.1.101.3.4.4.";
    String[] sha2 = {"SHA224", "SHA256", "SHA384", "SHA512"};
    String[] sha3 = {"SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"};

    Map<String, String> digests = new HashMap<>();
    digests.put("1.3.14.3.2.26", "SHA-1");
    put(digests, nistHash, 1, "SHA-256", "SHA-384", "SHA-512", "SHA-224", "SHA-512/224", "SHA-512/256");
    put(digests, nistHash, 7, sha3);
    DIGESTS = Collections.unmodifiableMap(digests);

    Map<String, String> signatures = new HashMap<>();
    signatures.put(pkcs1 + 2, "MD2withRSA");
    signatures.put(pkcs1 + 4, "MD5withRSA");
    signatures.put(pkcs1 + 5, "SHA1withRSA");
    signatures.put("1.3.14.3.2.29", "SHA1withRSA");
    signatures.put(RSASSA_PSS, "RSASSA-PSS");
    put(signatures, pkcs1, 11, "SHA256withRSA", "SHA384withRSA", "SHA512withRSA", "SHA224withRSA");
    put(signatures, pkcs1, 15, "SHA512/224withRSA", "SHA512/256withRSA");
    signatures.put("1.2.840.10040.4.3", "SHA1withDSA");
    signatures.put("1.3.14.3.2.13", "SHA1withDSA");
    signatures.put("1.3.14.3.2.27", "SHA1withDSA");
    signatures.put(x962 + 1, "SHA1withECDSA");
    put(signatures, x962 + "3.", 1, with("ECDSA", sha2));
    put(signatures, nist, 1, with("DSA", sha2));
    put(signatures, nist, 5, with("DSA", sha3));
    put(signatures, nist, 9, with("ECDSA", sha3));
    put(signatures, nist, 13, with("RSA", sha3));

    Map<String, String> keys = new HashMap<>();
    keys.put(RSA, "RSA");
    keys.put(RSASSA_PSS, "RSASSA-PSS");
    keys.put(EC, "EC");
    keys.put("1.2.840.10040.4.1", "DSA");
    keys.put("1.3.14.3.2.12", "DSA");
    keys.put("1.2.840.113549.1.3.1", "DH");
    keys.put("1.3.101.110", "X25519");
    keys.put("1.3.101.111", "X448");
    put(keys, kem, 1, "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024");

    // What names the key and its one signature algorithm alike.
    for (Map<String, String> both : Arrays.asList(signatures, keys)) {
      both.put("1.3.101.112", "Ed25519");
      both.put("1.3.101.113", "Ed448");
      both.put("1.2.840.113549.1.9.16.3.17", "HSS/LMS");
      put(both, nist, 17, "ML-DSA-44", "ML-DSA-65", "ML-DSA-87");
      int arc = 20;
      for (String hash : new String[] {"SHA2", "SHAKE"}) {
        for (String size : new String[] {"128S", "128F", "192S", "192F", "256S", "256F"}) {
          both.put(nist + arc++, "SLH-DSA-" + hash + "-" + size);
        }
      }
    }
    SIGNATURES = Collections.unmodifiableMap(signatures);
    KEYS = Collections.unmodifiableMap(keys);
  }

  private AlgorithmNames() {}

  private static String[] with(String key, String... digests) {
    String[] names = new String[digests.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = digests[i] + "with" + key;
    }
    return names;
  }

  private static void put(Map<String, String> map, String arc, int first, String... names) {
    for (String name : names) {
      map.put(arc + first++, name);
    }
  }

  /** A digest's name; null if it is unknown. */
  static String digest(String oid) {
    return DIGESTS.get(oid);
  }

  /** A signature algorithm's name; the identifier itself if it is unknown. */
  static String signature(String oid) {
    String name = SIGNATURES.get(oid);
    return name == null ? oid : name;
  }

  /** A key algorithm's name; the identifier itself if it is unknown. */
  static String key(String oid) {
    String name = KEYS.get(oid);
    return name == null ? oid : name;
  }
}
