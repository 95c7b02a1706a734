package org.conscrypt;

/** The parameter sets of ML-DSA (FIPS 204). */
public enum MlDsaAlgorithm {
  /** ML-DSA-44. */
  ML_DSA_44("ML-DSA-44", 1312),
  /** ML-DSA-65. */
  ML_DSA_65("ML-DSA-65", 1952),
  /** ML-DSA-87. */
  ML_DSA_87("ML-DSA-87", 2592);

  private final String standardName;
  private final int publicKeySize;

  MlDsaAlgorithm(String standardName, int publicKeySize) {
    this.standardName = standardName;
    this.publicKeySize = publicKeySize;
  }

  /** The standard name, {@code ML-DSA-44} say. */
  @Override
  public String toString() {
    return standardName;
  }

  /** Length of a public key, in bytes. */
  public int publicKeySize() {
    return publicKeySize;
  }

  /**
   * The one with this standard name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static MlDsaAlgorithm parse(String name) {
    java.util.Objects.requireNonNull(name, "name");
    for (MlDsaAlgorithm algorithm : values()) {
      if (algorithm.standardName.equals(name)) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException("Unsupported algorithm: " + name);
  }
}
