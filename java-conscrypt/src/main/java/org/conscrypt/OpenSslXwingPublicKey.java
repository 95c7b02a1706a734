package org.conscrypt;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;

/** A public key of X-Wing (draft-connolly-cfrg-xwing-kem). Immutable. */
public class OpenSslXwingPublicKey implements PublicKey {
  private static final long serialVersionUID = 1L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("raw", byte[].class)
  };
  private static final String FACTORY = "XWING";

  private transient PublicKey own;

  /**
   * A key of a specification in the format {@code X.509} or {@code raw}.
   *
   * @throws InvalidKeySpecException if the format is another one or the key malformed
   */
  public OpenSslXwingPublicKey(EncodedKeySpec keySpec) throws InvalidKeySpecException {
    own = OwnKeys.publicKey(FACTORY, keySpec);
  }

  /**
   * A key of its bytes (1216 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSslXwingPublicKey(byte[] raw) {
    own = OwnKeys.publicKey(FACTORY, raw);
  }

  OpenSslXwingPublicKey(PublicKey own) {
    this.own = own;
  }

  PublicKey own() {
    return own;
  }

  /** {@code XWING}. */
  @Override
  public String getAlgorithm() {
    return "XWING";
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
        || other instanceof OpenSslXwingPublicKey && own.equals(((OpenSslXwingPublicKey) other).own);
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
