package org.conscrypt;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;

/**
 * The side that encrypts, for one recipient (RFC 9180 section 5). Algorithms are named by their {@linkplain
 * HpkeSuite#name suites}.
 */
public class HpkeContextSender extends HpkeContext {
  HpkeContextSender(HpkeSpi spi) {
    super(spi);
  }

  /** The encapsulated key, that the recipient needs. */
  public byte[] getEncapsulated() {
    return spi.getEncapsulated();
  }

  /**
   * Encrypts and authenticates the next message.
   *
   * @param aad authenticated with it, not sent; may be null
   * @throws IllegalStateException before {@code init}
   */
  public byte[] seal(byte[] plaintext, byte[] aad) {
    return spi.engineSeal(plaintext, aad);
  }

  /**
   * A sender of the most preferred provider that has the algorithm.
   *
   * @throws NoSuchAlgorithmException if none has it
   */
  public static HpkeContextSender getInstance(String algorithm) throws NoSuchAlgorithmException {
    return new HpkeContextSender(find(algorithm));
  }

  /**
   * A sender of a registered provider.
   *
   * @throws NoSuchAlgorithmException if it does not have the algorithm
   * @throws NoSuchProviderException if there is no such provider
   */
  public static HpkeContextSender getInstance(String algorithm, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    return new HpkeContextSender(find(algorithm, provider));
  }

  /**
   * A sender of this provider.
   *
   * @throws NoSuchAlgorithmException if it does not have the algorithm
   */
  public static HpkeContextSender getInstance(String algorithm, Provider provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    return new HpkeContextSender(find(algorithm, provider));
  }

  /**
   * Base mode.
   *
   * @param info what both sides agree on; may be null
   * @throws InvalidKeyException if the key is not one of the suite's KEM
   * @throws IllegalStateException the second time
   */
  public void init(PublicKey recipientKey, byte[] info) throws InvalidKeyException {
    spi.engineInitSender(recipientKey, info, null, HpkeSpi.DEFAULT_PSK, HpkeSpi.DEFAULT_PSK_ID);
  }

  /** Auth mode: the recipient can tell that the holder of {@code senderKey} sent. */
  public void init(PublicKey recipientKey, byte[] info, PrivateKey senderKey) throws InvalidKeyException {
    spi.engineInitSender(recipientKey, info, senderKey, HpkeSpi.DEFAULT_PSK, HpkeSpi.DEFAULT_PSK_ID);
  }

  /** PSK mode: for recipients who know the pre-shared key of at least 32 bytes. */
  public void init(PublicKey recipientKey, byte[] info, byte[] psk, byte[] pskId) throws InvalidKeyException {
    spi.engineInitSender(recipientKey, info, null, psk, pskId);
  }

  /** AuthPSK mode: both. */
  public void init(PublicKey recipientKey, byte[] info, PrivateKey senderKey, byte[] psk, byte[] pskId)
      throws InvalidKeyException {
    spi.engineInitSender(recipientKey, info, senderKey, psk, pskId);
  }

  /** Base mode with a given ephemeral key: for known answers in tests. */
  public void initForTesting(PublicKey recipientKey, byte[] info, byte[] sKe) throws InvalidKeyException {
    spi.engineInitSenderForTesting(
        recipientKey, info, null, HpkeSpi.DEFAULT_PSK, HpkeSpi.DEFAULT_PSK_ID, sKe);
  }
}
