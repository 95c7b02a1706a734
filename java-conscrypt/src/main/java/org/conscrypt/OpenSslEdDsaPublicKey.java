package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;

/** A public key of Ed25519 (RFC 8032). Immutable. */
public class OpenSslEdDsaPublicKey implements PublicKey, OpenSSLKeyHolder {
  private static final long serialVersionUID = 453861992373478445L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("publicKeyBytes", byte[].class)
  };
  private static final String FACTORY = "EdDSA";

  private transient PublicKey own;

  /**
   * A key of a specification in the format {@code X.509} or {@code raw}.
   *
   * @throws InvalidKeySpecException if the format is another one or the key malformed
   */
  public OpenSslEdDsaPublicKey(EncodedKeySpec keySpec) throws InvalidKeySpecException {
    own = OwnKeys.publicKey(FACTORY, keySpec);
  }

  /**
   * A key of its bytes (32 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSslEdDsaPublicKey(byte[] raw) {
    own = OwnKeys.publicKey(FACTORY, raw);
  }

  OpenSslEdDsaPublicKey(PublicKey own) {
    this.own = own;
  }

  PublicKey own() {
    return own;
  }

  /** {@code 1.3.101.112}. */
  @Override
  public String getAlgorithm() {
    return "1.3.101.112";
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
        || other instanceof OpenSslEdDsaPublicKey && own.equals(((OpenSslEdDsaPublicKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.write(out, "publicKeyBytes", OwnKeys.raw(FACTORY, own));
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    try {
      own = OwnKeys.publicKey(FACTORY, OwnKeys.read(in, "publicKeyBytes"));
    } catch (IllegalArgumentException e) {
      throw OwnKeys.invalid(e);
    }
  }
}
