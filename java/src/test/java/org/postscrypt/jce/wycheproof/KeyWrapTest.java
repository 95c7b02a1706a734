package org.postscrypt.jce.wycheproof;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Judge.RawKey;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** AES key wrap without and with padding (RFC 3394, RFC 5649): as {@code wrap} and {@code unwrap}, and as bytes. */
class KeyWrapTest {
  static Stream<Case> cases() throws Exception {
    return Vectors.cases("aes_wrap_test.json", "aes_kwp_test.json");
  }

  private static Cipher cipher(int mode, Case test) throws Exception {
    String name = test.file().equals("aes_kwp_test.json") ? "AES/KWP/NoPadding" : "AES/KW/NoPadding";
    Cipher cipher = Cipher.getInstance(name, Ours.PROVIDER);
    cipher.init(mode, new SecretKeySpec(test.bytes("key"), "AES"));
    return cipher;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void wrapsAndUnwrapsKeys(Case test) throws Exception {
    byte[] key = test.bytes("msg");
    byte[] wrapped = test.bytes("ct");
    Cipher unwrap = cipher(Cipher.UNWRAP_MODE, test);
    Cipher wrap = cipher(Cipher.WRAP_MODE, test);
    Judge.judge(
        test,
        () -> Arrays.equals(key, unwrap.unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded())
            && Arrays.equals(wrapped, wrap.wrap(new RawKey("AES", key))),
        InvalidKeyException.class,
        IllegalBlockSizeException.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void encryptsAndDecryptsBytes(Case test) throws Exception {
    byte[] key = test.bytes("msg");
    byte[] wrapped = test.bytes("ct");
    Cipher decrypt = cipher(Cipher.DECRYPT_MODE, test);
    Cipher encrypt = cipher(Cipher.ENCRYPT_MODE, test);
    Judge.judge(
        test,
        () -> Arrays.equals(key, decrypt.doFinal(wrapped)) && Arrays.equals(wrapped, encrypt.doFinal(key)),
        IllegalBlockSizeException.class);
  }

  static Stream<Case> shortKeys() throws Exception {
    return Vectors.cases("aes_wrap_test.json").filter(test -> test.bytes("msg").length % 8 != 0);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shortKeys")
  void wrapsNoPartsOfBlocks(Case test) throws Exception {
    Cipher wrap = cipher(Cipher.WRAP_MODE, test);
    assertThrows(IllegalBlockSizeException.class, () -> wrap.wrap(new RawKey("AES", test.bytes("msg"))));
  }
}
