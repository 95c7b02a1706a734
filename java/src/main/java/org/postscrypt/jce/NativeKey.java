package org.postscrypt.jce;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.security.Key;
import java.security.PrivateKey;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * A key that was parsed once into native memory. Immutable but for {@link NativePrivateKey#destroy}; any number of
 * threads may use it. It serialises as its encoding, and equals every key with the same encoding.
 */
abstract class NativeKey implements Key {
  private static final long serialVersionUID = 1;
  private static final NativeRef.Free FREE = NativeCrypto::keyFree;

  final transient int kind;
  /** Null once destroyed: what still uses it keeps it alive, and it is freed and zeroed behind the last use. */
  transient volatile NativeRef ref;

  NativeKey(NativeRef ref, int kind) {
    this.ref = ref;
    this.kind = kind;
  }

  /** Takes ownership of a handle. */
  static NativeRef own(long handle) {
    return new NativeRef(handle, FREE);
  }

  /**
   * The native key.
   *
   * @throws IllegalStateException if it was destroyed
   */
  final NativeRef ref() {
    NativeRef r = ref;
    if (r == null) {
      throw new IllegalStateException("the key was destroyed");
    }
    return r;
  }

  /** The key's numbers, which the caller zeroes if they are secret. */
  final byte[][] numbers() {
    NativeRef r = ref();
    return NativeCrypto.keyNumbers(r.handle(), r);
  }

  final Curve curve() {
    return Curve.of(kind);
  }

  @Override
  public final String getAlgorithm() {
    switch (kind) {
      case NativeCrypto.RSA:
        return "RSA";
      case NativeCrypto.RSA_PSS:
        return "RSASSA-PSS";
      case NativeCrypto.X25519:
        return "XDH";
      case NativeCrypto.ED25519:
        return "EdDSA";
      default:
        return "EC";
    }
  }

  /** What the key is, without its half. */
  String describe() {
    switch (kind) {
      case NativeCrypto.X25519:
        return "X25519";
      case NativeCrypto.ED25519:
        return "Ed25519";
      default:
        return "EC " + curve().standardName();
    }
  }

  Object writeReplace() {
    return new SerializedKey(this instanceof PrivateKey, getEncoded());
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("keys are serialised as their encodings");
  }

  /** The key object for a handle of a public key, of which it takes ownership. */
  static NativePublicKey publicKey(long handle) {
    NativeRef ref = own(handle);
    int kind = NativeCrypto.keyKind(handle, ref) & 0xff;
    switch (kind) {
      case NativeCrypto.RSA:
      case NativeCrypto.RSA_PSS:
        return new RsaPublicKey(ref, kind);
      case NativeCrypto.X25519:
        return XecKeys.publicKey(ref);
      case NativeCrypto.ED25519:
        return EdecKeys.publicKey(ref);
      default:
        return new EcPublicKey(ref, kind);
    }
  }

  /** The key object for a handle of a private key, of which it takes ownership. */
  static NativePrivateKey privateKey(long handle) {
    NativeRef ref = own(handle);
    int facts = NativeCrypto.keyKind(handle, ref);
    int kind = facts & 0xff;
    switch (kind) {
      case NativeCrypto.RSA:
      case NativeCrypto.RSA_PSS:
        return (facts & 0x100) != 0 ? new RsaPrivateCrtKey(ref, kind) : new RsaPrivateKey(ref, kind);
      case NativeCrypto.X25519:
        return XecKeys.privateKey(ref);
      case NativeCrypto.ED25519:
        return EdecKeys.privateKey(ref);
      default:
        return new EcPrivateKey(ref, kind);
    }
  }
}
