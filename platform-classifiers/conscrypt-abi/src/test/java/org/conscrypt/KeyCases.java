package org.conscrypt;

import static org.conscrypt.Check.all;
import static org.conscrypt.Check.attempt;
import static org.conscrypt.Check.bytes;
import static org.conscrypt.Check.direct;
import static org.conscrypt.Check.key;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.postscrypt.conscryptabi.Fixtures;

/** Keys of every kind, signatures, encryption, agreement. */
public final class KeyCases {
  private KeyCases() {}

  private static final int ED25519 = 949;
  private static final int X25519 = 948;
  private static final int[] ML_DSA = {967, 968, 969};

  private static NativeRef.EVP_PKEY rsaPrivate() throws Exception {
    return key(NativeCrypto.EVP_parse_private_key(Fixtures.RSA.getPrivate().getEncoded()));
  }

  private static NativeRef.EVP_PKEY rsaPublic() throws Exception {
    return key(NativeCrypto.EVP_parse_public_key(Fixtures.RSA.getPublic().getEncoded()));
  }

  private static NativeRef.EVP_PKEY ecPrivate() throws Exception {
    return key(NativeCrypto.EVP_parse_private_key(Fixtures.EC.getPrivate().getEncoded()));
  }

  private static NativeRef.EVP_PKEY ecPublic() throws Exception {
    return key(NativeCrypto.EVP_parse_public_key(Fixtures.EC.getPublic().getEncoded()));
  }

  public static Object rsaKeys() throws Exception {
    RSAPrivateCrtKey k = (RSAPrivateCrtKey) Fixtures.RSA.getPrivate();
    byte[] n = k.getModulus().toByteArray();
    byte[] e = k.getPublicExponent().toByteArray();
    byte[] d = k.getPrivateExponent().toByteArray();
    byte[] p = k.getPrimeP().toByteArray();
    byte[] q = k.getPrimeQ().toByteArray();
    byte[] dp = k.getPrimeExponentP().toByteArray();
    byte[] dq = k.getPrimeExponentQ().toByteArray();
    byte[] qinv = k.getCrtCoefficient().toByteArray();
    NativeRef.EVP_PKEY full = key(NativeCrypto.EVP_PKEY_new_RSA(n, e, d, p, q, dp, dq, qinv));
    NativeRef.EVP_PKEY noCrt = key(NativeCrypto.EVP_PKEY_new_RSA(n, e, d, null, null, null, null, null));
    NativeRef.EVP_PKEY noE = key(NativeCrypto.EVP_PKEY_new_RSA(n, null, d, null, null, null, null, null));
    NativeRef.EVP_PKEY pub = key(NativeCrypto.EVP_PKEY_new_RSA(n, e, null, null, null, null, null, null));
    NativeCrypto.EVP_PKEY_free(NativeCrypto.EVP_PKEY_new_RSA(n, e, null, null, null, null, null, null));
    NativeRef.EVP_PKEY made = key(NativeCrypto.RSA_generate_key_ex(1024, new byte[] {1, 0, 1}));
    return all(
        NativeCrypto.EVP_PKEY_type(full), NativeCrypto.RSA_size(full), NativeCrypto.RSA_size(made),
        NativeCrypto.get_RSA_private_params(full), NativeCrypto.get_RSA_private_params(noCrt),
        NativeCrypto.get_RSA_private_params(noE), NativeCrypto.get_RSA_private_params(pub),
        NativeCrypto.get_RSA_public_params(pub), attempt(() -> NativeCrypto.get_RSA_public_params(noE)),
        NativeCrypto.get_RSA_private_params(rsaPrivate()),
        NativeCrypto.EVP_PKEY_cmp(full, pub), NativeCrypto.EVP_PKEY_cmp(full, made),
        NativeCrypto.EVP_PKEY_cmp(full, ecPublic()),
        NativeCrypto.EVP_marshal_private_key(full), NativeCrypto.EVP_marshal_public_key(full),
        attempt(() -> NativeCrypto.EVP_marshal_private_key(noE)),
        attempt(() -> NativeCrypto.EVP_marshal_private_key(pub)),
        NativeCrypto.EVP_PKEY_print_public(pub), attempt(() -> NativeCrypto.EVP_PKEY_print_params(pub)),
        attempt(() -> NativeCrypto.EVP_PKEY_new_RSA(n, null, null, null, null, null, null, null)),
        attempt(() -> NativeCrypto.EVP_PKEY_new_RSA(null, e, null, null, null, null, null, null)),
        attempt(() -> NativeCrypto.EVP_PKEY_new_RSA(n, e, d, q, p, dp, dq, qinv)),
        attempt(() -> NativeCrypto.EVP_PKEY_new_RSA(new byte[] {5}, e, null, null, null, null, null, null)),
        attempt(() -> NativeCrypto.EVP_PKEY_new_RSA(n, new byte[] {2}, null, null, null, null, null, null)),
        attempt(() -> NativeCrypto.RSA_generate_key_ex(100, new byte[] {1, 0, 1})),
        attempt(() -> NativeCrypto.RSA_generate_key_ex(1024, new byte[] {4})),
        attempt(() -> NativeCrypto.RSA_generate_key_ex(1024, null)),
        attempt(() -> NativeCrypto.RSA_size(ecPublic())),
        attempt(() -> NativeCrypto.get_RSA_private_params(ecPublic())),
        attempt(() -> NativeCrypto.EVP_PKEY_type(null)));
  }

  public static Object rsaCrypt() throws Exception {
    NativeRef.EVP_PKEY priv = rsaPrivate();
    NativeRef.EVP_PKEY pub = rsaPublic();
    List<Object> results = new ArrayList<>();
    byte[] block = bytes(256);
    block[0] = 0;
    byte[] raw = new byte[256];
    results.add(NativeCrypto.RSA_private_encrypt(256, block, raw, priv, NativeConstants.RSA_NO_PADDING));
    results.add(raw);
    byte[] back = new byte[256];
    results.add(NativeCrypto.RSA_public_decrypt(256, raw, back, pub, NativeConstants.RSA_NO_PADDING));
    results.add(back);
    byte[] signed = new byte[256];
    results.add(NativeCrypto.RSA_private_encrypt(20, bytes(20), signed, priv, NativeConstants.RSA_PKCS1_PADDING));
    results.add(signed);
    results.add(NativeCrypto.RSA_public_decrypt(256, signed, back, pub, NativeConstants.RSA_PKCS1_PADDING));
    results.add(back);
    byte[] encrypted = new byte[256];
    results.add(NativeCrypto.RSA_public_encrypt(20, bytes(20), encrypted, pub, NativeConstants.RSA_PKCS1_PADDING));
    byte[] decrypted = new byte[256];
    results.add(NativeCrypto.RSA_private_decrypt(256, encrypted, decrypted, priv, NativeConstants.RSA_PKCS1_PADDING));
    results.add(decrypted);
    results.add(attempt(() -> NativeCrypto.RSA_private_encrypt(300, bytes(300), signed, priv, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_private_encrypt(250, bytes(250), signed, priv, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_private_encrypt(255, bytes(255), signed, priv, 3)));
    results.add(attempt(() -> NativeCrypto.RSA_public_encrypt(20, bytes(20), encrypted, pub, 99)));
    results.add(attempt(() -> NativeCrypto.RSA_private_decrypt(256, bytes(256), decrypted, priv, 3)));
    results.add(attempt(() -> NativeCrypto.RSA_private_decrypt(255, bytes(255), decrypted, priv, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_public_decrypt(256, raw, back, pub, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_private_decrypt(256, encrypted, decrypted, pub, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_private_decrypt(256, encrypted, null, priv, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_private_decrypt(256, null, decrypted, priv, 1)));
    results.add(attempt(() -> NativeCrypto.RSA_public_encrypt(20, bytes(20), encrypted, ecPublic(), 1)));
    return results;
  }

  public static Object pkeyCrypt() throws Exception {
    List<Object> results = new ArrayList<>();
    long sha256 = NativeCrypto.EVP_get_digestbyname("sha256");
    for (boolean oaep : new boolean[] {true, false}) {
      NativeRef.EVP_PKEY_CTX enc = new NativeRef.EVP_PKEY_CTX(NativeCrypto.EVP_PKEY_encrypt_init(rsaPublic()));
      NativeRef.EVP_PKEY_CTX dec = new NativeRef.EVP_PKEY_CTX(NativeCrypto.EVP_PKEY_decrypt_init(rsaPrivate()));
      for (NativeRef.EVP_PKEY_CTX ctx : new NativeRef.EVP_PKEY_CTX[] {enc, dec}) {
        NativeCrypto.EVP_PKEY_CTX_set_rsa_padding(ctx.address, oaep ? 4 : 1);
        if (oaep) {
          NativeCrypto.EVP_PKEY_CTX_set_rsa_oaep_md(ctx.address, sha256);
          NativeCrypto.EVP_PKEY_CTX_set_rsa_mgf1_md(ctx.address, NativeCrypto.EVP_get_digestbyname("sha1"));
          NativeCrypto.EVP_PKEY_CTX_set_rsa_oaep_label(ctx.address, bytes(10));
          NativeCrypto.EVP_PKEY_CTX_set_rsa_oaep_label(ctx.address, new byte[0]);
        }
      }
      byte[] out = new byte[300];
      int n = NativeCrypto.EVP_PKEY_encrypt(enc, out, 4, bytes(50), 1, 40);
      results.add(n);
      byte[] back = new byte[300];
      results.add(NativeCrypto.EVP_PKEY_decrypt(dec, back, 1, out, 4, n));
      results.add(back);
      out[20] ^= 1;
      results.add(oaep ? attempt(() -> NativeCrypto.EVP_PKEY_decrypt(dec, back, 1, out, 4, n)) : null);
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_decrypt(dec, back, 301, out, 4, n)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_decrypt(dec, back, 0, out, 290, n)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_decrypt(dec, back, 0, out, 4, 100)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_encrypt(enc, new byte[10], 0, bytes(5), 0, 5)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_encrypt(enc, out, 0, bytes(255), 0, 255)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_encrypt(enc, null, 0, bytes(255), 0, 5)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_encrypt(null, out, 0, bytes(255), 0, 5)));
    }
    NativeCrypto.EVP_PKEY_CTX_free(NativeCrypto.EVP_PKEY_encrypt_init(rsaPublic()));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_encrypt_init(ecPublic())));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_decrypt_init(null)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_padding(0, 1)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(0, 1)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_oaep_label(0, null)));
    NativeRef.EVP_PKEY_CTX ctx = new NativeRef.EVP_PKEY_CTX(NativeCrypto.EVP_PKEY_encrypt_init(rsaPublic()));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_padding(ctx.address, 77)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx.address, 5)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_oaep_md(ctx.address, sha256)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_set_rsa_mgf1_md(ctx.address, 0)));
    results.add(attempt(() -> NativeCrypto.EVP_PKEY_CTX_free(0)));
    return results;
  }

  private static byte[] sign(NativeRef.EVP_PKEY key, String digest, boolean pss, boolean buffer) throws Exception {
    NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    long md = NativeCrypto.EVP_get_digestbyname(digest);
    long pctx = NativeCrypto.EVP_DigestSignInit(ctx, md, key);
    pss(pctx, md, pss);
    if (buffer) {
      ByteBuffer direct = direct(bytes(5000));
      NativeCrypto.EVP_DigestSignUpdateDirect(ctx, NativeCrypto.getDirectBufferAddress(direct), 5000);
    } else {
      NativeCrypto.EVP_DigestSignUpdate(ctx, bytes(5000), 0, 5000);
    }
    return NativeCrypto.EVP_DigestSignFinal(ctx);
  }

  private static void pss(long pctx, long md, boolean pss) throws Exception {
    if (pss) {
      NativeCrypto.EVP_PKEY_CTX_set_rsa_padding(pctx, NativeConstants.RSA_PKCS1_PSS_PADDING);
      NativeCrypto.EVP_PKEY_CTX_set_rsa_mgf1_md(pctx, md);
      NativeCrypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(pctx, 20);
    }
  }

  private static Object verify(NativeRef.EVP_PKEY key, String digest, boolean pss, byte[] signature) throws Exception {
    NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    long md = NativeCrypto.EVP_get_digestbyname(digest);
    pss(NativeCrypto.EVP_DigestVerifyInit(ctx, md, key), md, pss);
    NativeCrypto.EVP_DigestVerifyUpdate(ctx, bytes(5000), 0, 4000);
    ByteBuffer direct = direct(bytes(5000));
    NativeCrypto.EVP_DigestVerifyUpdateDirect(ctx, NativeCrypto.getDirectBufferAddress(direct) + 4000, 1000);
    return NativeCrypto.EVP_DigestVerifyFinal(ctx, signature, 0, signature.length);
  }

  public static Object signatures() throws Exception {
    List<Object> results = new ArrayList<>();
    for (String digest : new String[] {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}) {
      byte[] rsa = sign(rsaPrivate(), digest, false, false);
      results.add(rsa);
      results.add(verify(rsaPublic(), digest, false, rsa));
      byte[] pss = sign(rsaPrivate(), digest, true, true);
      results.add(verify(rsaPublic(), digest, true, pss));
      results.add(verify(rsaPublic(), digest, false, pss));
      if (digest.equals("md5")) {
        results.add(attempt(() -> sign(ecPrivate(), digest, false, true)));
        continue;
      }
      byte[] ec = sign(ecPrivate(), digest, false, true);
      results.add(verify(ecPublic(), digest, false, ec));
      ec[ec.length - 1] ^= 1;
      results.add(verify(ecPublic(), digest, false, ec));
      results.add(attempt(() -> verify(ecPublic(), digest, false, bytes(10))));
    }
    return results;
  }

  public static Object messageSignatures() throws Exception {
    List<Object> results = new ArrayList<>();
    List<NativeRef.EVP_PKEY[]> pairs = new ArrayList<>();
    pairs.add(new NativeRef.EVP_PKEY[] {
      key(NativeCrypto.EVP_parse_private_key(Fixtures.ED25519.getPrivate().getEncoded())),
      key(NativeCrypto.EVP_parse_public_key(Fixtures.ED25519.getPublic().getEncoded())),
    });
    for (int type : ML_DSA) {
      NativeRef.EVP_PKEY key = key(NativeCrypto.EVP_PKEY_from_private_seed(type, bytes(32)));
      pairs.add(new NativeRef.EVP_PKEY[] {
        key, key(NativeCrypto.EVP_PKEY_from_raw_public_key(type, NativeCrypto.EVP_PKEY_get_raw_public_key(key))),
      });
    }
    for (NativeRef.EVP_PKEY[] pair : pairs) {
      NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
      NativeCrypto.EVP_DigestSignInit(ctx, 0, pair[0]);
      byte[] signature = NativeCrypto.EVP_DigestSign(ctx, bytes(300), 1, 250);
      results.add(signature.length);
      NativeRef.EVP_MD_CTX other = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
      NativeCrypto.EVP_DigestVerifyInit(other, 0, pair[1]);
      results.add(NativeCrypto.EVP_DigestVerify(other, signature, 0, signature.length, bytes(300), 1, 250));
      results.add(NativeCrypto.EVP_DigestVerify(other, signature, 0, signature.length, bytes(300), 1, 249));
      results.add(attempt(() -> NativeCrypto.EVP_DigestVerify(other, signature, 0, 9, bytes(300), 1, 249)));
      results.add(attempt(() -> NativeCrypto.EVP_DigestVerify(other, signature, 1, signature.length, bytes(9), 0, 9)));
      results.add(attempt(() -> NativeCrypto.EVP_DigestVerify(other, signature, 0, 9, bytes(9), 1, 9)));
      results.add(attempt(() -> NativeCrypto.EVP_DigestSign(ctx, bytes(9), 1, 9)));
      results.add(attempt(() -> NativeCrypto.EVP_DigestSign(ctx, null, 1, 9)));
      results.add(attempt(() -> NativeCrypto.EVP_DigestSignUpdate(ctx, bytes(9), 0, 9)));
      results.add(attempt(() -> NativeCrypto.EVP_DigestSignFinal(ctx)));
    }
    NativeRef.EVP_MD_CTX ctx = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    results.add(attempt(() -> NativeCrypto.EVP_DigestSignInit(ctx, 0, rsaPrivate())));
    results.add(attempt(() -> NativeCrypto.EVP_DigestSignInit(ctx, 0, null)));
    results.add(attempt(
        () -> NativeCrypto.EVP_DigestSignInit(ctx, NativeCrypto.EVP_get_digestbyname("sha1"), pairs.get(0)[0])));
    results.add(attempt(() -> {
      NativeCrypto.EVP_DigestSignInit(ctx, NativeCrypto.EVP_get_digestbyname("sha1"), rsaPublic());
      NativeCrypto.EVP_DigestSignUpdate(ctx, bytes(9), 0, 9);
      return NativeCrypto.EVP_DigestSignFinal(ctx);
    }));
    NativeRef.EVP_MD_CTX ver = new NativeRef.EVP_MD_CTX(NativeCrypto.EVP_MD_CTX_create());
    NativeCrypto.EVP_DigestVerifyInit(ver, NativeCrypto.EVP_get_digestbyname("sha1"), rsaPublic());
    results.add(attempt(() -> NativeCrypto.EVP_DigestVerifyFinal(ver, bytes(9), 1, 9)));
    results.add(attempt(() -> NativeCrypto.EVP_DigestVerifyFinal(ver, null, 1, 9)));
    results.add(attempt(() -> NativeCrypto.EVP_DigestVerifyFinal(ver, bytes(256), 0, 256)));
    return results;
  }

  public static Object encodings() throws Exception {
    byte[] edPrivate = Fixtures.ED25519.getPrivate().getEncoded();
    byte[] edPublic = Fixtures.ED25519.getPublic().getEncoded();
    byte[] xPrivate = Fixtures.X25519.getPrivate().getEncoded();
    NativeRef.EVP_PKEY ed = key(NativeCrypto.EVP_PKEY_from_private_key_info(edPrivate, new int[] {X25519, ED25519}));
    NativeRef.EVP_PKEY edPub = key(NativeCrypto.EVP_PKEY_from_subject_public_key_info(edPublic, new int[] {ED25519}));
    NativeRef.EVP_PKEY raw = key(NativeCrypto.EVP_PKEY_from_raw_private_key(X25519, bytes(32)));
    NativeRef.EVP_PKEY mldsa = key(NativeCrypto.EVP_PKEY_from_private_seed(968, bytes(32)));
    byte[] mldsaDer = NativeCrypto.EVP_marshal_private_key(mldsa);
    return all(
        NativeCrypto.EVP_PKEY_get_raw_private_key(ed), NativeCrypto.EVP_PKEY_get_raw_public_key(ed),
        NativeCrypto.EVP_PKEY_get_raw_public_key(edPub), NativeCrypto.EVP_PKEY_cmp(ed, edPub),
        NativeCrypto.EVP_PKEY_get_raw_public_key(raw), NativeCrypto.EVP_marshal_private_key(raw),
        NativeCrypto.EVP_PKEY_get_private_seed(mldsa), mldsaDer, NativeCrypto.EVP_marshal_public_key(mldsa),
        NativeCrypto.EVP_PKEY_get_private_seed(
            key(NativeCrypto.EVP_PKEY_from_private_key_info(mldsaDer, new int[] {967, 968, 969}))),
        NativeCrypto.EVP_raw_X25519_private_key(xPrivate),
        NativeCrypto.EVP_PKEY_print_public(edPub), NativeCrypto.EVP_PKEY_print_public(ecPublic()),
        attempt(() -> NativeCrypto.EVP_PKEY_print_params(ecPublic())),
        NativeCrypto.EVP_PKEY_type(ed), NativeCrypto.EVP_PKEY_type(raw), NativeCrypto.EVP_PKEY_type(mldsa),
        NativeCrypto.EVP_PKEY_type(key(NativeCrypto.EVP_parse_private_key(Fixtures.concat(edPrivate, bytes(3))))),
        attempt(() -> NativeCrypto.EVP_raw_X25519_private_key(edPrivate)),
        attempt(() -> NativeCrypto.EVP_raw_X25519_private_key(bytes(9))),
        attempt(() -> NativeCrypto.EVP_raw_X25519_private_key(null)),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_key_info(edPrivate, new int[] {X25519})),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_key_info(edPrivate, new int[] {6})),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_key_info(edPrivate, new int[0])),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_key_info(null, new int[] {ED25519})),
        attempt(() -> NativeCrypto.EVP_PKEY_from_subject_public_key_info(edPrivate, new int[] {ED25519})),
        attempt(() -> NativeCrypto.EVP_PKEY_from_subject_public_key_info(edPublic, new int[] {1})),
        attempt(() -> NativeCrypto.EVP_PKEY_from_subject_public_key_info(null, new int[] {1})),
        attempt(() -> NativeCrypto.EVP_PKEY_from_raw_private_key(ED25519, bytes(31))),
        attempt(() -> NativeCrypto.EVP_PKEY_from_raw_private_key(968, bytes(32))),
        attempt(() -> NativeCrypto.EVP_PKEY_from_raw_private_key(ED25519, null)),
        attempt(() -> NativeCrypto.EVP_PKEY_from_raw_public_key(ED25519, bytes(31))),
        attempt(() -> NativeCrypto.EVP_PKEY_from_raw_public_key(6, bytes(31))),
        attempt(() -> NativeCrypto.EVP_PKEY_from_raw_public_key(6, null)),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_seed(968, bytes(31))),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_seed(ED25519, bytes(32))),
        attempt(() -> NativeCrypto.EVP_PKEY_from_private_seed(968, null)),
        attempt(() -> NativeCrypto.EVP_PKEY_get_raw_private_key(edPub)),
        attempt(() -> NativeCrypto.EVP_PKEY_get_raw_public_key(rsaPublic())),
        attempt(() -> NativeCrypto.EVP_PKEY_get_private_seed(ed)),
        attempt(() -> NativeCrypto.EVP_parse_private_key(bytes(20))),
        attempt(() -> NativeCrypto.EVP_parse_private_key(null)),
        attempt(() -> NativeCrypto.EVP_parse_public_key(bytes(20))),
        attempt(() -> NativeCrypto.EVP_parse_public_key(null)));
  }

  private static long stream(byte[] bytes) {
    return new OpenSSLBIOInputStream(new ByteArrayInputStream(bytes), true).getBioContext();
  }

  public static Object pem() throws Exception {
    String priv = Fixtures.pem("PRIVATE KEY", Fixtures.RSA.getPrivate().getEncoded());
    String pub = Fixtures.pem("PUBLIC KEY", Fixtures.EC.getPublic().getEncoded());
    long both = stream(Fixtures.ascii("junk\n" + pub + "more junk\n" + priv.replace("\n", "\r\n") + pub));
    String longLines = "-----BEGIN PUBLIC KEY-----\n"
        + java.util.Base64.getEncoder().encodeToString(Fixtures.EC.getPublic().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
    return all(
        NativeCrypto.EVP_PKEY_cmp(key(NativeCrypto.PEM_read_bio_PrivateKey(both)), rsaPublic()),
        NativeCrypto.EVP_PKEY_cmp(key(NativeCrypto.PEM_read_bio_PUBKEY(both)), ecPublic()),
        attempt(() -> NativeCrypto.PEM_read_bio_PUBKEY(both)),
        NativeCrypto.EVP_PKEY_cmp(key(NativeCrypto.PEM_read_bio_PUBKEY(stream(Fixtures.ascii(longLines)))), ecPublic()),
        attempt(() -> NativeCrypto.PEM_read_bio_PrivateKey(stream(new byte[0]))),
        attempt(() -> NativeCrypto.PEM_read_bio_PrivateKey(stream(Fixtures.ascii(pub)))),
        attempt(() -> NativeCrypto.PEM_read_bio_PUBKEY(stream(Fixtures.ascii(pub.substring(0, 60))))),
        attempt(() -> NativeCrypto.PEM_read_bio_PUBKEY(stream(Fixtures.ascii(Fixtures.pem("PUBLIC KEY", bytes(9)))))),
        attempt(() -> NativeCrypto.PEM_read_bio_PUBKEY(0)));
  }

  public static Object curves() throws Exception {
    List<Object> results = new ArrayList<>();
    for (String name : new String[] {"prime256v1", "secp224r1", "secp384r1", "secp521r1"}) {
      NativeRef.EC_GROUP group = new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name(name));
      results.add(NativeCrypto.EC_GROUP_get_curve_name(group));
      results.add(NativeCrypto.EC_GROUP_get_curve(group));
      results.add(NativeCrypto.EC_GROUP_get_order(group));
      results.add(NativeCrypto.EC_GROUP_get_degree(group));
      results.add(NativeCrypto.EC_GROUP_get_cofactor(group));
      NativeRef.EC_POINT generator = new NativeRef.EC_POINT(NativeCrypto.EC_GROUP_get_generator(group));
      byte[][] xy = NativeCrypto.EC_POINT_get_affine_coordinates(group, generator);
      results.add(xy);
      NativeRef.EC_POINT point = new NativeRef.EC_POINT(NativeCrypto.EC_POINT_new(group));
      results.add(attempt(() -> NativeCrypto.EC_POINT_get_affine_coordinates(group, point)));
      NativeCrypto.EC_POINT_set_affine_coordinates(group, point, xy[0], xy[1]);
      results.add(NativeCrypto.EC_POINT_get_affine_coordinates(group, point));
      results.add(attempt(() -> NativeCrypto.EC_POINT_set_affine_coordinates(group, point, xy[1], xy[0])));
      byte[] der = NativeCrypto.EC_KEY_marshal_curve_name(group);
      results.add(der);
      results.add(NativeCrypto.EC_GROUP_get_curve_name(new NativeRef.EC_GROUP(NativeCrypto.EC_KEY_parse_curve_name(der))));
      results.add(attempt(() -> NativeCrypto.EC_KEY_parse_curve_name(Fixtures.concat(der, new byte[1]))));
      NativeRef.EVP_PKEY one = key(NativeCrypto.EVP_PKEY_new_EC_KEY(group, null, new byte[] {1}));
      results.add(NativeCrypto.EC_POINT_get_affine_coordinates(
          group, new NativeRef.EC_POINT(NativeCrypto.EC_KEY_get_public_key(one))));
      results.add(NativeCrypto.EC_KEY_get_private_key(one));
      NativeRef.EVP_PKEY both = key(NativeCrypto.EVP_PKEY_new_EC_KEY(group, generator, new byte[] {1}));
      NativeRef.EVP_PKEY pub = key(NativeCrypto.EVP_PKEY_new_EC_KEY(group, generator, null));
      results.add(NativeCrypto.EVP_PKEY_cmp(both, pub));
      results.add(NativeCrypto.EVP_marshal_private_key(both));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_new_EC_KEY(group, generator, new byte[] {2})));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_new_EC_KEY(group, null, new byte[] {0})));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_new_EC_KEY(group, null, null)));
      results.add(attempt(() -> NativeCrypto.EVP_PKEY_new_EC_KEY(null, null, null)));
      results.add(attempt(() -> NativeCrypto.EC_KEY_get_private_key(pub)));
      NativeRef.EVP_PKEY made = key(NativeCrypto.EC_KEY_generate_key(group));
      results.add(NativeCrypto.EC_GROUP_get_curve_name(new NativeRef.EC_GROUP(NativeCrypto.EC_KEY_get1_group(made))));
      byte[] out = new byte[80];
      int n = NativeCrypto.ECDH_compute_key(out, 5, pub, made);
      byte[] other = new byte[80];
      results.add(n);
      results.add(n == NativeCrypto.ECDH_compute_key(other, 5, made, both) && Arrays.equals(out, other));
      results.add(NativeCrypto.ECDSA_size(made));
      byte[] signature = new byte[NativeCrypto.ECDSA_size(made)];
      int length = NativeCrypto.ECDSA_sign(bytes(32), 32, signature, made);
      results.add(NativeCrypto.ECDSA_verify(bytes(32), 32, Arrays.copyOf(signature, length), made));
      results.add(NativeCrypto.ECDSA_verify(bytes(32), 31, Arrays.copyOf(signature, length), made));
      results.add(attempt(() -> NativeCrypto.ECDSA_verify(bytes(32), 31, bytes(8), made)));
    }
    return results;
  }

  public static Object curveErrors() throws Exception {
    NativeRef.EC_GROUP p256 = new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("prime256v1"));
    NativeRef.EC_GROUP p384 = new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("secp384r1"));
    NativeRef.EC_POINT point = new NativeRef.EC_POINT(NativeCrypto.EC_GROUP_get_generator(p384));
    byte[][] curve = NativeCrypto.EC_GROUP_get_curve(p256);
    byte[][] xy = NativeCrypto.EC_POINT_get_affine_coordinates(
        p256, new NativeRef.EC_POINT(NativeCrypto.EC_GROUP_get_generator(p256)));
    byte[] order = NativeCrypto.EC_GROUP_get_order(p256);
    NativeRef.EC_GROUP same = new NativeRef.EC_GROUP(
        NativeCrypto.EC_GROUP_new_arbitrary(curve[0], curve[1], curve[2], xy[0], xy[1], order, 1));
    // secp256k1, which BoringSSL has no name for.
    byte[] p = new BigInteger("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16).toByteArray();
    byte[] n = new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16).toByteArray();
    byte[] x = new BigInteger("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", 16).toByteArray();
    byte[] y = new BigInteger("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8", 16).toByteArray();
    NativeRef.EC_GROUP k1 = new NativeRef.EC_GROUP(
        NativeCrypto.EC_GROUP_new_arbitrary(p, new byte[] {0}, new byte[] {7}, x, y, n, 1));
    NativeCrypto.EC_GROUP_clear_free(NativeCrypto.EC_GROUP_new_by_curve_name("prime256v1"));
    NativeCrypto.EC_POINT_clear_free(NativeCrypto.EC_POINT_new(p256));
    return all(
        NativeCrypto.EC_GROUP_get_curve_name(same), NativeCrypto.EC_GROUP_get_curve_name(k1),
        NativeCrypto.EC_GROUP_get_curve(k1), NativeCrypto.EC_GROUP_get_order(k1), NativeCrypto.EC_GROUP_get_cofactor(k1),
        attempt(() -> NativeCrypto.EC_KEY_marshal_curve_name(k1)),
        attempt(() -> NativeCrypto.EC_KEY_marshal_curve_name(null)),
        attempt(() -> NativeCrypto.EC_KEY_parse_curve_name(null)),
        attempt(() -> NativeCrypto.EC_KEY_parse_curve_name(bytes(4))),
        attempt(() -> NativeCrypto.EC_GROUP_new_by_curve_name("nonsense")),
        attempt(() -> NativeCrypto.EC_GROUP_new_by_curve_name("sha256")),
        attempt(() -> NativeCrypto.EC_GROUP_new_by_curve_name(null)),
        attempt(() -> NativeCrypto.EC_GROUP_new_arbitrary(curve[0], curve[1], curve[2], xy[0], xy[1], order, 0)),
        attempt(() -> NativeCrypto.EC_GROUP_new_arbitrary(curve[0], curve[1], curve[2], xy[1], xy[0], order, 1)),
        attempt(() -> NativeCrypto.EC_GROUP_new_arbitrary(null, curve[1], curve[2], xy[1], xy[0], order, 1)),
        attempt(() -> NativeCrypto.EC_POINT_get_affine_coordinates(p256, point)),
        attempt(() -> NativeCrypto.EC_POINT_set_affine_coordinates(p256, point, xy[0], xy[1])),
        attempt(() -> NativeCrypto.EC_KEY_get1_group(rsaPublic())),
        attempt(() -> NativeCrypto.EC_KEY_get_private_key(rsaPublic())),
        attempt(() -> NativeCrypto.EC_KEY_get_public_key(rsaPublic())),
        attempt(() -> NativeCrypto.ECDH_compute_key(new byte[32], 0, rsaPublic(), ecPrivate())),
        attempt(() -> NativeCrypto.ECDH_compute_key(new byte[32], 33, ecPublic(), ecPrivate())),
        attempt(() -> NativeCrypto.ECDH_compute_key(null, 0, ecPublic(), ecPrivate())),
        attempt(() -> NativeCrypto.ECDH_compute_key(new byte[32], 0, ecPublic(), ecPublic())),
        attempt(() -> NativeCrypto.ECDSA_size(rsaPublic())),
        attempt(() -> NativeCrypto.ECDSA_sign(bytes(3), 4, new byte[80], ecPrivate())),
        attempt(() -> NativeCrypto.ECDSA_sign(bytes(3), 3, new byte[80], rsaPrivate())),
        attempt(() -> NativeCrypto.ECDSA_sign(bytes(3), 3, new byte[80], ecPublic())),
        attempt(() -> NativeCrypto.ECDSA_verify(bytes(3), 4, new byte[80], ecPublic())),
        attempt(() -> NativeCrypto.ECDSA_verify(bytes(3), 3, null, ecPublic())),
        attempt(() -> NativeCrypto.EC_GROUP_clear_free(0)),
        attempt(() -> NativeCrypto.EC_POINT_clear_free(0)));
  }

  public static Object rawKeys() throws Exception {
    byte[] aPublic = new byte[32];
    byte[] aPrivate = new byte[32];
    byte[] bPublic = new byte[32];
    byte[] bPrivate = new byte[32];
    NativeCrypto.X25519_keypair(aPublic, aPrivate);
    NativeCrypto.X25519_keypair(bPublic, bPrivate);
    byte[] one = new byte[32];
    byte[] other = new byte[32];
    byte[] fixed = new byte[32];
    byte[] edPublic = new byte[32];
    byte[] edPrivate = new byte[64];
    NativeCrypto.ED25519_keypair(edPublic, edPrivate);
    byte[] slhPublic = new byte[32];
    byte[] slhPrivate = new byte[64];
    NativeCrypto.SLHDSA_SHA2_128S_generate_key(slhPublic, slhPrivate);
    byte[] signature = NativeCrypto.SLHDSA_SHA2_128S_sign(bytes(50), 40, slhPrivate);
    return all(
        NativeCrypto.X25519(one, aPrivate, bPublic), NativeCrypto.X25519(other, bPrivate, aPublic),
        Arrays.equals(one, other),
        NativeCrypto.X25519(fixed, bytes(32), bytes(32)), fixed,
        attempt(() -> NativeCrypto.X25519(new byte[32], bytes(32), new byte[32])),
        attempt(() -> NativeCrypto.X25519(new byte[31], bytes(32), bytes(32))),
        attempt(() -> NativeCrypto.X25519(fixed, bytes(31), bytes(32))),
        attempt(() -> NativeCrypto.X25519(fixed, bytes(32), bytes(33))),
        attempt(() -> NativeCrypto.X25519(fixed, null, bytes(32))),
        attempt(() -> NativeCrypto.X25519_keypair(new byte[31], new byte[32])),
        attempt(() -> NativeCrypto.X25519_keypair(null, new byte[32])),
        Arrays.equals(edPublic, Arrays.copyOfRange(edPrivate, 32, 64)),
        attempt(() -> NativeCrypto.ED25519_keypair(new byte[32], new byte[32])),
        attempt(() -> NativeCrypto.ED25519_keypair(new byte[31], new byte[64])),
        NativeCrypto.MLDSA44_public_key_from_seed(bytes(32)), NativeCrypto.MLDSA65_public_key_from_seed(bytes(32)),
        NativeCrypto.MLDSA87_public_key_from_seed(bytes(32)),
        attempt(() -> NativeCrypto.MLDSA44_public_key_from_seed(bytes(31))),
        attempt(() -> NativeCrypto.MLDSA65_public_key_from_seed(null)),
        NativeCrypto.MLKEM768_public_key_from_seed(bytes(64)), NativeCrypto.MLKEM1024_public_key_from_seed(bytes(64)),
        attempt(() -> NativeCrypto.MLKEM768_public_key_from_seed(bytes(63))),
        attempt(() -> NativeCrypto.MLKEM1024_public_key_from_seed(null)),
        NativeCrypto.XWING_public_key_from_seed(bytes(32)),
        attempt(() -> NativeCrypto.XWING_public_key_from_seed(bytes(33))),
        signature.length,
        NativeCrypto.SLHDSA_SHA2_128S_verify(bytes(50), 40, signature, slhPublic),
        NativeCrypto.SLHDSA_SHA2_128S_verify(bytes(50), 39, signature, slhPublic),
        NativeCrypto.SLHDSA_SHA2_128S_verify(bytes(50), 40, bytes(9), slhPublic),
        attempt(() -> NativeCrypto.SLHDSA_SHA2_128S_sign(bytes(9), 10, slhPrivate)),
        attempt(() -> NativeCrypto.SLHDSA_SHA2_128S_sign(bytes(9), 9, bytes(63))),
        attempt(() -> NativeCrypto.SLHDSA_SHA2_128S_verify(bytes(9), 10, signature, slhPublic)),
        attempt(() -> NativeCrypto.SLHDSA_SHA2_128S_verify(bytes(9), 9, signature, bytes(31))),
        attempt(() -> NativeCrypto.SLHDSA_SHA2_128S_generate_key(new byte[31], new byte[64])),
        attempt(() -> NativeCrypto.SLHDSA_SHA2_128S_generate_key(new byte[32], new byte[63])));
  }

  /** A key of nobody's: every use fails. */
  private static final class Unusable implements PrivateKey {
    private static final long serialVersionUID = 1;
    private final String algorithm;

    Unusable(String algorithm) {
      this.algorithm = algorithm;
    }

    @Override
    public String getAlgorithm() {
      return algorithm;
    }

    @Override
    public String getFormat() {
      return null;
    }

    @Override
    public byte[] getEncoded() {
      return null;
    }
  }

  public static Object keysOfJava() throws Exception {
    byte[] modulus = ((RSAPrivateCrtKey) Fixtures.RSA.getPrivate()).getModulus().toByteArray();
    NativeRef.EC_GROUP group = new NativeRef.EC_GROUP(NativeCrypto.EC_GROUP_new_by_curve_name("prime256v1"));
    NativeRef.EVP_PKEY rsa = key(NativeCrypto.getRSAPrivateKeyWrapper(Fixtures.RSA.getPrivate(), modulus));
    NativeRef.EVP_PKEY ec = key(NativeCrypto.getECPrivateKeyWrapper(Fixtures.EC.getPrivate(), group));
    NativeRef.EVP_PKEY deadRsa = key(NativeCrypto.getRSAPrivateKeyWrapper(new Unusable("RSA"), modulus));
    NativeRef.EVP_PKEY wrong = key(NativeCrypto.getECPrivateKeyWrapper(new Unusable("nonsense"), group));
    byte[] signature = sign(rsa, "sha256", false, false);
    byte[] pss = sign(rsa, "sha256", true, false);
    byte[] ecdsa = sign(ec, "sha256", false, false);
    byte[] direct = new byte[NativeCrypto.ECDSA_size(ec)];
    int length = NativeCrypto.ECDSA_sign(bytes(32), 32, direct, ec);
    byte[] encrypted = new byte[256];
    NativeCrypto.RSA_public_encrypt(20, bytes(20), encrypted, rsaPublic(), 1);
    byte[] decrypted = new byte[256];
    java.util.logging.Logger.getLogger(CryptoUpcalls.class.getName()).setLevel(java.util.logging.Level.OFF);
    return all(
        NativeCrypto.RSA_size(rsa), signature, verify(rsaPublic(), "sha256", false, signature),
        verify(rsaPublic(), "sha256", true, pss), verify(ecPublic(), "sha256", false, ecdsa),
        NativeCrypto.ECDSA_verify(bytes(32), 32, Arrays.copyOf(direct, length), ecPublic()),
        NativeCrypto.RSA_private_decrypt(256, encrypted, decrypted, rsa, 1), decrypted,
        attempt(() -> sign(deadRsa, "sha256", false, false)),
        attempt(() -> sign(wrong, "sha256", false, false)),
        attempt(() -> NativeCrypto.RSA_private_decrypt(256, encrypted, decrypted, deadRsa, 1)),
        attempt(() -> NativeCrypto.getRSAPrivateKeyWrapper(Fixtures.RSA.getPrivate(), null)),
        attempt(() -> NativeCrypto.getECPrivateKeyWrapper(Fixtures.EC.getPrivate(), null)));
  }
}
