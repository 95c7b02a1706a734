package org.postscrypt.jce.wycheproof;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Mac;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Judge.RawKey;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** HMAC and AES-CMAC; shorter tags are the first bytes of the whole one. */
class MacTest {
  static Stream<Case> cases() throws Exception {
    return Vectors.cases("hmac_*_test.json", "aes_cmac_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void authenticates(Case test) {
    // hmac_sha512_256_test.json: HmacSHA512/256, hmac_sha3_256_test.json: HmacSHA3-256.
    String hash = test.file().replace("hmac_", "").replace("_test.json", "")
        .replace("sha3_", "sha3-").replace('_', '/').toUpperCase(Locale.ROOT);
    String name = test.file().startsWith("aes") ? "AESCMAC" : "Hmac" + hash;
    Judge.judge(
        test,
        () -> {
          Mac mac = Mac.getInstance(name, Ours.PROVIDER);
          mac.init(new RawKey(name, test.bytes("key")));
          byte[] tag = Arrays.copyOf(mac.doFinal(test.bytes("msg")), test.number("tagSize") / 8);
          return MessageDigest.isEqual(tag, test.bytes("tag"));
        },
        InvalidKeyException.class);
  }
}
