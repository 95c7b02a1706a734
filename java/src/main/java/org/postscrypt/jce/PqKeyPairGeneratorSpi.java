package org.postscrypt.jce;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;

/**
 * Key pairs of one of several parameter sets, the first unless {@code NamedParameterSpec} names another. The randomness
 * is BoringSSL's; a SecureRandom that is passed is not asked.
 */
final class PqKeyPairGeneratorSpi extends KeyPairGeneratorSpi {
  private final List<PqAlgorithm> allowed;
  private PqAlgorithm chosen;

  PqKeyPairGeneratorSpi(List<PqAlgorithm> allowed) {
    this.allowed = allowed;
    chosen = allowed.get(0);
  }

  @Override
  public void initialize(int size, SecureRandom random) {
    throw new InvalidParameterException("there are no key sizes: name a parameter set");
  }

  @Override
  public void initialize(AlgorithmParameterSpec params, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    String name = NamedParameters.nameOf(params);
    for (PqAlgorithm algorithm : allowed) {
      if (algorithm.standardName.equalsIgnoreCase(name)) {
        chosen = algorithm;
        return;
      }
    }
    throw new InvalidAlgorithmParameterException(
        name == null
            ? "not a NamedParameterSpec: " + (params == null ? null : params.getClass().getName())
            : "no such parameter set here: " + name);
  }

  @Override
  public KeyPair generateKeyPair() {
    PqPrivateKey key = PqPrivateKey.generate(chosen.ordinal());
    return new KeyPair(key.publicKey(), key);
  }
}
