package org.conscrypt;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PrivateKey;

/** A private key of ML-KEM (FIPS 203). Its secret is in the provider's memory, not in the Java heap. */
public class OpenSslMlKemPrivateKey implements PrivateKey {
  private static final long serialVersionUID = 1L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("algorithm", MlKemAlgorithm.class), new ObjectStreamField("seed", byte[].class)
  };
  private static final int SEED_BYTES = 64;

  private transient PrivateKey own;

  /**
   * A key of its seed (d‖z, 64 bytes), which is copied.
   *
   * @throws IllegalArgumentException if that is not a key of the algorithm
   */
  public OpenSslMlKemPrivateKey(byte[] raw, MlKemAlgorithm algorithm) {
    if (raw.length != SEED_BYTES) {
      throw new IllegalArgumentException("Invalid key size: " + raw.length);
    }
    own = OwnKeys.privateKey(algorithm.toString(), raw);
  }

  OpenSslMlKemPrivateKey(PrivateKey own) {
    this.own = own;
  }

  PrivateKey own() {
    return own;
  }

  /** {@code ML-KEM}. */
  @Override
  public String getAlgorithm() {
    return "ML-KEM";
  }

  /** {@code PKCS#8}. */
  @Override
  public String getFormat() {
    return "PKCS#8";
  }

  /**
   * For the caller to zero.
   *
   * @throws IllegalStateException if the key was destroyed
   */
  @Override
  public byte[] getEncoded() {
    return OwnKeys.encoded(own);
  }

  /** Zeroes the secret. */
  @Override
  public void destroy() {
    OwnKeys.destroy(own);
  }

  @Override
  public boolean isDestroyed() {
    return own.isDestroyed();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof OpenSslMlKemPrivateKey && own.equals(((OpenSslMlKemPrivateKey) other).own);
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
