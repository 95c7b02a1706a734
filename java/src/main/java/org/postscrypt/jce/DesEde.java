package org.postscrypt.jce;

/** Keys of triple DES. */
final class DesEde {
  private DesEde() {}

  /** Makes the number of set bits in each byte odd by its lowest bit (FIPS 46-3). */
  static void setOddParity(byte[] key) {
    for (int i = 0; i < key.length; i++) {
      int bits = key[i] & 0xfe;
      key[i] = (byte) (bits | Integer.bitCount(bits) & 1 ^ 1);
    }
  }
}
