package org.postscrypt.jce;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PublicKey;
import java.util.Arrays;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * A public key of one of {@link PqAlgorithm}'s. Immutable; equal to any public key with the same X.509 encoding;
 * serialised as that.
 */
public final class PqPublicKey implements PublicKey {
  private static final long serialVersionUID = 1;
  private static final NativeRef.Free FREE = NativeCrypto::pqPublicFree;

  private final transient NativeRef ref;
  private final transient PqAlgorithm algorithm;

  private PqPublicKey(long handle) {
    ref = new NativeRef(handle, FREE);
    algorithm = PqAlgorithm.of(NativeCrypto.pqPublicAlgorithm(ref.handle(), ref));
  }

  /** From SubjectPublicKeyInfo. */
  public static PqPublicKey fromEncoded(byte[] encoded) throws InvalidKeyException {
    return new PqPublicKey(NativeCrypto.pqPublicFromSpki(encoded));
  }

  /** From the bytes that the algorithm's specification gives; the algorithm by its native number. */
  public static PqPublicKey fromBytes(int algorithm, byte[] bytes) throws InvalidKeyException {
    return new PqPublicKey(NativeCrypto.pqPublicFromBytes(algorithm, bytes));
  }

  static PqPublicKey of(PqPrivateKey key) {
    return new PqPublicKey(NativeCrypto.pqPublicOf(key.handle(), key.ref()));
  }

  /**
   * The key itself, or one of any provider by its X.509 encoding.
   *
   * @throws InvalidKeyException if it is null, no public key, or of no algorithm that is known here
   */
  public static PqPublicKey from(Key key) throws InvalidKeyException {
    if (key instanceof PqPublicKey) {
      return (PqPublicKey) key;
    }
    if (!(key instanceof PublicKey)) {
      throw new InvalidKeyException(key == null ? "key is null" : "not a public key: " + key.getClass().getName());
    }
    byte[] encoded = "X.509".equalsIgnoreCase(key.getFormat()) ? key.getEncoded() : null;
    if (encoded == null) {
      throw new InvalidKeyException("public key has no X.509 encoding: " + key.getClass().getName());
    }
    return fromEncoded(encoded);
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

  /** The bytes that the algorithm's specification gives. */
  public byte[] bytes() {
    return NativeCrypto.pqPublicBytes(ref.handle(), ref);
  }

  @Override
  public String getAlgorithm() {
    return algorithm.standardName;
  }

  @Override
  public String getFormat() {
    return "X.509";
  }

  @Override
  public byte[] getEncoded() {
    return NativeCrypto.pqPublicEncoded(ref.handle(), ref);
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    return other instanceof PublicKey
        && "X.509".equalsIgnoreCase(((PublicKey) other).getFormat())
        && Arrays.equals(getEncoded(), ((PublicKey) other).getEncoded());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(getEncoded());
  }

  @Override
  public String toString() {
    return algorithm.standardName + " public key";
  }

  private Object writeReplace() {
    return new PqKeyProxy(false, getEncoded());
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("keys are serialised as their encodings");
  }
}
