package org.postscrypt;

import java.security.spec.KeySpec;

/**
 * What scrypt (RFC 7914) derives a key from, for {@code SecretKeyFactory.getInstance("SCRYPT")}. Immutable.
 *
 * <p>Memory needed is about {@code 128 * blockSize * (costParameter + parallelizationParameter)} bytes.
 */
public final class ScryptKeySpec implements KeySpec {
  private final char[] password;
  private final byte[] salt;
  private final int costParameter;
  private final int blockSize;
  private final int parallelizationParameter;
  private final int keyLength;

  /**
   * Copies its arguments.
   *
   * @param password taken in UTF-8; may be empty
   * @param salt may be empty
   * @param costParameter N: CPU and memory cost, a power of two above 1 and below 2^(16 r)
   * @param blockSize r
   * @param parallelizationParameter p; r times p is below 2^30
   * @param keyLength of the key to derive, in bits; a positive multiple of 8
   * @throws NullPointerException if password or salt is null
   * @throws IllegalArgumentException if a number is not as above
   */
  public ScryptKeySpec(
      char[] password, byte[] salt, int costParameter, int blockSize, int parallelizationParameter, int keyLength) {
    if (costParameter < 2 || Integer.bitCount(costParameter) != 1 || blockSize < 1
        || blockSize < 2 && costParameter >= 1 << 16) {
      throw new IllegalArgumentException("the cost parameter is a power of two above 1 and below 2^(16 r)");
    }
    if (parallelizationParameter < 1 || (long) blockSize * parallelizationParameter >= 1 << 30) {
      throw new IllegalArgumentException(
          "block size and parallelization parameter are positive, their product below 2^30");
    }
    if (keyLength <= 0 || keyLength % 8 != 0) {
      throw new IllegalArgumentException("the key length is a positive multiple of 8 bits, not " + keyLength);
    }
    this.password = password.clone();
    this.salt = salt.clone();
    this.costParameter = costParameter;
    this.blockSize = blockSize;
    this.parallelizationParameter = parallelizationParameter;
    this.keyLength = keyLength;
  }

  /** A copy of the password. */
  public char[] getPassword() {
    return password.clone();
  }

  /** A copy of the salt. */
  public byte[] getSalt() {
    return salt.clone();
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
    return keyLength;
  }
}
