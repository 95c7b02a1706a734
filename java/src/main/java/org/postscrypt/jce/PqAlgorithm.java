package org.postscrypt.jce;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Parameter sets of post-quantum algorithms, and the curves of DHKEM; in the order of the native numbers. */
enum PqAlgorithm {
  ML_KEM_768("ML-KEM-768", "2.16.840.1.101.3.4.4.2", 1184, 64, 2400, 1088),
  ML_KEM_1024("ML-KEM-1024", "2.16.840.1.101.3.4.4.3", 1568, 64, 3168, 1568),
  ML_DSA_44("ML-DSA-44", "2.16.840.1.101.3.4.3.17", 1312, 32, 2560, 2420),
  ML_DSA_65("ML-DSA-65", "2.16.840.1.101.3.4.3.18", 1952, 32, 4032, 3309),
  ML_DSA_87("ML-DSA-87", "2.16.840.1.101.3.4.3.19", 2592, 32, 4896, 4627),
  SLH_DSA_SHA2_128S("SLH-DSA-SHA2-128S", "2.16.840.1.101.3.4.3.20", 32, 64, -1, 7856),
  X_WING("XWING", "1.3.6.1.4.1.62253.25722", 1216, 32, -1, 1120),
  X25519("X25519", "1.3.101.110", 32, 32, -1, 32),
  P256("EC", null, 65, 32, -1, 65);

  static final List<PqAlgorithm> ML_KEM = Collections.unmodifiableList(Arrays.asList(ML_KEM_768, ML_KEM_1024));
  static final List<PqAlgorithm> ML_DSA = Collections.unmodifiableList(Arrays.asList(ML_DSA_65, ML_DSA_44, ML_DSA_87));
  static final List<PqAlgorithm> DHKEM = Collections.unmodifiableList(Arrays.asList(X25519, P256));

  private static final PqAlgorithm[] ALL = values();

  /** The JCA standard name, or the usual one. */
  final String standardName;
  /** Null if that does not name the parameter set. */
  final String oid;
  /** Length of an encoded public key in bytes. */
  final int publicLength;
  /** Length of a seed (SLH-DSA: of the key) in bytes. */
  final int seedLength;
  /** Length of an expanded private key in bytes; -1 if there is no such form. */
  final int expandedLength;
  /** Length of a signature, or of an encapsulation, in bytes. */
  final int outputLength;

  PqAlgorithm(
      String standardName, String oid, int publicLength, int seedLength, int expandedLength, int outputLength) {
    this.standardName = standardName;
    this.oid = oid;
    this.publicLength = publicLength;
    this.seedLength = seedLength;
    this.expandedLength = expandedLength;
    this.outputLength = outputLength;
  }

  static PqAlgorithm of(int number) {
    return ALL[number];
  }
}
