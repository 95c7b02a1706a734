package org.conscrypt;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyFactorySpi;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import org.postscrypt.RawKeySpec;

/** A key factory of the provider whose keys are classes of this package. */
final class RawKeyFactory extends KeyFactorySpi {
  private final KeyFactory own;
  /** For raw private keys, which do not tell their parameter set. */
  private final KeyFactory ownOfRaw;
  private final KeyFamily family;

  RawKeyFactory(String algorithm) {
    family = KeyFamily.of(algorithm);
    own = OwnKeys.factory(algorithm);
    ownOfRaw = algorithm.equals("ML-DSA")
        ? OwnKeys.factory("ML-DSA-65")
        : algorithm.equals("ML-KEM") ? OwnKeys.factory("ML-KEM-768") : own;
  }

  private static boolean isRaw(KeySpec spec) {
    return spec instanceof EncodedKeySpec && "raw".equalsIgnoreCase(((EncodedKeySpec) spec).getFormat());
  }

  private void requireEncoded(KeySpec spec) throws InvalidKeySpecException {
    if (family.hasInterfacesInTheJdk() && !(spec instanceof EncodedKeySpec)) {
      throw new InvalidKeySpecException(
          "Must be an encoded or raw key: " + (spec == null ? "null" : spec.getClass().getName()));
    }
  }

  @Override
  protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
    requireEncoded(spec);
    return family.publicKey(own.generatePublic(spec));
  }

  @Override
  protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
    requireEncoded(spec);
    return family.privateKey((isRaw(spec) ? ownOfRaw : own).generatePrivate(spec));
  }

  @Override
  protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> type) throws InvalidKeySpecException {
    if (key == null || type == null) {
      throw new InvalidKeySpecException(key == null ? "key == null" : "keySpec == null");
    }
    Key mine;
    try {
      mine = key instanceof PrivateKey ? OwnKeys.own((PrivateKey) key)
          : key instanceof PublicKey ? OwnKeys.own((PublicKey) key) : key;
    } catch (InvalidKeyException e) {
      throw new InvalidKeySpecException(e.getMessage(), e);
    }
    boolean raw = EncodedKeySpec.class.isAssignableFrom(type)
        && type != EncodedKeySpec.class && type != X509EncodedKeySpec.class && type != PKCS8EncodedKeySpec.class;
    if (!raw) {
      return own.getKeySpec(mine, type);
    }
    byte[] bytes = own.getKeySpec(mine, RawKeySpec.class).getEncoded();
    try {
      return KeySpecUtil.makeRawKeySpec(bytes, type);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  @Override
  protected Key engineTranslateKey(Key key) throws InvalidKeyException {
    if (key instanceof PrivateKey) {
      PrivateKey mine = OwnKeys.own((PrivateKey) key);
      Key translated = own.translateKey(mine);
      return mine == translated && mine != key ? key : family.privateKey((PrivateKey) translated);
    }
    if (key instanceof PublicKey) {
      PublicKey mine = OwnKeys.own((PublicKey) key);
      Key translated = own.translateKey(mine);
      return mine == translated && mine != key ? key : family.publicKey((PublicKey) translated);
    }
    throw new InvalidKeyException(key == null ? "key == null" : "not an asymmetric key: " + key.getClass().getName());
  }
}
