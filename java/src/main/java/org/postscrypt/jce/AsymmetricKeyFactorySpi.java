package org.postscrypt.jce;

import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactorySpi;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import org.postscrypt.RawKeySpec;
import org.postscrypt.nat.NativeCrypto;

/** Keys from encodings and specs and back, for one family of algorithms. */
final class AsymmetricKeyFactorySpi extends KeyFactorySpi {
  private final KeyKinds kinds;

  AsymmetricKeyFactorySpi(KeyKinds kinds) {
    this.kinds = kinds;
  }

  private boolean isRsa() {
    return kinds == KeyKinds.RSA || kinds == KeyKinds.RSA_PSS;
  }

  /** The kind of key that bare bytes are; -1 if the family has none. */
  private int rawKind() {
    return kinds == KeyKinds.XDH ? NativeCrypto.X25519 : kinds == KeyKinds.EDDSA ? NativeCrypto.ED25519 : -1;
  }

  private static InvalidKeySpecException invalid(Exception e) {
    return new InvalidKeySpecException(e.getMessage(), e);
  }

  private InvalidKeySpecException unknown(Object spec) {
    return new InvalidKeySpecException(
        "no " + kinds + " key comes from " + (spec == null ? "null" : spec instanceof Class ? spec : spec.getClass()));
  }

  // --- from specs ---

  @Override
  protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
    try {
      return kinds.ownPublic(publicHandle(spec));
    } catch (InvalidKeyException e) {
      throw invalid(e);
    }
  }

  private long publicHandle(KeySpec spec) throws InvalidKeyException, InvalidKeySpecException {
    if (spec instanceof X509EncodedKeySpec) {
      return NativeCrypto.keyFromSpki(((X509EncodedKeySpec) spec).getEncoded());
    }
    if (rawKind() >= 0) {
      byte[] bytes = raw(spec);
      if (bytes == null) {
        bytes = kinds == KeyKinds.XDH ? XecKeys.publicBytes(spec) : EdecKeys.publicBytes(spec);
      }
      if (bytes != null) {
        return NativeCrypto.keyFromPublicBytes(rawKind(), bytes);
      }
    } else if (isRsa() && spec instanceof RSAPublicKeySpec) {
      RSAPublicKeySpec rsa = (RSAPublicKeySpec) spec;
      return rsa(false, spec, rsa.getModulus(), rsa.getPublicExponent());
    } else if (kinds == KeyKinds.EC && spec instanceof ECPublicKeySpec) {
      ECPublicKeySpec ec = (ECPublicKeySpec) spec;
      Curve curve = Curve.of(ec.getParams());
      if (curve == null) {
        throw new InvalidKeyException("not P-224, P-256, P-384 or P-521");
      }
      byte[] point = curve.encode(ec.getW());
      if (point == null) {
        throw new InvalidKeyException("not a point on the curve");
      }
      return NativeCrypto.keyFromPublicBytes(curve.kind, point);
    }
    throw unknown(spec);
  }

  @Override
  protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
    try {
      return kinds.ownPrivate(privateHandle(spec));
    } catch (InvalidKeyException e) {
      throw invalid(e);
    }
  }

  private long privateHandle(KeySpec spec) throws InvalidKeyException, InvalidKeySpecException {
    byte[] secret = null;
    try {
      if (spec instanceof PKCS8EncodedKeySpec) {
        secret = ((PKCS8EncodedKeySpec) spec).getEncoded();
        return NativeCrypto.keyFromPkcs8(secret);
      }
      if (rawKind() >= 0) {
        secret = raw(spec);
        if (secret == null) {
          secret = kinds == KeyKinds.XDH ? XecKeys.privateBytes(spec) : EdecKeys.privateBytes(spec);
        }
        if (secret != null) {
          return NativeCrypto.keyFromPrivateBytes(rawKind(), secret);
        }
      } else if (isRsa() && spec instanceof RSAPrivateCrtKeySpec) {
        RSAPrivateCrtKeySpec rsa = (RSAPrivateCrtKeySpec) spec;
        BigInteger[] crt = {
          rsa.getPrimeP(), rsa.getPrimeQ(), rsa.getPrimeExponentP(), rsa.getPrimeExponentQ(), rsa.getCrtCoefficient()
        };
        if (isUnknown(crt)) {
          return rsa(true, spec, rsa.getModulus(), rsa.getPublicExponent(), rsa.getPrivateExponent());
        }
        return rsa(true, spec, rsa.getModulus(), rsa.getPublicExponent(), rsa.getPrivateExponent(), crt[0], crt[1],
            crt[2], crt[3], crt[4]);
      } else if (isRsa() && spec instanceof RSAPrivateKeySpec) {
        RSAPrivateKeySpec rsa = (RSAPrivateKeySpec) spec;
        return rsa(true, spec, rsa.getModulus(), null, rsa.getPrivateExponent());
      } else if (kinds == KeyKinds.EC && spec instanceof ECPrivateKeySpec) {
        ECPrivateKeySpec ec = (ECPrivateKeySpec) spec;
        Curve curve = Curve.of(ec.getParams());
        if (curve == null || ec.getS().signum() < 0) {
          throw new InvalidKeyException("not a private key of P-224, P-256, P-384 or P-521");
        }
        secret = Numbers.bytes(ec.getS());
        return NativeCrypto.keyFromPrivateBytes(curve.kind, secret);
      }
    } finally {
      Numbers.clear(secret);
    }
    throw unknown(spec);
  }

  /** Whether a key's owner knows no more than modulus and exponents, and left the rest out. */
  private static boolean isUnknown(BigInteger[] crt) {
    for (BigInteger number : crt) {
      if (number != null && number.signum() != 0) {
        return false;
      }
    }
    return true;
  }

  private static byte[] raw(KeySpec spec) {
    return spec instanceof EncodedKeySpec && "raw".equalsIgnoreCase(((EncodedKeySpec) spec).getFormat())
        ? ((EncodedKeySpec) spec).getEncoded()
        : null;
  }

  private long rsa(boolean isPrivate, KeySpec spec, BigInteger... numbers) throws InvalidKeyException {
    boolean pss = kinds == KeyKinds.RSA_PSS;
    AlgorithmParameterSpec given = RsaSpecs.parameters(spec);
    byte[] parameters = null;
    if (given != null) {
      String fault = !pss ? "a plain RSA key has no parameters"
          : given instanceof PSSParameterSpec ? PssParametersSpi.fault((PSSParameterSpec) given)
              : "not a PSSParameterSpec";
      if (fault != null) {
        throw new InvalidKeyException(fault);
      }
      parameters = PssParametersSpi.encoded((PSSParameterSpec) given);
    }
    byte[][] bytes = new byte[numbers.length][];
    for (int i = 0; i < bytes.length; i++) {
      if (numbers[i] != null && numbers[i].signum() < 0) {
        throw new InvalidKeyException("the numbers of an RSA key are positive");
      }
      bytes[i] = Numbers.bytes(numbers[i]);
    }
    try {
      return NativeCrypto.keyFromRsaNumbers(isPrivate, pss, bytes, parameters);
    } finally {
      if (isPrivate) {
        Numbers.clear(bytes);
      }
    }
  }

  // --- to specs ---

  @Override
  protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> type) throws InvalidKeySpecException {
    if (type == null) {
      throw unknown(null);
    }
    try {
      Key ours = engineTranslateKey(key);
      KeySpec spec = ours instanceof NativePublicKey
          ? publicSpec((NativePublicKey) ours, type)
          : privateSpec((NativePrivateKey) ours, type);
      if (spec == null) {
        throw new InvalidKeySpecException("a " + ours.getClass().getName() + " cannot be a " + type.getName());
      }
      return type.cast(spec);
    } catch (InvalidKeyException | IllegalStateException e) {
      throw invalid(e);
    }
  }

  private KeySpec publicSpec(NativePublicKey key, Class<?> type) {
    if (type.isAssignableFrom(X509EncodedKeySpec.class)) {
      return new X509EncodedKeySpec(key.getEncoded());
    }
    if (key instanceof RsaPublicKey) {
      RsaPublicKey rsa = (RsaPublicKey) key;
      return type == RSAPublicKeySpec.class
          ? RsaSpecs.publicSpec(rsa.getModulus(), rsa.getPublicExponent(), rsa.getParams())
          : null;
    }
    if (key instanceof EcPublicKey) {
      EcPublicKey ec = (EcPublicKey) key;
      return type == ECPublicKeySpec.class ? new ECPublicKeySpec(ec.getW(), ec.getParams()) : null;
    }
    byte[] bytes = key.numbers()[0];
    if (type == RawKeySpec.class) {
      return new RawKeySpec(bytes);
    }
    return kinds == KeyKinds.XDH ? XecKeys.publicSpec(type, bytes) : EdecKeys.publicSpec(type, bytes);
  }

  private KeySpec privateSpec(NativePrivateKey key, Class<?> type) {
    if (type.isAssignableFrom(PKCS8EncodedKeySpec.class)) {
      byte[] encoded = key.getEncoded();
      KeySpec spec = new PKCS8EncodedKeySpec(encoded);
      Numbers.clear(encoded);
      return spec;
    }
    if (!type.isAssignableFrom(RSAPrivateCrtKeySpec.class) && key instanceof RsaPrivateKey) {
      return null;
    }
    byte[][] numbers = key.numbers();
    try {
      if (key instanceof RsaPrivateKey) {
        BigInteger[] n = new BigInteger[numbers.length];
        for (int i = 0; i < n.length; i++) {
          n[i] = Numbers.number(numbers[i]);
        }
        AlgorithmParameterSpec parameters = ((RsaPrivateKey) key).getParams();
        if (key instanceof RsaPrivateCrtKey) {
          return RsaSpecs.crtSpec(n, parameters);
        }
        return type == RSAPrivateCrtKeySpec.class ? null : RsaSpecs.privateSpec(n[0], n[2], parameters);
      }
      if (key instanceof EcPrivateKey) {
        return type == ECPrivateKeySpec.class
            ? new ECPrivateKeySpec(Numbers.number(numbers[0]), key.curve().spec)
            : null;
      }
      if (type == RawKeySpec.class) {
        return new RawKeySpec(numbers[0]);
      }
      return kinds == KeyKinds.XDH ? XecKeys.privateSpec(type, numbers[0]) : EdecKeys.privateSpec(type, numbers[0]);
    } finally {
      Numbers.clear(numbers);
    }
  }

  @Override
  protected Key engineTranslateKey(Key key) throws InvalidKeyException {
    return key instanceof PrivateKey ? kinds.privateKey(key) : kinds.publicKey(key);
  }
}
