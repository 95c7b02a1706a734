package org.postscrypt.jce;

import java.io.IOException;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;

/** Parameters of one spec class with a DER encoding; the only format is {@code ASN.1}. */
abstract class EncodedParametersSpi<S extends AlgorithmParameterSpec> extends AlgorithmParametersSpi {
  private S spec;

  /** The spec, checked. */
  abstract S check(AlgorithmParameterSpec given) throws InvalidParameterSpecException;

  abstract S parse(byte[] der) throws IOException;

  abstract byte[] encode(S checked);

  /** The spec as a class asked for; null if it cannot be. */
  abstract AlgorithmParameterSpec as(S checked, Class<?> type);

  abstract String describe(S checked);

  @Override
  protected final void engineInit(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
    spec = check(given);
  }

  @Override
  protected final void engineInit(byte[] encoded) throws IOException {
    spec = parse(encoded);
  }

  @Override
  protected final void engineInit(byte[] encoded, String format) throws IOException {
    checkFormat(format);
    spec = parse(encoded);
  }

  @Override
  protected final <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type)
      throws InvalidParameterSpecException {
    AlgorithmParameterSpec found = type == null ? null : as(spec, type);
    if (found == null) {
      throw new InvalidParameterSpecException("these parameters cannot be a " + type);
    }
    return type.cast(found);
  }

  @Override
  protected final byte[] engineGetEncoded() {
    return encode(spec);
  }

  @Override
  protected final byte[] engineGetEncoded(String format) throws IOException {
    checkFormat(format);
    return encode(spec);
  }

  private static void checkFormat(String format) throws IOException {
    if (format != null && !format.equalsIgnoreCase("ASN.1")) {
      throw new IOException("unknown format of parameters: " + format);
    }
  }

  @Override
  protected final String engineToString() {
    return describe(spec);
  }
}
