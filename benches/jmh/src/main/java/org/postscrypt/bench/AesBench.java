package org.postscrypt.bench;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** AES of many blocks in one call: the key is set up before, and the output is the same array each time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AesBench {
  private static final int WARM_UP = 20_000;

  @Param({"postscrypt", "conscrypt", "accp", "jdk"})
  String provider;

  @Param({"GCM", "CTR", "CBC"})
  String mode;

  /** Bits. */
  @Param({"128", "192", "256"})
  int key;

  /** Blocks of 16 bytes. */
  @Param({"4096", "32768", "262144", "1048576"})
  int blocks;

  @Param({"encrypt", "decrypt"})
  String direction;

  /** What the process was started with (see tools/bench): {@code off} is AES without the processor's instructions for it. */
  @Param({"on"})
  String acceleration;

  private Cipher cipher;
  private SecretKeySpec secret;
  private final byte[] iv = new byte[16];
  private byte[] in;
  private byte[] out;
  private boolean freshIv;

  @Setup
  public void setup() throws Exception {
    if (acceleration.equals("off") != (System.getenv("OPENSSL_ia32cap") != null)) {
      throw new IllegalStateException("acceleration is not " + acceleration + " in this process");
    }
    try {
      cipher = Cipher.getInstance("AES/" + mode + "/NoPadding", Crypto.provider(provider, "SunJCE"));
    } catch (NoSuchAlgorithmException e) {
      throw new UnsupportedOperationException(e);
    }
    secret = new SecretKeySpec(new byte[key / 8], "AES");
    byte[] message = new byte[16 * blocks];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) (i * 31 + (i >>> 8));
    }
    byte[] encrypted = encryptedByAnother(message);
    boolean encrypts = direction.equals("encrypt");
    in = encrypts ? message : encrypted;
    out = new byte[encrypts ? encrypted.length : message.length];
    try {
      cipher.init(encrypts ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, secret, parameters());
    } catch (InvalidKeyException e) {
      // Not every provider has GCM with 192 bits.
      throw new UnsupportedOperationException(e);
    }
    if (run() != out.length || !Arrays.equals(out, encrypts ? encrypted : message)) {
      throw new IllegalStateException("another result");
    }
    // Nobody seals twice under the same IV.
    freshIv = mode.equals("GCM") && encrypts;
    if (provider.equals("jdk")) {
      warmUp(encrypts);
    }
  }

  private byte[] encryptedByAnother(byte[] message) throws Exception {
    Cipher another =
        Cipher.getInstance("AES/" + mode + "/NoPadding", Crypto.provider(provider.equals("jdk") ? "postscrypt" : "jdk", "SunJCE"));
    another.init(Cipher.ENCRYPT_MODE, secret, parameters());
    return another.doFinal(message);
  }

  /** Few large calls leave Java code interpreted, and so without its intrinsics, that many small ones get compiled. */
  private void warmUp(boolean encrypts) throws Exception {
    byte[] all = in;
    in = new byte[1024];
    if (!encrypts) {
      in = encryptedByAnother(in);
    }
    for (int i = 0; i < WARM_UP; i++) {
      run();
    }
    in = all;
  }

  private AlgorithmParameterSpec parameters() {
    return mode.equals("GCM") ? new GCMParameterSpec(128, iv, 0, 12) : new IvParameterSpec(iv);
  }

  @Benchmark
  public int run() throws Exception {
    if (freshIv) {
      for (int i = 0; i < 12 && ++iv[i] == 0; i++) {}
      cipher.init(Cipher.ENCRYPT_MODE, secret, parameters());
    }
    return cipher.doFinal(in, 0, in.length, out);
  }
}
