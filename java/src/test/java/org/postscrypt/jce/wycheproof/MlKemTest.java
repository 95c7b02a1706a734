package org.postscrypt.jce.wycheproof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.Kem;
import org.postscrypt.jce.PqPrivateKey;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** ML-KEM-768 and ML-KEM-1024. Encapsulation is randomised: of its vectors only the keys are tried. */
class MlKemTest {
  private static Kem kem(Case test) {
    return test.text("parameterSet").equals("ML-KEM-768") ? Kem.ML_KEM_768 : Kem.ML_KEM_1024;
  }

  private static byte[] publicBytes(Case test, PrivateKey key) throws InvalidKeyException {
    return kem(test).encode(((PqPrivateKey) key).publicKey());
  }

  static Stream<Case> decapsulation() throws Exception {
    return Vectors.cases(
        "mlkem_768_test.json",
        "mlkem_1024_test.json",
        "mlkem_768_semi_expanded_decaps_test.json",
        "mlkem_1024_semi_expanded_decaps_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decapsulation")
  void decapsulates(Case test) {
    Judge.judge(
        test,
        () -> {
          PrivateKey key = kem(test).privateKey(test.bytes(test.has("seed") ? "seed" : "dk"));
          if (test.result().equals("valid") && test.has("ek")) {
            assertArrayEquals(test.bytes("ek"), publicBytes(test, key));
          }
          byte[] secret = kem(test).decapsulate(key, test.bytes("c"));
          return test.has("K") && Arrays.equals(test.bytes("K"), secret);
        },
        GeneralSecurityException.class,
        InvalidKeyException.class);
  }

  static Stream<Case> keyGeneration() throws Exception {
    return Vectors.cases("mlkem_*_keygen_seed_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keyGeneration")
  void makesKeysOfSeeds(Case test) {
    Judge.judge(test, () -> {
      PrivateKey key = kem(test).privateKey(test.bytes("seed"));
      PrivateKey expanded = kem(test).privateKey(test.bytes("dk"));
      Kem.Encapsulated made = kem(test).encapsulate(kem(test).publicKey(test.bytes("ek")));
      return Arrays.equals(test.bytes("ek"), publicBytes(test, key))
          && Arrays.equals(test.bytes("dk"), kem(test).encode(expanded))
          && Arrays.equals(made.secret(), kem(test).decapsulate(key, made.encapsulation()))
          && Arrays.equals(made.secret(), kem(test).decapsulate(expanded, made.encapsulation()));
    });
  }

  static Stream<Case> encapsulation() throws Exception {
    return Vectors.cases("mlkem_*_encaps_test.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("encapsulation")
  void encapsulates(Case test) {
    Judge.judge(
        test,
        () -> {
          PublicKey key = kem(test).publicKey(test.bytes("ek"));
          return Arrays.equals(test.bytes("ek"), kem(test).encode(key))
              && kem(test).encapsulate(key).encapsulation().length == kem(test).encapsulationLength();
        },
        InvalidKeyException.class);
  }
}
