package org.postscrypt.jce.symmetric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KDF;
import javax.crypto.KDFParameters;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.postscrypt.jce.Ours;

/** {@code javax.crypto.KDF}, on Java 25 and later. */
class KdfTest {
  private static SecretKey key(int seed, int length) {
    return new SecretKeySpec(Ours.bytes(seed, length), "Generic");
  }

  @Test
  void agreesWithTheJdk() throws Exception {
    for (String name : new String[] {"HKDF-SHA256", "HKDF-SHA384", "HKDF-SHA512"}) {
      KDF ours = KDF.getInstance(name, Ours.PROVIDER);
      KDF theirs = KDF.getInstance(name, "SunJCE");
      assertSame(Ours.PROVIDER.getName(), ours.getProviderName());
      assertNull(ours.getParameters());
      for (int i = 1; i < 40; i++) {
        HKDFParameterSpec.Builder builder = HKDFParameterSpec.ofExtract().addIKM(key(i, i)).addIKM(key(i + 1, 5));
        if (i % 3 != 0) {
          builder.addSalt(Ours.bytes(i, i)).addSalt(key(i, 3));
        }
        byte[] info = i % 4 == 0 ? null : Ours.bytes(i, i);
        AlgorithmParameterSpec[] specs = {
          builder.extractOnly(), builder.thenExpand(info, i * 17), HKDFParameterSpec.expandOnly(key(i, 64), info, i * 3)
        };
        for (AlgorithmParameterSpec spec : specs) {
          assertArrayEquals(theirs.deriveData(spec), ours.deriveData(spec), name);
          assertEquals(theirs.deriveKey("HmacSHA256", spec), ours.deriveKey("HmacSHA256", spec));
        }
      }
    }
  }

  @Test
  void refusals() throws Exception {
    KDF kdf = KDF.getInstance("HKDF-SHA256", Ours.PROVIDER);
    assertThrows(InvalidAlgorithmParameterException.class, () -> kdf.deriveData(new IvParameterSpec(new byte[16])));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> kdf.deriveData(HKDFParameterSpec.expandOnly(key(1, 31), null, 8)), "the key is too short");
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> kdf.deriveData(HKDFParameterSpec.expandOnly(key(1, 32), null, 255 * 32 + 1)));
    assertThrows(NullPointerException.class, () -> kdf.deriveData(null));
    AlgorithmParameterSpec good = HKDFParameterSpec.expandOnly(key(1, 32), null, 16);
    assertThrows(NullPointerException.class, () -> kdf.deriveKey(null, good));
    assertThrows(NoSuchAlgorithmException.class, () -> kdf.deriveKey("", good));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> KDF.getInstance("HKDF-SHA256", new KDFParameters() {}, Ours.PROVIDER));
  }
}
