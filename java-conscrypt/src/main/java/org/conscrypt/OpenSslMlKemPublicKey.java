package org.conscrypt;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PublicKey;

/** A public key of ML-KEM (FIPS 203). Immutable. */
public class OpenSslMlKemPublicKey implements PublicKey {
  private static final long serialVersionUID = 1L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("algorithm", MlKemAlgorithm.class), new ObjectStreamField("raw", byte[].class)
  };

  private transient PublicKey own;

  /**
   * A key of its bytes (FIPS 203 section 7.2), which are copied.
   *
   * @throws IllegalArgumentException if that is not a key of the algorithm
   */
  public OpenSslMlKemPublicKey(byte[] raw, MlKemAlgorithm algorithm) {
    own = OwnKeys.publicKey(algorithm.toString(), raw);
  }

  OpenSslMlKemPublicKey(PublicKey own) {
    this.own = own;
  }

  PublicKey own() {
    return own;
  }

  /** {@code ML-KEM}. */
  @Override
  public String getAlgorithm() {
    return "ML-KEM";
  }

  /** {@code X.509}. */
  @Override
  public String getFormat() {
    return "X.509";
  }

  @Override
  public byte[] getEncoded() {
    return own.getEncoded();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof OpenSslMlKemPublicKey && own.equals(((OpenSslMlKemPublicKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) {
    throw new UnsupportedOperationException("serialization not supported");
  }

  private void readObject(ObjectInputStream in) {
    throw new UnsupportedOperationException("serialization not supported");
  }
}
