package org.conscrypt;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;

/** A key pair generator of the provider whose keys are classes of this package. */
final class RawKeyPairGenerator extends KeyPairGeneratorSpi {
  private static final int CURVE_BITS = 255;

  private final KeyPairGenerator own;
  private final KeyFamily family;

  RawKeyPairGenerator(String algorithm) throws NoSuchAlgorithmException {
    own = KeyPairGenerator.getInstance(algorithm, Own.provider());
    family = KeyFamily.of(algorithm);
  }

  @Override
  public void initialize(int keySizeBits, SecureRandom random) {
    if (family.hasInterfacesInTheJdk() && keySizeBits != CURVE_BITS) {
      throw new InvalidParameterException("keys of Curve25519 have " + CURVE_BITS + " bits");
    }
    own.initialize(keySizeBits, random);
  }

  @Override
  public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    if (family.hasInterfacesInTheJdk()) {
      throw new InvalidAlgorithmParameterException("No AlgorithmParameterSpec classes are supported");
    }
    own.initialize(parameters, random);
  }

  @Override
  public KeyPair generateKeyPair() {
    KeyPair pair = own.generateKeyPair();
    return new KeyPair(family.publicKey(pair.getPublic()), family.privateKey(pair.getPrivate()));
  }
}
