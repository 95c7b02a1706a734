package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactorySpi;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import org.postscrypt.RawKeySpec;

/** Keys of some parameter sets from and to X.509, PKCS#8 and raw specifications. */
final class PqKeyFactorySpi extends KeyFactorySpi {
  private final List<PqAlgorithm> allowed;

  PqKeyFactorySpi(List<PqAlgorithm> allowed) {
    this.allowed = allowed;
  }

  /** Tells keys of other parameter sets away. */
  static void check(List<PqAlgorithm> allowed, PqAlgorithm algorithm) throws InvalidKeyException {
    if (!allowed.contains(algorithm)) {
      throw new InvalidKeyException("a key of " + algorithm.standardName + " does not serve here");
    }
  }

  private static byte[] encoded(KeySpec spec, String format) throws InvalidKeySpecException {
    if (spec instanceof EncodedKeySpec) {
      EncodedKeySpec given = (EncodedKeySpec) spec;
      if (format.equalsIgnoreCase(given.getFormat()) || "RAW".equalsIgnoreCase(given.getFormat())) {
        byte[] bytes = given.getEncoded();
        if (bytes != null) {
          return bytes;
        }
      }
    }
    throw new InvalidKeySpecException(
        (spec == null ? "null" : spec.getClass().getName()) + " is neither " + format + " nor RAW");
  }

  private static boolean isRaw(KeySpec spec) {
    return "RAW".equalsIgnoreCase(((EncodedKeySpec) spec).getFormat());
  }

  @Override
  protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
    byte[] bytes = encoded(spec, "X.509");
    try {
      PqPublicKey key;
      if (isRaw(spec)) {
        key = PqPublicKey.fromBytes(bySize(bytes.length, true), bytes);
      } else {
        key = PqPublicKey.fromEncoded(bytes);
      }
      check(allowed, key.algorithm());
      return key;
    } catch (InvalidKeyException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    }
  }

  @Override
  protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
    byte[] bytes = encoded(spec, "PKCS#8");
    try {
      PqPrivateKey key;
      if (isRaw(spec)) {
        key = PqPrivateKey.fromBytes(bySize(bytes.length, false), bytes);
      } else {
        key = PqPrivateKey.fromEncoded(bytes);
      }
      check(allowed, key.algorithm());
      return key;
    } catch (InvalidKeyException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** The native number of the one parameter set whose raw keys have this length. */
  private int bySize(int length, boolean isPublic) throws InvalidKeySpecException {
    PqAlgorithm found = null;
    for (PqAlgorithm algorithm : allowed) {
      boolean fits = isPublic
          ? length == algorithm.publicLength
          : length == algorithm.seedLength || length == algorithm.expandedLength;
      if (fits && found != null) {
        throw new InvalidKeySpecException("a seed does not tell its parameter set: use the key factory of that");
      }
      found = fits ? algorithm : found;
    }
    if (found == null) {
      throw new InvalidKeySpecException("no raw key has " + length + " bytes");
    }
    return found.ordinal();
  }

  @Override
  protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> type) throws InvalidKeySpecException {
    try {
      Key translated = engineTranslateKey(key);
      if (translated instanceof PqPublicKey) {
        if (type.isAssignableFrom(X509EncodedKeySpec.class)) {
          return type.cast(new X509EncodedKeySpec(translated.getEncoded()));
        }
        if (type == RawKeySpec.class) {
          return type.cast(new RawKeySpec(((PqPublicKey) translated).bytes()));
        }
      } else if (type.isAssignableFrom(PKCS8EncodedKeySpec.class) || type == RawKeySpec.class) {
        boolean raw = type == RawKeySpec.class;
        byte[] bytes = raw ? ((PqPrivateKey) translated).bytes() : translated.getEncoded();
        try {
          return type.cast(raw ? new RawKeySpec(bytes) : new PKCS8EncodedKeySpec(bytes));
        } finally {
          Arrays.fill(bytes, (byte) 0);
        }
      }
      throw new InvalidKeySpecException("no " + type.getName() + " of a " + translated);
    } catch (InvalidKeyException | IllegalStateException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    }
  }

  @Override
  protected Key engineTranslateKey(Key key) throws InvalidKeyException {
    if (key instanceof PrivateKey) {
      PqPrivateKey translated = PqPrivateKey.from(key);
      check(allowed, translated.algorithm());
      return translated;
    }
    PqPublicKey translated = PqPublicKey.from(key);
    check(allowed, translated.algorithm());
    return translated;
  }
}
