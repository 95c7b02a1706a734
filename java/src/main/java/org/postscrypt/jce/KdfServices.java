package org.postscrypt.jce;

import java.util.Collections;
import java.util.List;
import org.postscrypt.service.Row;

/** Services of the type {@code KDF}, which Java has from 25 on: this version offers none, the one for Java 25 does. */
final class KdfServices {
  private KdfServices() {}

  static List<Row> rows() {
    return Collections.emptyList();
  }
}
