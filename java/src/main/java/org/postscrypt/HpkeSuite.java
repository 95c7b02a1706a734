package org.postscrypt;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Objects;
import org.postscrypt.jce.PqPrivateKey;
import org.postscrypt.jce.PqPublicKey;
import org.postscrypt.nat.NativeCrypto;

/**
 * Hybrid public key encryption (RFC 9180): messages for the holder of a private key, under one of its cipher suites.
 *
 * <pre>{@code
 * HpkeSuite suite = HpkeSuite.of(Kem.DHKEM_X25519, HpkeSuite.Kdf.HKDF_SHA256, HpkeSuite.Aead.AES_128_GCM);
 * HpkeSender sender = suite.sender(recipientPublicKey, info);
 * byte[] first = sender.seal(message, aad);                       // send sender.encapsulatedKey() and this
 * HpkeRecipient recipient = suite.recipient(recipientPrivateKey, encapsulatedKey, info);
 * byte[] message = recipient.open(first, aad);
 * }</pre>
 *
 * The four modes of RFC 9180 section 5.1 are four pairs of methods. In the base mode anybody can be the sender; with a
 * pre-shared key (Psk), who knows it; with Auth, who holds the sender's private key, though a recipient whose own
 * private key leaked can be fooled (section 9.1.1). HPKE itself does not detect replay of a whole context, nor that
 * messages at the end are missing. {@code info} is what both sides must agree on, of any length.
 *
 * <p>Immutable; may be used by any number of threads. Keys may be any provider's, as long as they have an X.509 or
 * PKCS#8 encoding.
 */
public final class HpkeSuite {
  /** Key derivation functions (RFC 9180 section 7.2). */
  public enum Kdf {
    /** HKDF-SHA256. */
    HKDF_SHA256(1),
    /** HKDF-SHA384. */
    HKDF_SHA384(2);

    private final int id;

    Kdf(int id) {
      this.id = id;
    }

    /** The number in IANA's HPKE registry, {@code kdf_id}. */
    public int id() {
      return id;
    }
  }

  /** AEADs (RFC 9180 section 7.3); each makes a message {@value HpkeSuite#TAG_LENGTH} bytes longer. */
  public enum Aead {
    /** AES-128-GCM. */
    AES_128_GCM(1),
    /** AES-256-GCM. */
    AES_256_GCM(2),
    /** ChaCha20-Poly1305. */
    CHACHA20_POLY1305(3);

    private final int id;

    Aead(int id) {
      this.id = id;
    }

    /** The number in IANA's HPKE registry, {@code aead_id}. */
    public int id() {
      return id;
    }
  }

  /** Bytes by which a ciphertext is longer than its plaintext. */
  public static final int TAG_LENGTH = 16;

  /** Bytes that a pre-shared key must have at least (RFC 9180 section 5.1.2). */
  public static final int MIN_PSK_LENGTH = 32;

  private final Kem kem;
  private final Kdf kdf;
  private final Aead aead;

  private HpkeSuite(Kem kem, Kdf kdf, Aead aead) {
    this.kem = Objects.requireNonNull(kem, "kem");
    this.kdf = Objects.requireNonNull(kdf, "kdf");
    this.aead = Objects.requireNonNull(aead, "aead");
  }

  /** The suite of these three; any combination is one. */
  public static HpkeSuite of(Kem kem, Kdf kdf, Aead aead) {
    return new HpkeSuite(kem, kdf, aead);
  }

  /** Its key encapsulation mechanism. */
  public Kem kem() {
    return kem;
  }

  /** Its key derivation function. */
  public Kdf kdf() {
    return kdf;
  }

  /** Its AEAD. */
  public Aead aead() {
    return aead;
  }

  /**
   * A sender in base mode.
   *
   * @throws InvalidKeyException if the key is null, of another algorithm than the suite's KEM, or not usable
   */
  public HpkeSender sender(PublicKey recipient, byte[] info) throws InvalidKeyException {
    try {
      return newSender(recipient, info, null, null, null);
    } catch (InvalidAlgorithmParameterException e) {
      throw new IllegalStateException(e); // Neither pre-shared key nor authentication.
    }
  }

  /**
   * A sender in base mode whose encapsulated key follows from {@code seed}: for known answers in tests, nothing else. Whoever knows the
   * seed reads the messages, and two messages under the same seed betray both.
   *
   * @param seed the ephemeral private key of X25519, the input of P-256's key derivation (32 bytes each), the message of ML-KEM's encapsulation (32 bytes), X-Wing's {@code
   *     eseed} (64 bytes)
   * @throws InvalidKeyException as {@link #sender}, or if the seed has another length
   */
  public HpkeSender deterministicSender(PublicKey recipient, byte[] info, byte[] seed) throws InvalidKeyException {
    PqPublicKey key = kem.own(recipient);
    Objects.requireNonNull(info, "info");
    Objects.requireNonNull(seed, "seed");
    return new HpkeSender(NativeCrypto.hpkeSenderFromSeed(kdf.id, aead.id, key.handle(), key.ref(), info, seed));
  }

  /**
   * A sender with a pre-shared key.
   *
   * @param psk at least {@value #MIN_PSK_LENGTH} bytes
   * @param pskId what the two sides call it, not empty
   * @throws InvalidKeyException as {@link #sender}
   * @throws InvalidAlgorithmParameterException if {@code psk} is too short or {@code pskId} empty
   */
  public HpkeSender senderPsk(PublicKey recipient, byte[] info, byte[] psk, byte[] pskId)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    return newSender(
        recipient, info, Objects.requireNonNull(psk, "psk"), Objects.requireNonNull(pskId, "pskId"), null);
  }

  /**
   * A sender who is authenticated by a private key.
   *
   * @param sender a key of the same algorithm
   * @throws InvalidKeyException as {@link #sender}, for either key
   * @throws InvalidAlgorithmParameterException if the KEM cannot authenticate: only DHKEMs can
   */
  public HpkeSender senderAuth(PublicKey recipient, byte[] info, PrivateKey sender)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    return newSender(recipient, info, null, null, kemForAuth().own(sender));
  }

  /** A sender with a pre-shared key who is authenticated by a private key; as the two methods above. */
  public HpkeSender senderAuthPsk(PublicKey recipient, byte[] info, byte[] psk, byte[] pskId, PrivateKey sender)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    return newSender(
        recipient,
        info,
        Objects.requireNonNull(psk, "psk"),
        Objects.requireNonNull(pskId, "pskId"),
        kemForAuth().own(sender));
  }

  /**
   * The recipient of a sender in base mode.
   *
   * @throws InvalidKeyException if the key is null, of another algorithm than the suite's KEM, or destroyed
   * @throws GeneralSecurityException if the encapsulated key is malformed
   */
  public HpkeRecipient recipient(PrivateKey recipient, byte[] encapsulatedKey, byte[] info)
      throws GeneralSecurityException {
    return newRecipient(recipient, encapsulatedKey, info, null, null, null);
  }

  /**
   * The recipient of a sender with a pre-shared key. Whether it is the sender's shows at the first message.
   *
   * @throws GeneralSecurityException as {@link #recipient} and {@link #senderPsk}
   */
  public HpkeRecipient recipientPsk(
      PrivateKey recipient, byte[] encapsulatedKey, byte[] info, byte[] psk, byte[] pskId)
      throws GeneralSecurityException {
    return newRecipient(
        recipient,
        encapsulatedKey,
        info,
        Objects.requireNonNull(psk, "psk"),
        Objects.requireNonNull(pskId, "pskId"),
        null);
  }

  /**
   * The recipient of an authenticated sender. Whether it was that sender shows at the first message.
   *
   * @throws GeneralSecurityException as {@link #recipient} and {@link #senderAuth}
   */
  public HpkeRecipient recipientAuth(PrivateKey recipient, byte[] encapsulatedKey, byte[] info, PublicKey sender)
      throws GeneralSecurityException {
    return newRecipient(recipient, encapsulatedKey, info, null, null, kemForAuth().own(sender));
  }

  /** The recipient of an authenticated sender with a pre-shared key; as the two methods above. */
  public HpkeRecipient recipientAuthPsk(
      PrivateKey recipient, byte[] encapsulatedKey, byte[] info, byte[] psk, byte[] pskId, PublicKey sender)
      throws GeneralSecurityException {
    return newRecipient(
        recipient,
        encapsulatedKey,
        info,
        Objects.requireNonNull(psk, "psk"),
        Objects.requireNonNull(pskId, "pskId"),
        kemForAuth().own(sender));
  }

  private Kem kemForAuth() throws InvalidAlgorithmParameterException {
    if (kem != Kem.DHKEM_X25519 && kem != Kem.DHKEM_P256) {
      throw new InvalidAlgorithmParameterException(kem + " cannot authenticate the sender");
    }
    return kem;
  }

  private HpkeSender newSender(PublicKey recipient, byte[] info, byte[] psk, byte[] pskId, PqPrivateKey auth)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    PqPublicKey key = kem.own(recipient);
    Objects.requireNonNull(info, "info");
    return new HpkeSender(
        NativeCrypto.hpkeSenderNew(
            kdf.id, aead.id, key.handle(), key.ref(), info, psk, pskId,
            auth == null ? 0 : auth.handle(), auth == null ? null : auth.ref()));
  }

  private HpkeRecipient newRecipient(
      PrivateKey recipient, byte[] encapsulatedKey, byte[] info, byte[] psk, byte[] pskId, PqPublicKey auth)
      throws GeneralSecurityException {
    PqPrivateKey key = kem.own(recipient);
    Objects.requireNonNull(encapsulatedKey, "encapsulatedKey");
    Objects.requireNonNull(info, "info");
    return new HpkeRecipient(
        NativeCrypto.hpkeRecipientNew(
            kdf.id, aead.id, key.handle(), key.ref(), encapsulatedKey, info, psk, pskId,
            auth == null ? 0 : auth.handle(), auth == null ? null : auth.ref()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HpkeSuite
        && ((HpkeSuite) other).kem == kem
        && ((HpkeSuite) other).kdf == kdf
        && ((HpkeSuite) other).aead == aead;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kem, kdf, aead);
  }

  @Override
  public String toString() {
    return kem + "/" + kdf + "/" + aead;
  }
}
