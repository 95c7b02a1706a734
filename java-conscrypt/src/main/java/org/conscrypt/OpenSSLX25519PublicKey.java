package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;

/** A public key of X25519 (RFC 7748). Immutable. */
public class OpenSSLX25519PublicKey implements OpenSSLX25519Key, PublicKey {
  private static final long serialVersionUID = 453861992373478445L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("uCoordinate", byte[].class)
  };
  private static final String FACTORY = "XDH";

  private transient PublicKey own;

  /**
   * A key of a specification in the format {@code X.509} or {@code raw}.
   *
   * @throws InvalidKeySpecException if the format is another one or the key malformed
   */
  public OpenSSLX25519PublicKey(EncodedKeySpec keySpec) throws InvalidKeySpecException {
    own = OwnKeys.publicKey(FACTORY, keySpec);
  }

  /**
   * A key of its bytes (the u-coordinate, 32 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSSLX25519PublicKey(byte[] raw) {
    own = OwnKeys.publicKey(FACTORY, raw);
  }

  OpenSSLX25519PublicKey(PublicKey own) {
    this.own = own;
  }

  PublicKey own() {
    return own;
  }

  /** {@code XDH}. */
  @Override
  public String getAlgorithm() {
    return "XDH";
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
  public byte[] getU() {
    return OwnKeys.raw(FACTORY, own);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof OpenSSLX25519PublicKey && own.equals(((OpenSSLX25519PublicKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.write(out, "uCoordinate", OwnKeys.raw(FACTORY, own));
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    try {
      own = OwnKeys.publicKey(FACTORY, OwnKeys.read(in, "uCoordinate"));
    } catch (IllegalArgumentException e) {
      throw OwnKeys.invalid(e);
    }
  }
}
