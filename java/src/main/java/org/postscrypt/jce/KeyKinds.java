package org.postscrypt.jce;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;

/** Which kinds of key a service takes, and how keys of other providers become ours. */
enum KeyKinds {
  RSA("RSA", NativeCrypto.RSA),
  RSA_PSS("RSASSA-PSS", NativeCrypto.RSA_PSS),
  /** For PSS signatures both are good. */
  ANY_RSA("RSA or RSASSA-PSS", NativeCrypto.RSA, NativeCrypto.RSA_PSS),
  EC("EC", NativeCrypto.P224, NativeCrypto.P256, NativeCrypto.P384, NativeCrypto.P521),
  XDH("X25519", NativeCrypto.X25519),
  EDDSA("Ed25519", NativeCrypto.ED25519);

  private final String what;
  private final int mask;

  KeyKinds(String what, int... kinds) {
    this.what = what;
    int bits = 0;
    for (int kind : kinds) {
      bits |= 1 << kind;
    }
    mask = bits;
  }

  boolean has(int kind) {
    return (mask >>> kind & 1) != 0;
  }

  private <K extends NativeKey> K check(K key) throws InvalidKeyException {
    if (!has(key.kind)) {
      throw new InvalidKeyException("the key is of " + key.getAlgorithm() + ", not of " + what);
    }
    return key;
  }

  /** A new public key from its handle, if it is of these kinds. */
  NativePublicKey ownPublic(long handle) throws InvalidKeyException {
    try {
      return check(NativeKey.publicKey(handle));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  /** A new private key from its handle, if it is of these kinds. */
  NativePrivateKey ownPrivate(long handle) throws InvalidKeyException {
    try {
      return check(NativeKey.privateKey(handle));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  /**
   * The key itself if it is ours, else one of ours with its encoding or its numbers.
   *
   * @throws InvalidKeyException if it is null, no public key, not of these kinds, malformed, or cannot be had
   */
  NativePublicKey publicKey(Key key) throws InvalidKeyException {
    if (key instanceof NativePublicKey) {
      return check((NativePublicKey) key);
    }
    if (key == null) {
      throw new InvalidKeyException("key is null");
    }
    if (!(key instanceof PublicKey)) {
      throw new InvalidKeyException("not a public key: " + key.getClass().getName());
    }
    // By its numbers first: some providers write a curve's parameters instead of its name.
    NativePublicKey curved = key instanceof ECPublicKey ? onCurve((ECPublicKey) key) : null;
    if (curved != null) {
      return curved;
    }
    byte[] der = encoded(key, "X.509");
    if (der != null) {
      return ownPublic(NativeCrypto.keyFromSpki(der));
    }
    if (key instanceof RSAPublicKey) {
      RSAPublicKey rsa = (RSAPublicKey) key;
      byte[][] numbers = {Numbers.bytes(rsa.getModulus()), Numbers.bytes(rsa.getPublicExponent())};
      return ownPublic(NativeCrypto.keyFromRsaNumbers(false, false, numbers, null));
    }
    throw new InvalidKeyException("the public key has no X.509 encoding: " + key.getClass().getName());
  }

  /**
   * The key itself if it is ours, else one of ours with its encoding.
   *
   * @throws InvalidKeyException if it is null, no private key, destroyed, not of these kinds, malformed, or shows no
   *     PKCS#8 encoding (a key in hardware)
   */
  NativePrivateKey privateKey(Key key) throws InvalidKeyException {
    if (key instanceof NativePrivateKey) {
      if (((NativePrivateKey) key).isDestroyed()) {
        throw new InvalidKeyException("the key was destroyed");
      }
      return check((NativePrivateKey) key);
    }
    if (key == null) {
      throw new InvalidKeyException("key is null");
    }
    if (!(key instanceof PrivateKey)) {
      throw new InvalidKeyException("not a private key: " + key.getClass().getName());
    }
    byte[] der = encoded(key, "PKCS#8");
    if (der == null) {
      throw new InvalidKeyException("the private key shows no PKCS#8 encoding: " + key.getClass().getName());
    }
    try {
      return ownPrivate(NativeCrypto.keyFromPkcs8(der));
    } catch (InvalidKeyException e) {
      Curve curve = key instanceof ECPrivateKey ? Curve.of(((ECPrivateKey) key).getParams()) : null;
      if (curve == null) {
        throw e;
      }
      // A curve's parameters instead of its name, again.
      byte[] scalar = Numbers.bytes(((ECPrivateKey) key).getS());
      try {
        return ownPrivate(NativeCrypto.keyFromPrivateBytes(curve.kind, scalar));
      } finally {
        Numbers.clear(scalar);
      }
    } finally {
      Numbers.clear(der);
    }
  }

  /** The key by its point; null if its curve is not ours. */
  private NativePublicKey onCurve(ECPublicKey key) throws InvalidKeyException {
    Curve curve = Curve.of(key.getParams());
    byte[] point = curve == null || key.getW() == null ? null : curve.encode(key.getW());
    return point == null ? null : ownPublic(NativeCrypto.keyFromPublicBytes(curve.kind, point));
  }

  private static byte[] encoded(Key key, String format) throws InvalidKeyException {
    try {
      return format.equalsIgnoreCase(key.getFormat()) ? KeyEncoding.copy(key) : null;
    } catch (RuntimeException e) {
      throw new InvalidKeyException("the key's encoding cannot be had: " + e.getMessage(), e);
    }
  }
}
