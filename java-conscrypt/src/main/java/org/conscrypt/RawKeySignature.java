package org.conscrypt;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;

/**
 * A signature of the provider that also takes the key classes of this package. Bytes that are no signature (another
 * length, no DER) do not verify, while the provider's own signatures throw.
 */
final class RawKeySignature extends SignatureSpi {
  private final Signature own;
  /** Whether a signature that is longer than the key is an exception. */
  private final boolean longIsAnError;
  private int mostBytes;

  RawKeySignature(String algorithm) throws NoSuchAlgorithmException {
    own = Signature.getInstance(algorithm, Own.provider());
    longIsAnError = algorithm.equals("NONEwithRSA");
  }

  @Override
  protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
    own.initVerify(OwnKeys.own(key));
    mostBytes =
        longIsAnError && key instanceof RSAKey
            ? (((RSAKey) key).getModulus().bitLength() + 7) / 8
            : Integer.MAX_VALUE;
  }

  @Override
  protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
    own.initSign(OwnKeys.own(key));
  }

  @Override
  protected void engineInitSign(PrivateKey key, SecureRandom random) throws InvalidKeyException {
    own.initSign(OwnKeys.own(key), random);
  }

  @Override
  protected void engineUpdate(byte b) throws SignatureException {
    own.update(b);
  }

  @Override
  protected void engineUpdate(byte[] bytes, int offset, int length) throws SignatureException {
    own.update(bytes, offset, length);
  }

  @Override
  protected void engineUpdate(ByteBuffer input) {
    try {
      own.update(input);
    } catch (SignatureException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  protected byte[] engineSign() throws SignatureException {
    return own.sign();
  }

  @Override
  protected int engineSign(byte[] output, int offset, int length) throws SignatureException {
    return own.sign(output, offset, length);
  }

  @Override
  protected boolean engineVerify(byte[] signature) throws SignatureException {
    return engineVerify(signature, 0, signature.length);
  }

  @Override
  protected boolean engineVerify(byte[] signature, int offset, int length) throws SignatureException {
    try {
      return own.verify(signature, offset, length);
    } catch (SignatureException e) {
      if (length > mostBytes) {
        throw e;
      }
      return false; // It says that these bytes are no signature under this key.
    }
  }

  @Override
  protected void engineSetParameter(AlgorithmParameterSpec parameters) throws InvalidAlgorithmParameterException {
    own.setParameter(parameters);
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return own.getParameters();
  }

  @Override
  @Deprecated
  protected void engineSetParameter(String name, Object value) {
    throw new InvalidParameterException("not supported: " + name);
  }

  @Override
  @Deprecated
  protected Object engineGetParameter(String name) {
    throw new InvalidParameterException("not supported: " + name);
  }
}
