package org.postscrypt.jce;

import java.util.List;
import org.postscrypt.service.Row;

/** The rows of {@code javax.crypto.KEM}. */
final class KemServices {
  private KemServices() {}

  static List<Row> rows() {
    return List.of(
        row("ML-KEM", PqAlgorithm.ML_KEM),
        row("ML-KEM-768", List.of(PqAlgorithm.ML_KEM_768)).oid(PqAlgorithm.ML_KEM_768.oid),
        row("ML-KEM-1024", List.of(PqAlgorithm.ML_KEM_1024)).oid(PqAlgorithm.ML_KEM_1024.oid),
        row("DHKEM", PqAlgorithm.DHKEM),
        row("XWING", List.of(PqAlgorithm.X_WING)).alias("X-Wing").oid(PqAlgorithm.X_WING.oid));
  }

  private static Row row(String name, List<PqAlgorithm> allowed) {
    return Row.of("KEM", name, new KemMaker(allowed)).attribute("ImplementedIn", "Software");
  }

  /** No lambda, as {@link Maker}. */
  private static final class KemMaker implements Row.Factory {
    private final List<PqAlgorithm> allowed;

    KemMaker(List<PqAlgorithm> allowed) {
      this.allowed = allowed;
    }

    @Override
    public Object newInstance() {
      return new PqKemSpi(allowed);
    }
  }
}
