package org.postscrypt.service;

import java.security.Provider;

/** The provider, for objects of ours that must name it (an {@code AlgorithmParameters}, say). */
public final class OwnProvider {
  private static volatile Provider first;

  private OwnProvider() {}

  /** The provider that was made first; null only while none was. */
  public static Provider get() {
    return first;
  }

  /** Called by each provider once it is complete; all but the first call are ignored. */
  public static synchronized void set(Provider provider) {
    if (first == null) {
      first = provider;
    }
  }
}
