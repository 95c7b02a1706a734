package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PublicKey;

/** A public key of ML-DSA (FIPS 204). Immutable. */
public class OpenSslMlDsaPublicKey implements PublicKey, OpenSSLKeyHolder {
  private static final long serialVersionUID = 453861992373478445L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("raw", byte[].class)
  };

  private transient PublicKey own;
  private transient MlDsaAlgorithm algorithm;

  /**
   * A key of its bytes (FIPS 204 algorithm 22), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key of the algorithm
   */
  public OpenSslMlDsaPublicKey(byte[] raw, MlDsaAlgorithm algorithm) {
    if (algorithm == null) {
      throw new IllegalArgumentException("Unsupported algorithm: null");
    }
    this.algorithm = algorithm;
    own = OwnKeys.publicKey(algorithm.toString(), raw);
  }

  OpenSslMlDsaPublicKey(PublicKey own) {
    this.own = own;
    algorithm = MlDsaAlgorithm.parse(own.getAlgorithm());
  }

  PublicKey own() {
    return own;
  }

  /** {@code ML-DSA}. */
  @Override
  public String getAlgorithm() {
    return "ML-DSA";
  }

  /** The parameter set. */
  public MlDsaAlgorithm getMlDsaAlgorithm() {
    return algorithm;
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
  public OpenSSLKey getOpenSSLKey() {
    return new OpenSSLKey(own);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof OpenSslMlDsaPublicKey && own.equals(((OpenSslMlDsaPublicKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.write(out, "raw", OwnKeys.raw(algorithm.toString(), own));
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    byte[] raw = OwnKeys.read(in, "raw");
    for (MlDsaAlgorithm candidate : MlDsaAlgorithm.values()) {
      if (candidate.publicKeySize() == raw.length) {
        algorithm = candidate;
      }
    }
    if (algorithm == null) {
      throw OwnKeys.invalid(new IllegalArgumentException("no ML-DSA key has " + raw.length + " bytes"));
    }
    try {
      own = OwnKeys.publicKey(algorithm.toString(), raw);
    } catch (IllegalArgumentException e) {
      throw OwnKeys.invalid(e);
    }
  }
}
