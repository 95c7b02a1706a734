package org.postscrypt.jce.symmetric;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.postscrypt.jce.Ours;

/**
 * A cipher under test and the peer that says what is right; without a peer our own one-shot does, whose known answers
 * are tested elsewhere.
 *
 * @param specs parameters by number, all different; null for none
 * @param unit lengths must be a multiple of it
 * @param tag length of the tag in bytes, -1 for no AEAD
 * @param update whether encryption gives out in update what it can
 */
record Subject(
    String name, String peerName, Provider peer, SecretKey key, IntFunction<AlgorithmParameterSpec> specs, int unit,
    int tag, boolean update) {
  private static final Provider SUN = java.security.Security.getProvider("SunJCE");
  private static final Provider BC = new BouncyCastleProvider();
  static final byte[] AAD = Ours.bytes(2, 21);

  @Override
  public String toString() {
    return name + " " + key.getEncoded().length * 8 + (tag < 0 ? "" : " tag " + tag * 8);
  }

  private static SecretKey key(String algorithm, int length) {
    return new SecretKeySpec(Ours.bytes(length, length), algorithm);
  }

  private static IntFunction<AlgorithmParameterSpec> iv(int length) {
    return number -> new IvParameterSpec(ByteBuffer.allocate(length).putInt(number).array());
  }

  private static IntFunction<AlgorithmParameterSpec> gcm(int length, int tag) {
    return number -> new GCMParameterSpec(tag * 8, ByteBuffer.allocate(length).putInt(number).array());
  }

  private static Subject plain(
      String name, SecretKey key, IntFunction<AlgorithmParameterSpec> specs, int unit) {
    return new Subject(name, name, SUN, key, specs, unit, -1, true);
  }

  static Stream<Subject> plain() {
    Stream<Subject> aes = Stream.of(16, 24, 32).flatMap(length -> {
      SecretKey key = key("AES", length);
      String restricted = "AES_" + length * 8;
      return Stream.of(
          plain("AES/ECB/NoPadding", key, null, 16), plain("AES/ECB/PKCS5Padding", key, null, 1),
          plain("AES/CBC/NoPadding", key, iv(16), 16), plain("AES/CBC/PKCS5Padding", key, iv(16), 1),
          plain("AES/CTR/NoPadding", key, iv(16), 1),
          new Subject(restricted + "/CBC/PKCS5Padding", "AES/CBC/PKCS5Padding", SUN, key, iv(16), 1, -1, true));
    });
    SecretKey des = key("DESede", 24);
    SecretKey chacha = key("ChaCha20", 32);
    return Stream.concat(aes, Stream.of(
        plain("DESede/ECB/NoPadding", des, null, 8), plain("DESede/ECB/PKCS5Padding", des, null, 1),
        plain("DESede/CBC/NoPadding", des, iv(8), 8), plain("DESede/CBC/PKCS5Padding", des, iv(8), 1),
        plain("ARCFOUR", key("ARCFOUR", 5), null, 1), plain("ARCFOUR", key("ARCFOUR", 128), null, 1),
        plain("ChaCha20", chacha,
            number -> new ChaCha20ParameterSpec(ByteBuffer.allocate(12).putInt(number).array(), number % 7), 1)));
  }

  static Stream<Subject> aeads() {
    return Stream.of(
        new Subject("AES/GCM/NoPadding", "AES/GCM/NoPadding", SUN, key("AES", 24), gcm(12, 13), 1, 13, true),
        new Subject("AES/GCM/NoPadding", "AES/GCM/NoPadding", SUN, key("AES", 16), gcm(16, 16), 1, 16, true),
        new Subject("AES/GCM-SIV/NoPadding", "AES/GCM-SIV/NoPadding", BC, key("AES", 16), gcm(12, 16), 1, 16, false),
        new Subject(
            "AES_256/GCM-SIV/NoPadding", "AES/GCM-SIV/NoPadding", BC, key("AES", 32), gcm(12, 16), 1, 16, false),
        new Subject("AES/CCM/NoPadding", "AES/CCM/NoPadding", BC, key("AES", 16), gcm(13, 4), 1, 4, false),
        new Subject("AES_128/CCM/NoPadding", "AES/CCM/NoPadding", BC, key("AES", 16), gcm(13, 8), 1, 8, false),
        new Subject("AES_128/CCM/NoPadding", "AES/CCM/NoPadding", BC, key("AES", 16), gcm(13, 16), 1, 16, false),
        new Subject("ChaCha20-Poly1305", "ChaCha20-Poly1305", SUN, key("ChaCha20", 32), iv(12), 1, 16, true),
        new Subject("ChaCha20/Poly1305/NoPadding", "ChaCha20-Poly1305", SUN, key("ChaCha20", 32), iv(12), 1, 16, true),
        new Subject("XChaCha20-Poly1305", null, null, key("ChaCha20", 32), iv(24), 1, 16, true));
  }

  static Stream<Subject> all() {
    return Stream.concat(plain(), aeads());
  }

  boolean aead() {
    return tag >= 0;
  }

  AlgorithmParameterSpec spec(int number) {
    return specs == null ? null : specs.apply(number);
  }

  Cipher ours() throws GeneralSecurityException {
    return Cipher.getInstance(name, Ours.PROVIDER);
  }

  /** Initialised, with the additional data if it is an AEAD. */
  Cipher ours(int mode, int number) throws GeneralSecurityException {
    Cipher cipher = ours();
    init(cipher, mode, number);
    return cipher;
  }

  void init(Cipher cipher, int mode, int number) throws GeneralSecurityException {
    cipher.init(mode, key, spec(number));
    if (aead() && mode != Cipher.WRAP_MODE && mode != Cipher.UNWRAP_MODE) {
      cipher.updateAAD(AAD);
    }
  }

  /** What the peer makes of it. */
  byte[] expected(int mode, int number, byte[] input) throws GeneralSecurityException {
    Cipher cipher = peer == null ? ours() : Cipher.getInstance(peerName, peer);
    init(cipher, mode, number);
    return cipher.doFinal(input);
  }

  byte[] sealed(int number, byte[] plain) throws GeneralSecurityException {
    return expected(Cipher.ENCRYPT_MODE, number, plain);
  }

  /** Around every border: block, stack copy (2048), AES-CCM's limit aside. */
  int[] sizes() {
    return List.of(0, 1, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000, 2015, 2016, 2031, 2032, 2033, 2047, 2048,
        2049, 2064, 5000).stream().mapToInt(size -> size / unit * unit).distinct().toArray();
  }
}
