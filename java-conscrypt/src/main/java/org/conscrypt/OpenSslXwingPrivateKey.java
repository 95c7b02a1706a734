package org.conscrypt;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PrivateKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;

/**
 * A private key of X-Wing (draft-connolly-cfrg-xwing-kem). Its secret is in the provider's memory, not in the Java
 * heap.
 */
public class OpenSslXwingPrivateKey implements PrivateKey {
  private static final long serialVersionUID = 1L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("raw", byte[].class)
  };
  private static final String FACTORY = "XWING";

  private transient PrivateKey own;

  /**
   * A key of a specification in the format {@code PKCS#8} or {@code raw}.
   *
   * @throws InvalidKeySpecException if the format is another one or the key malformed
   */
  public OpenSslXwingPrivateKey(EncodedKeySpec keySpec) throws InvalidKeySpecException {
    own = OwnKeys.privateKey(FACTORY, keySpec);
  }

  /**
   * A key of its bytes (the seed, 32 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSslXwingPrivateKey(byte[] raw) {
    own = OwnKeys.privateKey(FACTORY, raw);
  }

  OpenSslXwingPrivateKey(PrivateKey own) {
    this.own = own;
  }

  PrivateKey own() {
    return own;
  }

  /** {@code XWING}. */
  @Override
  public String getAlgorithm() {
    return "XWING";
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
        || other instanceof OpenSslXwingPrivateKey && own.equals(((OpenSslXwingPrivateKey) other).own);
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
