package org.postscrypt.jce;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.postscrypt.jce.Maker.Spi;
import org.postscrypt.service.Row;

/** The rows of ML-KEM, ML-DSA, SLH-DSA and X-Wing; those of {@code KEM} are in {@link KemServices}. */
final class PqServices {
  private PqServices() {}

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    keys(rows, "ML-KEM", PqAlgorithm.ML_KEM);
    keys(rows, "ML-DSA", PqAlgorithm.ML_DSA);
    rows.add(signature("ML-DSA", PqAlgorithm.ML_DSA));
    for (PqAlgorithm algorithm : PqAlgorithm.values()) {
      if (PqAlgorithm.DHKEM.contains(algorithm)) {
        continue;
      }
      List<PqAlgorithm> only = Collections.singletonList(algorithm);
      keys(rows, algorithm.standardName, only);
      if (PqAlgorithm.ML_DSA.contains(algorithm) || algorithm == PqAlgorithm.SLH_DSA_SHA2_128S) {
        rows.add(signature(algorithm.standardName, only));
      }
    }
    return rows;
  }

  private static void keys(List<Row> rows, String name, List<PqAlgorithm> allowed) {
    rows.add(named(Row.of("KeyPairGenerator", name, Maker.with(Spi.PQ_KEY_PAIR_GENERATOR, allowed)), allowed));
    rows.add(named(Row.of("KeyFactory", name, Maker.with(Spi.PQ_KEY_FACTORY, allowed)), allowed));
  }

  private static Row signature(String name, List<PqAlgorithm> allowed) {
    Row row = Row.of("Signature", name, Maker.with(Spi.PQ_SIGNATURE, allowed))
        .attribute("SupportedKeyFormats", "PKCS#8|X.509");
    return named(row, allowed);
  }

  private static Row named(Row row, List<PqAlgorithm> allowed) {
    if (allowed.size() > 1) {
      return row;
    }
    Row named = row.attribute("ImplementedIn", "Software").oid(allowed.get(0).oid);
    return allowed.get(0) == PqAlgorithm.X_WING ? named.alias("X-Wing") : named;
  }
}
