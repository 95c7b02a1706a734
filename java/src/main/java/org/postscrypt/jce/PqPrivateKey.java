package org.postscrypt.jce;

import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.util.Arrays;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * A private key of one of {@link PqAlgorithm}'s; its secrets are in native memory only. Immutable until it is
 * destroyed: then they are zeroed, and every use gives an {@link IllegalStateException} or what the JCA has for it.
 * Equal to any private key with the same PKCS#8 encoding; serialised as that.
 */
public final class PqPrivateKey implements PrivateKey {
  private static final long serialVersionUID = 1;
  private static final NativeRef.Free FREE = NativeCrypto::pqPrivateFree;

  private final transient NativeRef ref;
  private final transient PqAlgorithm algorithm;
  private transient volatile boolean destroyed;

  private PqPrivateKey(long handle) {
    ref = new NativeRef(handle, FREE);
    algorithm = PqAlgorithm.of(NativeCrypto.pqPrivateAlgorithm(ref.handle(), ref));
  }

  /** A new key of the algorithm with this native number. */
  public static PqPrivateKey generate(int algorithm) {
    return new PqPrivateKey(NativeCrypto.pqGenerate(algorithm));
  }

  /** From PKCS#8. */
  public static PqPrivateKey fromEncoded(byte[] encoded) throws InvalidKeyException {
    return new PqPrivateKey(NativeCrypto.pqPrivateFromPkcs8(encoded));
  }

  /** From a seed or an expanded key, told apart by length; the algorithm by its native number. */
  public static PqPrivateKey fromBytes(int algorithm, byte[] bytes) throws InvalidKeyException {
    boolean expanded = bytes.length == PqAlgorithm.of(algorithm).expandedLength;
    return new PqPrivateKey(NativeCrypto.pqPrivateFromBytes(algorithm, expanded, bytes));
  }

  /**
   * The key itself, or one of any provider by its PKCS#8 encoding.
   *
   * @throws InvalidKeyException if it is null, no private key, destroyed, or of no algorithm that is known here
   */
  public static PqPrivateKey from(Key key) throws InvalidKeyException {
    if (key instanceof PqPrivateKey) {
      PqPrivateKey own = (PqPrivateKey) key;
      if (own.destroyed) {
        throw new InvalidKeyException("key is destroyed");
      }
      return own;
    }
    if (!(key instanceof PrivateKey)) {
      throw new InvalidKeyException(key == null ? "key is null" : "not a private key: " + key.getClass().getName());
    }
    byte[] encoded = "PKCS#8".equalsIgnoreCase(key.getFormat()) ? KeyEncoding.copy(key) : null;
    if (encoded == null) {
      throw new InvalidKeyException("private key has no PKCS#8 encoding: " + key.getClass().getName());
    }
    try {
      return fromEncoded(encoded);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  /** The native key; {@link #ref()} goes beside it. */
  public long handle() {
    return ref.handle();
  }

  /** What keeps {@link #handle()} alive. */
  public NativeRef ref() {
    return ref;
  }

  /** The native number of the algorithm. */
  public int algorithmNumber() {
    return algorithm.ordinal();
  }

  PqAlgorithm algorithm() {
    return algorithm;
  }

  /** The public key that belongs to it. */
  public PqPublicKey publicKey() {
    return PqPublicKey.of(this);
  }

  /** The seed, or the expanded key if that is what it was made from; for the caller to zero. */
  public byte[] bytes() {
    return NativeCrypto.pqPrivateBytes(ref.handle(), ref);
  }

  @Override
  public String getAlgorithm() {
    return algorithm.standardName;
  }

  @Override
  public String getFormat() {
    return "PKCS#8";
  }

  @Override
  public byte[] getEncoded() {
    return NativeCrypto.pqPrivateEncoded(ref.handle(), ref);
  }

  @Override
  public void destroy() {
    destroyed = true;
    NativeCrypto.pqPrivateDestroy(ref.handle(), ref);
  }

  @Override
  public boolean isDestroyed() {
    return destroyed;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof PrivateKey) || destroyed || !"PKCS#8".equalsIgnoreCase(((PrivateKey) other).getFormat())) {
      return false;
    }
    byte[] ours = null;
    byte[] theirs = null;
    try {
      ours = getEncoded();
      theirs = KeyEncoding.copy((PrivateKey) other);
      return theirs != null && MessageDigest.isEqual(ours, theirs);
    } catch (IllegalStateException e) {
      return false; // One of them was destroyed.
    } finally {
      clear(ours);
      clear(theirs);
    }
  }

  private static void clear(byte[] bytes) {
    if (bytes != null) {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** Of the public key: tells nothing secret, and stays when the key is destroyed. */
  @Override
  public int hashCode() {
    return publicKey().hashCode();
  }

  @Override
  public String toString() {
    return algorithm.standardName + " private key" + (destroyed ? ", destroyed" : "");
  }

  private Object writeReplace() throws NotSerializableException {
    if (destroyed) {
      throw new NotSerializableException("key is destroyed");
    }
    return new PqKeyProxy(true, getEncoded());
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("keys are serialised as their encodings");
  }
}
