package org.postscrypt.jce;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import org.postscrypt.service.Row;

/** Services of the type {@code KDF}. */
final class KdfServices {
  private KdfServices() {}

  static List<Row> rows() {
    return Arrays.asList(hkdf("SHA256"), hkdf("SHA384"), hkdf("SHA512"));
  }

  private static Row hkdf(String hash) {
    return Row.of("KDF", "HKDF-" + hash, new KdfMaker(hash));
  }

  /** No lambda, as {@link Maker}. */
  private static final class KdfMaker implements Row.Factory {
    private final String hash;

    KdfMaker(String hash) {
      this.hash = hash;
    }

    @Override
    public Object newInstance() throws GeneralSecurityException {
      return new HkdfSpi(hash);
    }
  }
}
