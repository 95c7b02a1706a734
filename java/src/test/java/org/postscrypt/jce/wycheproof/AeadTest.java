package org.postscrypt.jce.wycheproof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** AES-GCM (and GMAC by it), AES-GCM-SIV, AES-CCM, ChaCha20-Poly1305, XChaCha20-Poly1305. */
class AeadTest {
  static Stream<Case> cases() throws Exception {
    return Vectors.cases(
        "aes_gcm_test.json", "aes_gcm_siv_test.json", "aes_ccm_test.json", "*chacha20_poly1305_test.json");
  }

  private static String transformation(String file) {
    return switch (file) {
      case "aes_gcm_test.json" -> "AES/GCM/NoPadding";
      case "aes_gcm_siv_test.json" -> "AES/GCM-SIV/NoPadding";
      case "aes_ccm_test.json" -> "AES/CCM/NoPadding";
      case "chacha20_poly1305_test.json" -> "ChaCha20-Poly1305";
      default -> "XChaCha20-Poly1305";
    };
  }

  private static Cipher cipher(int mode, Case test) throws GeneralSecurityException {
    boolean aes = test.file().startsWith("aes");
    AlgorithmParameterSpec spec = aes
        ? new GCMParameterSpec(test.number("tagSize"), test.bytes("iv"))
        : new IvParameterSpec(test.bytes("iv"));
    Cipher cipher = Cipher.getInstance(transformation(test.file()), Ours.PROVIDER);
    cipher.init(mode, new SecretKeySpec(test.bytes("key"), aes ? "AES" : "ChaCha20"), spec);
    cipher.updateAAD(test.bytes("aad"));
    return cipher;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void opensAndSeals(Case test) {
    byte[] plaintext = test.bytes("msg");
    byte[] body = test.bytes("ct");
    byte[] tag = test.bytes("tag");
    byte[] sealed = Arrays.copyOf(body, body.length + tag.length);
    System.arraycopy(tag, 0, sealed, body.length, tag.length);

    Judge.judge(
        test,
        () -> {
          byte[] opened;
          try {
            opened = cipher(Cipher.DECRYPT_MODE, test).doFinal(sealed);
          } catch (InvalidAlgorithmParameterException e) {
            // Then encryption takes them as little.
            assertThrows(InvalidAlgorithmParameterException.class, () -> cipher(Cipher.ENCRYPT_MODE, test));
            throw e;
          } catch (AEADBadTagException e) {
            byte[] output = new byte[sealed.length + 16];
            Cipher again = cipher(Cipher.DECRYPT_MODE, test);
            assertThrows(AEADBadTagException.class, () -> again.doFinal(sealed, 0, sealed.length, output, 0));
            assertArrayEquals(new byte[output.length], output, "plaintext of a bad tag");
            throw e;
          }
          return Arrays.equals(plaintext, opened)
              && Arrays.equals(sealed, cipher(Cipher.ENCRYPT_MODE, test).doFinal(plaintext));
        },
        AEADBadTagException.class,
        InvalidKeyException.class,
        InvalidAlgorithmParameterException.class);
  }

  static Stream<Case> gmac() throws Exception {
    return Vectors.cases("aes_gmac_test.json");
  }

  /** GMAC is GCM of nothing (SP 800-38D section 3). */
  @ParameterizedTest(name = "{0}")
  @MethodSource("gmac")
  void authenticates(Case test) {
    Judge.judge(
        test,
        () -> {
          GCMParameterSpec spec = new GCMParameterSpec(test.number("tagSize"), test.bytes("iv"));
          Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
          cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(test.bytes("key"), "AES"), spec);
          cipher.updateAAD(test.bytes("msg"));
          return cipher.doFinal(test.bytes("tag")).length == 0;
        },
        AEADBadTagException.class,
        InvalidAlgorithmParameterException.class);
  }
}
