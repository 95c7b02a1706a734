package org.postscrypt.jce;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.postscrypt.service.OwnProvider;

/**
 * Parameters of AES-GCM and, likewise, of AES-CCM with the tags that we offer, encoded as RFC 5084 sections 3.2 and 3.1
 * say:
 *
 * <pre>
 * GCMParameters ::= SEQUENCE {
 *   aes-nonce        OCTET STRING,
 *   aes-ICVlen       INTEGER (12 | 13 | 14 | 15 | 16) DEFAULT 12 }
 * CCMParameters ::= SEQUENCE {
 *   aes-nonce        OCTET STRING (SIZE(7..13)),
 *   aes-ICVlen       INTEGER (4 | 6 | 8 | 10 | 12 | 14 | 16) DEFAULT 12 }
 * </pre>
 */
final class GcmParametersSpi extends AlgorithmParametersSpi {
  private static final int DEFAULT_TAG_BYTES = 12;

  /** {@code GCM} or {@code CCM}. */
  private final String name;
  private byte[] nonce;
  private int tagBytes;

  GcmParametersSpi(String name) {
    this.name = name;
  }

  /** Initialised parameters that name our provider. */
  static AlgorithmParameters of(String name, byte[] nonce, int tagBytes) {
    GcmParametersSpi spi = new GcmParametersSpi(name);
    spi.nonce = nonce.clone();
    spi.tagBytes = tagBytes;
    return new Initialised(spi);
  }

  private static final class Initialised extends AlgorithmParameters {
    Initialised(GcmParametersSpi spi) {
      super(spi, OwnProvider.get(), spi.name);
      try {
        // Tells the base class that they are; the spec is made from the values that are there already.
        init(new GCMParameterSpec(spi.tagBytes * 8, spi.nonce));
      } catch (InvalidParameterSpecException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private boolean isTagLength(int bytes) {
    return name.equals("GCM") ? bytes >= 12 && bytes <= 16 : bytes >= 4 && bytes <= 16 && bytes % 2 == 0;
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
    if (!(spec instanceof GCMParameterSpec)) {
      throw new InvalidParameterSpecException(name + " parameters come from a GCMParameterSpec");
    }
    GCMParameterSpec gcm = (GCMParameterSpec) spec;
    int bits = gcm.getTLen();
    if (bits % 8 != 0 || !isTagLength(bits / 8)) {
      throw new InvalidParameterSpecException(name + " tags do not have " + bits + " bits");
    }
    nonce = gcm.getIV();
    tagBytes = bits / 8;
  }

  @Override
  protected void engineInit(byte[] encoded) throws IOException {
    ParameterDer der = new ParameterDer(encoded);
    int end = der.enter(0x30);
    if (end != encoded.length) {
      throw new IOException("bytes behind the " + name + " parameters");
    }
    byte[] newNonce = der.take(0x04);
    int newTagBytes = DEFAULT_TAG_BYTES;
    if (der.position < end) {
      // Writing the default is against DER but common.
      byte[] integer = der.take(0x02);
      if (integer.length != 1 || !isTagLength(integer[0])) {
        throw new IOException("length of the " + name + " tag");
      }
      newTagBytes = integer[0];
    }
    if (der.position != end) {
      throw new IOException("unknown " + name + " parameters");
    }
    nonce = newNonce;
    tagBytes = newTagBytes;
  }

  @Override
  protected void engineInit(byte[] encoded, String format) throws IOException {
    checkFormat(format);
    engineInit(encoded);
  }

  @Override
  protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type)
      throws InvalidParameterSpecException {
    if (type != null && type.isAssignableFrom(GCMParameterSpec.class)) {
      return type.cast(new GCMParameterSpec(tagBytes * 8, nonce));
    }
    if (type == IvParameterSpec.class) {
      return type.cast(new IvParameterSpec(nonce));
    }
    throw new InvalidParameterSpecException(name + " parameters are a GCMParameterSpec, not " + type);
  }

  @Override
  protected byte[] engineGetEncoded() throws IOException {
    byte[] integer = tagBytes == DEFAULT_TAG_BYTES ? Bytes.EMPTY : new byte[] {2, 1, (byte) tagBytes};
    byte[] octets = ParameterDer.header(0x04, nonce.length);
    byte[] sequence = ParameterDer.header(0x30, octets.length + nonce.length + integer.length);
    byte[] out = Arrays.copyOf(sequence, sequence.length + octets.length + nonce.length + integer.length);
    System.arraycopy(octets, 0, out, sequence.length, octets.length);
    System.arraycopy(nonce, 0, out, sequence.length + octets.length, nonce.length);
    System.arraycopy(integer, 0, out, out.length - integer.length, integer.length);
    return out;
  }

  @Override
  protected byte[] engineGetEncoded(String format) throws IOException {
    checkFormat(format);
    return engineGetEncoded();
  }

  private void checkFormat(String format) throws IOException {
    if (format != null && !format.equalsIgnoreCase("ASN.1")) {
      throw new IOException("unknown format of " + name + " parameters: " + format);
    }
  }

  @Override
  protected String engineToString() {
    StringBuilder text = new StringBuilder(name + " parameters: nonce ");
    for (byte b : nonce) {
      text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.append(", tag ").append(tagBytes * 8).append(" bits").toString();
  }
}
