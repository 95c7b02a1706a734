package org.postscrypt.jce.wycheproof;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** AES/CBC/PKCS5Padding. */
class CbcTest {
  static Stream<Case> cases() throws Exception {
    return Vectors.cases("aes_cbc_pkcs5_test.json");
  }

  private static byte[] cbc(int mode, Case test, byte[] input) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding", Ours.PROVIDER);
    cipher.init(mode, new SecretKeySpec(test.bytes("key"), "AES"), new IvParameterSpec(test.bytes("iv")));
    return cipher.doFinal(input);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decryptsAndEncrypts(Case test) {
    byte[] plaintext = test.bytes("msg");
    byte[] ciphertext = test.bytes("ct");
    Judge.judge(
        test,
        () -> Arrays.equals(plaintext, cbc(Cipher.DECRYPT_MODE, test, ciphertext))
            && (test.result().equals("invalid")
                || Arrays.equals(ciphertext, cbc(Cipher.ENCRYPT_MODE, test, plaintext))),
        BadPaddingException.class,
        IllegalBlockSizeException.class);
  }
}
