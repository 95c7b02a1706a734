package org.conscrypt;

import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.Security;
import java.util.Objects;

/** One side of hybrid public key encryption (RFC 9180). Not for several threads at once. */
public abstract class HpkeContext {
  private static final String TYPE = "ConscryptHpke";

  final HpkeSpi spi;

  HpkeContext(HpkeSpi spi) {
    this.spi = Objects.requireNonNull(spi, "spi");
  }

  /**
   * A secret that the other side can derive too (RFC 9180 section 5.3).
   *
   * @param length in bytes, 0 to 255 times the length of the KDF's hash
   * @param context tells secrets apart; may be null
   * @throws IllegalArgumentException if the length is out of range
   * @throws IllegalStateException before {@code init}
   */
  public byte[] export(int length, byte[] context) {
    return spi.engineExport(length, context);
  }

  /** What implements this. */
  public HpkeSpi getSpi() {
    return spi;
  }

  /** The implementation of the most preferred provider that has one. */
  static HpkeSpi find(String algorithm) throws NoSuchAlgorithmException {
    if (algorithm == null) {
      throw new NoSuchAlgorithmException("null algorithm");
    }
    for (Provider provider : Security.getProviders()) {
      Provider.Service service = provider.getService(TYPE, algorithm);
      Object made = service == null ? null : service.newInstance(null);
      if (made instanceof HpkeSpi) {
        return (HpkeSpi) made;
      }
    }
    throw new NoSuchAlgorithmException("No Provider found for: " + algorithm);
  }

  /** The implementation of a registered provider. */
  static HpkeSpi find(String algorithm, String providerName) throws NoSuchAlgorithmException, NoSuchProviderException {
    if (providerName == null || providerName.isEmpty()) {
      throw new IllegalArgumentException("null or empty Provider name");
    }
    Provider provider = Security.getProvider(providerName);
    if (provider == null) {
      throw new NoSuchProviderException("Unknown Provider: " + providerName);
    }
    return find(algorithm, provider);
  }

  /** The implementation of this provider. */
  static HpkeSpi find(String algorithm, Provider provider) throws NoSuchAlgorithmException {
    if (provider == null) {
      throw new IllegalArgumentException("null Provider");
    }
    if (algorithm == null) {
      throw new NoSuchAlgorithmException("null algorithm");
    }
    Provider.Service service = provider.getService(TYPE, algorithm);
    Object made = service == null ? null : service.newInstance(null);
    if (made instanceof HpkeSpi) {
      return (HpkeSpi) made;
    }
    throw new NoSuchAlgorithmException("Unknown algorithm");
  }
}
