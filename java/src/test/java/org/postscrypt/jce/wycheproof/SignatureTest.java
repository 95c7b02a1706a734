package org.postscrypt.jce.wycheproof;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** Verification of ECDSA (DER and P1363), Ed25519, RSASSA-PKCS1-v1_5 and RSASSA-PSS signatures. */
class SignatureTest {
  private static PublicKey key(String algorithm, Case test) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm, Ours.PROVIDER)
        .generatePublic(new X509EncodedKeySpec(test.bytes("publicKeyDer")));
  }

  private static void verify(Case test, Signature signature) {
    Judge.judge(
        test,
        () -> {
          signature.update(test.bytes("msg"));
          return signature.verify(test.bytes("sig"));
        },
        SignatureException.class);
  }

  /** SHA512 for SHA-512, SHA512/256 for SHA-512/256. */
  private static String hash(Case test) {
    return test.text("sha").replace("SHA-", "SHA");
  }

  static Stream<Case> ecdsa() throws Exception {
    return Vectors.cases("ecdsa_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ecdsa")
  void verifiesEcdsa(Case test) throws Exception {
    String format = test.file().contains("_p1363_") ? "inP1363Format" : "";
    Signature signature = Signature.getInstance(hash(test) + "withECDSA" + format, Ours.PROVIDER);
    signature.initVerify(key("EC", test));
    verify(test, signature);
  }

  static Stream<Case> ed25519() throws Exception {
    return Vectors.cases("ed25519_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ed25519")
  void verifiesEd25519(Case test) throws Exception {
    Signature signature = Signature.getInstance("Ed25519", Ours.PROVIDER);
    signature.initVerify(key("Ed25519", test));
    verify(test, signature);
  }

  static Stream<Case> rsa() throws Exception {
    return Vectors.cases("rsa_signature_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rsa")
  void verifiesRsa(Case test) throws Exception {
    Signature signature = Signature.getInstance(hash(test) + "withRSA", Ours.PROVIDER);
    signature.initVerify(key("RSA", test));
    verify(test, signature);
  }

  static Stream<Case> pss() throws Exception {
    return Vectors.cases("rsa_pss_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pss")
  void verifiesPss(Case test) throws Exception {
    Signature signature = Signature.getInstance("RSASSA-PSS", Ours.PROVIDER);
    if (test.file().endsWith("_params_test.json")) {
      // The key says how.
      signature.initVerify(key("RSASSA-PSS", test));
    } else {
      MGF1ParameterSpec mgf = new MGF1ParameterSpec(test.text("mgfSha"));
      signature.setParameter(new PSSParameterSpec(test.text("sha"), "MGF1", mgf, test.number("sLen"), 1));
      signature.initVerify(key("RSA", test));
    }
    verify(test, signature);
  }
}
