package org.conscrypt;

import static org.conscrypt.Check.all;
import static org.conscrypt.Check.attempt;
import static org.conscrypt.Check.bytes;
import static org.conscrypt.Check.direct;
import static org.conscrypt.Check.first;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Digests, MACs, ciphers, AEADs, key derivation, random bytes. */
public final class SymmetricCases {
  private SymmetricCases() {}

  private static final String[] DIGESTS = {"md4", "MD5", "sha1", "SHA224", "sha256", "sha384", "sha512"};

  public static Object digests() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[] data = bytes(200_000);
    for (String name : DIGESTS) {
      long md = NativeCrypto.EVP_get_digestbyname(name);
      NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
      results.add(NativeCrypto.EVP_MD_size(md));
      results.add(NativeCrypto.EVP_DigestInit_ex(ctx, md));
      NativeCrypto.EVP_DigestUpdate(ctx, data, 3, 0);
      NativeCrypto.EVP_DigestUpdate(ctx, data, 3, 1000);
      NativeCrypto.EVP_DigestUpdate(ctx, data, 0, data.length);
      ByteBuffer buffer = direct(data);
      NativeCrypto.EVP_DigestUpdateDirect(ctx, NativeCrypto.getDirectBufferAddress(buffer) + 5, 77);
      NativeRef.EVP_MD_CTX copy = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
      results.add(NativeCrypto.EVP_MD_CTX_copy_ex(copy, ctx));
      byte[] out = new byte[70];
      results.add(NativeCrypto.EVP_DigestFinal_ex(ctx, out, 2));
      results.add(out);
      byte[] again = new byte[70];
      results.add(NativeCrypto.EVP_DigestFinal_ex(copy, again, 2));
      results.add(again);
      NativeCrypto.EVP_MD_CTX_cleanup(ctx);
      results.add(NativeCrypto.EVP_DigestInit_ex(ctx, md));
      results.add(NativeCrypto.EVP_DigestFinal_ex(ctx, out, 0));
      results.add(out);
    }
    return results;
  }

  public static Object digestErrors() throws Exception {
    NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    NativeRef.EVP_MD_CTX empty = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    NativeCrypto.EVP_DigestInit_ex(ctx, NativeCrypto.EVP_get_digestbyname("sha1"));
    NativeCrypto.EVP_MD_CTX_destroy(NativeCrypto.EVP_MD_CTX_create());
    return all(
        attempt(() -> NativeCrypto.EVP_get_digestbyname("nonsense")),
        attempt(() -> NativeCrypto.EVP_get_digestbyname(null)),
        attempt(() -> NativeCrypto.EVP_MD_size(0)),
        attempt(() -> NativeCrypto.EVP_DigestInit_ex(ctx, 0)),
        attempt(() -> NativeCrypto.EVP_DigestInit_ex(null, 0)),
        attempt(() -> NativeCrypto.EVP_DigestUpdate(ctx, null, 0, 0)),
        attempt(() -> NativeCrypto.EVP_DigestUpdate(ctx, new byte[4], 1, 4)),
        attempt(() -> NativeCrypto.EVP_DigestUpdate(ctx, new byte[4], -1, 1)),
        attempt(() -> NativeCrypto.EVP_DigestUpdate(ctx, new byte[4], 0, -1)),
        attempt(() -> NativeCrypto.EVP_DigestUpdateDirect(ctx, 0, 1)),
        attempt(() -> NativeCrypto.EVP_DigestFinal_ex(ctx, null, 0)),
        attempt(() -> NativeCrypto.EVP_MD_CTX_copy_ex(ctx, empty)),
        attempt(() -> NativeCrypto.EVP_MD_CTX_destroy(0)));
  }

  public static Object hmac() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[] data = bytes(5000);
    for (String name : DIGESTS) {
      NativeRef.HMAC_CTX ctx = new NativeRef.HMAC_CTX(NativeCrypto.HMAC_CTX_new());
      NativeCrypto.HMAC_Init_ex(ctx, bytes(20), NativeCrypto.EVP_get_digestbyname(name));
      NativeCrypto.HMAC_Update(ctx, data, 1, 4000);
      ByteBuffer buffer = direct(data);
      NativeCrypto.HMAC_UpdateDirect(ctx, NativeCrypto.getDirectBufferAddress(buffer), 100);
      results.add(NativeCrypto.HMAC_Final(ctx));
      NativeCrypto.HMAC_Reset(ctx);
      NativeCrypto.HMAC_Update(ctx, data, 0, 1);
      results.add(NativeCrypto.HMAC_Final(ctx));
      NativeCrypto.HMAC_Init_ex(ctx, new byte[0], NativeCrypto.EVP_get_digestbyname(name));
      results.add(NativeCrypto.HMAC_Final(ctx));
    }
    NativeRef.HMAC_CTX ctx = new NativeRef.HMAC_CTX(NativeCrypto.HMAC_CTX_new());
    NativeCrypto.HMAC_CTX_free(NativeCrypto.HMAC_CTX_new());
    results.add(attempt(() -> NativeCrypto.HMAC_Init_ex(ctx, null, NativeCrypto.EVP_get_digestbyname("md5"))));
    results.add(attempt(() -> NativeCrypto.HMAC_CTX_free(0)));
    NativeCrypto.HMAC_Init_ex(ctx, bytes(3), NativeCrypto.EVP_get_digestbyname("md5"));
    results.add(attempt(() -> NativeCrypto.HMAC_Update(ctx, new byte[4], 2, 3)));
    results.add(attempt(() -> NativeCrypto.HMAC_Update(ctx, null, 0, 0)));
    results.add(attempt(() -> NativeCrypto.HMAC_UpdateDirect(ctx, 0, 3)));
    return results;
  }

  public static Object cmac() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[] data = bytes(5000);
    for (int size : new int[] {16, 24, 32}) {
      NativeRef.CMAC_CTX ctx = new NativeRef.CMAC_CTX(NativeCrypto.CMAC_CTX_new());
      NativeCrypto.CMAC_Init(ctx, bytes(size));
      NativeCrypto.CMAC_Update(ctx, data, 1, 4000);
      ByteBuffer buffer = direct(data);
      NativeCrypto.CMAC_UpdateDirect(ctx, NativeCrypto.getDirectBufferAddress(buffer), 100);
      results.add(NativeCrypto.CMAC_Final(ctx));
      NativeCrypto.CMAC_Reset(ctx);
      NativeCrypto.CMAC_Update(ctx, data, 0, 1);
      results.add(NativeCrypto.CMAC_Final(ctx));
    }
    NativeRef.CMAC_CTX ctx = new NativeRef.CMAC_CTX(NativeCrypto.CMAC_CTX_new());
    NativeCrypto.CMAC_CTX_free(NativeCrypto.CMAC_CTX_new());
    results.add(attempt(() -> NativeCrypto.CMAC_Init(ctx, bytes(17))));
    results.add(attempt(() -> NativeCrypto.CMAC_Init(ctx, null)));
    results.add(attempt(() -> NativeCrypto.CMAC_CTX_free(0)));
    return results;
  }

  private static final Object[][] CIPHERS = {
    {"rc4", 16}, {"des-cbc", 8}, {"des-ede-cbc", 16}, {"DES-EDE3-CBC", 24}, {"aes-128-ecb", 16}, {"aes-128-cbc", 16},
    {"aes-128-ctr", 16}, {"aes-128-gcm", 16}, {"aes-192-ecb", 24}, {"aes-192-cbc", 24}, {"aes-192-ctr", 24},
    {"aes-192-gcm", 24}, {"aes-256-ecb", 32}, {"aes-256-cbc", 32}, {"aes-256-ctr", 32}, {"aes-256-gcm", 32},
  };

  public static Object ciphers() throws Exception {
    List<Object> results = new ArrayList<>();
    for (Object[] row : CIPHERS) {
      long cipher = NativeCrypto.EVP_get_cipherbyname((String) row[0]);
      int iv = NativeCrypto.EVP_CIPHER_iv_length(cipher);
      results.add(iv);
      for (boolean padding : new boolean[] {true, false}) {
        for (int length : new int[] {0, 1, 15, 16, 17, 48, 5000}) {
          byte[] sealed = null;
          for (boolean encrypting : new boolean[] {true, false}) {
            byte[] input = encrypting ? bytes(length) : sealed;
            NativeRef.EVP_CIPHER_CTX ctx = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
            NativeCrypto.EVP_CipherInit_ex(ctx, cipher, null, null, encrypting);
            if (row[0].equals("rc4")) {
              NativeCrypto.EVP_CIPHER_CTX_set_key_length(ctx, 16);
            }
            NativeCrypto.EVP_CIPHER_CTX_set_padding(ctx, padding);
            NativeCrypto.EVP_CipherInit_ex(ctx, 0, bytes((int) row[1]), iv == 0 ? null : bytes(iv), encrypting);
            results.add(NativeCrypto.EVP_CIPHER_CTX_block_size(ctx));
            byte[] out = new byte[length + 64];
            int half = input.length / 2;
            int n = NativeCrypto.EVP_CipherUpdate(ctx, out, 1, input, 0, half);
            results.add(NativeCrypto.get_EVP_CIPHER_CTX_buf_len(ctx));
            results.add(NativeCrypto.get_EVP_CIPHER_CTX_final_used(ctx));
            n += NativeCrypto.EVP_CipherUpdate(ctx, out, 1 + n, input, half, input.length - half);
            int updated = n;
            int[] last = {0};
            results.add(attempt(() -> last[0] = NativeCrypto.EVP_CipherFinal_ex(ctx, out, 1 + updated)));
            results.add(out);
            sealed = java.util.Arrays.copyOfRange(out, 1, 1 + n + last[0]);
          }
        }
      }
    }
    return results;
  }

  public static Object cipherErrors() throws Exception {
    long cbc = NativeCrypto.EVP_get_cipherbyname("aes-128-cbc");
    NativeRef.EVP_CIPHER_CTX ctx = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
    NativeCrypto.EVP_CIPHER_CTX_free(NativeCrypto.EVP_CIPHER_CTX_new());
    NativeCrypto.EVP_CipherInit_ex(ctx, cbc, bytes(16), bytes(16), false);
    NativeCrypto.EVP_CipherUpdate(ctx, new byte[64], 0, bytes(32), 0, 32);
    byte[] shared = bytes(96);
    NativeRef.EVP_CIPHER_CTX overlap = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
    NativeCrypto.EVP_CipherInit_ex(overlap, cbc, bytes(16), bytes(16), true);
    return all(
        NativeCrypto.EVP_CipherUpdate(overlap, shared, 7, shared, 0, 48), shared,
        attempt(() -> NativeCrypto.EVP_get_cipherbyname("nonsense")),
        attempt(() -> NativeCrypto.EVP_get_cipherbyname(null)),
        attempt(() -> NativeCrypto.EVP_CIPHER_iv_length(0)),
        attempt(() -> NativeCrypto.EVP_CipherFinal_ex(ctx, new byte[64], 0)),
        attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, null, 0, new byte[4], 0, 4)),
        attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, new byte[40], 0, null, 0, 4)),
        attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, new byte[40], 41, new byte[4], 0, 4)),
        attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, new byte[40], 0, new byte[4], 1, 4)),
        attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, new byte[4], 0, new byte[40], 0, 40)),
        attempt(() -> NativeCrypto.EVP_CIPHER_CTX_set_key_length(ctx, 5)),
        attempt(() -> NativeCrypto.EVP_CIPHER_CTX_free(0)));
  }

  /** What a context does after its end, or after an error, until it is initialised again. */
  public static Object cipherMisuse() throws Exception {
    List<Object> results = new ArrayList<>();
    long cbc = NativeCrypto.EVP_get_cipherbyname("aes-128-cbc");
    for (boolean encrypting : new boolean[] {true, false}) {
      for (int length : new int[] {16, 17}) {
        NativeRef.EVP_CIPHER_CTX ctx = new NativeRef.EVP_CIPHER_CTX(NativeCrypto.EVP_CIPHER_CTX_new());
        NativeCrypto.EVP_CipherInit_ex(ctx, cbc, bytes(16), bytes(16), encrypting);
        byte[] out = new byte[64];
        results.add(attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, new byte[3], 0, bytes(length), 0, length)));
        results.add(attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, out, 0, bytes(length), 0, length)));
        NativeCrypto.EVP_CipherInit_ex(ctx, 0, bytes(16), bytes(16), encrypting);
        results.add(attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, out, 0, bytes(length), 0, length)));
        results.add(attempt(() -> NativeCrypto.EVP_CipherFinal_ex(ctx, out, 0)));
        results.add(attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, out, 0, bytes(length), 0, length)));
        results.add(attempt(() -> NativeCrypto.EVP_CipherFinal_ex(ctx, out, 0)));
        NativeCrypto.EVP_CipherInit_ex(ctx, 0, null, bytes(16), encrypting);
        results.add(attempt(() -> NativeCrypto.EVP_CipherUpdate(ctx, out, 0, bytes(32), 0, 32)));
        results.add(out);
      }
    }
    return results;
  }

  private static final int[][] AEAD_KEYS = {{16, 12}, {32, 12}, {32, 12}, {16, 12}, {32, 12}};

  private static long[] aeads() {
    return new long[] {
      NativeCrypto.EVP_aead_aes_128_gcm(), NativeCrypto.EVP_aead_aes_256_gcm(),
      NativeCrypto.EVP_aead_chacha20_poly1305(), NativeCrypto.EVP_aead_aes_128_gcm_siv(),
      NativeCrypto.EVP_aead_aes_256_gcm_siv(),
    };
  }

  public static Object aead() throws Exception {
    List<Object> results = new ArrayList<>();
    long[] aeads = aeads();
    for (int i = 0; i < aeads.length; i++) {
      long aead = aeads[i];
      results.add(NativeCrypto.EVP_AEAD_max_overhead(aead));
      results.add(NativeCrypto.EVP_AEAD_nonce_length(aead));
      byte[] key = bytes(AEAD_KEYS[i][0]);
      byte[] nonce = bytes(AEAD_KEYS[i][1]);
      for (int length : new int[] {0, 1, 100, 5000, 100_000}) {
        byte[] sealed = new byte[length + 20];
        int n = NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, sealed, 2, nonce, bytes(length), 0, length, bytes(9));
        results.add(n);
        results.add(sealed);
        byte[] opened = new byte[length];
        results.add(NativeCrypto.EVP_AEAD_CTX_open(aead, key, 16, opened, 0, nonce, sealed, 2, n, bytes(9)));
        results.add(java.util.Arrays.equals(opened, bytes(length)));
        sealed[2 + n - 1] ^= 1;
        results.add(attempt(
            () -> NativeCrypto.EVP_AEAD_CTX_open(aead, key, 16, opened, 0, nonce, sealed, 2, n, bytes(9))));
        ByteBuffer in = direct(bytes(length));
        ByteBuffer out = ByteBuffer.allocateDirect(length + 30).position(3);
        int m = NativeCrypto.EVP_AEAD_CTX_seal_buf(aead, key, 16, out, nonce, in, null);
        byte[] written = new byte[length + 30];
        out.duplicate().clear().get(written);
        results.add(m);
        results.add(written);
        ByteBuffer slice = out.duplicate().position(3).limit(3 + m);
        ByteBuffer back = ByteBuffer.allocateDirect(length);
        results.add(NativeCrypto.EVP_AEAD_CTX_open_buf(aead, key, 16, back, nonce, slice, null));
        byte[] plain = new byte[length];
        back.get(plain);
        results.add(java.util.Arrays.equals(plain, bytes(length)));
        ByteBuffer same = ByteBuffer.allocateDirect(length + 16).put(bytes(length));
        ByteBuffer source = same.duplicate().flip();
        results.add(NativeCrypto.EVP_AEAD_CTX_seal_buf(aead, key, 16, same.clear(), nonce, source, null));
        byte[] inPlace = new byte[length + 16];
        same.duplicate().clear().get(inPlace);
        results.add(inPlace);
      }
    }
    return results;
  }

  public static Object aeadErrors() throws Exception {
    long aead = NativeCrypto.EVP_aead_aes_128_gcm();
    byte[] key = bytes(16);
    byte[] nonce = bytes(12);
    ByteBuffer direct = ByteBuffer.allocateDirect(100);
    return all(
        attempt(() -> NativeCrypto.EVP_AEAD_max_overhead(0)),
        attempt(() -> NativeCrypto.EVP_AEAD_nonce_length(0)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, bytes(15), 16, new byte[32], 0, nonce, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 17, new byte[32], 0, nonce, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, new byte[31], 0, nonce, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, new byte[32], 33, nonce, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, new byte[32], 0, nonce, key, 1, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, null, 0, nonce, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, new byte[32], 0, null, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, null, 16, new byte[32], 0, nonce, key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal(aead, key, 16, new byte[32], 0, new byte[0], key, 0, 16, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_open(aead, key, 16, new byte[32], 0, nonce, key, 0, 15, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_open(aead, key, 16, new byte[0], 0, nonce, bytes(40), 0, 40, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal_buf(aead, key, 16, ByteBuffer.allocate(99), nonce, direct, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal_buf(aead, key, 16, direct, nonce, ByteBuffer.allocate(9), null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_seal_buf(aead, key, 16, direct, nonce, null, null)),
        attempt(() -> NativeCrypto.EVP_AEAD_CTX_open_buf(aead, key, 16, null, nonce, direct, null)));
  }

  public static Object chacha20() {
    byte[] data = bytes(300);
    byte[] out = new byte[310];
    NativeCrypto.chacha20_encrypt_decrypt(data, 3, out, 5, 200, bytes(32), bytes(12), 7);
    byte[] same = bytes(300);
    NativeCrypto.chacha20_encrypt_decrypt(same, 0, same, 0, 300, bytes(32), bytes(12), -1);
    return all(out, same);
  }

  public static Object scrypt() {
    return all(
        NativeCrypto.Scrypt_generate_key(bytes(5), bytes(8), 16, 8, 1, 64),
        NativeCrypto.Scrypt_generate_key(new byte[0], new byte[0], 2, 1, 3, 7),
        attempt(() -> NativeCrypto.Scrypt_generate_key(bytes(5), bytes(8), 15, 8, 1, 64)),
        attempt(() -> NativeCrypto.Scrypt_generate_key(bytes(5), bytes(8), 1 << 30, 8, 1, 64)),
        attempt(() -> NativeCrypto.Scrypt_generate_key(null, bytes(8), 16, 8, 1, 64)),
        attempt(() -> NativeCrypto.Scrypt_generate_key(bytes(5), null, 16, 8, 1, 64)));
  }

  public static Object random() {
    byte[] one = new byte[5000];
    byte[] other = new byte[5000];
    NativeCrypto.RAND_bytes(one);
    NativeCrypto.RAND_bytes(other);
    return all(
        java.util.Arrays.equals(one, other),
        attempt(() -> NativeCrypto.RAND_bytes(null)),
        attempt(() -> NativeCrypto.RAND_bytes(new byte[0])));
  }

  public static Object misc() throws Exception {
    return all(
        NativeCrypto.EVP_has_aes_hardware(),
        NativeCrypto.usesBoringSsl_FIPS_mode(),
        NativeCrypto.get_cipher_names("ALL:!DHE"),
        NativeCrypto.get_cipher_names("TLS_RSA_WITH_AES_128_CBC_SHA"),
        attempt(() -> NativeCrypto.get_cipher_names(null)),
        attempt(() -> NativeCrypto.get_cipher_names("not a cipher")),
        NativeCrypto.getDirectBufferAddress(null),
        NativeCrypto.getDirectBufferAddress(ByteBuffer.allocate(3)),
        NativeCrypto.getDirectBufferAddress(ByteBuffer.allocateDirect(3)) != 0,
        NativeCrypto.getDirectBufferAddress(ByteBuffer.allocateDirect(8).asIntBuffer()),
        first(bytes(3), 1));
  }

  private static final int[] KEMS = {0x20, 0x41, 0x42, 0x647a};

  public static Object hpke() throws Exception {
    List<Object> results = new ArrayList<>();
    byte[] info = bytes(20);
    for (int aead : new int[] {1, 2, 3}) {
      byte[] x = new byte[32];
      byte[] xPublic = new byte[32];
      NativeCrypto.X25519_keypair(xPublic, x);
      byte[][][] pairs = {
        {x, xPublic},
        {bytes(64), NativeCrypto.MLKEM768_public_key_from_seed(bytes(64))},
        {bytes(64), NativeCrypto.MLKEM1024_public_key_from_seed(bytes(64))},
        {bytes(32), NativeCrypto.XWING_public_key_from_seed(bytes(32))},
      };
      int[] seeds = {32, 32, 32, 64};
      for (int i = 0; i < KEMS.length; i++) {
        int kem = KEMS[i];
        Object[] sender = NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(kem, 1, aead, pairs[i][1], info);
        NativeRef.EVP_HPKE_CTX from = (NativeRef.EVP_HPKE_CTX) sender[0];
        NativeRef.EVP_HPKE_CTX to = (NativeRef.EVP_HPKE_CTX) NativeCrypto.EVP_HPKE_CTX_setup_base_mode_recipient(
            kem, 1, aead, pairs[i][0], (byte[]) sender[1], info);
        byte[] sealed = NativeCrypto.EVP_HPKE_CTX_seal(from, bytes(100), bytes(3));
        byte[] next = NativeCrypto.EVP_HPKE_CTX_seal(from, bytes(5000), null);
        results.add(NativeCrypto.EVP_HPKE_CTX_open(to, sealed, bytes(3)));
        results.add(attempt(() -> NativeCrypto.EVP_HPKE_CTX_open(to, next, bytes(1))));
        results.add(NativeCrypto.EVP_HPKE_CTX_open(to, next, null));
        results.add(java.util.Arrays.equals(
            NativeCrypto.EVP_HPKE_CTX_export(from, bytes(4), 50), NativeCrypto.EVP_HPKE_CTX_export(to, bytes(4), 50)));
        // Deterministic: the same on both sides of the comparison, from the same keys.
        if (i > 0) {
          Object[] seeded = NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender_with_seed_for_testing(
              kem, 1, aead, pairs[i][1], null, bytes(seeds[i]));
          NativeRef.EVP_HPKE_CTX ctx = (NativeRef.EVP_HPKE_CTX) seeded[0];
          results.add(seeded[1]);
          results.add(NativeCrypto.EVP_HPKE_CTX_seal(ctx, bytes(33), bytes(3)));
          results.add(NativeCrypto.EVP_HPKE_CTX_export(ctx, null, 32));
          results.add(attempt(() -> NativeCrypto.EVP_HPKE_CTX_open(ctx, bytes(33), null)));
        }
      }
    }
    return results;
  }

  public static Object hpkeErrors() throws Exception {
    byte[] publicKey = NativeCrypto.XWING_public_key_from_seed(bytes(32));
    Object[] sender = NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(0x647a, 1, 1, publicKey, null);
    NativeRef.EVP_HPKE_CTX ctx = (NativeRef.EVP_HPKE_CTX) sender[0];
    return all(
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(1, 1, 1, publicKey, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(0x20, 2, 1, publicKey, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(0x20, 1, 9, publicKey, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(0x20, 1, 1, publicKey, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_sender(0x20, 1, 1, null, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_recipient(0x20, 1, 1, bytes(31), bytes(32), null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_recipient(0x20, 1, 1, bytes(32), bytes(31), null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_recipient(0x20, 1, 1, null, bytes(31), null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_setup_base_mode_recipient(0x20, 1, 1, bytes(32), null, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_seal(ctx, null, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_seal(null, bytes(1), null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_open(ctx, null, null)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_export(ctx, null, 255 * 32 + 1)),
        attempt(() -> NativeCrypto.EVP_HPKE_CTX_free(0)));
  }
}
