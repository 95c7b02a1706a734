package org.postscrypt.jce.wycheproof;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** ECDH with public keys as X.509 encodings, and X25519. */
class AgreementTest {
  private static boolean agrees(String name, PrivateKey key, PublicKey peer, Case test)
      throws GeneralSecurityException {
    KeyAgreement agreement = KeyAgreement.getInstance(name, Ours.PROVIDER);
    agreement.init(key);
    agreement.doPhase(peer, true);
    return Arrays.equals(test.bytes("shared"), agreement.generateSecret());
  }

  static Stream<Case> ecdh() throws Exception {
    return Vectors.cases("ecdh_*_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ecdh")
  void agreesByEcdh(Case test) throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", Ours.PROVIDER);
    parameters.init(new ECGenParameterSpec(test.text("curve")));
    KeyFactory factory = KeyFactory.getInstance("EC", Ours.PROVIDER);
    PrivateKey key = factory.generatePrivate(new ECPrivateKeySpec(
        new BigInteger(test.text("private"), 16), parameters.getParameterSpec(ECParameterSpec.class)));
    Judge.judge(
        test,
        () -> agrees("ECDH", key, factory.generatePublic(new X509EncodedKeySpec(test.bytes("public"))), test),
        InvalidKeySpecException.class,
        InvalidKeyException.class);
  }

  static Stream<Case> x25519() throws Exception {
    return Vectors.cases("x25519_test.json");
  }

  /** The vectors have the 32 bytes, the JDK's interfaces want encodings (RFC 8410 sections 4 and 7). */
  private static byte[] encoded(String header, byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(HexFormat.of().parseHex(header));
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("x25519")
  void agreesByX25519(Case test) throws Exception {
    KeyFactory factory = KeyFactory.getInstance("X25519", Ours.PROVIDER);
    PrivateKey key = factory.generatePrivate(new PKCS8EncodedKeySpec(
        encoded("302e020100300506032b656e04220420", test.bytes("private"))));
    PublicKey peer = factory.generatePublic(new X509EncodedKeySpec(
        encoded("302a300506032b656e032100", test.bytes("public"))));
    Judge.judge(test, () -> agrees("X25519", key, peer, test), InvalidKeyException.class);
  }
}
