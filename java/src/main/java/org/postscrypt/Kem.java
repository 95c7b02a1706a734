package org.postscrypt;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import org.postscrypt.jce.PqPrivateKey;
import org.postscrypt.jce.PqPublicKey;
import org.postscrypt.nat.NativeCrypto;

/**
 * Key encapsulation mechanisms, on every Java version; from Java 21 on {@code javax.crypto.KEM} has the same ones. The
 * sender {@linkplain #encapsulate encapsulates} a fresh secret of {@value #SECRET_LENGTH} bytes for a public key, the
 * holder of the private key {@linkplain #decapsulate decapsulates} it. A KEM tells nobody who encapsulated, and the
 * secret's first use must be authenticated encryption or the like ({@link HpkeSuite} does both steps).
 *
 * <p>Keys may be any provider's, as long as they have an X.509 or PKCS#8 encoding. All methods may be called by any
 * number of threads. The randomness is BoringSSL's.
 */
public enum Kem {
  /** ML-KEM-768 (FIPS 203). */
  ML_KEM_768(0, 0x0041, 1184, 1088),
  /** ML-KEM-1024 (FIPS 203). */
  ML_KEM_1024(1, 0x0042, 1568, 1568),
  /** X-Wing, ML-KEM-768 with X25519 (draft-connolly-cfrg-xwing-kem): secure while either of the two is. */
  X_WING(6, 0x647a, 1216, 1120),
  /** DHKEM(X25519, HKDF-SHA256) (RFC 9180 section 4.1). */
  DHKEM_X25519(7, 0x0020, 32, 32),
  /** DHKEM(P-256, HKDF-SHA256) (RFC 9180 section 4.1). */
  DHKEM_P256(8, 0x0010, 65, 65);

  /** Length of every secret in bytes. */
  public static final int SECRET_LENGTH = 32;

  private final int algorithm;
  private final int id;
  private final int publicKeyLength;
  private final int encapsulationLength;

  Kem(int algorithm, int id, int publicKeyLength, int encapsulationLength) {
    this.algorithm = algorithm;
    this.id = id;
    this.publicKeyLength = publicKeyLength;
    this.encapsulationLength = encapsulationLength;
  }

  /** The number in IANA's HPKE registry, {@code kem_id}. */
  public int id() {
    return id;
  }

  /** Length of a public key in bytes, as {@link #encode(PublicKey)} gives it. */
  public int publicKeyLength() {
    return publicKeyLength;
  }

  /** Length of an encapsulation in bytes. */
  public int encapsulationLength() {
    return encapsulationLength;
  }

  /** A new key pair, for any use of these keys in this package and wherever keys are taken by their encodings. */
  public KeyPair generateKeyPair() {
    PqPrivateKey key = PqPrivateKey.generate(algorithm);
    return new KeyPair(key.publicKey(), key);
  }

  /**
   * A public key from its bytes: FIPS 203 section 7.2; X-Wing's ML-KEM key and X25519 key; RFC 7748 section 5; an
   * uncompressed point (SEC 1 section 2.3.3).
   *
   * @throws InvalidKeyException if they are malformed, or no point on the curve
   */
  public PublicKey publicKey(byte[] bytes) throws InvalidKeyException {
    return PqPublicKey.fromBytes(algorithm, bytes);
  }

  /**
   * A private key from its bytes: the seed d‖z (64 bytes) or the expanded key of ML-KEM; the seed of X-Wing, X25519's
   * key, P-256's scalar (32 bytes each).
   *
   * @throws InvalidKeyException if they are malformed
   */
  public PrivateKey privateKey(byte[] bytes) throws InvalidKeyException {
    return PqPrivateKey.fromBytes(algorithm, bytes);
  }

  /**
   * The bytes that {@link #publicKey} takes.
   *
   * @throws InvalidKeyException if the key is null or of another algorithm
   */
  public byte[] encode(PublicKey key) throws InvalidKeyException {
    return own(key).bytes();
  }

  /**
   * The bytes that {@link #privateKey} takes, for the caller to zero: a seed where the key was made from one.
   *
   * @throws InvalidKeyException if the key is null, of another algorithm, or destroyed
   */
  public byte[] encode(PrivateKey key) throws InvalidKeyException {
    return own(key).bytes();
  }

  /**
   * Makes a secret for the holder of the private key.
   *
   * @throws InvalidKeyException if the key is null, of another algorithm, or not usable (an X25519 key of small order)
   */
  public Encapsulated encapsulate(PublicKey key) throws InvalidKeyException {
    PqPublicKey own = own(key);
    byte[][] made = NativeCrypto.kemEncapsulate(own.handle(), own.ref());
    return new Encapsulated(made[0], made[1]);
  }

  /**
   * The secret in an encapsulation, for the caller to zero. One that was made for another key, or changed, gives ML-KEM
   * and X-Wing some other secret, not an exception (FIPS 203 section 6.3).
   *
   * @throws InvalidKeyException if the key is null, of another algorithm, or destroyed
   * @throws GeneralSecurityException if the encapsulation has another length, or is no usable point
   */
  public byte[] decapsulate(PrivateKey key, byte[] encapsulation) throws GeneralSecurityException {
    PqPrivateKey own = own(key);
    return NativeCrypto.kemDecapsulate(own.handle(), own.ref(), encapsulation);
  }

  PqPublicKey own(PublicKey key) throws InvalidKeyException {
    PqPublicKey own = PqPublicKey.from(key);
    check(own, own.algorithmNumber());
    return own;
  }

  PqPrivateKey own(PrivateKey key) throws InvalidKeyException {
    PqPrivateKey own = PqPrivateKey.from(key);
    check(own, own.algorithmNumber());
    return own;
  }

  private void check(Key key, int number) throws InvalidKeyException {
    if (number != algorithm) {
      throw new InvalidKeyException("a key of " + key.getAlgorithm() + " is not one of " + this);
    }
  }

  /** A secret and its encapsulation. */
  public static final class Encapsulated {
    private final byte[] encapsulation;
    private final byte[] secret;

    private Encapsulated(byte[] encapsulation, byte[] secret) {
      this.encapsulation = encapsulation;
      this.secret = secret;
    }

    /** What goes to the holder of the private key. The array itself, not a copy. */
    public byte[] encapsulation() {
      return encapsulation;
    }

    /** The secret. The array itself, for the caller to zero. */
    public byte[] secret() {
      return secret;
    }
  }
}
