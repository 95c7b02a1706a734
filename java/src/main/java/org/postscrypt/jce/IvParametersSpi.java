package org.postscrypt.jce;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.IvParameterSpec;
import org.postscrypt.service.OwnProvider;

/**
 * Parameters that are an IV: an OCTET STRING (RFC 3565 section 4.1 and RFC 8018 appendix B.2.2 for CBC, RFC 8103
 * section 3 for ChaCha20-Poly1305) in the format {@code ASN.1}, or the IV itself in the format {@code RAW}.
 */
final class IvParametersSpi extends AlgorithmParametersSpi {
  private final String name;
  private final int[] lengths;
  private byte[] iv;

  /** @param lengths the lengths in bytes that an IV may have */
  IvParametersSpi(String name, int... lengths) {
    this.name = name;
    this.lengths = lengths;
  }

  /** Initialised parameters that name our provider. */
  static AlgorithmParameters of(String name, byte[] iv) {
    return new Initialised(name, iv);
  }

  private static final class Initialised extends AlgorithmParameters {
    Initialised(String name, byte[] iv) {
      super(new IvParametersSpi(name, iv.length), OwnProvider.get(), name);
      try {
        init(new IvParameterSpec(iv));
      } catch (InvalidParameterSpecException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private boolean isLength(int length) {
    for (int good : lengths) {
      if (length == good) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
    if (!(spec instanceof IvParameterSpec)) {
      throw new InvalidParameterSpecException(name + " parameters come from an IvParameterSpec");
    }
    byte[] newIv = ((IvParameterSpec) spec).getIV();
    if (!isLength(newIv.length)) {
      throw new InvalidParameterSpecException(name + " takes no IV of " + newIv.length + " bytes");
    }
    iv = newIv;
  }

  @Override
  protected void engineInit(byte[] encoded) throws IOException {
    ParameterDer der = new ParameterDer(encoded);
    byte[] newIv = der.take(0x04);
    if (der.position != encoded.length) {
      throw new IOException("bytes behind the " + name + " parameters");
    }
    take(newIv);
  }

  @Override
  protected void engineInit(byte[] encoded, String format) throws IOException {
    if (isRaw(format)) {
      take(encoded.clone());
    } else {
      engineInit(encoded);
    }
  }

  private void take(byte[] newIv) throws IOException {
    if (!isLength(newIv.length)) {
      throw new IOException(name + " takes no IV of " + newIv.length + " bytes");
    }
    iv = newIv;
  }

  private boolean isRaw(String format) throws IOException {
    if (format == null || format.equalsIgnoreCase("ASN.1")) {
      return false;
    }
    if (format.equalsIgnoreCase("RAW")) {
      return true;
    }
    throw new IOException("unknown format of " + name + " parameters: " + format);
  }

  @Override
  protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type)
      throws InvalidParameterSpecException {
    if (type != null && type.isAssignableFrom(IvParameterSpec.class)) {
      return type.cast(new IvParameterSpec(iv));
    }
    throw new InvalidParameterSpecException(name + " parameters are an IvParameterSpec, not " + type);
  }

  @Override
  protected byte[] engineGetEncoded() {
    byte[] header = ParameterDer.header(0x04, iv.length);
    byte[] out = Arrays.copyOf(header, header.length + iv.length);
    System.arraycopy(iv, 0, out, header.length, iv.length);
    return out;
  }

  @Override
  protected byte[] engineGetEncoded(String format) throws IOException {
    return isRaw(format) ? iv.clone() : engineGetEncoded();
  }

  @Override
  protected String engineToString() {
    StringBuilder text = new StringBuilder(name + " parameters: IV ");
    for (byte b : iv) {
      text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.toString();
  }
}
