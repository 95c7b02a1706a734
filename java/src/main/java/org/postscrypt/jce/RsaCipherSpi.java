package org.postscrypt.jce;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.nat.KeyEncoding;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/**
 * RSA encryption (RFC 8017 section 7). Without or with PKCS #1 v1.5 padding both halves of a key can do both:
 * encrypting with a private key pads as for signing, decrypting with a public key recovers that.
 *
 * <p>As in the JDK, MGF1 uses SHA-1 whatever digest an OAEP transformation names, unless parameters say otherwise; what
 * parameters say goes before the transformation's name.
 * Whatever a decryption fails for, the BadPaddingException is the same.
 */
final class RsaCipherSpi extends CipherSpi {
  private static final String OAEP_PREFIX = "OAEPWITH";
  private static final String OAEP_SUFFIX = "ANDMGF1PADDING";

  private int padding;
  /** The digest that the transformation names; null: none. */
  private Hash named;
  private OAEPParameterSpec oaep;

  private NativeKey key;
  private boolean encrypting;
  private int size;
  /** Bytes that may come. */
  private int capacity;
  private byte[] input = Bytes.EMPTY;
  private int length;

  /** For a transformation's padding. */
  RsaCipherSpi(String padding) {
    try {
      engineSetPadding(padding);
    } catch (NoSuchPaddingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
    if (!"ECB".equalsIgnoreCase(mode) && !"NONE".equalsIgnoreCase(mode)) {
      throw new NoSuchAlgorithmException("RSA has no mode " + mode);
    }
  }

  @Override
  protected void engineSetPadding(String name) throws NoSuchPaddingException {
    String upper = name.toUpperCase(Locale.ENGLISH);
    Hash hash = null;
    if (upper.equals("NOPADDING")) {
      padding = NativeCrypto.PAD_NONE;
    } else if (upper.equals("PKCS1PADDING")) {
      padding = NativeCrypto.PAD_PKCS1;
    } else {
      if (upper.equals("OAEPPADDING")) {
        hash = Hash.SHA1;
      } else if (upper.startsWith(OAEP_PREFIX) && upper.endsWith(OAEP_SUFFIX)) {
        hash = Hash.of(upper.substring(OAEP_PREFIX.length(), upper.length() - OAEP_SUFFIX.length()));
      }
      if (hash == null) {
        throw new NoSuchPaddingException("RSA has no padding " + name);
      }
      padding = NativeCrypto.PAD_OAEP;
    }
    named = upper.equals("OAEPPADDING") ? null : hash;
    oaep = hash == null ? null : usual(hash);
  }

  private static OAEPParameterSpec usual(Hash hash) {
    return new OAEPParameterSpec(hash.standardName, "MGF1", MGF1ParameterSpec.SHA1, PSource.PSpecified.DEFAULT);
  }

  // --- initialisation ---

  @Override
  protected void engineInit(int mode, Key newKey, SecureRandom random) throws InvalidKeyException {
    try {
      engineInit(mode, newKey, (AlgorithmParameterSpec) null, random);
    } catch (InvalidAlgorithmParameterException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    }
  }

  @Override
  protected void engineInit(int mode, Key newKey, AlgorithmParameters params, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    try {
      engineInit(mode, newKey, params == null ? null : params.getParameterSpec(OAEPParameterSpec.class), random);
    } catch (InvalidParameterSpecException e) {
      throw new InvalidAlgorithmParameterException("not OAEP parameters", e);
    }
  }

  @Override
  protected void engineInit(int mode, Key newKey, AlgorithmParameterSpec params, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    NativeKey ours =
        newKey instanceof PrivateKey ? KeyKinds.RSA.privateKey(newKey) : KeyKinds.RSA.publicKey(newKey);
    boolean encrypt = mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE;
    OAEPParameterSpec spec = checked(params);
    int room = NativeCrypto.rsaSize(ours.ref().handle(), ours.ref());
    int newSize = room;
    if (padding == NativeCrypto.PAD_OAEP) {
      if (encrypt == ours instanceof PrivateKey) {
        throw new InvalidKeyException("OAEP encrypts with a public and decrypts with a private key");
      }
      room -= 2 * OaepParametersSpi.digest(spec).length + 2;
    } else if (padding == NativeCrypto.PAD_PKCS1) {
      room -= 11;
    }
    if (room < 0) {
      throw new InvalidKeyException("the key is too short for the padding");
    }
    clear();
    key = ours;
    encrypting = encrypt;
    oaep = spec;
    size = newSize;
    capacity = encrypt ? room : newSize;
  }

  private OAEPParameterSpec checked(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
    if (padding != NativeCrypto.PAD_OAEP) {
      if (params != null) {
        throw new InvalidAlgorithmParameterException("only OAEP has parameters");
      }
      return null;
    }
    if (params == null) {
      return usual(named == null ? Hash.SHA1 : named);
    }
    if (!(params instanceof OAEPParameterSpec)) {
      throw new InvalidAlgorithmParameterException("OAEP takes an OAEPParameterSpec");
    }
    OAEPParameterSpec spec = (OAEPParameterSpec) params;
    String fault = OaepParametersSpi.fault(spec);
    if (fault != null) {
      throw new InvalidAlgorithmParameterException(fault);
    }
    return spec;
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return oaep == null ? null : InitialisedParameters.of(new OaepParametersSpi(), "OAEP", oaep);
  }

  @Override
  protected byte[] engineGetIV() {
    return null;
  }

  /** 0: RSA is no block cipher in the JCA's sense. */
  @Override
  protected int engineGetBlockSize() {
    return 0;
  }

  @Override
  protected int engineGetOutputSize(int inputLength) {
    return size;
  }

  @Override
  protected int engineGetKeySize(Key given) throws InvalidKeyException {
    NativeKey ours = given instanceof PrivateKey ? KeyKinds.RSA.privateKey(given) : KeyKinds.RSA.publicKey(given);
    return ((java.security.interfaces.RSAKey) ours).getModulus().bitLength();
  }

  // --- data ---

  private void clear() {
    Arrays.fill(input, 0, Math.min(length, input.length), (byte) 0);
    length = 0;
  }

  /** Gathers; more than can be used is remembered as that, and told by doFinal. */
  private void append(byte[] bytes, int offset, int count) {
    if (count == 0) {
      return;
    }
    Bytes.check(bytes, offset, count);
    if (count > capacity - length) {
      clear();
      length = capacity + 1;
      return;
    }
    if (input.length < capacity) {
      byte[] larger = new byte[capacity];
      System.arraycopy(input, 0, larger, 0, length);
      Numbers.clear(input);
      input = larger;
    }
    System.arraycopy(bytes, offset, input, length, count);
    length += count;
  }

  @Override
  protected byte[] engineUpdate(byte[] bytes, int offset, int count) {
    append(bytes, offset, count);
    return null;
  }

  @Override
  protected int engineUpdate(byte[] bytes, int offset, int count, byte[] output, int outputOffset) {
    append(bytes, offset, count);
    return 0;
  }

  @Override
  protected byte[] engineDoFinal(byte[] bytes, int offset, int count)
      throws IllegalBlockSizeException, BadPaddingException {
    append(bytes, offset, count);
    byte[] block = new byte[size];
    int written = finish(block, 0);
    if (written == size) {
      return block;
    }
    byte[] message = Arrays.copyOf(block, written);
    Numbers.clear(block);
    return message;
  }

  @Override
  protected int engineDoFinal(byte[] bytes, int offset, int count, byte[] output, int outputOffset)
      throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
    if (size > output.length - outputOffset) {
      throw new ShortBufferException("output needs room for " + size + " bytes, not " + (output.length - outputOffset));
    }
    append(bytes, offset, count);
    return finish(output, outputOffset);
  }

  private int finish(byte[] output, int offset) throws IllegalBlockSizeException, BadPaddingException {
    try {
      if (length > capacity) {
        throw new IllegalBlockSizeException("more than " + capacity + " bytes of input");
      }
      NativeRef ref = key.ref();
      boolean withOaep = padding == NativeCrypto.PAD_OAEP;
      return NativeCrypto.rsaApply(
          ref.handle(), ref, encrypting, padding,
          withOaep ? OaepParametersSpi.digest(oaep).number : NativeCrypto.NO_DIGEST,
          withOaep ? OaepParametersSpi.mgf(oaep).number : NativeCrypto.NO_DIGEST,
          withOaep ? OaepParametersSpi.label(oaep) : null,
          input, 0, length, output, offset);
    } catch (InvalidKeyException e) {
      throw new ProviderException(e.getMessage(), e);
    } finally {
      clear();
    }
  }

  // --- wrapping ---

  @Override
  protected byte[] engineWrap(Key wrapped) throws InvalidKeyException, IllegalBlockSizeException {
    byte[] encoded = KeyEncoding.copy(wrapped);
    if (encoded == null || encoded.length == 0) {
      throw new InvalidKeyException("the key to wrap has no encoding");
    }
    try {
      if (encoded.length > capacity) {
        throw new InvalidKeyException("the key to wrap is longer than " + capacity + " bytes");
      }
      clear();
      return engineDoFinal(encoded, 0, encoded.length);
    } catch (BadPaddingException e) {
      throw new InvalidKeyException("the key cannot be wrapped without padding", e);
    } finally {
      Numbers.clear(encoded);
    }
  }

  @Override
  protected Key engineUnwrap(byte[] wrapped, String algorithm, int type)
      throws InvalidKeyException, NoSuchAlgorithmException {
    byte[] encoded = null;
    try {
      clear();
      encoded = engineDoFinal(wrapped, 0, wrapped.length);
      switch (type) {
        case Cipher.SECRET_KEY:
          return new SecretKeySpec(encoded, algorithm);
        case Cipher.PUBLIC_KEY:
          return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
        case Cipher.PRIVATE_KEY:
          return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        default:
          throw new InvalidKeyException("unknown type of key: " + type);
      }
    } catch (BadPaddingException | IllegalBlockSizeException | InvalidKeySpecException | IllegalArgumentException e) {
      throw new InvalidKeyException("the key cannot be unwrapped", e);
    } finally {
      Numbers.clear(encoded);
    }
  }
}
