package org.conscrypt;

import java.util.LinkedHashMap;
import java.util.Map;

/** Frequent calls with little data, each in a loop. */
public final class SmallCalls {
  private SmallCalls() {}

  private static Map<String, Check.Action> operations;

  private static Map<String, Check.Action> operations() throws Exception {
    Map<String, Check.Action> all = new LinkedHashMap<>();
    long sha256 = NativeCrypto.EVP_get_digestbyname("sha256");
    NativeRef.EVP_MD_CTX md = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    NativeCrypto.EVP_DigestInit_ex(md, sha256);
    NativeRef.HMAC_CTX hmac = new NativeRef.HMAC_CTX(NativeCrypto.HMAC_CTX_new());
    NativeCrypto.HMAC_Init_ex(hmac, Check.bytes(32), sha256);
    NativeRef.CMAC_CTX cmac = new NativeRef.CMAC_CTX(NativeCrypto.CMAC_CTX_new());
    NativeCrypto.CMAC_Init(cmac, Check.bytes(16));
    NativeRef.EVP_CIPHER_CTX cipher = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
    NativeCrypto.EVP_CipherInit_ex(
        cipher, NativeCrypto.EVP_get_cipherbyname("aes-128-ctr"), Check.bytes(16), Check.bytes(16), true);
    long aead = NativeCrypto.EVP_aead_aes_128_gcm();
    byte[] key = Check.bytes(16);
    byte[] nonce = Check.bytes(12);
    byte[] additional = Check.bytes(5);
    byte[] digest = new byte[32];
    for (int size : new int[] {16, 256, 2048, 16384}) {
      byte[] in = Check.bytes(size);
      byte[] out = new byte[size + 16];
      byte[] sealed = new byte[size + 16];
      NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, sealed, 0, nonce, in, 0, size, additional);
      all.put("EVP_DigestUpdate " + size, () -> NativeCrypto.EVP_DigestUpdate(md, in, 0, size));
      all.put("HMAC_Update " + size, () -> NativeCrypto.HMAC_Update(hmac, in, 0, size));
      all.put("CMAC_Update " + size, () -> NativeCrypto.CMAC_Update(cmac, in, 0, size));
      all.put("EVP_CipherUpdate " + size, () -> NativeCrypto.EVP_CipherUpdate(cipher, out, 0, in, 0, size));
      all.put("EVP_AEAD_CTX_seal " + size,
          () -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, out, 0, nonce, in, 0, size, additional));
      all.put("EVP_AEAD_CTX_open " + size,
          () -> NativeCrypto.EVP_AEAD_CTX_open(aead, key, 16, out, 0, nonce, sealed, 0, size + 16, additional));
    }
    all.put("EVP_MD_size", () -> NativeCrypto.EVP_MD_size(sha256));
    all.put("get_EVP_CIPHER_CTX_buf_len", () -> NativeCrypto.get_EVP_CIPHER_CTX_buf_len(cipher));
    byte[] block = Check.bytes(16);
    all.put("digest of 16", () -> {
      NativeCrypto.EVP_DigestInit_ex(md, sha256);
      NativeCrypto.EVP_DigestUpdate(md, block, 0, 16);
      NativeCrypto.EVP_DigestFinal_ex(md, digest, 0);
    });
    all.put("HMAC of 16", () -> {
      NativeCrypto.HMAC_Reset(hmac);
      NativeCrypto.HMAC_Update(hmac, block, 0, 16);
      NativeCrypto.HMAC_Final(hmac);
    });
    all.put("RAND_bytes 16", () -> NativeCrypto.RAND_bytes(block));
    return all;
  }

  /** The names of what there is. */
  public static String[] names() throws Exception {
    operations = operations();
    return operations.keySet().toArray(new String[0]);
  }

  /** Nanoseconds for so many calls. */
  public static long time(String name, int calls) throws Exception {
    Check.Action action = operations.get(name);
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      action.run();
    }
    return System.nanoTime() - start;
  }
}
