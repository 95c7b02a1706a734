package org.postscrypt.jce;

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
    return Row.of("KDF", "HKDF-" + hash, () -> new HkdfSpi(hash));
  }
}
