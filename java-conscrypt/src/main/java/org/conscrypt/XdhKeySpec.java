package org.conscrypt;

import java.security.spec.EncodedKeySpec;
import java.util.Arrays;

/** The bytes of a key of X25519 (RFC 7748 section 5), without ASN.1 around them: format {@code raw}. */
public final class XdhKeySpec extends EncodedKeySpec {
  /** Copies the bytes. */
  public XdhKeySpec(byte[] encoded) {
    super(encoded);
  }

  /** {@code raw}. */
  @Override
  public String getFormat() {
    return "raw";
  }

  /** A copy of the bytes. */
  public byte[] getKey() {
    return getEncoded();
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof EncodedKeySpec
        && getFormat().equals(((EncodedKeySpec) other).getFormat())
        && java.security.MessageDigest.isEqual(getEncoded(), ((EncodedKeySpec) other).getEncoded());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(getEncoded());
  }
}
