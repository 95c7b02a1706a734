package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PublicKey;

/** A public key of SLH-DSA-SHA2-128s (FIPS 205). Immutable. */
public class OpenSslSlhDsaPublicKey implements PublicKey {
  private static final long serialVersionUID = 5010722981202743591L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("raw", byte[].class)
  };
  private static final String FACTORY = "SLH-DSA-SHA2-128S";

  private transient PublicKey own;

  /**
   * A key of its bytes (32 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSslSlhDsaPublicKey(byte[] raw) {
    own = OwnKeys.publicKey(FACTORY, raw);
  }

  OpenSslSlhDsaPublicKey(PublicKey own) {
    this.own = own;
  }

  PublicKey own() {
    return own;
  }

  /** {@code SLH-DSA-SHA2-128S}. */
  @Override
  public String getAlgorithm() {
    return "SLH-DSA-SHA2-128S";
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
        || other instanceof OpenSslSlhDsaPublicKey && own.equals(((OpenSslSlhDsaPublicKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.write(out, "raw", OwnKeys.raw(FACTORY, own));
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    try {
      own = OwnKeys.publicKey(FACTORY, OwnKeys.read(in, "raw"));
    } catch (IllegalArgumentException e) {
      throw OwnKeys.invalid(e);
    }
  }
}
