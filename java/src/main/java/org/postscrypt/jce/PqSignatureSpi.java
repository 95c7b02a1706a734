package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * ML-DSA (FIPS 204) and SLH-DSA (FIPS 205), the pure variants with an empty context. ML-DSA takes messages in constant
 * memory; SLH-DSA, which reads a message twice, keeps it in native memory and zeroes it. Signing is hedged, with
 * BoringSSL's randomness. Verifying a signature of the wrong length is a SignatureException, as with the JDK's
 * provider; one that is wrong in any other way is not valid.
 */
final class PqSignatureSpi extends SignatureSpi implements Message.Sink {
  private static final NativeRef.Free FREE_SIGNER = NativeCrypto::pqSignerFree;
  private static final NativeRef.Free FREE_VERIFIER = NativeCrypto::pqVerifierFree;

  private final List<PqAlgorithm> allowed;
  private final Message message = new Message(this);
  /** One of the two is null, or both before the first key. */
  private NativeRef signer;
  private NativeRef verifier;
  /** Of the key. */
  private int signatureLength;

  PqSignatureSpi(List<PqAlgorithm> allowed) {
    this.allowed = allowed;
  }

  private void clear() {
    message.clear();
    signer = null;
    verifier = null;
  }

  @Override
  protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
    clear();
    PqPrivateKey own = PqPrivateKey.from(key);
    PqKeyFactorySpi.check(allowed, own.algorithm());
    signatureLength = own.algorithm().outputLength;
    try {
      signer = new NativeRef(NativeCrypto.pqSignerNew(own.handle(), own.ref(), Bytes.EMPTY), FREE_SIGNER);
    } catch (InvalidAlgorithmParameterException | IllegalStateException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  @Override
  protected void engineInitSign(PrivateKey key, SecureRandom random) throws InvalidKeyException {
    engineInitSign(key);
  }

  @Override
  protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
    clear();
    PqPublicKey own = PqPublicKey.from(key);
    PqKeyFactorySpi.check(allowed, own.algorithm());
    signatureLength = own.algorithm().outputLength;
    try {
      verifier = new NativeRef(NativeCrypto.pqVerifierNew(own.handle(), own.ref(), Bytes.EMPTY), FREE_VERIFIER);
    } catch (InvalidAlgorithmParameterException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  @Override
  public void accept(byte[] array, ByteBuffer buffer, int offset, int length) {
    NativeRef ref = signer;
    if (ref != null) {
      NativeCrypto.pqSignerUpdate(ref.handle(), ref, array, buffer, offset, length);
      return;
    }
    ref = verifier;
    if (ref == null) {
      throw new IllegalStateException("no key");
    }
    NativeCrypto.pqVerifierUpdate(ref.handle(), ref, array, buffer, offset, length);
  }

  @Override
  protected void engineUpdate(byte input) throws SignatureException {
    keyed();
    message.append(input);
  }

  @Override
  protected void engineUpdate(byte[] input, int offset, int length) throws SignatureException {
    keyed();
    message.append(input, offset, length);
  }

  @Override
  protected void engineUpdate(ByteBuffer input) {
    message.append(input);
  }

  private void keyed() throws SignatureException {
    if (signer == null && verifier == null) {
      throw new SignatureException("no key");
    }
  }

  private void flush() {
    accept(message.gathered(), null, 0, message.length());
    message.clear();
  }

  @Override
  protected byte[] engineSign() throws SignatureException {
    NativeRef ref = signer;
    if (ref == null) {
      throw new SignatureException("not initialised for signing");
    }
    flush();
    try {
      return NativeCrypto.pqSignerSign(ref.handle(), ref);
    } catch (IllegalStateException e) {
      throw new SignatureException(e.getMessage(), e);
    }
  }

  @Override
  protected int engineSign(byte[] output, int offset, int length) throws SignatureException {
    keyed();
    if (length < signatureLength) {
      throw new SignatureException("the signature has " + signatureLength + " bytes, there is room for " + length);
    }
    byte[] signature = engineSign();
    System.arraycopy(signature, 0, output, offset, signature.length);
    return signature.length;
  }

  @Override
  protected boolean engineVerify(byte[] signature) throws SignatureException {
    return engineVerify(signature, 0, signature.length);
  }

  @Override
  protected boolean engineVerify(byte[] signature, int offset, int length) throws SignatureException {
    NativeRef ref = verifier;
    if (ref == null) {
      throw new SignatureException("not initialised for verifying");
    }
    if (length != signatureLength) {
      message.clear();
      NativeCrypto.pqVerifierReset(ref.handle(), ref);
      throw new SignatureException("a signature has " + signatureLength + " bytes, not " + length);
    }
    flush();
    return NativeCrypto.pqVerifierVerify(ref.handle(), ref, signature, offset, length);
  }

  @Override
  protected void engineSetParameter(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
    if (params != null) {
      throw new InvalidAlgorithmParameterException("no parameters: " + params.getClass().getName());
    }
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return null;
  }

  @Override
  @Deprecated
  protected void engineSetParameter(String name, Object value) {
    throw new InvalidParameterException("no parameters: " + name);
  }

  @Override
  @Deprecated
  protected Object engineGetParameter(String name) {
    throw new InvalidParameterException("no parameters: " + name);
  }
}
