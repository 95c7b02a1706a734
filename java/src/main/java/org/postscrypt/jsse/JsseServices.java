package org.postscrypt.jsse;

import java.util.Collections;
import java.util.List;
import org.postscrypt.service.Row;

/** The JSSE's service table. */
public final class JsseServices {
  private JsseServices() {}

  /** All services; none yet. */
  public static List<Row> rows() {
    return Collections.emptyList();
  }
}
