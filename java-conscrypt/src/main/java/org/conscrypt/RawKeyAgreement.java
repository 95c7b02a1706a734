package org.conscrypt;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyAgreement;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;

/** A key agreement of the provider that also takes the key classes of this package. */
final class RawKeyAgreement extends KeyAgreementSpi {
  private final KeyAgreement own;

  RawKeyAgreement(String algorithm) throws NoSuchAlgorithmException {
    own = KeyAgreement.getInstance(algorithm, Own.provider());
  }

  private static Key mine(Key key) throws InvalidKeyException {
    return key instanceof PrivateKey
        ? OwnKeys.own((PrivateKey) key)
        : key instanceof PublicKey ? OwnKeys.own((PublicKey) key) : key;
  }

  @Override
  protected void engineInit(Key key, SecureRandom random) throws InvalidKeyException {
    own.init(mine(key), random);
  }

  @Override
  protected void engineInit(Key key, AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    own.init(mine(key), parameters, random);
  }

  @Override
  protected Key engineDoPhase(Key key, boolean lastPhase) throws InvalidKeyException {
    return own.doPhase(mine(key), lastPhase);
  }

  @Override
  protected byte[] engineGenerateSecret() {
    return own.generateSecret();
  }

  @Override
  protected int engineGenerateSecret(byte[] secret, int offset) throws ShortBufferException {
    return own.generateSecret(secret, offset);
  }

  @Override
  protected SecretKey engineGenerateSecret(String algorithm) throws NoSuchAlgorithmException, InvalidKeyException {
    return own.generateSecret(algorithm);
  }
}
