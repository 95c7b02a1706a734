package org.postscrypt.jce;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.spec.IvParameterSpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * ChaCha20-Poly1305 (RFC 8439, nonces of 12 bytes) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, nonces of 24
 * bytes, which may be random): keys of 256 bits, tags of 128. Parameters are an IvParameterSpec. The same key and nonce
 * in a row are refused for encryption with an InvalidKeyException, as SunJCE does.
 */
final class ChaChaAeadSpi extends AeadSpi {
  private final String name;
  private final int nonceBytes;

  private ChaChaAeadSpi(String name, int algorithm, int nonceBytes) {
    super(algorithm, nonceBytes, true);
    this.name = name;
    this.nonceBytes = nonceBytes;
  }

  static ChaChaAeadSpi chaCha20() {
    return new ChaChaAeadSpi("ChaCha20-Poly1305", NativeCrypto.CHACHA20_POLY1305, 12);
  }

  static ChaChaAeadSpi xChaCha20() {
    return new ChaChaAeadSpi("XChaCha20-Poly1305", NativeCrypto.XCHACHA20_POLY1305, 24);
  }

  @Override
  String mode() {
    return "None";
  }

  /** In {@code ChaCha20/Poly1305/NoPadding} it is the authenticator's. */
  @Override
  boolean isMode(String mode) {
    return super.isMode(mode) || "Poly1305".equalsIgnoreCase(mode);
  }

  /** As SunJCE says: it has no blocks that a caller could see. */
  @Override
  protected int engineGetBlockSize() {
    return 0;
  }

  @Override
  void checkKeyLength(int length) throws InvalidKeyException {
    if (length != 32) {
      throw new InvalidKeyException(name + " keys have 256 bits, not " + length * 8L);
    }
  }

  @Override
  byte[] nonceIn(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
    if (!(spec instanceof IvParameterSpec)) {
      throw new InvalidAlgorithmParameterException(
          name + " takes an IvParameterSpec, not " + spec.getClass().getName());
    }
    byte[] nonce = ((IvParameterSpec) spec).getIV();
    if (nonce.length != nonceBytes) {
      throw new InvalidAlgorithmParameterException(name + " nonces have " + nonceBytes + " bytes, not " + nonce.length);
    }
    return nonce;
  }

  @Override
  AlgorithmParameterSpec specIn(AlgorithmParameters parameters) throws InvalidParameterSpecException {
    return parameters.getParameterSpec(IvParameterSpec.class);
  }

  @Override
  AlgorithmParameters parametersOf(byte[] nonce, int tagBytes) {
    return IvParametersSpi.of(name, nonce);
  }

  @Override
  void refuseRepeatedNonce() throws InvalidKeyException {
    throw new InvalidKeyException("the same key and nonce (IV) must not encrypt twice");
  }
}
