package org.postscrypt.jsse.support;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;

/**
 * A private key that only its own provider can use and nobody can export, as those on smart cards and in key services
 * are. That provider is registered last.
 */
public final class OpaqueKey implements PrivateKey {
  private static final long serialVersionUID = 1L;
  private static final List<String> SIGNATURES = List.of(
      "RSASSA-PSS", "SHA256withRSA", "SHA384withRSA", "SHA512withRSA", "SHA256withECDSA", "SHA384withECDSA",
      "SHA512withECDSA", "Ed25519");

  private static final List<String> RAW_SIGNATURES = List.of("NONEwithECDSA", "NONEwithRSA");

  /** What is done with the key beside what is asked of it. */
  public interface Use {
    /** Called before each use with the algorithm's name; its exception is the key's. */
    void before(String algorithm) throws SignatureException;
  }

  private final transient PrivateKey key;
  private final transient Use use;
  private final transient boolean raw;
  private final transient List<String> uses = Collections.synchronizedList(new ArrayList<>());

  /** A key that does what {@code identity}'s does. */
  public OpaqueKey(TestPki.Identity identity, Use use) {
    this(identity, use, false);
  }

  /** {@code raw}: its provider has no digests, only the operations themselves. */
  public OpaqueKey(TestPki.Identity identity, Use use, boolean raw) {
    this.key = identity.key();
    this.use = use;
    this.raw = raw;
  }

  /** The algorithms that it was used with, in order. */
  public List<String> uses() {
    synchronized (uses) {
      return List.copyOf(uses);
    }
  }

  /** A key manager that answers with this key for the identity that it is made of. */
  public DelegatingKeyManager manager(TestPki.Identity identity) {
    return new DelegatingKeyManager(identity) {
      @Override
      public PrivateKey getPrivateKey(String alias) {
        return super.getPrivateKey(alias) == null ? null : OpaqueKey.this;
      }
    };
  }

  @Override
  public String getAlgorithm() {
    return key.getAlgorithm();
  }

  @Override
  public String getFormat() {
    return null;
  }

  @Override
  public byte[] getEncoded() {
    return null;
  }

  private PrivateKey use(String algorithm) throws SignatureException {
    uses.add(algorithm);
    use.before(algorithm);
    return key;
  }

  private static OpaqueKey of(Key key) throws InvalidKeyException {
    if (key instanceof OpaqueKey opaque) {
      return opaque;
    }
    throw new InvalidKeyException("not of this provider");
  }

  /** Registers the provider. */
  public static void register() {
    if (Security.getProvider(Keys.NAME) == null) {
      Security.addProvider(new Keys());
    }
  }

  /** Takes it away again. */
  public static void unregister() {
    Security.removeProvider(Keys.NAME);
  }

  private static final class Keys extends Provider {
    private static final long serialVersionUID = 1L;
    static final String NAME = "OpaqueKeys";

    Keys() {
      super(NAME, "1.0", "keys without an encoding");
      List<String> all = new ArrayList<>(SIGNATURES);
      all.addAll(RAW_SIGNATURES);
      for (String algorithm : all) {
        boolean raw = RAW_SIGNATURES.contains(algorithm);
        putService(new Service(this, "Signature", algorithm, Signer.class.getName(), null, null) {
          @Override
          public Object newInstance(Object parameter) {
            return new Signer(getAlgorithm());
          }

          @Override
          public boolean supportsParameter(Object parameter) {
            return parameter instanceof OpaqueKey opaque && opaque.raw == raw;
          }
        });
      }
      putService(new Service(this, "Cipher", "RSA/ECB/NoPadding", Decipherer.class.getName(), null, null) {
        @Override
        public Object newInstance(Object parameter) {
          return new Decipherer();
        }

        @Override
        public boolean supportsParameter(Object parameter) {
          return parameter instanceof OpaqueKey;
        }
      });
    }
  }

  private static final class Signer extends SignatureSpi {
    private final String algorithm;
    private AlgorithmParameterSpec parameters;
    private OpaqueKey key;
    private final Bytes message = new Bytes();

    Signer(String algorithm) {
      this.algorithm = algorithm;
    }

    @Override
    protected void engineInitSign(PrivateKey privateKey) throws InvalidKeyException {
      key = of(privateKey);
    }

    @Override
    protected void engineInitVerify(PublicKey publicKey) throws InvalidKeyException {
      throw new InvalidKeyException("signs only");
    }

    @Override
    protected void engineUpdate(byte b) {
      message.add(new byte[] {b});
    }

    @Override
    protected void engineUpdate(byte[] b, int offset, int length) {
      message.add(b, offset, length);
    }

    @Override
    protected byte[] engineSign() throws SignatureException {
      PrivateKey inner = key.use(algorithm);
      try {
        String provider =
            algorithm.equals("NONEwithRSA") ? "SunJCE" : algorithm.contains("RSA") ? "SunRsaSign" : "SunEC";
        Signature signature = Signature.getInstance(algorithm, provider);
        signature.initSign(inner);
        if (parameters != null) {
          signature.setParameter(parameters);
        }
        signature.update(message.take());
        return signature.sign();
      } catch (GeneralSecurityException e) {
        throw new SignatureException(e);
      }
    }

    @Override
    protected boolean engineVerify(byte[] signature) throws SignatureException {
      throw new SignatureException("signs only");
    }

    @Override
    protected void engineSetParameter(AlgorithmParameterSpec spec) {
      parameters = spec;
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
      return null;
    }

    @Deprecated
    @Override
    protected void engineSetParameter(String name, Object value) {
      throw new InvalidParameterException(name);
    }

    @Deprecated
    @Override
    protected Object engineGetParameter(String name) {
      throw new InvalidParameterException(name);
    }
  }

  /** The RSA operation alone. */
  private static final class Decipherer extends CipherSpi {
    private OpaqueKey key;

    @Override
    protected void engineInit(int mode, Key opaque, SecureRandom random) throws InvalidKeyException {
      key = of(opaque);
    }

    @Override
    protected void engineInit(int mode, Key opaque, AlgorithmParameterSpec spec, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
      key = of(opaque);
    }

    @Override
    protected void engineInit(int mode, Key opaque, AlgorithmParameters spec, SecureRandom random)
        throws InvalidKeyException {
      key = of(opaque);
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length) {
      try {
        Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding", "SunJCE");
        cipher.init(Cipher.DECRYPT_MODE, key.use("RSA/ECB/NoPadding"));
        return cipher.doFinal(input, offset, length);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset) {
      byte[] result = engineDoFinal(input, offset, length);
      System.arraycopy(result, 0, output, outputOffset, result.length);
      return result.length;
    }

    @Override
    protected void engineSetMode(String mode) {}

    @Override
    protected void engineSetPadding(String padding) {}

    @Override
    protected int engineGetBlockSize() {
      return 0;
    }

    @Override
    protected int engineGetOutputSize(int length) {
      return 1024;
    }

    @Override
    protected byte[] engineGetIV() {
      return null;
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
      return null;
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset) {
      throw new UnsupportedOperationException();
    }
  }
}
