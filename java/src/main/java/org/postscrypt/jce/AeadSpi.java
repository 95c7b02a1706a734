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
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;
import org.postscrypt.nat.ShortCalls;

/**
 * Authenticated encryption: what its ciphers have in common. Not thread-safe, as every Cipher.
 *
 * <ul>
 *   <li>An operation without {@code update} is one native call. Encryption streams in constant memory where the
 *       algorithm allows it; otherwise, and for decryption, what {@code update} brings is kept in native memory.
 *       Plaintext is released only after the tag was right.
 *   <li>Encryption ends with {@code doFinal}: then, or after a failure in the middle, another {@code init} with another
 *       nonce must come, unless the algorithm stands the same one. Decryption goes back to where {@code init} left it,
 *       whether the tag was right or not.
 *   <li>A ShortBufferException changes nothing. Input and output may overlap in any way.
 *   <li>A failed {@code init} leaves the object uninitialised.
 * </ul>
 */
abstract class AeadSpi extends CipherSpi {
  private static final NativeRef.Free FREE = NativeCrypto::aeadFree;
  private static final int SHORT_NONCE_BYTES = 12;
  static final int MAX_TAG_BYTES = 16;
  /** The native half takes partly overlapping arrays up to this length. */
  private static final int MAX_OVERLAP = 1 << 20;

  private final int nonceBytes;
  /** Whether encryption streams. */
  private final boolean streams;
  /** Never closed: another thread may be misusing this object. The native object is keyed anew instead. */
  private final NativeRef ref;

  /** The key that the native object was given last, as far as this object knows. */
  private Keyed keyed;
  private int tagBytes;
  /** The nonce last taken for encryption under this key. */
  private byte[] sealNonce;

  private boolean ready;
  private boolean seal;
  private byte[] nonce;
  private long nonceHigh;
  private int nonceLow;
  /** Null for a nonce of 12 bytes, which the two numbers are. */
  private byte[] otherNonce;

  private byte[] additional = Bytes.EMPTY;
  private int additionalLength;
  /** Whether a native stream was begun for this operation. */
  private boolean started;
  /** Whether the operation has had data: no more additional data. */
  private boolean data;
  /** Whether an encryption ended: only {@code init} may follow. */
  private boolean spent;
  /** Bytes kept for decryption. */
  private int held;

  /**
   * @param nonceBytes length of a nonce that is chosen here
   * @param streams whether the native half encrypts piece by piece
   */
  AeadSpi(int algorithm, int nonceBytes, boolean streams) {
    ref = new NativeRef(NativeCrypto.aeadNew(algorithm), FREE);
    this.nonceBytes = nonceBytes;
    this.streams = streams;
  }

  // --- what an algorithm says ---

  /** The mode's name in a transformation. */
  abstract String mode();

  /** Whether a transformation's mode, in any case, is this one's. */
  boolean isMode(String mode) {
    return mode().equalsIgnoreCase(mode);
  }

  /** Whether a key may have this many bytes. */
  abstract void checkKeyLength(int length) throws InvalidKeyException;

  /** The nonce in a spec, which is not null; as long as the algorithm takes. */
  abstract byte[] nonceIn(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException;

  /** The tag's length in bytes in a spec that had a good nonce. */
  int tagBytesIn(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
    return MAX_TAG_BYTES;
  }

  /** The spec in parameters of any provider. */
  abstract AlgorithmParameterSpec specIn(AlgorithmParameters parameters) throws InvalidParameterSpecException;

  /** Parameters with these values. */
  abstract AlgorithmParameters parametersOf(byte[] usedNonce, int usedTagBytes);

  /** Whether a key and nonce may encrypt twice. */
  boolean standsRepeatedNonces() {
    return false;
  }

  /** What is thrown when the same key and nonce shall encrypt again. */
  void refuseRepeatedNonce() throws InvalidKeyException, InvalidAlgorithmParameterException {
    throw new InvalidAlgorithmParameterException("the same key and nonce (IV) must not encrypt twice");
  }

  // --- what it is ---

  @Override
  protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
    if (!isMode(mode)) {
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

  /** Whether {@code update} only keeps its input. */
  private boolean holds() {
    return !seal || !streams;
  }

  /**
   * Encryption that streams: exact for doFinal. Otherwise: exact while nothing is kept; afterwards rounded up by less
   * than a half, so that a caller that makes room for it before each update (javax.crypto.CipherInputStream) does so a few times
   * only.
   */
  @Override
  protected int engineGetOutputSize(int inputLength) {
    int total = Bytes.saturatingAdd(held, inputLength);
    int exact = seal ? Bytes.saturatingAdd(total, tagBytes) : Math.max(0, total - tagBytes);
    if (held == 0 || exact < 4) {
      return exact;
    }
    int step = Integer.highestOneBit(exact) >> 1;
    int rounded = exact + step - 1 & -step;
    return rounded < 0 ? Math.max(exact, Integer.MAX_VALUE - 8) : rounded;
  }

  @Override
  protected int engineGetKeySize(Key k) throws InvalidKeyException {
    int length = Keys.encodedLength(k);
    checkKeyLength(length);
    return length * 8;
  }

  @Override
  protected byte[] engineGetIV() {
    return nonce == null ? null : nonce.clone();
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return nonce == null ? null : parametersOf(nonce, tagBytes);
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
        spec = specIn(parameters);
      } catch (InvalidParameterSpecException e) {
        ready = false;
        throw new InvalidAlgorithmParameterException("these are other parameters", e);
      }
    }
    init(mode, newKey, spec, random);
  }

  private void init(int mode, Key newKey, AlgorithmParameterSpec spec, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    ready = false;
    abandon();
    boolean newSeal = mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE;
    byte[] newNonce;
    int newTagBytes = MAX_TAG_BYTES;
    if (spec != null) {
      newNonce = nonceIn(spec);
      newTagBytes = tagBytesIn(spec);
    } else if (newSeal) {
      newNonce = new byte[nonceBytes];
      if (random == null) {
        NativeCrypto.randomBytes(newNonce, 0, nonceBytes);
      } else {
        random.nextBytes(newNonce);
      }
    } else {
      throw new InvalidAlgorithmParameterException("decryption needs the nonce (IV)");
    }

    takeKey(newKey, newTagBytes);
    if (newSeal) {
      if (Arrays.equals(newNonce, sealNonce) && !standsRepeatedNonces()) {
        refuseRepeatedNonce();
      }
      sealNonce = newNonce;
    }
    nonce = newNonce;
    if (newNonce.length == SHORT_NONCE_BYTES) {
      otherNonce = null;
      nonceHigh = Bytes.getLong(newNonce, 0);
      nonceLow = Bytes.getInt(newNonce, 8);
    } else {
      otherNonce = newNonce;
    }
    seal = newSeal;
    spent = false;
    ready = true;
  }

  /** Makes the native object have this key and tag length; what it has already is not done again. */
  private void takeKey(Key newKey, int newTagBytes) throws InvalidKeyException, InvalidAlgorithmParameterException {
    Keyed had = keyed;
    // A SecretKeySpec (not a subclass of it) never changes.
    if (had == null || newKey != had.key || newKey.getClass() != SecretKeySpec.class) {
      byte[] bytes = Keys.encoded(newKey);
      boolean kept = false;
      try {
        checkKeyLength(bytes.length);
        if (had != null && MessageDigest.isEqual(bytes, had.bytes)) {
          keyed = new Keyed(newKey, had.bytes, had.id);
        } else {
          forgetKey();
          keyed = new Keyed(newKey, bytes, NativeCrypto.aeadSetKey(ref.handle(), ref, bytes, newTagBytes));
          tagBytes = newTagBytes;
          kept = true;
        }
      } finally {
        if (!kept) {
          Arrays.fill(bytes, (byte) 0);
        }
      }
    }
    if (newTagBytes != tagBytes) {
      NativeCrypto.aeadSetTagLength(ref.handle(), ref, newTagBytes);
      tagBytes = newTagBytes;
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
    final long id;

    Keyed(Key key, byte[] bytes, long id) {
      this.key = key;
      this.bytes = bytes;
      this.id = id;
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

  /** Starts a native stream, if none is. */
  private void begin() {
    if (!started) {
      try {
        NativeCrypto.aeadBegin(
            ref.handle(), ref, keyId(), tagBytes, seal,
            nonceHigh, nonceLow, otherNonce, additional, additionalLength);
      } catch (IllegalStateException e) {
        forgetKey();
        throw e;
      }
      started = true;
      clearAdditional();
    }
  }

  private void clearAdditional() {
    byte[] bytes = additional;
    int used = Math.min(additionalLength, bytes.length);
    additionalLength = 0;
    Arrays.fill(bytes, 0, used, (byte) 0);
  }

  /** Back to where init left it; what the native half keeps is zeroed. */
  private void abandon() {
    if (started) {
      NativeCrypto.aeadAbandon(ref.handle(), ref);
    }
    restart();
  }

  /** Back to where init left it, after the native half went there. */
  private void restart() {
    started = false;
    data = false;
    held = 0;
    clearAdditional();
  }

  // --- additional data ---

  @Override
  protected void engineUpdateAAD(byte[] input, int offset, int length) {
    Bytes.check(input, offset, length);
    updateAdditional(input, null, offset, length);
  }

  @Override
  protected void engineUpdateAAD(ByteBuffer input) {
    Input in = new Input(input);
    updateAdditional(in.array, in.buffer, in.offset, in.length);
    input.position(input.limit());
  }

  /** Bytes of an array or, if that is null, what remains in a direct buffer, whose position is the offset. */
  private void updateAdditional(byte[] array, ByteBuffer buffer, int offset, int length) {
    checkReady();
    if (data) {
      throw new IllegalStateException("additional data must come before data");
    }
    if (!started && length <= NativeCrypto.AEAD_MAX_ADDITIONAL - additionalLength) {
      int total = additionalLength + length;
      if (total > additional.length) {
        byte[] larger = new byte[Math.min(Math.max(total, 2 * additional.length), NativeCrypto.AEAD_MAX_ADDITIONAL)];
        System.arraycopy(additional, 0, larger, 0, additionalLength);
        Arrays.fill(additional, (byte) 0);
        additional = larger;
      }
      if (array != null) {
        System.arraycopy(array, offset, additional, additionalLength, length);
      } else {
        buffer.duplicate().get(additional, additionalLength, length);
      }
      additionalLength = total;
    } else if (length > 0) {
      begin();
      NativeCrypto.aeadAdditional(ref.handle(), ref, array, buffer, offset, length);
    }
  }

  // --- data ---

  @Override
  protected byte[] engineUpdate(byte[] input, int offset, int length) {
    checkReady();
    byte[] output = !holds() && length > 0 ? new byte[length] : Bytes.EMPTY;
    if (length > 0) {
      process(input, null, offset, length, output, null, 0);
    }
    return output;
  }

  @Override
  protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset)
      throws ShortBufferException {
    checkReady();
    if (length == 0) {
      return 0;
    }
    if (!holds()) {
      checkRoom(length, output.length - outputOffset);
    }
    return process(input, null, offset, length, output, null, outputOffset);
  }

  @Override
  protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
    checkReady();
    int length = input.remaining();
    if (length == 0) {
      return 0;
    }
    if (!holds()) {
      checkRoom(length, output.remaining());
    }
    Input in = new Input(input);
    Output out = new Output(output);
    try {
      int written = process(in.array, in.buffer, in.offset, length, out.array, out.buffer, out.offset);
      input.position(input.limit());
      output.position(output.position() + written);
      return written;
    } finally {
      in.clear();
    }
  }

  /** More data, of which there is some; there is room for what comes out. Answers how much does. */
  private int process(
      byte[] in, ByteBuffer inBuffer, int inOffset, int length, byte[] out, ByteBuffer outBuffer, int outOffset) {
    if (holds()) {
      checkTotal(length);
      begin();
      data = true;
      NativeCrypto.aeadHold(ref.handle(), ref, in, inBuffer, inOffset, length);
      held += length;
      return 0;
    }
    begin();
    data = true;
    boolean done = false;
    try {
      int from = separate(in, inOffset, length, out, outOffset);
      NativeCrypto.aeadSealPiece(
          ref.handle(), ref, in, inBuffer, from, length, out, outBuffer, outOffset);
      done = true;
    } finally {
      if (!done) {
        spent = true;
        abandon();
      }
    }
    return length;
  }

  /**
   * What is too long to be taken in one step must not overlap partly: it is moved to where the output goes. Answers
   * where the input begins then.
   */
  private static int separate(byte[] in, int inOffset, int length, byte[] out, int outOffset) {
    if (in == null || in != out || length <= MAX_OVERLAP || Math.abs((long) inOffset - outOffset) >= length) {
      return inOffset;
    }
    System.arraycopy(in, inOffset, out, outOffset, length);
    return outOffset;
  }

  private static void checkRoom(int needed, int room) throws ShortBufferException {
    if (room < needed) {
      throw new ShortBufferException("output needs " + needed + " bytes, there is room for " + room);
    }
  }

  // --- the end ---

  @Override
  protected byte[] engineDoFinal(byte[] input, int offset, int length) throws AEADBadTagException {
    checkReady();
    int size = finalLength(length);
    byte[] output = size == 0 ? Bytes.EMPTY : new byte[size];
    finish(length == 0 ? Bytes.EMPTY : input, null, length == 0 ? 0 : offset, length, output, null, 0);
    return output;
  }

  @Override
  protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
      throws ShortBufferException, AEADBadTagException {
    checkReady();
    checkRoom(finalLength(length), output.length - outputOffset);
    return finish(
        length == 0 ? Bytes.EMPTY : input, null, length == 0 ? 0 : offset, length, output, null, outputOffset);
  }

  @Override
  protected int engineDoFinal(ByteBuffer input, ByteBuffer output) throws ShortBufferException, AEADBadTagException {
    checkReady();
    int length = input.remaining();
    checkRoom(finalLength(length), output.remaining());
    Input in = new Input(input);
    Output out = new Output(output);
    try {
      int written = finish(in.array, in.buffer, in.offset, length, out.array, out.buffer, out.offset);
      input.position(input.limit());
      output.position(output.position() + written);
      return written;
    } finally {
      in.clear();
    }
  }

  /** Bytes that doFinal writes after {@code length} more of input. */
  private int finalLength(int length) {
    if (seal) {
      checkTotal(length > Integer.MAX_VALUE - tagBytes ? Integer.MAX_VALUE : length + tagBytes);
      return held + length + tagBytes;
    }
    checkTotal(length);
    return Math.max(0, held + length - tagBytes);
  }

  private void checkTotal(int length) {
    if (length > Integer.MAX_VALUE - held) {
      throw new ProviderException("more than 2 GiB at once");
    }
  }

  /** The last data; there is room for what comes out. */
  private int finish(
      byte[] in, ByteBuffer inBuffer, int inOffset, int length, byte[] out, ByteBuffer outBuffer, int outOffset)
      throws AEADBadTagException {
    boolean done = false;
    spent = seal && !standsRepeatedNonces();
    try {
      int written;
      if (seal) {
        int from = streams ? separate(in, inOffset, length, out, outOffset) : inOffset;
        if (started) {
          written = NativeCrypto.aeadFinishSeal(
              ref.handle(), ref, in, inBuffer, from, length, out, outBuffer, outOffset);
        } else {
          written = ShortCalls.aeadSeal(
              ref.handle(), ref, keyId(), tagBytes, nonceHigh, nonceLow, otherNonce, additional, additionalLength,
              in, inBuffer, from, length, out, outBuffer, outOffset);
        }
      } else if (started) {
        written = NativeCrypto.aeadFinishOpen(
            ref.handle(), ref, in, inBuffer, inOffset, length, out, outBuffer, outOffset);
      } else {
        written = ShortCalls.aeadOpen(
            ref.handle(), ref, keyId(), tagBytes, nonceHigh, nonceLow, otherNonce, additional, additionalLength,
            in, inBuffer, inOffset, length, out, outBuffer, outOffset);
      }
      restart();
      done = true;
      return written;
    } catch (IllegalStateException e) {
      // Threads that share this object may have left a key that nobody here knows.
      forgetKey();
      throw e;
    } finally {
      if (!done) {
        abandon();
      }
    }
  }

  // --- keys ---

  @Override
  protected byte[] engineWrap(Key wrapped) throws InvalidKeyException {
    byte[] encoded = WrappedKeys.encoded(wrapped);
    try {
      return engineDoFinal(encoded, 0, encoded.length);
    } catch (AEADBadTagException e) {
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
    } catch (AEADBadTagException e) {
      throw new InvalidKeyException("the wrapped key was changed, or this is not its key", e);
    }
    return WrappedKeys.key(encoded, algorithm, type);
  }
}
