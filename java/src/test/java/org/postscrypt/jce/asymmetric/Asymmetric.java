package org.postscrypt.jce.asymmetric;

import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.postscrypt.PostscryptProvider;

/** What the tests of asymmetric algorithms share. */
final class Asymmetric {
  static final Provider OURS = new PostscryptProvider();
  static final Provider BC = new BouncyCastleProvider();
  static final String[] CURVES = {"secp224r1", "secp256r1", "secp384r1", "secp521r1"};

  private static final Map<String, KeyPair> PAIRS = new ConcurrentHashMap<>();

  private Asymmetric() {}

  /** A pair of ours, made once: {@code RSA}, {@code RSASSA-PSS}, a curve's name, {@code X25519} or {@code Ed25519}. */
  static KeyPair pair(String name) {
    return PAIRS.computeIfAbsent(name, n -> {
      try {
        return n.startsWith("secp") ? generate(OURS, "EC", new ECGenParameterSpec(n)) : generate(OURS, n, null);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
  }

  static KeyPair generate(Provider provider, String algorithm, AlgorithmParameterSpec spec) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, provider);
    if (spec != null) {
      generator.initialize(spec);
    }
    return generator.generateKeyPair();
  }

  /** A key as one of that provider's, through its encoding (some translate no foreign keys). */
  @SuppressWarnings("unchecked")
  static <K extends Key> K into(KeyFactory factory, K key) throws Exception {
    return (K) (key instanceof PublicKey
        ? factory.generatePublic(new X509EncodedKeySpec(key.getEncoded()))
        : factory.generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded())));
  }

  static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static byte[] hex(String text) {
    byte[] bytes = new byte[text.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }
}
