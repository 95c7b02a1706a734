package org.conscrypt;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;

/**
 * The side that decrypts, messages in the order in which they were sealed (RFC 9180 section 5). Algorithms are named
 * by their
 * {@linkplain HpkeSuite#name suites}.
 */
public class HpkeContextRecipient extends HpkeContext {
  HpkeContextRecipient(HpkeSpi spi) {
    super(spi);
  }

  /**
   * Decrypts the next message.
   *
   * @param aad as the sender gave it; may be null
   * @throws HpkeDecryptException if it is not the sender's next one
   * @throws IllegalStateException before {@code init}
   */
  public byte[] open(byte[] ciphertext, byte[] aad) throws GeneralSecurityException {
    return spi.engineOpen(ciphertext, aad);
  }

  /**
   * A recipient of the most preferred provider that has the algorithm.
   *
   * @throws NoSuchAlgorithmException if none has it
   */
  public static HpkeContextRecipient getInstance(String algorithm) throws NoSuchAlgorithmException {
    return new HpkeContextRecipient(find(algorithm));
  }

  /**
   * A recipient of a registered provider.
   *
   * @throws NoSuchAlgorithmException if it does not have the algorithm
   * @throws NoSuchProviderException if there is no such provider
   */
  public static HpkeContextRecipient getInstance(String algorithm, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    return new HpkeContextRecipient(find(algorithm, provider));
  }

  /**
   * A recipient of this provider.
   *
   * @throws NoSuchAlgorithmException if it does not have the algorithm
   */
  public static HpkeContextRecipient getInstance(String algorithm, Provider provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    return new HpkeContextRecipient(find(algorithm, provider));
  }

  /**
   * Base mode.
   *
   * @param encapsulated the sender's encapsulated key
   * @param info what both sides agree on; may be null
   * @throws InvalidKeyException if the key is not one of the suite's KEM, or the encapsulated one malformed
   * @throws IllegalStateException the second time
   */
  public void init(byte[] encapsulated, PrivateKey recipientKey, byte[] info) throws InvalidKeyException {
    spi.engineInitRecipient(encapsulated, recipientKey, info, null, HpkeSpi.DEFAULT_PSK, HpkeSpi.DEFAULT_PSK_ID);
  }

  /** Auth mode: messages of the holder of {@code senderKey}'s private key. */
  public void init(byte[] encapsulated, PrivateKey recipientKey, byte[] info, PublicKey senderKey)
      throws InvalidKeyException {
    spi.engineInitRecipient(
        encapsulated, recipientKey, info, senderKey, HpkeSpi.DEFAULT_PSK, HpkeSpi.DEFAULT_PSK_ID);
  }

  /** PSK mode: messages of who knows the pre-shared key. */
  public void init(byte[] encapsulated, PrivateKey recipientKey, byte[] info, byte[] psk, byte[] pskId)
      throws InvalidKeyException {
    spi.engineInitRecipient(encapsulated, recipientKey, info, null, psk, pskId);
  }

  /** AuthPSK mode: both. */
  public void init(
      byte[] encapsulated, PrivateKey recipientKey, byte[] info, PublicKey senderKey, byte[] psk, byte[] pskId)
      throws InvalidKeyException {
    spi.engineInitRecipient(encapsulated, recipientKey, info, senderKey, psk, pskId);
  }
}
