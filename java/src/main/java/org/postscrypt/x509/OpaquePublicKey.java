package org.postscrypt.x509;

import java.security.PublicKey;
import java.util.Arrays;

/**
 * A public key that no provider takes: its encoding and its algorithm, nothing else. Signature algorithms refuse it
 * with InvalidKeyException. Immutable.
 */
final class OpaquePublicKey implements PublicKey {
  private static final long serialVersionUID = 1;

  private final String algorithm;
  private final byte[] encoding;

  OpaquePublicKey(String algorithm, byte[] encoding) {
    this.algorithm = algorithm;
    this.encoding = encoding;
  }

  @Override
  public String getAlgorithm() {
    return algorithm;
  }

  @Override
  public String getFormat() {
    return "X.509";
  }

  @Override
  public byte[] getEncoded() {
    return encoding.clone();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof PublicKey
            && "X.509".equals(((PublicKey) other).getFormat())
            && Arrays.equals(encoding, ((PublicKey) other).getEncoded());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encoding);
  }

  @Override
  public String toString() {
    return algorithm + " public key, " + encoding.length + " bytes encoded";
  }
}
