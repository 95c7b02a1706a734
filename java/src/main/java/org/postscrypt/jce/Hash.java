package org.postscrypt.jce;

import java.util.Arrays;
import org.postscrypt.nat.NativeCrypto;

/** A digest that signatures and OAEP can use. */
enum Hash {
  MD5(NativeCrypto.MD5, 16, "MD5", "MD5", "1.2.840.113549.2.5"),
  SHA1(NativeCrypto.SHA1, 20, "SHA-1", "SHA1", "1.3.14.3.2.26"),
  SHA224(NativeCrypto.SHA224, 28, "SHA-224", "SHA224", "2.16.840.1.101.3.4.2.4"),
  SHA256(NativeCrypto.SHA256, 32, "SHA-256", "SHA256", "2.16.840.1.101.3.4.2.1"),
  SHA384(NativeCrypto.SHA384, 48, "SHA-384", "SHA384", "2.16.840.1.101.3.4.2.2"),
  SHA512(NativeCrypto.SHA512, 64, "SHA-512", "SHA512", "2.16.840.1.101.3.4.2.3"),
  SHA512_256(NativeCrypto.SHA512_256, 32, "SHA-512/256", "SHA512/256", "2.16.840.1.101.3.4.2.6");

  /** The native number. */
  final int number;
  /** Bytes of the digest. */
  final int length;
  /** The MessageDigest's standard name, {@code SHA-256}. */
  final String standardName;
  /** How it begins a Signature's name, {@code SHA256}. */
  final String shortName;
  final String oid;

  Hash(int number, int length, String standardName, String shortName, String oid) {
    this.number = number;
    this.length = length;
    this.standardName = standardName;
    this.shortName = shortName;
    this.oid = oid;
  }

  /** The digest with this name or object identifier; null if there is none. */
  static Hash of(String name) {
    for (Hash hash : values()) {
      if (hash.standardName.equalsIgnoreCase(name) || hash.shortName.equalsIgnoreCase(name)
          || hash.oid.equals(name) || hash == SHA1 && "SHA".equalsIgnoreCase(name)) {
        return hash;
      }
    }
    return null;
  }

  /** The digest with this object identifier, as DER; null if there is none. */
  static Hash of(byte[] oid) {
    for (Hash hash : values()) {
      if (Arrays.equals(Asn1.oid(hash.oid), oid)) {
        return hash;
      }
    }
    return null;
  }
}
