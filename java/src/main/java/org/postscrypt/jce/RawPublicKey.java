package org.postscrypt.jce;

import org.postscrypt.nat.NativeRef;

/** A public key of X25519 or Ed25519. */
class RawPublicKey extends NativePublicKey {
  private static final long serialVersionUID = 1;

  RawPublicKey(NativeRef ref, int kind) {
    super(ref, kind);
  }
}
