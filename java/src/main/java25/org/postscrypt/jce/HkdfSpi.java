package org.postscrypt.jce;

import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.KDFParameters;
import javax.crypto.KDFSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.Hkdf;
import org.postscrypt.nat.KeyEncoding;

/**
 * HKDF (RFC 5869) from an {@link HKDFParameterSpec}: extract, expand or both. Several secrets or salts are put one
 * after the other. Stateless, so safe for threads.
 */
final class HkdfSpi extends KDFSpi {
  private final Hkdf hkdf;

  /** @param hash the hash function's name */
  HkdfSpi(String hash) throws InvalidAlgorithmParameterException, NoSuchAlgorithmException {
    super(null);
    hkdf = Hkdf.getInstance(hash);
  }

  @Override
  protected KDFParameters engineGetParameters() {
    return null;
  }

  @Override
  protected SecretKey engineDeriveKey(String algorithm, AlgorithmParameterSpec spec)
      throws InvalidAlgorithmParameterException, NoSuchAlgorithmException {
    if (algorithm == null) {
      throw new NullPointerException("algorithm");
    }
    if (algorithm.isEmpty()) {
      throw new NoSuchAlgorithmException("the name of the key's algorithm is empty");
    }
    byte[] derived = engineDeriveData(spec);
    try {
      return new SecretKeySpec(derived, algorithm);
    } finally {
      Arrays.fill(derived, (byte) 0);
    }
  }

  @Override
  protected byte[] engineDeriveData(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
    if (spec instanceof HKDFParameterSpec.Extract extract) {
      return extract(extract.salts(), extract.ikms());
    }
    if (spec instanceof HKDFParameterSpec.Expand expand) {
      byte[] key = encoded(expand.prk());
      try {
        return expand(key, expand.info(), expand.length());
      } finally {
        Arrays.fill(key, (byte) 0);
      }
    }
    if (spec instanceof HKDFParameterSpec.ExtractThenExpand both) {
      byte[] key = extract(both.salts(), both.ikms());
      try {
        return expand(key, both.info(), both.length());
      } finally {
        Arrays.fill(key, (byte) 0);
      }
    }
    throw new InvalidAlgorithmParameterException("HKDF takes an HKDFParameterSpec");
  }

  private byte[] extract(List<SecretKey> salts, List<SecretKey> secrets) throws InvalidAlgorithmParameterException {
    byte[] salt = joined(salts);
    byte[] secret = Bytes.EMPTY;
    try {
      secret = joined(secrets);
      return hkdf.extract(salt, secret);
    } finally {
      Arrays.fill(salt, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  private byte[] expand(byte[] key, byte[] info, int length) throws InvalidAlgorithmParameterException {
    try {
      return hkdf.expand(key, info, length);
    } catch (IllegalArgumentException e) {
      throw new InvalidAlgorithmParameterException(e.getMessage(), e);
    }
  }

  private static byte[] joined(List<SecretKey> keys) throws InvalidAlgorithmParameterException {
    byte[] all = Bytes.EMPTY;
    for (SecretKey key : keys) {
      byte[] next = encoded(key);
      byte[] longer = Arrays.copyOf(all, Math.addExact(all.length, next.length));
      System.arraycopy(next, 0, longer, all.length, next.length);
      Arrays.fill(all, (byte) 0);
      Arrays.fill(next, (byte) 0);
      all = longer;
    }
    return all;
  }

  private static byte[] encoded(SecretKey key) throws InvalidAlgorithmParameterException {
    byte[] encoded = KeyEncoding.copy(key);
    if (encoded == null) {
      throw new InvalidAlgorithmParameterException("a key does not show its bytes");
    }
    return encoded;
  }
}
