package org.conscrypt;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.SecretKeyFactorySpi;

/**
 * scrypt, of either package's {@code ScryptKeySpec} or of any specification with the same methods. Numbers that are not
 * possible are an {@code IllegalArgumentException}.
 */
final class ScryptKeyFactory extends SecretKeyFactorySpi {
  private final SecretKeyFactory own;

  ScryptKeyFactory() throws NoSuchAlgorithmException {
    own = SecretKeyFactory.getInstance("SCRYPT", Own.provider());
  }

  @Override
  protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
    if (spec == null) {
      throw new InvalidKeySpecException("Not a valid scrypt KeySpec: null");
    }
    if (spec instanceof org.postscrypt.ScryptKeySpec) {
      return own.generateSecret(spec);
    }
    // Of any class: whoever relocates this package has a ScryptKeySpec of another name.
    char[] password = get(spec, "getPassword", char[].class);
    byte[] salt = get(spec, "getSalt", byte[].class);
    int costParameter = get(spec, "getCostParameter", Integer.class);
    int blockSize = get(spec, "getBlockSize", Integer.class);
    int parallelizationParameter = get(spec, "getParallelizationParameter", Integer.class);
    int keyOutputBits = get(spec, "getKeyLength", Integer.class);
    if (keyOutputBits % 8 != 0) {
      throw new InvalidKeySpecException("Cannot produce fractional-byte outputs");
    }
    return own.generateSecret(
        new org.postscrypt.ScryptKeySpec(
            password, salt, costParameter, blockSize, parallelizationParameter, keyOutputBits));
  }

  private static <T> T get(KeySpec spec, String method, Class<T> type) throws InvalidKeySpecException {
    try {
      Method getter = spec.getClass().getMethod(method);
      if (!Modifier.isPublic(getter.getDeclaringClass().getModifiers())) {
        getter.setAccessible(true); // A public method of a class that is not.
      }
      return type.cast(getter.invoke(spec));
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new InvalidKeySpecException("Not a valid scrypt KeySpec", e);
    }
  }

  @Override
  protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
    return own.getKeySpec(key, type);
  }

  @Override
  protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
    return own.translateKey(key);
  }
}
