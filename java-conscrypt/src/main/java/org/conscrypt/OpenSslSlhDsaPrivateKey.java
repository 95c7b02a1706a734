package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PrivateKey;

/** A private key of SLH-DSA-SHA2-128s (FIPS 205). Its secret is in the provider's memory, not in the Java heap. */
public class OpenSslSlhDsaPrivateKey implements PrivateKey {
  private static final long serialVersionUID = -8653535385691750709L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("raw", byte[].class)
  };
  private static final String FACTORY = "SLH-DSA-SHA2-128S";

  private transient PrivateKey own;

  /**
   * A key of its bytes (64 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSslSlhDsaPrivateKey(byte[] raw) {
    own = OwnKeys.privateKey(FACTORY, raw);
  }

  OpenSslSlhDsaPrivateKey(PrivateKey own) {
    this.own = own;
  }

  PrivateKey own() {
    return own;
  }

  /** {@code SLH-DSA-SHA2-128S}. */
  @Override
  public String getAlgorithm() {
    return "SLH-DSA-SHA2-128S";
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
        || other instanceof OpenSslSlhDsaPrivateKey && own.equals(((OpenSslSlhDsaPrivateKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.writePrivate(out, "raw", FACTORY, own);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    own = OwnKeys.readPrivate(in, "raw", FACTORY);
  }
}
