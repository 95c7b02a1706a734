package org.postscrypt.jce;

import java.util.Collections;
import java.util.List;
import org.postscrypt.service.Row;

/** The rows of {@code javax.crypto.KEM}, which Java 21 brought: older ones have none. */
final class KemServices {
  private KemServices() {}

  static List<Row> rows() {
    return Collections.emptyList();
  }
}
