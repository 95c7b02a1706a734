package org.postscrypt.jce;

import java.util.List;
import org.postscrypt.service.Row;
import org.postscrypt.x509.X509;

/**
 * Makes the SPI object of a row. One class with a switch: each lambda in its place would be a class that the JVM makes whenever a
 * provider is, 80 of them in a tenth of a second.
 */
final class Maker implements Row.Factory {
  /** What is made, from which arguments. */
  enum Spi {
    /** Algorithm; length in bytes. */
    DIGEST,
    /** Algorithm; length in bytes. */
    MAC,
    RANDOM,
    CERTIFICATE_FACTORY,
    /** Key length in bytes or 0; whether padded. */
    AES_ECB,
    /** Key length in bytes or 0; whether padded. */
    AES_CBC,
    /** Key length in bytes or 0. */
    AES_CTR,
    /** Whether padded. */
    DES_EDE_ECB,
    /** Whether padded. */
    DES_EDE_CBC,
    /** Key length in bytes or 0. */
    AES_GCM,
    /** Key length in bytes or 0. */
    AES_GCM_SIV,
    AES_CCM,
    CHACHA20_POLY1305,
    XCHACHA20_POLY1305,
    ARC4,
    CHACHA20,
    /** Key length in bytes or 0; whether padded. */
    KEY_WRAP,
    /** Name; IV lengths in bytes. */
    IV_PARAMETERS,
    /** Name. */
    GCM_PARAMETERS,
    AES_KEY_GENERATOR,
    DES_EDE_KEY_GENERATOR,
    /** Name; default, least and greatest length in bits. */
    KEY_GENERATOR,
    DES_EDE_KEY_FACTORY,
    /** Name; digest algorithm. */
    PBKDF2,
    SCRYPT,
    /** Kinds. */
    KEY_AGREEMENT,
    /** Kinds. */
    KEY_FACTORY,
    /** Kinds; the default one. */
    KEY_PAIR_GENERATOR,
    EC_PARAMETERS,
    PSS_PARAMETERS,
    OAEP_PARAMETERS,
    /** Kinds; scheme; digest algorithm. */
    DIGESTED_SIGNATURE,
    /** Kinds; scheme; greatest length of a message in bytes. */
    WHOLE_SIGNATURE,
    /** Hash or null. */
    PSS_SIGNATURE,
    /** Padding. */
    RSA_CIPHER,
    /** Algorithms. */
    PQ_KEY_PAIR_GENERATOR,
    /** Algorithms. */
    PQ_KEY_FACTORY,
    /** Algorithms. */
    PQ_SIGNATURE
  }

  private final Spi spi;
  private final Object object;
  private final int[] numbers;

  private Maker(Spi spi, Object object, int... numbers) {
    this.spi = spi;
    this.object = object;
    this.numbers = numbers;
  }

  static Maker of(Spi spi, int... numbers) {
    return new Maker(spi, null, numbers);
  }

  static Maker with(Spi spi, Object object, int... numbers) {
    return new Maker(spi, object, numbers);
  }

  @Override
  public Object newInstance() {
    switch (spi) {
      case DIGEST:
        return new DigestSpi(numbers[0], numbers[1]);
      case MAC:
        return new NativeMacSpi(numbers[0], numbers[1]);
      case RANDOM:
        return new RandomSpi();
      case CERTIFICATE_FACTORY:
        return X509.factory();
      case AES_ECB:
        return PlainCipherSpi.aesEcb(isPadded(), numbers[0]);
      case AES_CBC:
        return PlainCipherSpi.aesCbc(isPadded(), numbers[0]);
      case AES_CTR:
        return PlainCipherSpi.aesCtr(numbers[0]);
      case DES_EDE_ECB:
        return PlainCipherSpi.desEdeEcb(isPadded());
      case DES_EDE_CBC:
        return PlainCipherSpi.desEdeCbc(isPadded());
      case AES_GCM:
        return AesAeadSpi.gcm(numbers[0]);
      case AES_GCM_SIV:
        return AesAeadSpi.gcmSiv(numbers[0]);
      case AES_CCM:
        return AesAeadSpi.ccm();
      case CHACHA20_POLY1305:
        return ChaChaAeadSpi.chaCha20();
      case XCHACHA20_POLY1305:
        return ChaChaAeadSpi.xChaCha20();
      case ARC4:
        return PlainCipherSpi.arc4();
      case CHACHA20:
        return PlainCipherSpi.chaCha20();
      case KEY_WRAP:
        return new KeyWrapSpi(isPadded(), numbers[0]);
      case IV_PARAMETERS:
        return new IvParametersSpi(name(), numbers);
      case GCM_PARAMETERS:
        return new GcmParametersSpi(name());
      case AES_KEY_GENERATOR:
        return SymmetricKeyGeneratorSpi.aes();
      case DES_EDE_KEY_GENERATOR:
        return SymmetricKeyGeneratorSpi.desEde();
      case KEY_GENERATOR:
        return new SymmetricKeyGeneratorSpi(name(), numbers[0], numbers[1], numbers[2]);
      case DES_EDE_KEY_FACTORY:
        return new DesEdeKeyFactorySpi();
      case PBKDF2:
        return new Pbkdf2KeyFactorySpi(name(), numbers[0]);
      case SCRYPT:
        return new ScryptKeyFactorySpi();
      case KEY_AGREEMENT:
        return new NativeKeyAgreementSpi(kinds());
      case KEY_FACTORY:
        return new AsymmetricKeyFactorySpi(kinds());
      case KEY_PAIR_GENERATOR:
        return new AsymmetricKeyPairGeneratorSpi(kinds(), numbers[0]);
      case EC_PARAMETERS:
        return new EcParametersSpi();
      case PSS_PARAMETERS:
        return new PssParametersSpi();
      case OAEP_PARAMETERS:
        return new OaepParametersSpi();
      case DIGESTED_SIGNATURE:
        return new NativeSignatureSpi.Digested(kinds(), numbers[0], numbers[1]);
      case WHOLE_SIGNATURE:
        return new NativeSignatureSpi.Whole(kinds(), numbers[0], numbers[1]);
      case PSS_SIGNATURE:
        return new PssSignatureSpi((Hash) object);
      case RSA_CIPHER:
        return new RsaCipherSpi(name());
      case PQ_KEY_PAIR_GENERATOR:
        return new PqKeyPairGeneratorSpi(algorithms());
      case PQ_KEY_FACTORY:
        return new PqKeyFactorySpi(algorithms());
      case PQ_SIGNATURE:
        return new PqSignatureSpi(algorithms());
    }
    throw new AssertionError(spi);
  }

  private boolean isPadded() {
    return (Boolean) object;
  }

  private String name() {
    return (String) object;
  }

  private KeyKinds kinds() {
    return (KeyKinds) object;
  }

  @SuppressWarnings("unchecked") // All who pass a list pass such a one.
  private List<PqAlgorithm> algorithms() {
    return (List<PqAlgorithm>) object;
  }
}
