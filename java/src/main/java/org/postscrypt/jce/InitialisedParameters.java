package org.postscrypt.jce;

import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import org.postscrypt.service.OwnProvider;

/** Parameters of ours, initialised, that name our provider. */
final class InitialisedParameters extends AlgorithmParameters {
  private InitialisedParameters(AlgorithmParametersSpi spi, String algorithm) {
    super(spi, OwnProvider.get(), algorithm);
  }

  /** Parameters of an algorithm from a spec that its SPI takes. */
  static AlgorithmParameters of(AlgorithmParametersSpi spi, String algorithm, AlgorithmParameterSpec spec) {
    InitialisedParameters parameters = new InitialisedParameters(spi, algorithm);
    try {
      parameters.init(spec);
    } catch (InvalidParameterSpecException e) {
      throw new IllegalStateException(e);
    }
    return parameters;
  }
}
