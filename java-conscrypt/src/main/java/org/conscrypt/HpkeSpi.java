package org.conscrypt;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;

/**
 * What a provider implements for {@link HpkeContextSender} and {@link HpkeContextRecipient}, as services of type
 * {@code ConscryptHpke}.
 */
public interface HpkeSpi {
  /** Stands for no pre-shared key. */
  byte[] DEFAULT_PSK = new byte[0];

  /** Stands for no pre-shared key's identity. */
  byte[] DEFAULT_PSK_ID = new byte[0];

  /** Becomes a sender (RFC 9180 section 5.1); a null {@code senderKey}: not authenticated. */
  void engineInitSender(PublicKey recipientKey, byte[] info, PrivateKey senderKey, byte[] psk, byte[] pskId)
      throws InvalidKeyException;

  /** Becomes a sender whose ephemeral key follows from {@code sKe}, for known answers in tests. */
  void engineInitSenderForTesting(
      PublicKey recipientKey, byte[] info, PrivateKey senderKey, byte[] psk, byte[] pskId, byte[] sKe)
      throws InvalidKeyException;

  /** Becomes a recipient. */
  void engineInitRecipient(
      byte[] encapsulated, PrivateKey recipientKey, byte[] info, PublicKey senderKey, byte[] psk, byte[] pskId)
      throws InvalidKeyException;

  /** A sender encrypts its next message; {@code aad} may be null. */
  byte[] engineSeal(byte[] plaintext, byte[] aad);

  /** A recipient decrypts its next message; {@code aad} may be null. */
  byte[] engineOpen(byte[] ciphertext, byte[] aad) throws GeneralSecurityException;

  /** A derived secret (RFC 9180 section 5.3); {@code context} may be null. */
  byte[] engineExport(int length, byte[] context);

  /** A sender's encapsulated key. */
  byte[] getEncapsulated();
}
