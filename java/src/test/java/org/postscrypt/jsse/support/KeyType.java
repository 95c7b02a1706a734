package org.postscrypt.jsse.support;

/** Kinds of certificate keys. */
public enum KeyType {
  RSA("RSA", "SHA256withRSA"),
  EC("EC", "SHA256withECDSA"),
  EC384("EC", "SHA384withECDSA"),
  EC521("EC", "SHA512withECDSA"),
  RSA4096("RSA", "SHA384withRSA"),
  ED25519("Ed25519", "Ed25519");

  final String keyAlgorithm;
  final String signatureAlgorithm;

  KeyType(String keyAlgorithm, String signatureAlgorithm) {
    this.keyAlgorithm = keyAlgorithm;
    this.signatureAlgorithm = signatureAlgorithm;
  }
}
