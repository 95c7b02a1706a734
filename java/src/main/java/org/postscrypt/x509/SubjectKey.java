package org.postscrypt.x509;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import org.postscrypt.service.OwnProvider;

/**
 * A SubjectPublicKeyInfo: its structure is checked when parsed, the key made when first asked for. Thread-safe.
 */
final class SubjectKey {
  private final Der info;
  private final String oid;
  private volatile PublicKey key;

  /** Reads the next element. */
  SubjectKey(Der in) throws DerException {
    info = in.next(Der.SEQUENCE);
    AlgorithmIdentifier algorithm = new AlgorithmIdentifier(info);
    Der bits = info.next(Der.BIT_STRING);
    info.finish();
    oid = algorithm.oid;
    bits.bits();
    if (oid.equals(AlgorithmNames.RSA) || oid.equals(AlgorithmNames.RSASSA_PSS)) {
      Der whole = bits.inBits();
      Der numbers = whole.next(Der.SEQUENCE);
      whole.finish();
      positive(numbers.next(Der.INTEGER));
      positive(numbers.next(Der.INTEGER));
      numbers.finish();
    } else if (oid.equals(AlgorithmNames.EC)) {
      bits.checkBitOctets();
      int form = bits.length() > 1 ? bits.octet(1) : -1;
      if (form != 4 && form != 2 && form != 3) {
        throw new DerException("EC point form " + form);
      }
    }
  }

  private static void positive(Der number) throws DerException {
    if (number.integer().signum() <= 0) {
      throw new DerException("RSA number is not positive");
    }
  }

  String oid() {
    return oid;
  }

  /** The key from our own provider's KeyFactory, else from any other; opaque if none takes it. */
  PublicKey get() {
    PublicKey made = key;
    if (made == null) {
      made = make(info.encoded(), oid);
      key = made;
    }
    return made;
  }

  private static PublicKey make(byte[] encoding, String oid) {
    String name = AlgorithmNames.key(oid);
    X509EncodedKeySpec spec = new X509EncodedKeySpec(encoding);
    Provider own = OwnProvider.get();
    if (own != null && own.getService("KeyFactory", name) != null) {
      try {
        return KeyFactory.getInstance(name, own).generatePublic(spec);
      } catch (GeneralSecurityException | RuntimeException e) {
        // Another provider may know a curve or a size that ours does not.
      }
    }
    try {
      // The factory goes through all providers until one takes the key.
      return KeyFactory.getInstance(name).generatePublic(spec);
    } catch (GeneralSecurityException | RuntimeException e) {
      return new OpaquePublicKey(name, encoding);
    }
  }
}
