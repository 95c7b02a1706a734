package org.postscrypt.jce;

import java.io.ObjectStreamException;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.interfaces.PBEKey;
import org.postscrypt.nat.KeyEncoding;

/**
 * What PBKDF2 derived, with what it was derived from. Immutable until destroyed; safe for threads. Equal to any PBE key
 * of the same algorithm and encoding. Serialised as its encoding, without the password.
 */
final class Pbkdf2Key implements PBEKey {
  private static final long serialVersionUID = 1;

  private final String algorithm;
  private final transient char[] password;
  private final transient byte[] salt;
  private final transient int iterations;
  private final transient byte[] derived;
  private transient volatile boolean destroyed;

  /** Copies its arguments. */
  Pbkdf2Key(String algorithm, char[] password, byte[] salt, int iterations, byte[] derived) {
    this.algorithm = algorithm;
    this.password = password.clone();
    this.salt = salt.clone();
    this.iterations = iterations;
    this.derived = derived.clone();
  }

  private void checkAlive() {
    if (destroyed) {
      throw new IllegalStateException("the key is destroyed");
    }
  }

  @Override
  public char[] getPassword() {
    checkAlive();
    return password.clone();
  }

  @Override
  public byte[] getSalt() {
    return salt.clone();
  }

  @Override
  public int getIterationCount() {
    return iterations;
  }

  @Override
  public String getAlgorithm() {
    return algorithm;
  }

  @Override
  public String getFormat() {
    return "RAW";
  }

  @Override
  public byte[] getEncoded() {
    checkAlive();
    return derived.clone();
  }

  /** Zeroes password and key; both cannot be had any more (IllegalStateException). */
  @Override
  public void destroy() {
    destroyed = true;
    Arrays.fill(password, '\0');
    Arrays.fill(derived, (byte) 0);
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
    if (destroyed || !(other instanceof PBEKey)) {
      return false;
    }
    PBEKey key = (PBEKey) other;
    if (!algorithm.equalsIgnoreCase(key.getAlgorithm()) || !"RAW".equals(key.getFormat())) {
      return false;
    }
    byte[] theirs;
    try {
      theirs = KeyEncoding.copy(key);
    } catch (IllegalStateException e) { // It is destroyed. (Before Android 26 no key tells that.)
      return false;
    }
    boolean equal = theirs != null && MessageDigest.isEqual(derived, theirs);
    if (theirs != null) {
      Arrays.fill(theirs, (byte) 0);
    }
    return equal;
  }

  @Override
  public int hashCode() {
    return destroyed ? 0 : Arrays.hashCode(derived) ^ algorithm.toLowerCase(Locale.ENGLISH).hashCode();
  }

  private Object writeReplace() throws ObjectStreamException {
    return new KeyRep(KeyRep.Type.SECRET, algorithm, getFormat(), getEncoded());
  }
}
