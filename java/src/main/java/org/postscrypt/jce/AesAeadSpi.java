package org.postscrypt.jce;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * Authenticated encryption with AES. Parameters are a GCMParameterSpec, or an IvParameterSpec for the longest tag.
 *
 * <ul>
 *   <li>GCM (SP 800-38D): keys of 128, 192 or 256 bits, nonces of at least one byte (12 is the default), tags of 96 to
 *       128 bits.
 *   <li>GCM-SIV (RFC 8452): keys of 128 or 256 bits, nonces of 12 bytes, tags of 128 bits. A repeated nonce tells only
 *       whether the messages are equal, so it is not refused; {@code doFinal} goes back to where {@code init} left it.
 *       The whole message is needed before the first ciphertext, so {@code update} keeps it.
 *   <li>CCM (SP 800-38C), as far as BoringSSL has it: keys of 128 bits, nonces of 13 bytes, tags of 32, 64 or 128 bits,
 *       messages of at most 65,535 bytes (IllegalStateException).
 * </ul>
 */
final class AesAeadSpi extends AeadSpi {
  private static final int SIV_NONCE_BYTES = 12;
  private static final int CCM_NONCE_BYTES = 13;

  private final int algorithm;
  /** The only key length taken; 0 for any. */
  private final int onlyKeyBytes;

  private AesAeadSpi(int algorithm, int nonceBytes, boolean streams, int onlyKeyBytes) {
    super(algorithm, nonceBytes, streams);
    this.algorithm = algorithm;
    this.onlyKeyBytes = onlyKeyBytes;
  }

  /** @param onlyKeyBytes the only key length taken; 0 for any */
  static AesAeadSpi gcm(int onlyKeyBytes) {
    return new AesAeadSpi(NativeCrypto.AES_GCM, 12, true, onlyKeyBytes);
  }

  /** @param onlyKeyBytes the only key length taken; 0 for any */
  static AesAeadSpi gcmSiv(int onlyKeyBytes) {
    return new AesAeadSpi(NativeCrypto.AES_GCM_SIV, SIV_NONCE_BYTES, false, onlyKeyBytes);
  }

  static AesAeadSpi ccm() {
    return new AesAeadSpi(NativeCrypto.AES_CCM, CCM_NONCE_BYTES, false, 16);
  }

  @Override
  String mode() {
    return algorithm == NativeCrypto.AES_GCM ? "GCM" : algorithm == NativeCrypto.AES_GCM_SIV ? "GCM-SIV" : "CCM";
  }

  @Override
  void checkKeyLength(int length) throws InvalidKeyException {
    boolean any = length == 16 || length == 32 || length == 24 && algorithm == NativeCrypto.AES_GCM;
    if (onlyKeyBytes != 0 ? length != onlyKeyBytes : !any) {
      String wanted = onlyKeyBytes != 0
          ? String.valueOf(onlyKeyBytes * 8)
          : algorithm == NativeCrypto.AES_GCM ? "128, 192 or 256" : "128 or 256";
      throw new InvalidKeyException("AES key of " + length * 8L + " bits; it must have " + wanted);
    }
  }

  @Override
  byte[] nonceIn(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
    byte[] nonce;
    if (spec instanceof GCMParameterSpec) {
      nonce = ((GCMParameterSpec) spec).getIV();
    } else if (spec instanceof IvParameterSpec) {
      nonce = ((IvParameterSpec) spec).getIV();
    } else {
      throw new InvalidAlgorithmParameterException(
          "AES-" + mode() + " takes a GCMParameterSpec, not " + spec.getClass().getName());
    }
    boolean good = algorithm == NativeCrypto.AES_GCM
        ? nonce.length > 0
        : nonce.length == (algorithm == NativeCrypto.AES_CCM ? CCM_NONCE_BYTES : SIV_NONCE_BYTES);
    if (!good) {
      throw new InvalidAlgorithmParameterException("the nonce (IV) has " + nonce.length + " bytes");
    }
    return nonce;
  }

  @Override
  int tagBytesIn(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
    if (!(spec instanceof GCMParameterSpec)) {
      return MAX_TAG_BYTES;
    }
    int bits = ((GCMParameterSpec) spec).getTLen();
    boolean good;
    switch (algorithm) {
      case NativeCrypto.AES_GCM:
        good = bits >= 96 && bits <= 128 && bits % 8 == 0;
        break;
      case NativeCrypto.AES_CCM:
        good = bits == 32 || bits == 64 || bits == 128;
        break;
      default:
        good = bits == 128;
    }
    if (!good) {
      throw new InvalidAlgorithmParameterException("AES-" + mode() + " tags do not have " + bits + " bits");
    }
    return bits / 8;
  }

  @Override
  AlgorithmParameterSpec specIn(AlgorithmParameters parameters) throws InvalidParameterSpecException {
    return parameters.getParameterSpec(GCMParameterSpec.class);
  }

  @Override
  AlgorithmParameters parametersOf(byte[] nonce, int tagBytes) {
    return GcmParametersSpi.of(algorithm == NativeCrypto.AES_CCM ? "CCM" : "GCM", nonce, tagBytes);
  }

  @Override
  boolean standsRepeatedNonces() {
    return algorithm == NativeCrypto.AES_GCM_SIV;
  }
}
