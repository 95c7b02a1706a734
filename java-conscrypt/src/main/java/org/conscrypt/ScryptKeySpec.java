package org.conscrypt;

import java.security.spec.KeySpec;

/**
 * What scrypt (RFC 7914) derives a key from, for {@code SecretKeyFactory.getInstance("SCRYPT")}. Checked there, not
 * here.
 */
public class ScryptKeySpec implements KeySpec {
  private final char[] password;
  private final byte[] salt;
  private final int costParameter;
  private final int blockSize;
  private final int parallelizationParameter;
  private final int keyOutputBits;

  /**
   * Keeps its arguments, without a copy.
   *
   * @param costParameter N
   * @param blockSize r
   * @param parallelizationParameter p
   * @param keyOutputBits length of the key to derive, in bits
   */
  public ScryptKeySpec(
      char[] password, byte[] salt, int costParameter, int blockSize, int parallelizationParameter, int keyOutputBits) {
    this.password = password;
    this.salt = salt;
    this.costParameter = costParameter;
    this.blockSize = blockSize;
    this.parallelizationParameter = parallelizationParameter;
    this.keyOutputBits = keyOutputBits;
  }

  /** The password, not a copy. */
  public char[] getPassword() {
    return password;
  }

  /** The salt, not a copy. */
  public byte[] getSalt() {
    return salt;
  }

  /** N. */
  public int getCostParameter() {
    return costParameter;
  }

  /** r. */
  public int getBlockSize() {
    return blockSize;
  }

  /** p. */
  public int getParallelizationParameter() {
    return parallelizationParameter;
  }

  /** Length of the key to derive, in bits. */
  public int getKeyLength() {
    return keyOutputBits;
  }
}
