package org.postscrypt.jce.pq;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.postscrypt.PostscryptProvider;

/** What the tests of this area share. */
final class Pq {
  static final Provider OURS = new PostscryptProvider();
  static final Provider BC = new BouncyCastleProvider();
  static final List<String> KEMS = List.of("ML-KEM-768", "ML-KEM-1024", "XWING");
  static final List<String> SIGNATURES = List.of("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "SLH-DSA-SHA2-128S");

  private Pq() {}

  static KeyPair keyPair(String algorithm) throws Exception {
    return KeyPairGenerator.getInstance(algorithm, OURS).generateKeyPair();
  }

  static KeyFactory factory(String algorithm) throws Exception {
    return KeyFactory.getInstance(algorithm, OURS);
  }

  static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** The rows of a vector file, split at bars; lines that begin with # are comments. */
  static List<String[]> vectors(String file) throws IOException {
    try (BufferedReader reader = new BufferedReader(
        new InputStreamReader(Pq.class.getResourceAsStream("/vectors/pq/" + file), StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.startsWith("#")).map(line -> line.split("\\|", -1)).toList();
    }
  }
}
