package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;
import org.postscrypt.nat.ShortCalls;

/**
 * A cipher without authentication: a block cipher in a mode, or a stream cipher. Not thread-safe, as every Cipher.
 *
 * <ul>
 *   <li>It works in constant memory. {@code update} gives out whatever is certain: whole blocks, but for the last one
 *       while that may hold padding to be removed.
 *   <li>{@code doFinal} goes back to where {@code init} left it, whether it succeeded or not. Only ChaCha20 encryption
 *       ends there (IllegalStateException): it would use its keystream twice. For the same reason {@code init} refuses
 *       to encrypt with the last key and nonce again (InvalidKeyException, as SunJCE).
 *   <li>A ShortBufferException changes nothing. Input and output may overlap in any way.
 *   <li>Without an IV encryption takes a random one.
 *   <li>Decrypting nothing at all gives nothing, with padding too, as with every provider.
 *   <li>A failed {@code init} leaves the object uninitialised.
 * </ul>
 */
final class PlainCipherSpi extends CipherSpi {
  private static final NativeRef.Free FREE = NativeCrypto::cipherFree;

  /** What a cipher takes and is called; immutable. */
  private enum Kind {
    AES_ECB(NativeCrypto.AES_ECB, "ECB", 16, 16, 0, "AES"),
    AES_CBC(NativeCrypto.AES_CBC, "CBC", 16, 16, 16, "AES"),
    AES_CTR(NativeCrypto.AES_CTR, "CTR", 16, 1, 16, "AES"),
    DESEDE_ECB(NativeCrypto.DESEDE_ECB, "ECB", 8, 8, 0, "DESede"),
    DESEDE_CBC(NativeCrypto.DESEDE_CBC, "CBC", 8, 8, 8, "DESede"),
    ARC4(NativeCrypto.ARC4, "ECB", 0, 1, 0, "ARC4"),
    CHACHA20(NativeCrypto.CHACHA20, "None", 0, 1, 12, "ChaCha20");

    final int number;
    final String mode;
    /** What getBlockSize says. */
    final int blockBytes;
    /** What is worked on at once. */
    final int unit;
    final int ivBytes;
    /** The name of the keys and parameters. */
    final String name;

    Kind(int number, String mode, int blockBytes, int unit, int ivBytes, String name) {
      this.number = number;
      this.mode = mode;
      this.blockBytes = blockBytes;
      this.unit = unit;
      this.ivBytes = ivBytes;
      this.name = name;
    }
  }

  private final Kind kind;
  private final boolean padded;
  /** The only key length taken; 0 for any that the cipher takes. */
  private final int onlyKeyBytes;
  /** Never closed: another thread may be misusing this object. The native object is keyed anew instead. */
  private final NativeRef ref;

  private Keyed keyed;
  /** The nonce last taken for encryption under this key, where it must not be used twice. */
  private byte[] sealNonce;

  private boolean ready;
  private boolean encrypt;
  private byte[] iv;
  private int counter;
  /** Whether the native half has IV and counter: {@code init} leaves that to what comes next, which saves a call. */
  private boolean begun;
  /** Bytes that came in and did not go out yet. */
  private int pending;
  /** Whether an encryption ended: only {@code init} may follow. */
  private boolean spent;

  private PlainCipherSpi(Kind kind, boolean padded, int onlyKeyBytes) {
    this.kind = kind;
    this.padded = padded;
    this.onlyKeyBytes = onlyKeyBytes;
    ref = new NativeRef(NativeCrypto.cipherNew(kind.number, padded), FREE);
  }

  static PlainCipherSpi aesEcb(boolean padded, int onlyKeyBytes) {
    return new PlainCipherSpi(Kind.AES_ECB, padded, onlyKeyBytes);
  }

  static PlainCipherSpi aesCbc(boolean padded, int onlyKeyBytes) {
    return new PlainCipherSpi(Kind.AES_CBC, padded, onlyKeyBytes);
  }

  static PlainCipherSpi aesCtr(int onlyKeyBytes) {
    return new PlainCipherSpi(Kind.AES_CTR, false, onlyKeyBytes);
  }

  static PlainCipherSpi desEdeEcb(boolean padded) {
    return new PlainCipherSpi(Kind.DESEDE_ECB, padded, 0);
  }

  static PlainCipherSpi desEdeCbc(boolean padded) {
    return new PlainCipherSpi(Kind.DESEDE_CBC, padded, 0);
  }

  static PlainCipherSpi arc4() {
    return new PlainCipherSpi(Kind.ARC4, false, 0);
  }

  static PlainCipherSpi chaCha20() {
    return new PlainCipherSpi(Kind.CHACHA20, false, 0);
  }

  // --- what it is ---

  @Override
  protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
    if (!kind.mode.equalsIgnoreCase(mode)) {
      throw new NoSuchAlgorithmException("mode " + mode);
    }
  }

  @Override
  protected void engineSetPadding(String padding) throws NoSuchPaddingException {
    // PKCS #7's is PKCS #5's for every size of block; the JCA asks in the words of the transformation.
    if (!(padded
        ? "PKCS5Padding".equalsIgnoreCase(padding) || "PKCS7Padding".equalsIgnoreCase(padding)
        : "NoPadding".equalsIgnoreCase(padding))) {
      throw new NoSuchPaddingException(padding);
    }
  }

  @Override
  protected int engineGetBlockSize() {
    return kind.blockBytes;
  }

  /** Exact for doFinal, but for padding to be removed. */
  @Override
  protected int engineGetOutputSize(int inputLength) {
    return (int) Math.min(finalBound(inputLength), Integer.MAX_VALUE);
  }

  @Override
  protected int engineGetKeySize(Key k) throws InvalidKeyException {
    int length = Keys.encodedLength(k);
    checkKeyLength(length);
    // Of triple DES as the JCA counts: without parity bits.
    return kind.unit == 8 ? 168 : length * 8;
  }

  @Override
  protected byte[] engineGetIV() {
    return iv == null ? null : iv.clone();
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return iv == null ? null : IvParametersSpi.of(kind.name, iv);
  }

  // --- init ---

  @Override
  protected void engineInit(int mode, Key newKey, SecureRandom random) throws InvalidKeyException {
    try {
      init(mode, newKey, null, random);
    } catch (InvalidAlgorithmParameterException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  @Override
  protected void engineInit(int mode, Key newKey, AlgorithmParameterSpec spec, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    init(mode, newKey, spec, random);
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
    init(mode, newKey, spec, random);
  }

  private void init(int mode, Key newKey, AlgorithmParameterSpec spec, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    ready = false;
    pending = 0;
    boolean newEncrypt = mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE;
    byte[] newIv = null;
    int newCounter = 0;
    if (kind.ivBytes == 0) {
      if (spec != null) {
        throw new InvalidAlgorithmParameterException(kind.name + " takes no IV in this mode");
      }
    } else if (spec instanceof IvParameterSpec) {
      newIv = ((IvParameterSpec) spec).getIV();
    } else if (kind == Kind.CHACHA20 && ChaCha20Specs.isSpec(spec)) {
      newIv = ChaCha20Specs.nonce(spec);
      newCounter = ChaCha20Specs.counter(spec);
    } else if (spec != null) {
      throw new InvalidAlgorithmParameterException(
          kind.name + " takes an IvParameterSpec, not " + spec.getClass().getName());
    } else if (newEncrypt) {
      newIv = new byte[kind.ivBytes];
      if (random == null) {
        NativeCrypto.randomBytes(newIv, 0, newIv.length);
      } else {
        random.nextBytes(newIv);
      }
    } else {
      throw new InvalidAlgorithmParameterException("decryption needs the IV");
    }
    if (newIv != null && newIv.length != kind.ivBytes) {
      throw new InvalidAlgorithmParameterException(
          "the IV must have " + kind.ivBytes + " bytes, not " + newIv.length);
    }

    takeKey(newKey, newEncrypt);
    if (kind == Kind.CHACHA20 && newEncrypt) {
      if (Arrays.equals(newIv, sealNonce)) {
        throw new InvalidKeyException("the same key and nonce (IV) must not encrypt twice");
      }
      sealNonce = newIv;
    }
    iv = newIv;
    counter = newCounter;
    begun = false;
    encrypt = newEncrypt;
    spent = false;
    ready = true;
  }

  /** Makes the native object have this key and direction; what it has already is not done again. */
  private void takeKey(Key newKey, boolean newEncrypt) throws InvalidKeyException {
    Keyed had = keyed;
    // A SecretKeySpec (not a subclass of it) never changes.
    if (had != null && had.encrypt == newEncrypt && newKey == had.key && newKey.getClass() == SecretKeySpec.class) {
      return;
    }
    byte[] bytes = Keys.encoded(newKey);
    boolean kept = false;
    try {
      checkKeyLength(bytes.length);
      boolean equal = had != null && MessageDigest.isEqual(bytes, had.bytes);
      if (equal && had.encrypt == newEncrypt) {
        keyed = new Keyed(newKey, had.bytes, newEncrypt, had.id);
        return;
      }
      byte[] nonce = equal ? sealNonce : null;
      forgetKey();
      keyed = new Keyed(newKey, bytes, newEncrypt, NativeCrypto.cipherSetKey(ref.handle(), ref, bytes, newEncrypt));
      sealNonce = nonce;
      kept = true;
    } finally {
      if (!kept) {
        Arrays.fill(bytes, (byte) 0);
      }
    }
  }

  /** Makes the next init give the native object its key. */
  private void forgetKey() {
    Keyed had = keyed;
    keyed = null;
    sealNonce = null;
    if (had != null) {
      Arrays.fill(had.bytes, (byte) 0);
    }
  }

  /** A key and what the native half calls it. In one object, so that threads cannot mix the two up. */
  private static final class Keyed {
    final Key key;
    final byte[] bytes;
    final boolean encrypt;
    final long id;

    Keyed(Key key, byte[] bytes, boolean encrypt, long id) {
      this.key = key;
      this.bytes = bytes;
      this.encrypt = encrypt;
      this.id = id;
    }
  }

  private void checkKeyLength(int length) throws InvalidKeyException {
    boolean good;
    switch (kind) {
      case ARC4:
        good = length >= 5 && length <= 128;
        break;
      case CHACHA20:
        good = length == 32;
        break;
      case DESEDE_ECB:
      case DESEDE_CBC:
        good = length == 24;
        break;
      default:
        good = length == 16 || length == 24 || length == 32;
    }
    if (!good || onlyKeyBytes != 0 && length != onlyKeyBytes) {
      throw new InvalidKeyException(kind.name + " key of " + length * 8L + " bits");
    }
  }

  // --- state ---

  private void checkReady() {
    if (!ready) {
      throw new IllegalStateException("not initialised");
    }
    if (spent) {
      throw new IllegalStateException("encryption ended: init with another nonce (IV) comes next");
    }
  }

  /** The number of the key in use. */
  private long keyId() {
    Keyed k = keyed;
    if (k == null) {
      throw new IllegalStateException("not initialised");
    }
    return k.id;
  }

  /** Starts the native half, if it is not. */
  private void begin() {
    if (!begun) {
      try {
        NativeCrypto.cipherBegin(ref.handle(), ref, keyId(), iv, counter);
      } catch (IllegalStateException e) {
        // Threads that share this object may have left a key that nobody here knows.
        forgetKey();
        throw e;
      } catch (InvalidAlgorithmParameterException e) {
        throw new ProviderException(e);
      }
      begun = true;
    }
  }

  /** Whether the last whole block may hold padding to be removed. */
  private boolean holdsBack() {
    return padded && !encrypt;
  }

  /** Bytes that update writes for {@code length} more. */
  private int updateLength(int length) {
    if (length == 0) {
      return 0;
    }
    long total = (long) pending + length;
    long whole = total - total % kind.unit;
    if (holdsBack() && whole == total) {
      whole -= kind.unit;
    }
    if (whole > Integer.MAX_VALUE) {
      throw new ProviderException("more than 2 GiB at once");
    }
    return (int) whole;
  }

  /** Bytes that doFinal writes at most for {@code length} more; exact unless padding is removed. */
  private long finalBound(int length) {
    long total = (long) pending + length;
    return padded && encrypt ? total - total % kind.unit + kind.unit : total;
  }

  private static void checkRoom(int needed, int room) throws ShortBufferException {
    if (room < needed) {
      throw new ShortBufferException("output needs " + needed + " bytes, there is room for " + room);
    }
  }

  // --- data ---

  @Override
  protected byte[] engineUpdate(byte[] input, int offset, int length) {
    checkReady();
    int size = updateLength(length);
    byte[] output = size == 0 ? Bytes.EMPTY : new byte[size];
    try {
      process(input, null, offset, length, output, null, 0, size);
    } catch (ShortBufferException e) {
      throw new ProviderException(e);
    }
    return output;
  }

  @Override
  protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset)
      throws ShortBufferException {
    checkReady();
    int size = updateLength(length);
    checkRoom(size, output.length - outputOffset);
    return process(input, null, offset, length, output, null, outputOffset, size);
  }

  @Override
  protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
    checkReady();
    int length = input.remaining();
    int size = updateLength(length);
    checkRoom(size, output.remaining());
    Input in = new Input(input);
    Output out = new Output(output);
    try {
      int written = process(in.array, in.buffer, in.offset, length, out.array, out.buffer, out.offset, size);
      input.position(input.limit());
      output.position(output.position() + written);
      return written;
    } finally {
      in.clear();
    }
  }

  private int process(
      byte[] in, ByteBuffer inBuffer, int inOffset, int length, byte[] out, ByteBuffer outBuffer, int outOffset,
      int room) throws ShortBufferException {
    if (length == 0) {
      return 0;
    }
    boolean done = false;
    try {
      begin();
      int written = NativeCrypto.cipherUpdate(
          ref.handle(), ref, in, inBuffer, inOffset, length, out, outBuffer, outOffset, room);
      pending += length - written;
      done = true;
      return written;
    } finally {
      if (!done) {
        // Where the native half stands is not known here: init comes next.
        ready = false;
      }
    }
  }

  // --- the end ---

  @Override
  protected byte[] engineDoFinal(byte[] input, int offset, int length)
      throws IllegalBlockSizeException, BadPaddingException {
    checkReady();
    long bound = finalBound(length);
    if (bound > Integer.MAX_VALUE - 8) {
      throw new ProviderException("more than 2 GiB at once");
    }
    byte[] output = bound == 0 ? Bytes.EMPTY : new byte[(int) bound];
    int written;
    try {
      written = finish(length == 0 ? Bytes.EMPTY : input, null, length == 0 ? 0 : offset, length, output, null, 0,
          output.length);
    } catch (ShortBufferException e) {
      throw new ProviderException(e);
    }
    if (written == output.length) {
      return output;
    }
    byte[] exact = Arrays.copyOf(output, written);
    Arrays.fill(output, (byte) 0);
    return exact;
  }

  @Override
  protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
      throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
    checkReady();
    return finish(length == 0 ? Bytes.EMPTY : input, null, length == 0 ? 0 : offset, length, output, null,
        outputOffset, output.length - outputOffset);
  }

  @Override
  protected int engineDoFinal(ByteBuffer input, ByteBuffer output)
      throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
    checkReady();
    int length = input.remaining();
    Input in = new Input(input);
    Output out = new Output(output);
    try {
      int written = finish(
          in.array, in.buffer, in.offset, length, out.array, out.buffer, out.offset, output.remaining());
      input.position(input.limit());
      output.position(output.position() + written);
      return written;
    } finally {
      in.clear();
    }
  }

  private int finish(
      byte[] in, ByteBuffer inBuffer, int inOffset, int length, byte[] out, ByteBuffer outBuffer, int outOffset,
      int room) throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
    boolean done = false;
    boolean unchanged = false;
    try {
      int written;
      if (begun) {
        written = NativeCrypto.cipherFinish(
            ref.handle(), ref, in, inBuffer, inOffset, length, out, outBuffer, outOffset, room);
      } else {
        written = ShortCalls.cipherRun(
            ref.handle(), ref, keyId(), iv, counter, in, inBuffer, inOffset, length, out, outBuffer, outOffset, room);
        begun = true;
      }
      pending = 0;
      done = true;
      spent = kind == Kind.CHACHA20 && encrypt;
      return written;
    } catch (ShortBufferException e) {
      unchanged = true;
      throw e;
    } catch (IllegalBlockSizeException | BadPaddingException e) {
      // The native half is back where init left it.
      pending = 0;
      unchanged = true;
      throw e;
    } catch (InvalidAlgorithmParameterException e) {
      throw new ProviderException(e);
    } catch (IllegalStateException e) {
      // As in begin.
      forgetKey();
      throw e;
    } finally {
      if (!done && !unchanged) {
        ready = false;
      }
    }
  }

  // --- keys ---

  @Override
  protected byte[] engineWrap(Key wrapped) throws InvalidKeyException, IllegalBlockSizeException {
    byte[] encoded = WrappedKeys.encoded(wrapped);
    try {
      return engineDoFinal(encoded, 0, encoded.length);
    } catch (BadPaddingException e) {
      throw new ProviderException(e);
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
    } catch (IllegalBlockSizeException | BadPaddingException e) {
      throw new InvalidKeyException("the wrapped key was changed, or this is not its key", e);
    }
    return WrappedKeys.key(encoded, algorithm, type);
  }
}
