package org.postscrypt.jce.wycheproof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.PqPrivateKey;
import org.postscrypt.jce.PqPublicKey;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/**
 * ML-DSA. Left out is what the JCA cannot express: contexts that are not empty, and signing of μ. Signing is
 * randomised, so signatures that we make with the vectors' keys are verified, as are the vectors' own.
 */
class MlDsaTest {
  private static Stream<Case> expressible(String files) throws Exception {
    return Vectors.cases(files).filter(test -> (!test.has("ctx") || test.text("ctx").isEmpty()) && test.has("msg"));
  }

  private static String name(Case test) {
    return "ML-DSA-" + test.file().substring("mldsa_".length(), "mldsa_44".length());
  }

  private static boolean verifies(Case test, PublicKey key, byte[] signature) throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(name(test), Ours.PROVIDER);
    verifier.initVerify(key);
    verifier.update(test.bytes("msg"));
    return verifier.verify(signature);
  }

  static Stream<Case> verification() throws Exception {
    return expressible("mldsa_*_verify_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("verification")
  void verifies(Case test) {
    Judge.judge(
        test,
        () -> {
          PublicKey key = KeyFactory.getInstance(name(test), Ours.PROVIDER)
              .generatePublic(new X509EncodedKeySpec(test.bytes("publicKeyDer")));
          return verifies(test, key, test.bytes("sig"));
        },
        InvalidKeySpecException.class,
        SignatureException.class);
  }

  static Stream<Case> signing() throws Exception {
    return Stream.concat(expressible("mldsa_*_sign_seed_test.json"), expressible("mldsa_*_sign_noseed_test.json"));
  }

  /** An element of DER; of less than 128 bytes, or more than 255. */
  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.size() >= 0x80) {
      out.write(0x82);
      out.write(content.size() >> 8);
    }
    out.write(content.size());
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  /** PKCS#8: the vector's, or its seed or expanded key as RFC 9881 section 6 has it. */
  private static byte[] encoded(Case test) {
    if (test.has("privateKeyPkcs8")) {
      return test.bytes("privateKeyPkcs8");
    }
    int number = switch (name(test)) {
      case "ML-DSA-44" -> 17;
      case "ML-DSA-65" -> 18;
      default -> 19;
    };
    byte[] oid = {6, 9, 0x60, (byte) 0x86, 0x48, 1, 0x65, 3, 4, 3, (byte) number};
    byte[] key = test.has("privateSeed") ? der(0x80, test.bytes("privateSeed")) : der(4, test.bytes("privateKey"));
    return der(0x30, new byte[] {2, 1, 0}, der(0x30, oid), der(4, key));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("signing")
  void signs(Case test) {
    Judge.judge(
        test,
        () -> {
          PrivateKey key = KeyFactory.getInstance(name(test), Ours.PROVIDER)
              .generatePrivate(new PKCS8EncodedKeySpec(encoded(test)));
          PqPublicKey publicKey = ((PqPrivateKey) key).publicKey();
          if (test.has("publicKey")) {
            assertArrayEquals(test.bytes("publicKey"), publicKey.bytes());
          }
          Signature signer = Signature.getInstance(name(test), Ours.PROVIDER);
          signer.initSign(key);
          signer.update(test.bytes("msg"));
          return verifies(test, publicKey, signer.sign()) && verifies(test, publicKey, test.bytes("sig"));
        },
        InvalidKeySpecException.class,
        InvalidKeyException.class);
  }
}
