package org.postscrypt.jce;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.crypto.KEMSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * Key encapsulation with ML-KEM (FIPS 203), X-Wing and DHKEM (RFC 9180 section 4.1, HKDF-SHA256). Immutable, as are its
 * encapsulators and decapsulators: threads may share them. The randomness is BoringSSL's.
 */
final class PqKemSpi implements KEMSpi {
  private static final int SECRET_LENGTH = 32;

  private final List<PqAlgorithm> allowed;

  PqKemSpi(List<PqAlgorithm> allowed) {
    this.allowed = allowed;
  }

  @Override
  public EncapsulatorSpi engineNewEncapsulator(PublicKey key, AlgorithmParameterSpec spec, SecureRandom random)
      throws InvalidAlgorithmParameterException, InvalidKeyException {
    PqPublicKey own = PqPublicKey.from(key);
    PqKeyFactorySpi.check(allowed, own.algorithm());
    refuse(spec);
    return new Encapsulator(own);
  }

  @Override
  public DecapsulatorSpi engineNewDecapsulator(PrivateKey key, AlgorithmParameterSpec spec)
      throws InvalidAlgorithmParameterException, InvalidKeyException {
    PqPrivateKey own = PqPrivateKey.from(key);
    PqKeyFactorySpi.check(allowed, own.algorithm());
    refuse(spec);
    return new Decapsulator(own);
  }

  private static void refuse(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
    if (spec != null) {
      throw new InvalidAlgorithmParameterException("no parameters: " + spec.getClass().getName());
    }
  }

  private static void checkRange(int from, int to, String algorithm) {
    Objects.checkFromToIndex(from, to, SECRET_LENGTH);
    Objects.requireNonNull(algorithm, "algorithm");
  }

  /** The part of a secret as a key; the secret is zeroed. */
  private static SecretKey part(byte[] secret, int from, int to, String algorithm) {
    try {
      return new SecretKeySpec(secret, from, to - from, algorithm);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  private record Encapsulator(PqPublicKey key) implements EncapsulatorSpi {
    @Override
    public KEM.Encapsulated engineEncapsulate(int from, int to, String algorithm) {
      checkRange(from, to, algorithm);
      byte[][] made;
      try {
        made = NativeCrypto.kemEncapsulate(key.handle(), key.ref());
      } catch (InvalidKeyException e) {
        throw new ProviderException("public key is not usable", e);
      }
      return new KEM.Encapsulated(part(made[1], from, to, algorithm), made[0], null);
    }

    @Override
    public int engineSecretSize() {
      return SECRET_LENGTH;
    }

    @Override
    public int engineEncapsulationSize() {
      return key.algorithm().outputLength;
    }
  }

  private record Decapsulator(PqPrivateKey key) implements DecapsulatorSpi {
    @Override
    public SecretKey engineDecapsulate(byte[] encapsulation, int from, int to, String algorithm)
        throws DecapsulateException {
      checkRange(from, to, algorithm);
      Objects.requireNonNull(encapsulation, "encapsulation");
      try {
        return part(NativeCrypto.kemDecapsulate(key.handle(), key.ref(), encapsulation), from, to, algorithm);
      } catch (GeneralSecurityException | IllegalStateException e) {
        throw new DecapsulateException(e.getMessage(), e);
      }
    }

    @Override
    public int engineSecretSize() {
      return SECRET_LENGTH;
    }

    @Override
    public int engineEncapsulationSize() {
      return key.algorithm().outputLength;
    }
  }
}
