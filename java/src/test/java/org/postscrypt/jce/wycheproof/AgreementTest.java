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

/** ECDH and X25519; public keys come as X.509 encodings. */
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
        () -> agrees("ECDH", key, factory.generatePublic(new X509EncodedKeySpec(encodedPoint(test))), test),
        InvalidKeySpecException.class,
        InvalidKeyException.class);
  }

  /** The X.509 encoding, which some vectors have and others, of bare points, have not (RFC 5480 section 2). */
  private static byte[] encodedPoint(Case test) {
    byte[] given = test.bytes("public");
    if (test.text("encoding").equals("asn")) {
      return given;
    }
    String curve = switch (test.text("curve")) {
      case "secp224r1" -> "06052b81040021";
      case "secp256r1" -> "06082a8648ce3d030107";
      case "secp384r1" -> "06052b81040022";
      case "secp521r1" -> "06052b81040023";
      default -> throw new AssertionError(test.text("curve"));
    };
    byte[] algorithm = element(0x30, HexFormat.of().parseHex("06072a8648ce3d0201" + curve));
    byte[] point = element(3, encoded("00", given));
    return element(0x30, encoded(HexFormat.of().formatHex(algorithm), point));
  }

  /** Of DER, with less than 256 bytes. */
  private static byte[] element(int tag, byte[] content) {
    return encoded(String.format(content.length < 128 ? "%02x%02x" : "%02x81%02x", tag, content.length), content);
  }

  static Stream<Case> x25519() throws Exception {
    return Vectors.cases("x25519_test.json");
  }

  private static byte[] encoded(String header, byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(HexFormat.of().parseHex(header));
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  /** The vectors have the 32 bytes, the JDK's interfaces want encodings (RFC 8410 sections 4 and 7). */
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
