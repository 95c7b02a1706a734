package org.postscrypt.jce;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.PSSParameterSpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * RSASSA-PSS (RFC 8017 section 8.1). Under that name it takes its parameters from {@link #engineSetParameter}, else
 * from the key; under {@code SHA256withRSA/PSS} and the like it has a digest, MGF1 with the same and a salt as long,
 * and parameters set may change all but the digest. A key with parameters (RFC 4055 section 1.2) allows no other
 * digests and no shorter salt.
 */
final class PssSignatureSpi extends NativeSignatureSpi.Digested {
  /** Null: whichever the parameters say. */
  private final Hash fixed;
  /** As set, or the fixed digest's; null: the key's. */
  private PSSParameterSpec set;

  PssSignatureSpi(Hash fixed) {
    super(KeyKinds.ANY_RSA, NativeCrypto.SIGN_RSA_PSS, fixed == null ? NativeCrypto.NO_DIGEST : fixed.number);
    this.fixed = fixed;
    set = fixed == null ? null : PssParametersSpi.usual(fixed);
  }

  /** Whether a modulus of so many bits has room for digest and salt (RFC 8017 section 9.1.1 step 3). */
  static boolean fits(PSSParameterSpec spec, int bits) {
    long encoded = (bits - 1 + 7) / 8;
    return encoded >= 2L + PssParametersSpi.digest(spec).length + spec.getSaltLength();
  }

  private static PSSParameterSpec keyParameters(NativeKey key) {
    return key instanceof RsaPublicKey
        ? (PSSParameterSpec) ((RsaPublicKey) key).getParams()
        : key == null ? null : (PSSParameterSpec) ((RsaPrivateKey) key).getParams();
  }

  private PSSParameterSpec effective() {
    return set != null ? set : keyParameters(key());
  }

  /** Why the key cannot be used with the parameters; null if it can. */
  private static String conflict(NativeKey key, PSSParameterSpec spec) {
    if (key == null || spec == null) {
      return null;
    }
    PSSParameterSpec allowed = keyParameters(key);
    if (allowed != null
        && (PssParametersSpi.digest(allowed) != PssParametersSpi.digest(spec)
            || PssParametersSpi.mgf(allowed) != PssParametersSpi.mgf(spec)
            || allowed.getSaltLength() > spec.getSaltLength())) {
      return "the key's own parameters allow neither other digests nor a shorter salt";
    }
    return fits(spec, ((RSAKey) key).getModulus().bitLength()) ? null : "the key is too short for digest and salt";
  }

  @Override
  void check(NativeKey key) throws InvalidKeyException {
    String conflict = conflict(key, set);
    if (conflict != null) {
      throw new InvalidKeyException(conflict);
    }
  }

  @Override
  void ready() throws SignatureException {
    PSSParameterSpec spec = effective();
    if (spec == null) {
      throw new SignatureException("RSASSA-PSS needs parameters, set or in the key");
    }
    if (set == null) {
      useDigest(PssParametersSpi.digest(spec).number);
    }
  }

  @Override
  int mgfDigest() {
    return PssParametersSpi.mgf(effective()).number;
  }

  @Override
  int saltLength() {
    return effective().getSaltLength();
  }

  @Override
  protected void engineSetParameter(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
    if (!(params instanceof PSSParameterSpec)) {
      throw new InvalidAlgorithmParameterException("RSASSA-PSS takes a PSSParameterSpec");
    }
    if (hasMessage()) {
      throw new InvalidAlgorithmParameterException("parameters are set before the message");
    }
    PSSParameterSpec spec = (PSSParameterSpec) params;
    String fault = PssParametersSpi.fault(spec);
    if (fault == null && fixed != null && PssParametersSpi.digest(spec) != fixed) {
      fault = "the digest of this signature is " + fixed.standardName;
    }
    if (fault == null) {
      fault = conflict(key(), spec);
    }
    if (fault != null) {
      throw new InvalidAlgorithmParameterException(fault);
    }
    set = spec;
    useDigest(PssParametersSpi.digest(spec).number);
  }

  /** The parameters in use; null if there are none yet. */
  @Override
  protected AlgorithmParameters engineGetParameters() {
    PSSParameterSpec spec = effective();
    return spec == null ? null : InitialisedParameters.of(new PssParametersSpi(), PssParametersSpi.NAME, spec);
  }
}
