package org.conscrypt;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import org.postscrypt.HpkeRecipient;
import org.postscrypt.HpkeSender;

/** HPKE of one suite, in all four modes. */
final class HpkeImpl implements HpkeSpi {
  private static final byte[] NONE = new byte[0];

  private final HpkeSuite suite;
  private final org.postscrypt.HpkeSuite own;
  private HpkeSender sender;
  private HpkeRecipient recipient;

  HpkeImpl(HpkeSuite.KEM kem, HpkeSuite.KDF kdf, HpkeSuite.AEAD aead) {
    suite = new HpkeSuite(kem.getId(), kdf.getId(), aead.getId());
    own = org.postscrypt.HpkeSuite.of(kem.own, kdf.own, aead.own);
  }

  private void requireFresh() {
    if (sender != null || recipient != null) {
      throw new IllegalStateException("Already initialised");
    }
  }

  private static byte[] orEmpty(byte[] bytes) {
    return bytes == null ? NONE : bytes;
  }

  /** Whether there is a pre-shared key; half of one is none that could be used. */
  private static boolean isPsk(byte[] psk, byte[] pskId) {
    Objects.requireNonNull(psk, "null psk");
    Objects.requireNonNull(pskId, "null psk id");
    if ((psk.length == 0) != (pskId.length == 0)) {
      throw new IllegalArgumentException("a pre-shared key and its identity are given together");
    }
    return psk.length > 0;
  }

  private static <K> K present(K key, String what) throws InvalidKeyException {
    if (key == null) {
      throw new InvalidKeyException("null " + what + " key");
    }
    return key;
  }

  @Override
  public void engineInitSender(PublicKey recipientKey, byte[] info, PrivateKey senderKey, byte[] psk, byte[] pskId)
      throws InvalidKeyException {
    requireFresh();
    PublicKey to = OwnKeys.own(present(recipientKey, "recipient"));
    PrivateKey from = senderKey == null ? null : OwnKeys.own(senderKey);
    byte[] context = orEmpty(info);
    try {
      if (isPsk(psk, pskId)) {
        sender = from == null
            ? own.senderPsk(to, context, psk, pskId)
            : own.senderAuthPsk(to, context, psk, pskId, from);
      } else {
        sender = from == null ? own.sender(to, context) : own.senderAuth(to, context, from);
      }
    } catch (InvalidAlgorithmParameterException e) {
      throw new UnsupportedOperationException(e.getMessage(), e);
    }
  }

  @Override
  public void engineInitSenderForTesting(
      PublicKey recipientKey, byte[] info, PrivateKey senderKey, byte[] psk, byte[] pskId, byte[] sKe)
      throws InvalidKeyException {
    requireFresh();
    if (sKe == null) {
      throw new IllegalArgumentException("null seed");
    }
    if (senderKey != null || isPsk(psk, pskId)) {
      throw new UnsupportedOperationException("only in base mode");
    }
    sender = own.deterministicSender(OwnKeys.own(present(recipientKey, "recipient")), orEmpty(info), sKe);
  }

  @Override
  public void engineInitRecipient(
      byte[] encapsulated, PrivateKey recipientKey, byte[] info, PublicKey senderKey, byte[] psk, byte[] pskId)
      throws InvalidKeyException {
    requireFresh();
    Objects.requireNonNull(encapsulated, "null encapsulated data");
    if (encapsulated.length != suite.getKem().getEncapsulatedLength()) {
      throw new InvalidKeyException("Invalid encapsulated length: " + encapsulated.length);
    }
    PrivateKey to = OwnKeys.own(present(recipientKey, "recipient"));
    PublicKey from = senderKey == null ? null : OwnKeys.own(senderKey);
    byte[] context = orEmpty(info);
    try {
      if (isPsk(psk, pskId)) {
        recipient = from == null
            ? own.recipientPsk(to, encapsulated, context, psk, pskId)
            : own.recipientAuthPsk(to, encapsulated, context, psk, pskId, from);
      } else {
        recipient = from == null
            ? own.recipient(to, encapsulated, context)
            : own.recipientAuth(to, encapsulated, context, from);
      }
    } catch (InvalidKeyException e) {
      throw e;
    } catch (InvalidAlgorithmParameterException e) {
      throw new UnsupportedOperationException(e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  private HpkeSender sender() {
    if (sender == null) {
      throw new IllegalStateException(recipient == null ? "Not initialised" : "not a sender");
    }
    return sender;
  }

  @Override
  public byte[] engineSeal(byte[] plaintext, byte[] aad) {
    HpkeSender s = sender();
    return s.seal(Objects.requireNonNull(plaintext, "null plaintext"), orEmpty(aad));
  }

  @Override
  public byte[] engineOpen(byte[] ciphertext, byte[] aad) throws GeneralSecurityException {
    if (recipient == null) {
      throw new IllegalStateException(sender == null ? "Not initialised" : "not a recipient");
    }
    try {
      return recipient.open(Objects.requireNonNull(ciphertext, "null ciphertext"), orEmpty(aad));
    } catch (AEADBadTagException e) {
      HpkeDecryptException refusal = new HpkeDecryptException(e.getMessage());
      refusal.initCause(e);
      throw refusal;
    }
  }

  @Override
  public byte[] engineExport(int length, byte[] context) {
    if (sender == null && recipient == null) {
      throw new IllegalStateException("Not initialised");
    }
    long most = suite.getKdf().maxExportLength();
    if (length < 0 || length > most) {
      throw new IllegalArgumentException("Export length must be between 0 and " + most + ", but was " + length);
    }
    return sender != null
        ? sender.export(orEmpty(context), length)
        : recipient.export(orEmpty(context), length);
  }

  @Override
  public byte[] getEncapsulated() {
    return sender().encapsulatedKey();
  }
}
