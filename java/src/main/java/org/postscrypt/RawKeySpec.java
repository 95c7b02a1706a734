package org.postscrypt;

import java.security.spec.EncodedKeySpec;

/**
 * A key as its algorithm's own specification writes it, without ASN.1 around it; format {@code RAW}. For key factories of X25519,
 * Ed25519, ML-KEM, ML-DSA, SLH-DSA and XWING; they accept every {@link EncodedKeySpec} of that format, in any case.
 *
 * <ul>
 *   <li>X25519 and Ed25519: 32 bytes (RFC 7748 section 5, RFC 8032 section 5.1.5); the private key of Ed25519 is its seed;
 *   <li>other public keys: FIPS 203 section 7.2, FIPS 204 algorithm 22, FIPS 205 section 9.1, X-Wing's encapsulation key;
 *   <li>other private keys: the seed (64 bytes d‖z for ML-KEM, 32 bytes ξ for ML-DSA, 32 bytes for X-Wing), the expanded key
 *       of ML-KEM and ML-DSA, the 64 bytes of SLH-DSA's key. Expanded keys are accepted; a key with a seed is given
 *       back as its seed.
 * </ul>
 *
 * A factory that serves several parameter sets ({@code ML-KEM}, {@code ML-DSA}) refuses a seed, which does not tell
 * which one it is of. Immutable.
 */
public final class RawKeySpec extends EncodedKeySpec {
  /**
   * Copies the bytes.
   *
   * @throws NullPointerException if they are null
   */
  public RawKeySpec(byte[] encoded) {
    super(encoded);
  }

  /** {@code RAW}. */
  @Override
  public String getFormat() {
    return "RAW";
  }
}
