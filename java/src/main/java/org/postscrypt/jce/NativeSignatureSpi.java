package org.postscrypt.jce;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.interfaces.ECKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECParameterSpec;
import javax.security.auth.Destroyable;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * A signature scheme. A message that fits into {@link Message} costs one native call to sign or verify. Afterwards,
 * successful or not, the object is ready for the next message under the same key.
 *
 * <p>A signature that is malformed (another length than the key's, not DER) is a SignatureException; one that is wrong
 * is false.
 */
abstract class NativeSignatureSpi extends SignatureSpi {
  private final KeyKinds kinds;
  final int scheme;
  private NativePrivateKey signing;
  private NativePublicKey verifying;
  /** The foreign key that was translated last, so that initialising with it again is cheap. */
  private Key foreign;
  private NativeKey translated;

  NativeSignatureSpi(KeyKinds kinds, int scheme) {
    this.kinds = kinds;
    this.scheme = scheme;
  }

  /** Forgets the message. */
  abstract void clear();

  /** Whether there is part of a message. */
  abstract boolean hasMessage();

  abstract byte[] sign(NativeRef key) throws InvalidKeyException, SignatureException;

  abstract boolean verify(NativeRef key, byte[] signature, int offset, int length)
      throws InvalidKeyException, SignatureException;

  /** Checks a key before it is taken. */
  void check(NativeKey key) throws InvalidKeyException {}

  /** The key in use; null if there is none. */
  final NativeKey key() {
    return signing != null ? signing : verifying;
  }

  @Override
  protected final void engineInitSign(PrivateKey key) throws InvalidKeyException {
    NativePrivateKey ours = key != null && key == foreign && translated instanceof NativePrivateKey && !isDestroyed(key)
        ? kinds.privateKey(translated)
        : kinds.privateKey(key);
    check(ours);
    remember(key, ours);
    clear();
    signing = ours;
    verifying = null;
  }

  @Override
  protected final void engineInitVerify(PublicKey key) throws InvalidKeyException {
    NativePublicKey ours = key != null && key == foreign && translated instanceof NativePublicKey
        ? (NativePublicKey) translated
        : kinds.publicKey(key);
    check(ours);
    remember(key, ours);
    clear();
    verifying = ours;
    signing = null;
  }

  /** Asked this way, as private keys need not be Destroyable before Java 8 and Android 26. */
  private static boolean isDestroyed(Object key) {
    return key instanceof Destroyable && ((Destroyable) key).isDestroyed();
  }

  private void remember(Key key, NativeKey ours) {
    foreign = key == ours ? null : key;
    translated = key == ours ? null : ours;
  }

  @Override
  protected final byte[] engineSign() throws SignatureException {
    NativePrivateKey key = signing;
    if (key == null) {
      throw new SignatureException("not initialised for signing");
    }
    try {
      return sign(key.ref());
    } catch (InvalidKeyException e) {
      throw new SignatureException(e.getMessage(), e);
    } finally {
      clear();
    }
  }

  @Override
  protected final boolean engineVerify(byte[] signature) throws SignatureException {
    return engineVerify(signature, 0, signature.length);
  }

  @Override
  protected final boolean engineVerify(byte[] signature, int offset, int length) throws SignatureException {
    NativePublicKey key = verifying;
    if (key == null) {
      throw new SignatureException("not initialised for verification");
    }
    try {
      return verify(key.ref(), signature, offset, length);
    } catch (InvalidKeyException e) {
      throw new SignatureException(e.getMessage(), e);
    } finally {
      clear();
    }
  }

  @Override
  protected void engineSetParameter(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
    if (params == null) {
      return;
    }
    if (kinds == KeyKinds.EC && params instanceof ECParameterSpec) {
      NativeKey key = key();
      if (key == null || Curve.of((ECParameterSpec) params) == Curve.of(((ECKey) key).getParams())) {
        return;
      }
      throw new InvalidAlgorithmParameterException("the parameters are of another curve than the key");
    }
    if (kinds == KeyKinds.EDDSA && EdecKeys.isPlain(params)) {
      return;
    }
    throw new InvalidAlgorithmParameterException(
        "this signature takes no such parameters: " + params.getClass().getName());
  }

  /** Null, unless the scheme has parameters. */
  @Override
  protected AlgorithmParameters engineGetParameters() {
    return null;
  }

  /** Not supported; deprecated in the JCA. */
  @Override
  @Deprecated
  protected final void engineSetParameter(String name, Object value) {
    throw new UnsupportedOperationException("parameters are set by their AlgorithmParameterSpec");
  }

  /** Not supported; deprecated in the JCA. */
  @Override
  @Deprecated
  protected final Object engineGetParameter(String name) {
    throw new UnsupportedOperationException("parameters are had by getParameters()");
  }

  /** A scheme over a digest: RSA with PKCS #1 v1.5 padding or PSS, ECDSA. */
  static class Digested extends NativeSignatureSpi implements Message.Sink {
    private static final NativeRef.Free FREE = NativeCrypto::digestFree;

    private final Message message = new Message(this);
    private int digest;
    private NativeRef digester;
    private int digesterDigest;
    private boolean started;

    Digested(KeyKinds kinds, int scheme, int digest) {
      super(kinds, scheme);
      this.digest = digest;
    }

    /** Another digest for the next message. */
    final void useDigest(int other) {
      digest = other;
    }

    int mgfDigest() {
      return NativeCrypto.NO_DIGEST;
    }

    int saltLength() {
      return 0;
    }

    /** Called before the message grows and before it is used. */
    void ready() throws SignatureException {}

    @Override
    public final void accept(byte[] array, ByteBuffer buffer, int offset, int count) {
      if (digester == null || digesterDigest != digest) {
        digester = new NativeRef(NativeCrypto.digestNew(digest), FREE);
        digesterDigest = digest;
      }
      boolean start = !started;
      started = true;
      NativeCrypto.digestUpdate(digester.handle(), digester, start, array, buffer, offset, count);
    }

    @Override
    final void clear() {
      message.clear();
      started = false;
    }

    @Override
    final boolean hasMessage() {
      return started || message.length() > 0;
    }

    @Override
    protected final void engineUpdate(byte b) throws SignatureException {
      ready();
      message.append(b);
    }

    @Override
    protected final void engineUpdate(byte[] input, int offset, int count) throws SignatureException {
      ready();
      message.append(input, offset, count);
    }

    /** A buffer's remaining bytes. A ProviderException where the others throw SignatureException, which this cannot. */
    @Override
    protected final void engineUpdate(ByteBuffer input) {
      try {
        ready();
      } catch (SignatureException e) {
        throw new ProviderException(e.getMessage(), e);
      }
      message.append(input);
    }

    @Override
    final byte[] sign(NativeRef key) throws InvalidKeyException, SignatureException {
      ready();
      return NativeCrypto.signatureSign(
          key.handle(), key, scheme, digest, mgfDigest(), saltLength(),
          started, started ? digester.handle() : 0, digester, message.gathered(), 0, message.length());
    }

    @Override
    final boolean verify(NativeRef key, byte[] signature, int offset, int length)
        throws InvalidKeyException, SignatureException {
      ready();
      return NativeCrypto.signatureVerify(
          key.handle(), key, scheme, digest, mgfDigest(), saltLength(),
          started, started ? digester.handle() : 0, digester, message.gathered(), 0, message.length(),
          signature, offset, length);
    }
  }

  /** A scheme over what it is given: Ed25519, and those named NONE. */
  static final class Whole extends NativeSignatureSpi {
    private final int limit;
    private byte[] message = Bytes.EMPTY;
    private int length;

    /**
     * @param limit bytes that can be signed; a longer message is a SignatureException once it is to be used
     */
    Whole(KeyKinds kinds, int scheme, int limit) {
      super(kinds, scheme);
      this.limit = limit;
    }

    /** Room for {@code count} more bytes; false: the message is too long already, and only that is kept. */
    private boolean room(int count) {
      int needed = Bytes.saturatingAdd(length, count);
      if (needed > limit) {
        length = Integer.MAX_VALUE;
        return false;
      }
      if (needed > message.length) {
        int larger = Math.max(needed, Math.min(limit, Bytes.saturatingAdd(message.length, message.length)));
        byte[] grown = new byte[Math.max(larger, 64)];
        System.arraycopy(message, 0, grown, 0, length);
        Numbers.clear(message);
        message = grown;
      }
      return true;
    }

    @Override
    void clear() {
      java.util.Arrays.fill(message, 0, Math.min(length, message.length), (byte) 0);
      length = 0;
    }

    @Override
    boolean hasMessage() {
      return length > 0;
    }

    @Override
    protected void engineUpdate(byte b) {
      if (room(1)) {
        message[length++] = b;
      }
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int count) {
      Bytes.check(input, offset, count);
      if (room(count)) {
        System.arraycopy(input, offset, message, length, count);
        length += count;
      }
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
      int count = input.remaining();
      if (room(count)) {
        input.get(message, length, count);
        length += count;
      } else {
        input.position(input.limit());
      }
    }

    private void checkLength() throws SignatureException {
      if (length > limit) {
        throw new SignatureException("more than " + limit + " bytes to sign");
      }
    }

    @Override
    byte[] sign(NativeRef key) throws InvalidKeyException, SignatureException {
      checkLength();
      return NativeCrypto.signatureSign(
          key.handle(), key, scheme, NativeCrypto.NO_DIGEST, NativeCrypto.NO_DIGEST, 0,
          false, 0, null, message, 0, length);
    }

    @Override
    boolean verify(NativeRef key, byte[] signature, int offset, int signatureLength)
        throws InvalidKeyException, SignatureException {
      checkLength();
      return NativeCrypto.signatureVerify(
          key.handle(), key, scheme, NativeCrypto.NO_DIGEST, NativeCrypto.NO_DIGEST, 0,
          false, 0, null, message, 0, length,
          signature, offset, signatureLength);
    }
  }
}
