package org.postscrypt.x509;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import org.postscrypt.service.OwnProvider;

/**
 * Verification of a signed object's signature: the contract of {@code Certificate.verify} and {@code X509CRL.verify},
 * with nothing else thrown than these exceptions.
 */
final class SignatureCheck {
  private final AlgorithmIdentifier algorithm;
  private final byte[] signed;
  private final byte[] signature;

  SignatureCheck(AlgorithmIdentifier algorithm, byte[] signed, byte[] signature) {
    this.algorithm = algorithm;
    this.signed = signed;
    this.signature = signature;
  }

  /** With our own provider if it has the algorithm and takes the key, else with any. */
  void verify(PublicKey key)
      throws NoSuchAlgorithmException, InvalidKeyException, SignatureException, InvalidAlgorithmParameterException {
    String name = algorithm.signatureName();
    Provider own = OwnProvider.get();
    if (own != null && own.getService("Signature", name) != null) {
      try {
        verify(key, Signature.getInstance(name, own));
        return;
      } catch (InvalidKeyException | InvalidAlgorithmParameterException e) {
        // A key or parameters that another provider may take.
      }
    }
    verify(key, Signature.getInstance(name));
  }

  /** With this provider; with any if it is null or empty, as the JDK does. */
  void verify(PublicKey key, String provider)
      throws NoSuchAlgorithmException, InvalidKeyException, NoSuchProviderException, SignatureException,
          InvalidAlgorithmParameterException {
    if (provider == null || provider.isEmpty()) {
      verify(key);
    } else {
      verify(key, Signature.getInstance(algorithm.signatureName(), provider));
    }
  }

  /** With this provider; with any if it is null, as the JDK does. */
  void verify(PublicKey key, Provider provider)
      throws NoSuchAlgorithmException, InvalidKeyException, SignatureException, InvalidAlgorithmParameterException {
    if (provider == null) {
      verify(key);
    } else {
      verify(key, Signature.getInstance(algorithm.signatureName(), provider));
    }
  }

  private void verify(PublicKey key, Signature verifier)
      throws InvalidKeyException, SignatureException, InvalidAlgorithmParameterException {
    if (key == null) {
      throw new InvalidKeyException("key is null");
    }
    AlgorithmParameterSpec parameters = algorithm.signatureParameters();
    boolean right;
    try {
      if (parameters != null) {
        verifier.setParameter(parameters);
      }
      verifier.initVerify(key);
      verifier.update(signed);
      right = verifier.verify(signature);
    } catch (RuntimeException e) {
      // Providers throw what they like at keys and signatures that they did not expect.
      throw new SignatureException("Signature cannot be verified: " + e.getMessage(), e);
    }
    if (!right) {
      throw new SignatureException("Signature does not match");
    }
  }
}
