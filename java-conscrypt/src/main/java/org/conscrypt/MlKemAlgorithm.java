package org.conscrypt;

/** Parameter sets of ML-KEM (FIPS 203). */
public enum MlKemAlgorithm {
  /** ML-KEM-768. */
  ML_KEM_768("ML-KEM-768", 1184),
  /** ML-KEM-1024. */
  ML_KEM_1024("ML-KEM-1024", 1568);

  private final String standardName;
  private final int publicKeySize;

  MlKemAlgorithm(String standardName, int publicKeySize) {
    this.standardName = standardName;
    this.publicKeySize = publicKeySize;
  }

  /** The standard name, {@code ML-KEM-768} say. */
  @Override
  public String toString() {
    return standardName;
  }

  /** Length of a public key, in bytes. */
  public int publicKeySize() {
    return publicKeySize;
  }
}
