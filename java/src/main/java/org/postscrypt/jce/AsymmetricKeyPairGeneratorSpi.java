package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * New key pairs of one family. Randomness is always BoringSSL's own: a {@link SecureRandom} handed in is not used.
 *
 * <p>RSA moduli have 512 to 16384 bits in steps of 128 (2048 unless told otherwise), public exponents are odd, 3 to
 * 2^32 - 1 (65537 unless told otherwise). EC keys are on P-256 unless told otherwise.
 */
final class AsymmetricKeyPairGeneratorSpi extends KeyPairGeneratorSpi {
  private static final int DEFAULT_RSA_BITS = 2048;
  private static final int MIN_RSA_BITS = 512;
  private static final int MAX_RSA_BITS = 16384;
  private static final int RSA_STEP = 128;
  private static final int RAW_BITS = 255;

  private final KeyKinds kinds;
  private int kind;
  private int bits = DEFAULT_RSA_BITS;
  private BigInteger exponent = RSAKeyGenParameterSpec.F4;
  private byte[] pssParameters;

  AsymmetricKeyPairGeneratorSpi(KeyKinds kinds, int kind) {
    this.kinds = kinds;
    this.kind = kind;
  }

  @Override
  public void initialize(int size, SecureRandom random) {
    try {
      if (kinds == KeyKinds.RSA || kinds == KeyKinds.RSA_PSS) {
        initializeRsa(size, RSAKeyGenParameterSpec.F4, null);
      } else if (kinds == KeyKinds.EC) {
        initializeEc(Curve.ofBits(size));
      } else if (size != RAW_BITS && size != RAW_BITS + 1) {
        throw new InvalidParameterException(kinds + " keys have " + RAW_BITS + " bits");
      }
    } catch (InvalidAlgorithmParameterException e) {
      InvalidParameterException invalid = new InvalidParameterException(e.getMessage());
      invalid.initCause(e);
      throw invalid;
    }
  }

  @Override
  public void initialize(AlgorithmParameterSpec spec, SecureRandom random) throws InvalidAlgorithmParameterException {
    if (spec instanceof RSAKeyGenParameterSpec && (kinds == KeyKinds.RSA || kinds == KeyKinds.RSA_PSS)) {
      RSAKeyGenParameterSpec rsa = (RSAKeyGenParameterSpec) spec;
      initializeRsa(rsa.getKeysize(), rsa.getPublicExponent(), RsaSpecs.parameters(rsa));
    } else if (kinds == KeyKinds.EC && spec instanceof ECGenParameterSpec) {
      initializeEc(Curve.of(((ECGenParameterSpec) spec).getName()));
    } else if (kinds == KeyKinds.EC && spec instanceof ECParameterSpec) {
      initializeEc(Curve.of((ECParameterSpec) spec));
    } else if (!isNamed(spec)) {
      throw new InvalidAlgorithmParameterException(
          "not parameters of " + kinds + " keys: " + (spec == null ? "null" : spec.getClass().getName()));
    }
  }

  /** Whether the spec names the one curve of X25519 and Ed25519; NamedParameterSpec, or as before Java 11. */
  private boolean isNamed(AlgorithmParameterSpec spec) {
    String name = spec instanceof ECGenParameterSpec ? ((ECGenParameterSpec) spec).getName() : XecKeys.name(spec);
    return kinds == KeyKinds.XDH && "X25519".equalsIgnoreCase(name)
        || kinds == KeyKinds.EDDSA && "Ed25519".equalsIgnoreCase(name);
  }

  private void initializeRsa(int size, BigInteger e, AlgorithmParameterSpec parameters)
      throws InvalidAlgorithmParameterException {
    if (size < MIN_RSA_BITS || size > MAX_RSA_BITS || size % RSA_STEP != 0) {
      throw new InvalidAlgorithmParameterException(
          "RSA keys are made with " + MIN_RSA_BITS + " to " + MAX_RSA_BITS + " bits in steps of " + RSA_STEP + ", not "
              + size);
    }
    if (e.signum() <= 0 || !e.testBit(0) || e.bitLength() < 2 || e.bitLength() > 32) {
      throw new InvalidAlgorithmParameterException("RSA public exponents are odd, from 3 to 2^32 - 1");
    }
    byte[] encoded = null;
    if (parameters != null) {
      String fault = kinds == KeyKinds.RSA ? "a plain RSA key has no parameters"
          : parameters instanceof PSSParameterSpec ? PssParametersSpi.fault((PSSParameterSpec) parameters)
              : "not a PSSParameterSpec";
      if (fault == null && !PssSignatureSpi.fits((PSSParameterSpec) parameters, size)) {
        fault = "the key is too short for its digest and salt";
      }
      if (fault != null) {
        throw new InvalidAlgorithmParameterException(fault);
      }
      encoded = PssParametersSpi.encoded((PSSParameterSpec) parameters);
    }
    bits = size;
    exponent = e;
    pssParameters = encoded;
  }

  private void initializeEc(Curve curve) throws InvalidAlgorithmParameterException {
    if (curve == null) {
      throw new InvalidAlgorithmParameterException("EC keys are made on P-224, P-256, P-384 and P-521");
    }
    kind = curve.kind;
  }

  @Override
  public KeyPair generateKeyPair() {
    try {
      NativePrivateKey key = kinds.ownPrivate(NativeCrypto.keyGenerate(kind, bits, Numbers.bytes(exponent)));
      if (pssParameters != null) {
        byte[][] numbers = key.numbers();
        try {
          key = kinds.ownPrivate(NativeCrypto.keyFromRsaNumbers(true, true, numbers, pssParameters));
        } finally {
          Numbers.clear(numbers);
        }
      }
      return new KeyPair(kinds.ownPublic(NativeCrypto.keyPublicHalf(key.ref().handle(), key.ref())), key);
    } catch (InvalidAlgorithmParameterException | InvalidKeyException e) {
      throw new ProviderException(e.getMessage(), e);
    }
  }
}
