package org.postscrypt;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeLibrary;

/**
 * A server's key for Encrypted Client Hello (RFC 9849), with the configuration that clients get (through DNS, RFC 9848), for {@link
 * TlsParameters#setEchKeys}.
 *
 * <p>Immutable.
 */
public final class EchKey {
  private final byte[] config;
  private final byte[] privateKey;
  private final boolean retry;

  /**
   * An existing key.
   *
   * @param config its {@code ECHConfig}
   * @param privateKey the X25519 private key, 32 bytes
   * @param retry whether clients with an outdated configuration are told of this one
   */
  public EchKey(byte[] config, byte[] privateKey, boolean retry) {
    this.config = config.clone();
    this.privateKey = privateKey.clone();
    this.retry = retry;
  }

  /**
   * A new X25519 key.
   *
   * @param id 0 to 255: tells it from others in use
   * @param publicName the host name that is seen in the clear; the server must have a certificate for it
   * @param maxNameLength length in bytes of the longest name that it is to hide: how much clients pad
   * @throws IllegalArgumentException if the name is not a host name, or a number is out of range
   */
  public static EchKey generate(int id, String publicName, int maxNameLength) {
    NativeLibrary.requireAvailable();
    byte[][] made = NativeCrypto.tlsGenerateEchKey(id, publicName.getBytes(StandardCharsets.US_ASCII), maxNameLength);
    try {
      return new EchKey(made[0], made[1], true);
    } finally {
      Arrays.fill(made[1], (byte) 0);
    }
  }

  /** The {@code ECHConfigList} with the configurations of these keys, in their order, for clients. */
  public static byte[] configList(List<EchKey> keys) {
    int length = 0;
    for (EchKey key : keys) {
      length += key.config.length;
    }
    if (length > 0xffff) {
      throw new IllegalArgumentException("too many configurations for one list");
    }
    byte[] list = new byte[2 + length];
    list[0] = (byte) (length >> 8);
    list[1] = (byte) length;
    int at = 2;
    for (EchKey key : keys) {
      System.arraycopy(key.config, 0, list, at, key.config.length);
      at += key.config.length;
    }
    return list;
  }

  /** The {@code ECHConfig}, a copy. */
  public byte[] getConfig() {
    return config.clone();
  }

  /** The private key, a copy: overwrite it after use. */
  public byte[] getPrivateKey() {
    return privateKey.clone();
  }

  /** Whether clients with an outdated configuration are told of this one. */
  public boolean isRetry() {
    return retry;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof EchKey)) {
      return false;
    }
    EchKey k = (EchKey) other;
    return retry == k.retry && Arrays.equals(config, k.config) && MessageDigest.isEqual(privateKey, k.privateKey);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(config);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "EchKey(" + config.length + "-byte configuration)";
  }
}
