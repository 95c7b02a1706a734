package org.postscrypt.jce.wycheproof;

import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** Decryption by RSAES-OAEP and RSAES-PKCS1-v1_5. */
class RsaDecryptionTest {
  private static PrivateKey key(Case test) throws Exception {
    return KeyFactory.getInstance("RSA", Ours.PROVIDER)
        .generatePrivate(new PKCS8EncodedKeySpec(test.bytes("privateKeyPkcs8")));
  }

  private static void decrypt(Case test, Cipher cipher) {
    Judge.judge(
        test,
        () -> Arrays.equals(test.bytes("msg"), cipher.doFinal(test.bytes("ct"))),
        BadPaddingException.class,
        IllegalBlockSizeException.class);
  }

  static Stream<Case> oaep() throws Exception {
    return Vectors.cases("rsa_oaep_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oaep")
  void decryptsOaep(Case test) throws Exception {
    Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", Ours.PROVIDER);
    cipher.init(Cipher.DECRYPT_MODE, key(test), new OAEPParameterSpec(
        test.text("sha"),
        "MGF1",
        new MGF1ParameterSpec(test.text("mgfSha")),
        new PSource.PSpecified(test.bytes("label"))));
    decrypt(test, cipher);
  }

  static Stream<Case> pkcs1() throws Exception {
    return Vectors.cases("rsa_pkcs1_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pkcs1")
  void decryptsPkcs1(Case test) throws Exception {
    Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding", Ours.PROVIDER);
    cipher.init(Cipher.DECRYPT_MODE, key(test));
    decrypt(test, cipher);
  }
}
