package org.postscrypt.jce;

import java.security.PublicKey;
import java.util.Arrays;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** A public key in native memory. */
abstract class NativePublicKey extends NativeKey implements PublicKey {
  private static final long serialVersionUID = 1;

  private transient volatile byte[] encoded;

  NativePublicKey(NativeRef ref, int kind) {
    super(ref, kind);
  }

  private byte[] encoding() {
    byte[] bytes = encoded;
    if (bytes == null) {
      bytes = NativeCrypto.keyEncode(ref.handle(), ref);
      encoded = bytes;
    }
    return bytes;
  }

  /** {@code X.509}. */
  @Override
  public final String getFormat() {
    return "X.509";
  }

  /** A copy of the SubjectPublicKeyInfo (RFC 5280 section 4.1). */
  @Override
  public final byte[] getEncoded() {
    return encoding().clone();
  }

  @Override
  public final boolean equals(Object other) {
    if (other instanceof NativePublicKey) {
      return this == other
          || kind == ((NativePublicKey) other).kind && Arrays.equals(encoding(), ((NativePublicKey) other).encoding());
    }
    return other instanceof PublicKey
        && "X.509".equalsIgnoreCase(((PublicKey) other).getFormat())
        && Arrays.equals(encoding(), ((PublicKey) other).getEncoded());
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(encoding());
  }

  @Override
  public String toString() {
    return describe() + " public key";
  }
}
