package org.postscrypt;

import java.security.spec.EncodedKeySpec;

/**
 * A key of X25519 or Ed25519 as its bare bytes: 32 bytes as RFC 7748 section 5 and RFC 8032 section 5.1.5 write them
 * (the private key of Ed25519 is its seed). The format is {@code raw}; key factories of ours accept every {@link
 * EncodedKeySpec} of that format. Immutable.
 */
public final class RawKeySpec extends EncodedKeySpec {
  /**
   * A copy of these bytes.
   *
   * @throws NullPointerException if {@code key} is null
   */
  public RawKeySpec(byte[] key) {
    super(key);
  }

  /** {@code raw}. */
  @Override
  public String getFormat() {
    return "raw";
  }
}
