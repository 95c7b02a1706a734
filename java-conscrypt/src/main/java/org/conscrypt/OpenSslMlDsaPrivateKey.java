package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PrivateKey;
import java.util.Arrays;

/** A private key of ML-DSA (FIPS 204). Its secret is in the provider's memory, not in the Java heap. */
public class OpenSslMlDsaPrivateKey implements PrivateKey, OpenSSLKeyHolder {
  private static final long serialVersionUID = 4300026724137109155L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("seed", byte[].class)
  };
  private static final int SEED_BYTES = 32;

  private transient PrivateKey own;
  private transient MlDsaAlgorithm algorithm;

  /**
   * A key of its seed (ξ, 32 bytes), which is copied.
   *
   * @throws IllegalArgumentException if it is not a seed
   */
  public OpenSslMlDsaPrivateKey(byte[] seed, MlDsaAlgorithm algorithm) {
    if (algorithm == null) {
      throw new IllegalArgumentException("Unsupported algorithm: null");
    }
    if (seed.length != SEED_BYTES) {
      throw new IllegalArgumentException("Invalid key size: " + seed.length);
    }
    this.algorithm = algorithm;
    own = OwnKeys.privateKey(algorithm.toString(), seed);
  }

  OpenSslMlDsaPrivateKey(PrivateKey own) {
    this.own = own;
    algorithm = MlDsaAlgorithm.parse(own.getAlgorithm());
  }

  PrivateKey own() {
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

  @Override
  public OpenSSLKey getOpenSSLKey() {
    return new OpenSSLKey(own);
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
        || other instanceof OpenSslMlDsaPrivateKey && own.equals(((OpenSslMlDsaPrivateKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  /** ML-DSA-65 is its seed, as it was before there were others; these have their number behind it: 44 or 87. */
  private void writeObject(ObjectOutputStream out) throws IOException {
    byte[] raw = OwnKeys.raw(algorithm.toString(), own);
    byte[] written = raw;
    if (algorithm != MlDsaAlgorithm.ML_DSA_65) {
      written = Arrays.copyOf(raw, raw.length + 1);
      written[raw.length] = (byte) (algorithm == MlDsaAlgorithm.ML_DSA_44 ? 44 : 87);
    }
    OwnKeys.write(out, "seed", written);
    Arrays.fill(raw, (byte) 0);
    Arrays.fill(written, (byte) 0);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    byte[] read = OwnKeys.read(in, "seed");
    int number = read.length == SEED_BYTES ? 65 : read.length == SEED_BYTES + 1 ? read[SEED_BYTES] : 0;
    byte[] seed = Arrays.copyOf(read, SEED_BYTES);
    try {
      algorithm = MlDsaAlgorithm.parse("ML-DSA-" + number);
      own = OwnKeys.privateKey(algorithm.toString(), seed);
    } catch (IllegalArgumentException e) {
      throw OwnKeys.invalid(e);
    } finally {
      Arrays.fill(read, (byte) 0);
      Arrays.fill(seed, (byte) 0);
    }
  }
}
