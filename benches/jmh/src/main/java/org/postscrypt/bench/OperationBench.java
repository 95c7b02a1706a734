package org.postscrypt.bench;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.Kem;

/** One operation of JCA each: keys are ready, objects are reused, messages are of 64 bytes unless the name says more. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class OperationBench {
  @Param({"postscrypt", "conscrypt", "accp", "jdk"})
  String provider;

  @Param({
    "RSA-2048 sign", "RSA-2048 verify", "P-256 sign", "P-256 verify", "P-384 sign", "P-384 verify", "Ed25519 sign", "Ed25519 verify",
    "ML-DSA-65 sign", "ML-DSA-65 verify", "P-256 agree", "X25519 agree", "ML-KEM-768 encapsulate", "ML-KEM-768 decapsulate",
    "P-256 generate", "X25519 generate", "Ed25519 generate", "ML-DSA-65 generate", "ML-KEM-768 generate", "SecureRandom 32",
    "AES-128/CTR 64", "AES-128/CTR 4096", "AES-128/CTR 16384", "AES-128/CTR 1048576", "AES-192/CTR 16384", "AES-256/CTR 16384",
    "AES-128/CBC 16384 encrypt", "AES-128/CBC 64 decrypt", "AES-128/CBC 4096 decrypt", "AES-128/CBC 16384 decrypt",
    "AES-128/CBC 1048576 decrypt", "AES-192/CBC 16384 decrypt", "AES-256/CBC 16384 decrypt"
  })
  String operation;

  private final byte[] message = new byte[64];
  private Callable<Object> work;

  @Setup
  public void setup() throws Exception {
    String[] words = operation.split(" ");
    String algorithm = words[0];
    String jdk = algorithm.startsWith("RSA") ? "SunRsaSign" : algorithm.matches("AES.*|ML-KEM.*") ? "SunJCE"
        : algorithm.startsWith("ML-DSA") || algorithm.equals("SecureRandom") ? "SUN" : "SunEC";
    Provider from = Crypto.provider(provider, jdk);
    try {
      work = switch (words[words.length - 1]) {
        case "sign", "verify" -> signature(from, algorithm, words[1].equals("sign"));
        case "agree" -> agreement(from, algorithm);
        case "generate" -> {
          KeyPairGenerator generator = generator(from, algorithm);
          yield generator::generateKeyPair;
        }
        case "encapsulate", "decapsulate" -> kem(words[1].equals("encapsulate"));
        case "32" -> {
          SecureRandom random = SecureRandom.getInstance(provider.equals("accp") ? "LibCryptoRng"
              : provider.equals("jdk") ? "DRBG" : "SHA1PRNG", from);
          byte[] bytes = new byte[32];
          yield () -> {
            random.nextBytes(bytes);
            return bytes;
          };
        }
        default -> cipher(from, algorithm, Integer.parseInt(words[1]), !operation.endsWith("decrypt"));
      };
    } catch (NoSuchAlgorithmException e) {
      throw new UnsupportedOperationException(e);
    }
  }

  @Benchmark
  public Object run() throws Exception {
    return work.call();
  }

  private static KeyPairGenerator generator(Provider from, String algorithm) throws GeneralSecurityException {
    String[] parts = algorithm.split("-");
    boolean sized = parts[0].equals("RSA") || parts[0].equals("P");
    KeyPairGenerator generator = KeyPairGenerator.getInstance(parts[0].equals("P") ? "EC" : sized ? "RSA" : algorithm, from);
    if (sized) {
      generator.initialize(Integer.parseInt(parts[1]));
    }
    return generator;
  }

  private Callable<Object> signature(Provider from, String algorithm, boolean sign) throws GeneralSecurityException {
    KeyPair pair = generator(from, algorithm).generateKeyPair();
    String name = algorithm.startsWith("RSA") ? "SHA256withRSA" : algorithm.equals("P-256") ? "SHA256withECDSA"
        : algorithm.equals("P-384") ? "SHA384withECDSA" : algorithm;
    Signature signer = Signature.getInstance(name, from);
    signer.initSign(pair.getPrivate());
    Signature verifier = Signature.getInstance(name, from);
    verifier.initVerify(pair.getPublic());
    signer.update(message);
    byte[] signature = signer.sign();
    Callable<Object> verify = () -> {
      verifier.update(message);
      if (!verifier.verify(signature)) {
        throw new IllegalStateException("not verified");
      }
      return signature;
    };
    try {
      verify.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return !sign ? verify : () -> {
      signer.update(message);
      return signer.sign();
    };
  }

  private static Callable<Object> agreement(Provider from, String algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator = generator(from, algorithm);
    KeyPair one = generator.generateKeyPair();
    KeyPair other = generator.generateKeyPair();
    String name = algorithm.equals("X25519") ? algorithm : "ECDH";
    KeyAgreement agreement = KeyAgreement.getInstance(name, from);
    byte[][] secrets = new byte[2][];
    for (int i = 0; i < 2; i++) {
      agreement.init(i == 0 ? one.getPrivate() : other.getPrivate());
      agreement.doPhase(i == 0 ? other.getPublic() : one.getPublic(), true);
      secrets[i] = agreement.generateSecret();
    }
    if (!Arrays.equals(secrets[0], secrets[1])) {
      throw new IllegalStateException("no agreement");
    }
    return () -> {
      agreement.init(one.getPrivate());
      agreement.doPhase(other.getPublic(), true);
      return agreement.generateSecret();
    };
  }

  /** Ours alone: the JDK's API for KEMs is newer than this module's release. */
  private Callable<Object> kem(boolean encapsulate) throws GeneralSecurityException {
    if (!provider.equals("postscrypt")) {
      throw new UnsupportedOperationException();
    }
    KeyPair pair = Kem.ML_KEM_768.generateKeyPair();
    Kem.Encapsulated made = Kem.ML_KEM_768.encapsulate(pair.getPublic());
    byte[] encapsulation = made.encapsulation();
    if (!Arrays.equals(Kem.ML_KEM_768.decapsulate(pair.getPrivate(), encapsulation), made.secret())) {
      throw new IllegalStateException("another secret");
    }
    return encapsulate
        ? () -> Kem.ML_KEM_768.encapsulate(pair.getPublic())
        : () -> Kem.ML_KEM_768.decapsulate(pair.getPrivate(), encapsulation);
  }

  private Callable<Object> cipher(Provider from, String algorithm, int size, boolean encrypt) throws GeneralSecurityException {
    String name = algorithm.endsWith("CTR") ? "AES/CTR/NoPadding" : "AES/CBC/NoPadding";
    int keyBits = Integer.parseInt(algorithm.substring(algorithm.indexOf('-') + 1, algorithm.indexOf('/')));
    SecretKeySpec key = new SecretKeySpec(new byte[keyBits / 8], "AES");
    IvParameterSpec iv = new IvParameterSpec(new byte[16]);
    Cipher cipher = Cipher.getInstance(name, from);
    byte[] in = new byte[size];
    Arrays.fill(in, (byte) 7);
    byte[] out = new byte[in.length];
    int mode = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
    cipher.init(mode, key, iv);
    Cipher reference = Cipher.getInstance(name, Crypto.provider("jdk", "SunJCE"));
    reference.init(mode, key, iv);
    if (!Arrays.equals(reference.doFinal(in), cipher.doFinal(in))) {
      throw new IllegalStateException("another result");
    }
    return () -> {
      cipher.init(mode, key, iv);
      cipher.doFinal(in, 0, in.length, out);
      return out;
    };
  }
}
