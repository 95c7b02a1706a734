package org.conscrypt;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.security.PrivateKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;

/** A private key of X25519 (RFC 7748). Its secret is in the provider's memory, not in the Java heap. */
public class OpenSSLX25519PrivateKey implements OpenSSLX25519Key, PrivateKey {
  private static final long serialVersionUID = -3136201500221850916L;
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("uCoordinate", byte[].class)
  };
  private static final String FACTORY = "XDH";

  private transient PrivateKey own;

  /**
   * A key of a specification in the format {@code PKCS#8} or {@code raw}.
   *
   * @throws InvalidKeySpecException if the format is another one or the key malformed
   */
  public OpenSSLX25519PrivateKey(EncodedKeySpec keySpec) throws InvalidKeySpecException {
    own = OwnKeys.privateKey(FACTORY, keySpec);
  }

  /**
   * A key of its bytes (the scalar, 32 bytes), which are copied.
   *
   * @throws IllegalArgumentException if they are not a key
   */
  public OpenSSLX25519PrivateKey(byte[] raw) {
    own = OwnKeys.privateKey(FACTORY, raw);
  }

  OpenSSLX25519PrivateKey(PrivateKey own) {
    this.own = own;
  }

  PrivateKey own() {
    return own;
  }

  /** {@code XDH}. */
  @Override
  public String getAlgorithm() {
    return "XDH";
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

  /**
   * The scalar, for the caller to zero.
   *
   * @throws IllegalStateException if the key was destroyed
   */
  @Override
  public byte[] getU() {
    return OwnKeys.raw(FACTORY, own);
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
        || other instanceof OpenSSLX25519PrivateKey && own.equals(((OpenSSLX25519PrivateKey) other).own);
  }

  @Override
  public int hashCode() {
    return own.hashCode();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OwnKeys.writePrivate(out, "uCoordinate", FACTORY, own);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    own = OwnKeys.readPrivate(in, "uCoordinate", FACTORY);
  }
}
