package org.conscrypt;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.security.auth.DestroyFailedException;
import org.postscrypt.RawKeySpec;

/**
 * The provider's own keys, which the key classes of this package stand for: secrets are with them alone. Algorithms
 * are the names of
 * their key factories.
 */
final class OwnKeys {
  private OwnKeys() {}

  static KeyFactory factory(String algorithm) {
    try {
      return KeyFactory.getInstance(algorithm, Own.provider());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A public key of raw bytes. */
  static PublicKey publicKey(String algorithm, byte[] raw) {
    try {
      return factory(algorithm).generatePublic(new RawKeySpec(raw));
    } catch (InvalidKeySpecException e) {
      throw new IllegalArgumentException("Invalid key size or value: " + e.getMessage(), e);
    }
  }

  /** A public key of a specification in X.509 or raw format. */
  static PublicKey publicKey(String algorithm, EncodedKeySpec spec) throws InvalidKeySpecException {
    boolean raw = "raw".equalsIgnoreCase(spec.getFormat());
    if (!raw && !"X.509".equals(spec.getFormat())) {
      throw new InvalidKeySpecException("Encoding must be in X.509 or raw format");
    }
    byte[] bytes = spec.getEncoded();
    return factory(algorithm).generatePublic(raw ? new RawKeySpec(bytes) : new X509EncodedKeySpec(bytes));
  }

  /** A private key of raw bytes, which stay the caller's. */
  static PrivateKey privateKey(String algorithm, byte[] raw) {
    try {
      return factory(algorithm).generatePrivate(new RawKeySpec(raw));
    } catch (InvalidKeySpecException e) {
      throw new IllegalArgumentException("Invalid key size or value: " + e.getMessage(), e);
    }
  }

  /** A private key of a specification in PKCS#8 or raw format. */
  static PrivateKey privateKey(String algorithm, EncodedKeySpec spec) throws InvalidKeySpecException {
    boolean raw = "raw".equalsIgnoreCase(spec.getFormat());
    if (!raw && !"PKCS#8".equals(spec.getFormat())) {
      throw new InvalidKeySpecException("Encoding must be in PKCS#8 or raw format");
    }
    byte[] bytes = spec.getEncoded();
    try {
      return factory(algorithm).generatePrivate(raw ? new RawKeySpec(bytes) : new PKCS8EncodedKeySpec(bytes));
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** The raw bytes of an own key; of a private one, for the caller to zero. */
  static byte[] raw(String algorithm, Key own) {
    requireAlive(own);
    try {
      return factory(algorithm).getKeySpec(own, RawKeySpec.class).getEncoded();
    } catch (InvalidKeySpecException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** The encoding of an own private key, for the caller to zero. */
  static byte[] encoded(PrivateKey own) {
    requireAlive(own);
    return own.getEncoded();
  }

  private static void requireAlive(Key own) {
    if (own instanceof PrivateKey && ((PrivateKey) own).isDestroyed()) {
      throw new IllegalStateException("key is destroyed");
    }
  }

  static void destroy(PrivateKey own) {
    try {
      own.destroy();
    } catch (DestroyFailedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The own key that a public key stands for, or the key itself. */
  static PublicKey own(PublicKey key) {
    if (key instanceof OpenSSLX25519PublicKey) {
      return ((OpenSSLX25519PublicKey) key).own();
    } else if (key instanceof OpenSslEdDsaPublicKey) {
      return ((OpenSslEdDsaPublicKey) key).own();
    } else if (key instanceof OpenSslMlDsaPublicKey) {
      return ((OpenSslMlDsaPublicKey) key).own();
    } else if (key instanceof OpenSslMlKemPublicKey) {
      return ((OpenSslMlKemPublicKey) key).own();
    } else if (key instanceof OpenSslSlhDsaPublicKey) {
      return ((OpenSslSlhDsaPublicKey) key).own();
    } else if (key instanceof OpenSslXwingPublicKey) {
      return ((OpenSslXwingPublicKey) key).own();
    }
    return key;
  }

  /** The own key that a private key stands for, or the key itself. */
  static PrivateKey own(PrivateKey key) throws InvalidKeyException {
    if (key instanceof OpenSSLX25519PrivateKey) {
      return alive(((OpenSSLX25519PrivateKey) key).own());
    } else if (key instanceof OpenSslEdDsaPrivateKey) {
      return alive(((OpenSslEdDsaPrivateKey) key).own());
    } else if (key instanceof OpenSslMlDsaPrivateKey) {
      return alive(((OpenSslMlDsaPrivateKey) key).own());
    } else if (key instanceof OpenSslMlKemPrivateKey) {
      return alive(((OpenSslMlKemPrivateKey) key).own());
    } else if (key instanceof OpenSslSlhDsaPrivateKey) {
      return alive(((OpenSslSlhDsaPrivateKey) key).own());
    } else if (key instanceof OpenSslXwingPrivateKey) {
      return alive(((OpenSslXwingPrivateKey) key).own());
    }
    return key;
  }

  private static PrivateKey alive(PrivateKey own) throws InvalidKeyException {
    if (own.isDestroyed()) {
      throw new InvalidKeyException("key is destroyed");
    }
    return own;
  }

  // --- serialisation: one field with the bytes, as Conscrypt writes it ---

  static void write(ObjectOutputStream out, String field, byte[] bytes) throws IOException {
    out.putFields().put(field, bytes);
    out.writeFields();
  }

  static byte[] read(ObjectInputStream in, String field) throws IOException, ClassNotFoundException {
    Object bytes = in.readFields().get(field, null);
    if (bytes == null) {
      throw new InvalidObjectException("no key");
    }
    return (byte[]) bytes;
  }

  /** The encoding that Conscrypt writes after the fields of its EC keys. */
  static byte[] readEncoded(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    Object bytes = in.readObject();
    if (!(bytes instanceof byte[])) {
      throw new InvalidObjectException("no key");
    }
    return (byte[]) bytes;
  }

  /** Writes the raw bytes of a private key. */
  static void writePrivate(ObjectOutputStream out, String field, String algorithm, PrivateKey own) throws IOException {
    byte[] raw = raw(algorithm, own);
    write(out, field, raw);
    Arrays.fill(raw, (byte) 0);
  }

  /** The private key whose raw bytes {@link #writePrivate} wrote. */
  static PrivateKey readPrivate(ObjectInputStream in, String field, String algorithm)
      throws IOException, ClassNotFoundException {
    byte[] raw = read(in, field);
    try {
      return privateKey(algorithm, raw);
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    } finally {
      Arrays.fill(raw, (byte) 0);
    }
  }

  /** The public key that Conscrypt wrote; {@code spec}: what was read of it. */
  static PublicKey readPublic(String algorithm, KeySpec spec) throws InvalidObjectException {
    try {
      return factory(algorithm).generatePublic(spec);
    } catch (InvalidKeySpecException | NullPointerException e) {
      throw invalid(new IllegalArgumentException(e.getMessage(), e));
    }
  }

  /** The private key that Conscrypt wrote; {@code spec}: what was read of it. */
  static PrivateKey readPrivate(String algorithm, KeySpec spec) throws InvalidObjectException {
    try {
      return factory(algorithm).generatePrivate(spec);
    } catch (InvalidKeySpecException | NullPointerException e) {
      throw invalid(new IllegalArgumentException(e.getMessage(), e));
    }
  }

  static InvalidObjectException invalid(IllegalArgumentException e) {
    InvalidObjectException invalid = new InvalidObjectException(e.getMessage());
    invalid.initCause(e);
    return invalid;
  }
}
