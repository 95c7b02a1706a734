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
 * Parameters of AES-GCM, encoded as RFC 5084 section 3.2 says:
 *
 * <pre>
 * GCMParameters ::= SEQUENCE {
 *   aes-nonce        OCTET STRING,
 *   aes-ICVlen       INTEGER (12 | 13 | 14 | 15 | 16) DEFAULT 12 }
 * </pre>
 */
final class GcmParametersSpi extends AlgorithmParametersSpi {
  private static final int DEFAULT_TAG_BYTES = 12;

  private byte[] nonce;
  private int tagBytes;

  /** Initialised parameters that name our provider. */
  static AlgorithmParameters of(byte[] nonce, int tagBytes) {
    GcmParametersSpi spi = new GcmParametersSpi();
    spi.nonce = nonce.clone();
    spi.tagBytes = tagBytes;
    return new Initialised(spi);
  }

  private static final class Initialised extends AlgorithmParameters {
    Initialised(GcmParametersSpi spi) {
      super(spi, OwnProvider.get(), "GCM");
      try {
        // Tells the base class that they are; the spec is made from the values that are there already.
        init(new GCMParameterSpec(spi.tagBytes * 8, spi.nonce));
      } catch (InvalidParameterSpecException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
    if (!(spec instanceof GCMParameterSpec)) {
      throw new InvalidParameterSpecException("GCM parameters come from a GCMParameterSpec");
    }
    GCMParameterSpec gcm = (GCMParameterSpec) spec;
    int bits = gcm.getTLen();
    if (bits < 96 || bits > 128 || bits % 8 != 0) {
      throw new InvalidParameterSpecException("GCM tags have 96, 104, 112, 120 or 128 bits, not " + bits);
    }
    nonce = gcm.getIV();
    tagBytes = bits / 8;
  }

  @Override
  protected void engineInit(byte[] encoded) throws IOException {
    Der der = new Der(encoded);
    int end = der.enter(0x30);
    if (end != encoded.length) {
      throw new IOException("bytes behind the GCM parameters");
    }
    byte[] newNonce = der.take(0x04);
    int newTagBytes = DEFAULT_TAG_BYTES;
    if (der.position < end) {
      // Writing the default is against DER but common.
      byte[] integer = der.take(0x02);
      if (integer.length != 1 || integer[0] < 12 || integer[0] > 16) {
        throw new IOException("GCM tags have 12 to 16 bytes");
      }
      newTagBytes = integer[0];
    }
    if (der.position != end) {
      throw new IOException("unknown GCM parameters");
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
    throw new InvalidParameterSpecException("GCM parameters are a GCMParameterSpec, not " + type);
  }

  @Override
  protected byte[] engineGetEncoded() throws IOException {
    byte[] integer = tagBytes == DEFAULT_TAG_BYTES ? Bytes.EMPTY : new byte[] {2, 1, (byte) tagBytes};
    byte[] octets = Der.header(0x04, nonce.length);
    byte[] sequence = Der.header(0x30, octets.length + nonce.length + integer.length);
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

  private static void checkFormat(String format) throws IOException {
    if (format != null && !format.equalsIgnoreCase("ASN.1")) {
      throw new IOException("unknown format of GCM parameters: " + format);
    }
  }

  @Override
  protected String engineToString() {
    StringBuilder text = new StringBuilder("GCM parameters: nonce ");
    for (byte b : nonce) {
      text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.append(", tag ").append(tagBytes * 8).append(" bits").toString();
  }

  /** As much DER (X.690) as these parameters need. */
  private static final class Der {
    private final byte[] bytes;
    private int position;

    Der(byte[] bytes) {
      this.bytes = bytes;
    }

    static byte[] header(int tag, int length) {
      if (length < 0x80) {
        return new byte[] {(byte) tag, (byte) length};
      }
      int octets = (39 - Integer.numberOfLeadingZeros(length)) / 8;
      byte[] header = new byte[2 + octets];
      header[0] = (byte) tag;
      header[1] = (byte) (0x80 | octets);
      for (int i = octets; i > 0; i--, length >>>= 8) {
        header[1 + i] = (byte) length;
      }
      return header;
    }

    private int next() throws IOException {
      if (position >= bytes.length) {
        throw new IOException("GCM parameters are cut short");
      }
      return bytes[position++] & 0xff;
    }

    /** Goes behind an element's header; answers where its content ends. */
    int enter(int tag) throws IOException {
      if (next() != tag) {
        throw new IOException("not GCM parameters");
      }
      int length = next();
      if (length >= 0x80) {
        int octets = length & 0x7f;
        if (octets == 0 || octets > 4) {
          throw new IOException("length of GCM parameters");
        }
        length = 0;
        for (int i = 0; i < octets; i++) {
          length = length << 8 | next();
        }
        if (length < 0x80 || octets > 1 && length >>> (octets - 1) * 8 == 0) {
          throw new IOException("length of GCM parameters");
        }
      }
      if (length > bytes.length - position) {
        throw new IOException("GCM parameters are cut short");
      }
      return position + length;
    }

    byte[] take(int tag) throws IOException {
      int end = enter(tag);
      byte[] content = Arrays.copyOfRange(bytes, position, end);
      position = end;
      return content;
    }
  }
}
