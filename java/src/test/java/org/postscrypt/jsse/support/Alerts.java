package org.postscrypt.jsse.support;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;

/** What exceptions say about TLS alerts. */
public final class Alerts {
  private Alerts() {}

  /** Asserts that a message of {@code failure} or a cause names one of {@code alerts}, spelled as in RFC 8446. */
  public static void assertNames(Throwable failure, String... alerts) {
    assertNotNull(failure, () -> "no exception; expected one that names " + Arrays.toString(alerts));
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String message = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT).replace(' ', '_');
      if (Arrays.stream(alerts).anyMatch(message::contains)) {
        return;
      }
    }
    throw new AssertionError("expected the name of an alert of " + Arrays.toString(alerts), failure);
  }

  /** Asserts that {@code type} is in {@code failure}'s chain of causes. */
  public static void assertCause(Class<? extends Throwable> type, Throwable failure) {
    Throwable t = failure;
    while (t != null && !type.isInstance(t)) {
      t = t.getCause();
    }
    if (t == null) {
      throw new AssertionError("no " + type.getName() + " among the causes", failure);
    }
    assertTrue(t != failure, "a cause, not the exception itself");
  }
}
