package org.postscrypt.jce;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import org.postscrypt.PostscryptProvider;

/** A NIST curve by its name or its numbers; encoded as its object identifier (RFC 5480 section 2.1.1). */
final class EcParametersSpi extends EncodedParametersSpi<ECParameterSpec> {
  @Override
  ECParameterSpec check(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
    Curve curve = null;
    if (given instanceof ECParameterSpec) {
      curve = Curve.of((ECParameterSpec) given);
    } else if (given instanceof ECGenParameterSpec) {
      curve = Curve.of(((ECGenParameterSpec) given).getName());
    } else if (given != null) {
      curve = Curve.of(asOthersRead(given));
    }
    if (curve == null) {
      throw new InvalidParameterSpecException("not P-224, P-256, P-384 or P-521: " + given);
    }
    return curve.spec;
  }

  /** Set while this thread asks others: who asks us in turn (another name of ours, or another copy) gets no answer. */
  private static final ThreadLocal<Boolean> ASKING = new ThreadLocal<>();

  /**
   * A spec class of another provider, read by whichever provider knows it; null if none does. (SunEC asks the first
   * provider for the curve of a key size, in a class of its own.)
   */
  private static ECParameterSpec asOthersRead(AlgorithmParameterSpec given) {
    if (ASKING.get() != null) {
      return null;
    }
    ASKING.set(true);
    try {
      return askOthers(given);
    } finally {
      ASKING.remove();
    }
  }

  private static ECParameterSpec askOthers(AlgorithmParameterSpec given) {
    Provider[] providers = Security.getProviders("AlgorithmParameters.EC");
    for (Provider provider : providers == null ? new Provider[0] : providers) {
      if (!provider.getName().equals(PostscryptProvider.NAME)) {
        try {
          AlgorithmParameters theirs = AlgorithmParameters.getInstance("EC", provider);
          theirs.init(given);
          return theirs.getParameterSpec(ECParameterSpec.class);
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException e) {
          // The next one may know it.
          continue;
        }
      }
    }
    return null;
  }

  @Override
  ECParameterSpec parse(byte[] der) throws IOException {
    Asn1 asn1 = new Asn1(der);
    Curve curve = Curve.of(asn1.take(Asn1.OBJECT));
    asn1.end();
    if (curve == null) {
      throw new IOException("not the object identifier of P-224, P-256, P-384 or P-521");
    }
    return curve.spec;
  }

  @Override
  byte[] encode(ECParameterSpec checked) {
    return Asn1.element(Asn1.OBJECT, Asn1.oid(Curve.of(checked).oid));
  }

  @Override
  AlgorithmParameterSpec as(ECParameterSpec checked, Class<?> type) {
    if (type.isAssignableFrom(ECParameterSpec.class)) {
      return checked;
    }
    // The object identifier, as SunEC did until lately: SunJSSE of those JDKs looks curves up by it.
    return type == ECGenParameterSpec.class ? new ECGenParameterSpec(Curve.of(checked).oid) : null;
  }

  @Override
  String describe(ECParameterSpec checked) {
    Curve curve = Curve.of(checked);
    return curve.standardName() + " (" + curve.oid + ")";
  }
}
