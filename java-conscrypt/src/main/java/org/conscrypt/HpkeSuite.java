package org.conscrypt;

import org.postscrypt.Kem;

/** A cipher suite of HPKE (RFC 9180 section 7), of IANA's numbers. Immutable. */
public final class HpkeSuite {
  /** DHKEM(X25519, HKDF-SHA256). */
  public static final int KEM_DHKEM_X25519_HKDF_SHA256 = 0x20;

  /** ML-KEM-768. */
  public static final int KEM_MLKEM_768 = 0x41;

  /** ML-KEM-1024. */
  public static final int KEM_MLKEM_1024 = 0x42;

  /** X-Wing. */
  public static final int KEM_XWING = 0x647a;

  /** HKDF-SHA256. */
  public static final int KDF_HKDF_SHA256 = 1;

  /** AES-128-GCM. */
  public static final int AEAD_AES_128_GCM = 1;

  /** AES-256-GCM. */
  public static final int AEAD_AES_256_GCM = 2;

  /** ChaCha20-Poly1305. */
  public static final int AEAD_CHACHA20POLY1305 = 3;

  private final KEM kem;
  private final KDF kdf;
  private final AEAD aead;

  /**
   * The suite of these three numbers.
   *
   * @throws IllegalArgumentException for a number that is not among the constants
   */
  public HpkeSuite(int kem, int kdf, int aead) {
    this.kem = KEM.forId(kem);
    this.kdf = KDF.forId(kdf);
    this.aead = AEAD.forId(aead);
  }

  /** The algorithm's name for {@code getInstance}: {@code DHKEM_X25519_HKDF_SHA256/HKDF_SHA256/AES_128_GCM} say. */
  public String name() {
    return kem.name() + "/" + kdf.name() + "/" + aead.name();
  }

  /** Its key encapsulation mechanism. */
  public KEM getKem() {
    return kem;
  }

  /** Its key derivation function. */
  public KDF getKdf() {
    return kdf;
  }

  /** Its AEAD. */
  public AEAD getAead() {
    return aead;
  }

  /** {@link KEM#forId}. */
  public KEM convertKem(int kem) {
    return KEM.forId(kem);
  }

  /** {@link KDF#forId}. */
  public KDF convertKdf(int kdf) {
    return KDF.forId(kdf);
  }

  /** {@link AEAD#forId}. */
  public AEAD convertAead(int aead) {
    return AEAD.forId(aead);
  }

  /** Key encapsulation mechanisms. */
  public enum KEM {
    /** DHKEM(X25519, HKDF-SHA256). */
    DHKEM_X25519_HKDF_SHA256(Kem.DHKEM_X25519, 32),
    /** ML-KEM-768. */
    MLKEM_768(Kem.ML_KEM_768, 64),
    /** ML-KEM-1024. */
    MLKEM_1024(Kem.ML_KEM_1024, 64),
    /** X-Wing. */
    XWING(Kem.X_WING, 32);

    final Kem own;
    private final int privateKeyLength;

    KEM(Kem own, int privateKeyLength) {
      this.own = own;
      this.privateKeyLength = privateKeyLength;
    }

    /** IANA's number. */
    public int getId() {
      return own.id();
    }

    /** {@code Nenc}: {@link #getEncapsulatedLength}. */
    public int getnEnc() {
      return own.encapsulationLength();
    }

    /** Length of an encapsulated key, in bytes. */
    public int getEncapsulatedLength() {
      return own.encapsulationLength();
    }

    /** Length of the secret, in bytes. */
    public int getSecretLength() {
      return Kem.SECRET_LENGTH;
    }

    /** Length of a public key, in bytes. */
    public int getPublicKeyLength() {
      return own.publicKeyLength();
    }

    /** Length of a private key or its seed, in bytes. */
    public int getPrivateKeyLength() {
      return privateKeyLength;
    }

    /**
     * The one with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static KEM forId(int id) {
      for (KEM kem : values()) {
        if (kem.getId() == id) {
          return kem;
        }
      }
      throw new IllegalArgumentException("Unknown KEM " + id);
    }
  }

  /** Key derivation functions. */
  public enum KDF {
    /** HKDF-SHA256. */
    HKDF_SHA256(org.postscrypt.HpkeSuite.Kdf.HKDF_SHA256, 32, "HmacSHA256");

    final org.postscrypt.HpkeSuite.Kdf own;
    private final int macLength;
    private final String macName;

    KDF(org.postscrypt.HpkeSuite.Kdf own, int macLength, String macName) {
      this.own = own;
      this.macLength = macLength;
      this.macName = macName;
    }

    /** IANA's number. */
    public int getId() {
      return own.id();
    }

    /** Length of the HMAC, in bytes. */
    public int getMacLength() {
      return macLength;
    }

    /** {@code Nh}: {@link #getMacLength}. */
    public int getHLength() {
      return macLength;
    }

    /** Most bytes that can be exported. */
    public long maxExportLength() {
      return 255L * macLength;
    }

    /** The HMAC's JCA name. */
    public String getMacAlgorithmName() {
      return macName;
    }

    /** {@link #getMacAlgorithmName}. */
    public String getMacName() {
      return macName;
    }

    /**
     * The one with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static KDF forId(int id) {
      for (KDF kdf : values()) {
        if (kdf.getId() == id) {
          return kdf;
        }
      }
      throw new IllegalArgumentException("Unknown KDF " + id);
    }
  }

  /** AEADs. */
  public enum AEAD {
    /** AES-128-GCM. */
    AES_128_GCM(org.postscrypt.HpkeSuite.Aead.AES_128_GCM, 16),
    /** AES-256-GCM. */
    AES_256_GCM(org.postscrypt.HpkeSuite.Aead.AES_256_GCM, 32),
    /** ChaCha20-Poly1305. */
    CHACHA20POLY1305(org.postscrypt.HpkeSuite.Aead.CHACHA20_POLY1305, 32);

    private static final int NONCE_LENGTH = 12;

    final org.postscrypt.HpkeSuite.Aead own;
    private final int keyLength;

    AEAD(org.postscrypt.HpkeSuite.Aead own, int keyLength) {
      this.own = own;
      this.keyLength = keyLength;
    }

    /** IANA's number. */
    public int getId() {
      return own.id();
    }

    /** {@code Nk}: {@link #getKeyLength}. */
    public int getNk() {
      return keyLength;
    }

    /** Length of a key, in bytes. */
    public int getKeyLength() {
      return keyLength;
    }

    /** {@code Nn}: {@link #getNonceLength}. */
    public int getNn() {
      return NONCE_LENGTH;
    }

    /** Length of a nonce, in bytes. */
    public int getNonceLength() {
      return NONCE_LENGTH;
    }

    /** {@code Nt}: {@link #getTagLength}. */
    public int getNt() {
      return org.postscrypt.HpkeSuite.TAG_LENGTH;
    }

    /** Bytes by which a ciphertext is longer. */
    public int getTagLength() {
      return org.postscrypt.HpkeSuite.TAG_LENGTH;
    }

    /**
     * The one with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static AEAD forId(int id) {
      for (AEAD aead : values()) {
        if (aead.getId() == id) {
          return aead;
        }
      }
      throw new IllegalArgumentException("Unknown AEAD " + id);
    }
  }
}
