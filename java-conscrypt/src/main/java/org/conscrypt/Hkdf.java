package org.conscrypt;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF, the extract-and-expand key derivation function (RFC 5869), over any {@link Mac}. Immutable. */
public final class Hkdf {
  private final String hmacName;
  private final int macLength;

  /**
   * HKDF over this HMAC, {@code HmacSHA256} say, of the most preferred provider.
   *
   * @throws NoSuchAlgorithmException if no provider has it
   */
  public Hkdf(String hmacName) throws NoSuchAlgorithmException {
    this.hmacName = Objects.requireNonNull(hmacName);
    this.macLength = Mac.getInstance(hmacName).getMacLength();
  }

  /** Length of the HMAC, in bytes. */
  public int getMacLength() {
    return macLength;
  }

  /**
   * HKDF-Extract (section 2.2): a pseudorandom key as long as the HMAC.
   *
   * @param salt empty: as many zeros as the HMAC is long
   * @param ikm the input keying material
   * @throws IllegalArgumentException if {@code ikm} is empty
   */
  public byte[] extract(byte[] salt, byte[] ikm) throws InvalidKeyException, NoSuchAlgorithmException {
    Objects.requireNonNull(salt);
    if (Objects.requireNonNull(ikm).length == 0) {
      throw new IllegalArgumentException("Empty keying material");
    }
    return mac(salt.length == 0 ? new byte[macLength] : salt).doFinal(ikm);
  }

  /**
   * HKDF-Expand (section 2.3): output keying material.
   *
   * @param prk a pseudorandom key
   * @param info what the output is for; may be empty
   * @param length of the output, in bytes
   * @throws IllegalArgumentException if the length is negative or more than 255 times the HMAC's, or {@code prk} is
   *     empty
   */
  public byte[] expand(byte[] prk, byte[] info, int length) throws InvalidKeyException, NoSuchAlgorithmException {
    Objects.requireNonNull(prk);
    Objects.requireNonNull(info);
    if (length < 0) {
      throw new IllegalArgumentException("Negative length");
    }
    if (length > 255 * macLength) {
      throw new IllegalArgumentException("Length too long");
    }
    Mac mac = mac(prk);
    byte[] output = new byte[length];
    byte[] block = new byte[0];
    for (int filled = 0, i = 1; filled < length; filled += block.length, i++) {
      mac.update(block);
      mac.update(info);
      block = mac.doFinal(new byte[] {(byte) i});
      System.arraycopy(block, 0, output, filled, Math.min(block.length, length - filled));
    }
    return output;
  }

  private Mac mac(byte[] key) throws InvalidKeyException, NoSuchAlgorithmException {
    Mac mac = Mac.getInstance(hmacName);
    mac.init(new SecretKeySpec(key, hmacName));
    return mac;
  }
}
