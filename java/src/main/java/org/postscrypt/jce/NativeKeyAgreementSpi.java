package org.postscrypt.jce;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * ECDH and X25519 between two parties. The secret is derived in {@code doPhase}, and given once: afterwards the object
 * is as after {@code init}.
 */
final class NativeKeyAgreementSpi extends KeyAgreementSpi {
  private final KeyKinds kinds;
  private NativePrivateKey key;
  private byte[] secret;

  NativeKeyAgreementSpi(KeyKinds kinds) {
    this.kinds = kinds;
  }

  @Override
  protected void engineInit(Key newKey, SecureRandom random) throws InvalidKeyException {
    NativePrivateKey ours = kinds.privateKey(newKey);
    forget();
    key = ours;
  }

  @Override
  protected void engineInit(Key newKey, AlgorithmParameterSpec params, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    if (params != null && !(kinds == KeyKinds.XDH && "X25519".equalsIgnoreCase(XecKeys.name(params)))) {
      throw new InvalidAlgorithmParameterException("this key agreement takes no parameters");
    }
    engineInit(newKey, random);
  }

  @Override
  protected Key engineDoPhase(Key peer, boolean lastPhase) throws InvalidKeyException {
    if (key == null) {
      throw new IllegalStateException("not initialised");
    }
    if (secret != null) {
      throw new IllegalStateException("the only phase is done");
    }
    if (!lastPhase) {
      throw new IllegalStateException("this key agreement has one phase, which is the last");
    }
    NativePublicKey ours = kinds.publicKey(peer);
    NativeRef mine = key.ref();
    secret = NativeCrypto.agreementDerive(mine.handle(), mine, ours.ref().handle(), ours.ref());
    return null;
  }

  private byte[] secret() {
    if (secret == null) {
      throw new IllegalStateException(key == null ? "not initialised" : "no phase was done");
    }
    return secret;
  }

  private void forget() {
    Numbers.clear(secret);
    secret = null;
  }

  @Override
  protected byte[] engineGenerateSecret() {
    byte[] result = secret();
    secret = null;
    return result;
  }

  @Override
  protected int engineGenerateSecret(byte[] output, int offset) throws ShortBufferException {
    int length = secret().length;
    Bytes.check(output, offset, 0);
    if (length > output.length - offset) {
      throw new ShortBufferException(
          "the secret has " + length + " bytes, there is room for " + (output.length - offset));
    }
    System.arraycopy(secret, 0, output, offset, length);
    forget();
    return length;
  }

  /** All bytes of the secret as a key of that algorithm; for AES they must be as many as an AES key has. */
  @Override
  protected SecretKey engineGenerateSecret(String algorithm) throws NoSuchAlgorithmException, InvalidKeyException {
    if (algorithm == null) {
      throw new NoSuchAlgorithmException("algorithm is null");
    }
    if (algorithm.isEmpty()) {
      throw new NoSuchAlgorithmException("algorithm is empty");
    }
    int length = secret().length;
    if ("AES".equalsIgnoreCase(algorithm) && length != 16 && length != 24 && length != 32) {
      throw new InvalidKeyException("the secret has " + length + " bytes, which is no length of AES keys");
    }
    SecretKey result = new SecretKeySpec(secret, algorithm);
    forget();
    return result;
  }
}
