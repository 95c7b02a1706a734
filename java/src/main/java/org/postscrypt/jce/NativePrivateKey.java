package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * A private key in native memory; the Java heap has no copy of its secrets. After {@link #destroy} it throws {@link
 * IllegalStateException} from whatever needs them, equals only itself and keeps its hash code.
 */
abstract class NativePrivateKey extends NativeKey implements PrivateKey {
  private static final long serialVersionUID = 1;

  /** Of the public half; 0: not computed. */
  private transient volatile int hash;

  NativePrivateKey(NativeRef ref, int kind) {
    super(ref, kind);
  }

  /** {@code PKCS#8}. */
  @Override
  public final String getFormat() {
    return "PKCS#8";
  }

  /** PKCS#8 version 1 (RFC 5208). */
  @Override
  public final byte[] getEncoded() {
    NativeRef r = ref();
    return NativeCrypto.keyEncode(r.handle(), r);
  }

  /** The native memory is zeroed and freed when nothing uses it any more. */
  @Override
  public final void destroy() {
    if (ref != null) {
      // Computed while it can be; an RSA key keeps its modulus with it, for toString.
      hashCode();
      ref = null;
    }
  }

  @Override
  public final boolean isDestroyed() {
    return ref == null;
  }

  @Override
  public final boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof PrivateKey) || !"PKCS#8".equalsIgnoreCase(((PrivateKey) other).getFormat())
        || isDestroyed() || other instanceof NativeKey && ((NativePrivateKey) other).isDestroyed()) {
      return false;
    }
    byte[] ours = getEncoded();
    byte[] theirs = KeyEncoding.copy((PrivateKey) other);
    boolean equal = theirs != null && MessageDigest.isEqual(ours, theirs);
    Numbers.clear(ours, theirs);
    return equal;
  }

  @Override
  public final int hashCode() {
    int h = hash;
    if (h == 0) {
      h = publicHash();
      h = h == 0 ? 1 : h;
      hash = h;
    }
    return h;
  }

  int publicHash() {
    NativeRef r = ref();
    try {
      return NativeKey.publicKey(NativeCrypto.keyPublicHalf(r.handle(), r)).hashCode();
    } catch (InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return describe() + " private key" + (isDestroyed() ? ", destroyed" : "");
  }
}
