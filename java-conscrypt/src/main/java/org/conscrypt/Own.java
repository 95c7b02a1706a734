package org.conscrypt;

import java.security.Provider;
import org.postscrypt.Postscrypt;
import org.postscrypt.PostscryptProvider;

/** The provider behind all of this, for what belongs to no {@link OpenSSLProvider}. */
final class Own {
  private Own() {}

  /** Its own class, so that a missing library is no {@code NoClassDefFoundError} for others. */
  private static final class Holder {
    static final Provider PROVIDER = new PostscryptProvider();
  }

  /**
   * Postscrypt's provider.
   *
   * @throws UnsatisfiedLinkError if its library is not to be had here; the cause says why
   */
  static Provider provider() {
    checkAvailability();
    return Holder.PROVIDER;
  }

  /** As {@link Conscrypt#checkAvailability}. */
  static void checkAvailability() {
    Throwable cause = Postscrypt.unavailabilityCause();
    if (cause != null) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(cause.getMessage());
      error.initCause(cause);
      throw error;
    }
  }
}
