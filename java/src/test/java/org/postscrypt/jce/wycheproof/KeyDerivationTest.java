package org.postscrypt.jce.wycheproof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.Hkdf;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** HKDF and PBKDF2. */
class KeyDerivationTest {
  /** More iterations show nothing more; one vector asks for 2^24. */
  private static final int MAX_ITERATIONS = 100_000;

  private static String hash(Case test, String before) {
    return test.file().replace(before, "").replace("_test.json", "").toUpperCase(Locale.ROOT);
  }

  static Stream<Case> hkdf() throws Exception {
    return Vectors.cases("hkdf_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hkdf")
  void derivesByHkdf(Case test) throws Exception {
    Hkdf hkdf = Hkdf.getInstance(hash(test, "hkdf_"));
    int length = test.number("size");
    if (test.result().equals("invalid")) {
      // As documented; Hkdf is no service of the JCA.
      assertThrows(
          IllegalArgumentException.class,
          () -> hkdf.extractAndExpand(test.bytes("salt"), test.bytes("ikm"), test.bytes("info"), length));
      return;
    }
    assertEquals("valid", test.result());
    assertArrayEquals(
        test.bytes("okm"),
        hkdf.extractAndExpand(test.bytes("salt"), test.bytes("ikm"), test.bytes("info"), length));
  }

  /** Without those whose password is not UTF-8: a PBEKeySpec has characters. */
  static Stream<Case> pbkdf2() throws Exception {
    return Vectors.cases("pbkdf2_*_test.json")
        .filter(test -> test.number("iterationCount") <= MAX_ITERATIONS && password(test) != null);
  }

  private static char[] password(Case test) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(test.bytes("password"))).toString();
      return text.toCharArray();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pbkdf2")
  void derivesByPbkdf2(Case test) {
    String name = "PBKDF2WithHmac" + hash(test, "pbkdf2_hmac");
    Judge.judge(test, () -> {
      PBEKeySpec spec = new PBEKeySpec(
          password(test), test.bytes("salt"), test.number("iterationCount"), test.number("dkLen") * 8);
      byte[] derived = SecretKeyFactory.getInstance(name, Ours.PROVIDER).generateSecret(spec).getEncoded();
      return Arrays.equals(test.bytes("dk"), derived);
    });
  }
}
