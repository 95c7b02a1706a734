package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import org.postscrypt.nat.NativeCrypto;

/**
 * AES key wrap: KW (RFC 3394) and KWP (RFC 5649), both SP 800-38F. Wraps keys, and as a cipher any bytes: {@code
 * update} keeps them, {@code doFinal} does the work and goes back to where {@code init} left it.
 *
 * <p>Lengths that cannot be wrapped, and a failed integrity check, are an IllegalBlockSizeException as with SunJCE;
 * from {@code unwrap} an InvalidKeyException. KW takes another initial value of 8 bytes as an IvParameterSpec; KWP only its
 * own (0xA65959A6).
 */
final class KeyWrapSpi extends CipherSpi {
  private static final byte[] KW_IV = {
    (byte) 0xa6, (byte) 0xa6, (byte) 0xa6, (byte) 0xa6, (byte) 0xa6, (byte) 0xa6, (byte) 0xa6, (byte) 0xa6
  };
  private static final byte[] KWP_IV = {(byte) 0xa6, 0x59, 0x59, (byte) 0xa6};

  private final boolean padded;
  /** The only key length taken; 0 for any. */
  private final int onlyKeyBytes;

  private boolean ready;
  private boolean wrap;
  private byte[] key = Bytes.EMPTY;
  private byte[] iv;
  private byte[] kept = Bytes.EMPTY;
  private int keptLength;

  /**
   * @param padded KWP; otherwise KW
   * @param onlyKeyBytes the only key length taken; 0 for any
   */
  KeyWrapSpi(boolean padded, int onlyKeyBytes) {
    this.padded = padded;
    this.onlyKeyBytes = onlyKeyBytes;
  }

  @Override
  protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
    if (!(padded ? "KWP" : "KW").equalsIgnoreCase(mode)) {
      throw new NoSuchAlgorithmException("mode " + mode);
    }
  }

  @Override
  protected void engineSetPadding(String padding) throws NoSuchPaddingException {
    if (!"NoPadding".equalsIgnoreCase(padding)) {
      throw new NoSuchPaddingException(padding);
    }
  }

  @Override
  protected int engineGetBlockSize() {
    return 16;
  }

  @Override
  protected int engineGetOutputSize(int inputLength) {
    long total = (long) keptLength + inputLength;
    long size;
    if (wrap) {
      size = (padded ? total + 7 & -8L : total) + 8;
    } else {
      size = Math.max(0, total - 8);
    }
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  @Override
  protected int engineGetKeySize(Key k) throws InvalidKeyException {
    int length = Keys.encodedLength(k);
    checkKeyLength(length);
    return length * 8;
  }

  @Override
  protected byte[] engineGetIV() {
    return iv == null ? null : iv.clone();
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return iv == null ? null : IvParametersSpi.of("AES", iv);
  }

  // --- init ---

  @Override
  protected void engineInit(int mode, Key newKey, SecureRandom random) throws InvalidKeyException {
    try {
      engineInit(mode, newKey, (AlgorithmParameterSpec) null, random);
    } catch (InvalidAlgorithmParameterException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  @Override
  protected void engineInit(int mode, Key newKey, AlgorithmParameters parameters, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    AlgorithmParameterSpec spec = null;
    if (parameters != null) {
      try {
        spec = parameters.getParameterSpec(IvParameterSpec.class);
      } catch (InvalidParameterSpecException e) {
        ready = false;
        throw new InvalidAlgorithmParameterException("these parameters are no IV", e);
      }
    }
    engineInit(mode, newKey, spec, random);
  }

  @Override
  protected void engineInit(int mode, Key newKey, AlgorithmParameterSpec spec, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    ready = false;
    forget();
    byte[] newIv = padded ? KWP_IV : KW_IV;
    if (spec instanceof IvParameterSpec) {
      byte[] other = ((IvParameterSpec) spec).getIV();
      if (padded ? !Arrays.equals(other, KWP_IV) : other.length != KW_IV.length) {
        throw new InvalidAlgorithmParameterException(
            padded ? "KWP takes no other IV than its own" : "the IV must have 8 bytes, not " + other.length);
      }
      newIv = other;
    } else if (spec != null) {
      throw new InvalidAlgorithmParameterException(
          "AES key wrap takes an IvParameterSpec, not " + spec.getClass().getName());
    }
    byte[] bytes = Keys.encoded(newKey);
    boolean good = false;
    try {
      checkKeyLength(bytes.length);
      good = true;
    } finally {
      if (!good) {
        Arrays.fill(bytes, (byte) 0);
      }
    }
    Arrays.fill(key, (byte) 0);
    key = bytes;
    iv = newIv;
    wrap = mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE;
    ready = true;
  }

  private void checkKeyLength(int length) throws InvalidKeyException {
    if (onlyKeyBytes != 0 ? length != onlyKeyBytes : length != 16 && length != 24 && length != 32) {
      throw new InvalidKeyException("AES key of " + length * 8L + " bits");
    }
  }

  // --- data ---

  private void checkReady() {
    if (!ready) {
      throw new IllegalStateException("not initialised");
    }
  }

  private void forget() {
    byte[] bytes = kept;
    keptLength = 0;
    kept = Bytes.EMPTY;
    Arrays.fill(bytes, (byte) 0);
  }

  /** Makes room for more. */
  private void grow(int length) {
    if (length > Integer.MAX_VALUE - 64 - keptLength) {
      throw new ProviderException("more than 2 GiB at once");
    }
    int total = keptLength + length;
    if (total > kept.length) {
      byte[] larger = new byte[(int) Math.min(Math.max(total, 2L * kept.length), Integer.MAX_VALUE - 64)];
      System.arraycopy(kept, 0, larger, 0, keptLength);
      Arrays.fill(kept, (byte) 0);
      kept = larger;
    }
  }

  private void keep(byte[] input, int offset, int length) {
    grow(length);
    System.arraycopy(input, offset, kept, keptLength, length);
    keptLength += length;
  }

  private void keep(ByteBuffer input) {
    int length = input.remaining();
    grow(length);
    input.get(kept, keptLength, length);
    keptLength += length;
  }

  @Override
  protected byte[] engineUpdate(byte[] input, int offset, int length) {
    checkReady();
    if (length > 0) {
      keep(input, offset, length);
    }
    return Bytes.EMPTY;
  }

  @Override
  protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset) {
    engineUpdate(input, offset, length);
    return 0;
  }

  @Override
  protected int engineUpdate(ByteBuffer input, ByteBuffer output) {
    checkReady();
    keep(input);
    return 0;
  }

  /** Works on what is kept, which stays. */
  private byte[] work() throws IllegalBlockSizeException {
    try {
      byte[] initial = padded ? null : iv;
      return wrap
          ? NativeCrypto.keyWrap(key, padded, initial, kept, 0, keptLength)
          : NativeCrypto.keyUnwrap(key, padded, initial, kept, 0, keptLength);
    } catch (InvalidKeyException e) {
      throw new ProviderException(e);
    }
  }

  @Override
  protected byte[] engineDoFinal(byte[] input, int offset, int length) throws IllegalBlockSizeException {
    engineUpdate(input, offset, length);
    try {
      return work();
    } finally {
      forget();
    }
  }

  @Override
  protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
      throws IllegalBlockSizeException, ShortBufferException {
    checkReady();
    int before = keptLength;
    engineUpdate(input, offset, length);
    boolean shortBuffer = false;
    byte[] result = Bytes.EMPTY;
    try {
      result = work();
      if (result.length > output.length - outputOffset) {
        shortBuffer = true;
        throw new ShortBufferException(
            "output needs " + result.length + " bytes, there is room for " + (output.length - outputOffset));
      }
      System.arraycopy(result, 0, output, outputOffset, result.length);
      return result.length;
    } finally {
      Arrays.fill(result, (byte) 0);
      if (shortBuffer) {
        Arrays.fill(kept, before, keptLength, (byte) 0);
        keptLength = before;
      } else {
        forget();
      }
    }
  }

  @Override
  protected int engineDoFinal(ByteBuffer input, ByteBuffer output)
      throws IllegalBlockSizeException, ShortBufferException {
    checkReady();
    byte[] result = new byte[Math.min(output.remaining(), engineGetOutputSize(input.remaining()))];
    Input in = new Input(input.duplicate());
    byte[] from = in.array;
    int offset = in.offset;
    if (from == null) {
      from = new byte[in.length];
      offset = 0;
      input.duplicate().get(from);
    }
    try {
      int written = engineDoFinal(from, offset, in.length, result, 0);
      input.position(input.limit());
      output.put(result, 0, written);
      return written;
    } finally {
      Arrays.fill(result, (byte) 0);
      in.clear();
      if (in.array == null) {
        Arrays.fill(from, (byte) 0);
      }
    }
  }

  // --- keys ---

  @Override
  protected byte[] engineWrap(Key wrapped) throws InvalidKeyException, IllegalBlockSizeException {
    byte[] encoded = WrappedKeys.encoded(wrapped);
    try {
      return engineDoFinal(encoded, 0, encoded.length);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  @Override
  protected Key engineUnwrap(byte[] wrapped, String algorithm, int type)
      throws InvalidKeyException, NoSuchAlgorithmException {
    byte[] encoded;
    try {
      encoded = engineDoFinal(wrapped, 0, wrapped.length);
    } catch (IllegalBlockSizeException e) {
      throw new InvalidKeyException("the wrapped key was changed, or this is not its key", e);
    }
    return WrappedKeys.key(encoded, algorithm, type);
  }
}
