package org.postscrypt.jce;

import java.io.IOException;
import java.security.spec.PSSParameterSpec;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** The parameters of an RSASSA-PSS key (RFC 4055 section 3.1), or that there are none. Immutable. */
final class RsaParameters {
  private static final RsaParameters NONE = new RsaParameters(null);

  /** Null: none. */
  final PSSParameterSpec spec;

  private RsaParameters(PSSParameterSpec spec) {
    this.spec = spec;
  }

  /**
   * The parameters of a native RSA key.
   *
   * @throws IllegalArgumentException if they are malformed, or of an algorithm that is not known
   */
  static RsaParameters of(NativeKey key) {
    if (key.kind != NativeCrypto.RSA_PSS) {
      return NONE;
    }
    NativeRef ref = key.ref();
    byte[] der = NativeCrypto.keyPssParameters(ref.handle(), ref);
    if (der.length == 0) {
      return NONE;
    }
    try {
      return new RsaParameters(PssParametersSpi.decode(der));
    } catch (IOException e) {
      throw new IllegalArgumentException("parameters of the RSASSA-PSS key: " + e.getMessage(), e);
    }
  }
}
