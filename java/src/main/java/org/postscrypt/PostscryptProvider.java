package org.postscrypt;

import java.security.Provider;

/** The security provider {@code Postscrypt}. */
public final class PostscryptProvider extends Provider {
  private static final long serialVersionUID = 1;

  /** A provider that serves what its table lists. */
  public PostscryptProvider() {
    super("Postscrypt", 0.1, "BoringSSL through Rust");
  }
}
