package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PrivateKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;

/** A private key of Ed25519 (RFC 8032). Its secret is in the provider's memory, not in the Java heap. */
public class OpenSslEdDsaPrivateKey implements PrivateKey, OpenSSLKeyHolder {
  private static final long serialVersionUID = -3136201500221850916L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("privateKeyBytes", byte[].class)
  };
  private static final String FACTORY = "EdDSA";

  private transient PrivateKey own;

  /**
   * A key of a specification in the format {@code PKCS#8} or {@code raw}.
   *
   * @throws InvalidKeySpecException if the format is another one or the key malformed
   */
  public OpenSslEdDsaPrivateKey(EncodedKeySpec keySpec) throws InvalidKeySpecException {
    own = OwnKeys.privateKey(FACTORY, keySpec);
  }

  /**
   * A key of its bytes (the seed, 32 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSslEdDsaPrivateKey(byte[] raw) {
    own = OwnKeys.privateKey(FACTORY, raw);
  }

  OpenSslEdDsaPrivateKey(PrivateKey own) {
    this.own = own;
  }

  PrivateKey own() {
    return own;
  }

  /** {@code 1.3.101.112}. */
  @Override
  public String getAlgorithm() {
    return "1.3.101.112";
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
        || other instanceof OpenSslEdDsaPrivateKey && own.equals(((OpenSslEdDsaPrivateKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.writePrivate(out, "privateKeyBytes", FACTORY, own);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    own = OwnKeys.readPrivate(in, "privateKeyBytes", FACTORY);
  }
}
