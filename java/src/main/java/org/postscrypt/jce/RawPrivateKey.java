package org.postscrypt.jce;

import org.postscrypt.nat.NativeRef;

/** A private key of X25519 or Ed25519. */
class RawPrivateKey extends NativePrivateKey {
  private static final long serialVersionUID = 1;

  RawPrivateKey(NativeRef ref, int kind) {
    super(ref, kind);
  }
}
