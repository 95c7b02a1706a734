package org.postscrypt.jce;

import java.util.ArrayList;
import java.util.List;
import org.postscrypt.jce.Maker.Spi;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.service.Row;

/** Rows of ciphers, their parameters and keys, key derivation, AES-CMAC, and the digests beside SHA-2. */
final class SymmetricServices {
  private static final String NIST_AES = "2.16.840.1.101.3.4.1.";
  private static final String NIST_HASHES = "2.16.840.1.101.3.4.2.";
  private static final String RSADSI_DIGESTS = "1.2.840.113549.2.";
  private static final String CHACHA20_POLY1305_OID = "1.2.840.113549.1.9.16.3.18";
  private static final String ARC4_OID = "1.2.840.113549.3.4";
  private static final String DES_EDE_CBC_OID = "1.2.840.113549.3.7";
  private static final int NO_MAXIMUM = Integer.MAX_VALUE;

  private SymmetricServices() {}

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    digests(rows);
    blockCiphers(rows);
    aeads(rows);
    streamCiphers(rows);
    keyWrap(rows);
    parameters(rows);
    keyGenerators(rows);
    keyFactories(rows);
    rows.addAll(KdfServices.rows());
    return rows;
  }

  private static void digests(List<Row> rows) {
    rows.add(digest("SHA3-256", NativeCrypto.SHA3_256, 32).oid(NIST_HASHES + 8));
    rows.add(digest("SHA3-384", NativeCrypto.SHA3_384, 48).oid(NIST_HASHES + 9));
    rows.add(digest("SHA3-512", NativeCrypto.SHA3_512, 64).oid(NIST_HASHES + 10));
    rows.add(digest("BLAKE2B-256", NativeCrypto.BLAKE2B_256, 32).oid("1.3.6.1.4.1.1722.12.2.1.8"));
    rows.add(mac("HmacSHA3-256", NativeCrypto.SHA3_256, 32).alias("HMAC-SHA3-256", "HMAC/SHA3-256")
        .oid(NIST_HASHES + 14));
    rows.add(mac("HmacSHA3-384", NativeCrypto.SHA3_384, 48).alias("HMAC-SHA3-384", "HMAC/SHA3-384")
        .oid(NIST_HASHES + 15));
    rows.add(mac("HmacSHA3-512", NativeCrypto.SHA3_512, 64).alias("HMAC-SHA3-512", "HMAC/SHA3-512")
        .oid(NIST_HASHES + 16));
    rows.add(mac("AESCMAC", NativeCrypto.AES_CMAC, 16).alias("AES-CMAC", "AES/CMAC"));
  }

  private static Row digest(String name, int algorithm, int lengthBytes) {
    return Row.of("MessageDigest", name, Maker.of(Spi.DIGEST, algorithm, lengthBytes))
        .attribute("ImplementedIn", "Software");
  }

  private static Row mac(String name, int algorithm, int lengthBytes) {
    return Row.of("Mac", name, Maker.of(Spi.MAC, algorithm, lengthBytes))
        .attribute("SupportedKeyFormats", "RAW");
  }

  private static Row cipher(String transformation, Row.Factory factory) {
    return Row.of("Cipher", transformation, factory).attribute("SupportedKeyFormats", "RAW");
  }

  private static void blockCiphers(List<Row> rows) {
    // "AES" alone means what it does with SunJCE.
    aes(rows, "AES", 0, null, null, "AES");
    aes(rows, "AES_128", 16, NIST_AES + 1, NIST_AES + 2);
    aes(rows, "AES_192", 24, NIST_AES + 21, NIST_AES + 22);
    aes(rows, "AES_256", 32, NIST_AES + 41, NIST_AES + 42);
    rows.add(cipher("AES/CTR/NoPadding", Maker.of(Spi.AES_CTR, 0)));
    rows.add(cipher("AES_128/CTR/NoPadding", Maker.of(Spi.AES_CTR, 16)));
    rows.add(cipher("AES_192/CTR/NoPadding", Maker.of(Spi.AES_CTR, 24)));
    rows.add(cipher("AES_256/CTR/NoPadding", Maker.of(Spi.AES_CTR, 32)));

    rows.add(cipher("DESEDE/ECB/NoPadding", Maker.with(Spi.DES_EDE_ECB, false))
        .alias("TripleDES/ECB/NoPadding"));
    rows.add(cipher("DESEDE/ECB/PKCS5Padding", Maker.with(Spi.DES_EDE_ECB, true))
        .alias("DESEDE/ECB/PKCS7Padding", "TripleDES/ECB/PKCS5Padding", "DESede", "TripleDES"));
    rows.add(cipher("DESEDE/CBC/NoPadding", Maker.with(Spi.DES_EDE_CBC, false))
        .alias("TripleDES/CBC/NoPadding"));
    rows.add(cipher("DESEDE/CBC/PKCS5Padding", Maker.with(Spi.DES_EDE_CBC, true))
        .alias("DESEDE/CBC/PKCS7Padding", "TripleDES/CBC/PKCS5Padding"));
  }

  /** ECB and CBC. The object identifiers, if any, are those without padding, as in the JDK. */
  private static void aes(List<Row> rows, String aes, int keyBytes, String ecbOid, String cbcOid, String... ecbNames) {
    Row ecb = cipher(aes + "/ECB/NoPadding", Maker.with(Spi.AES_ECB, false, keyBytes));
    Row cbc = cipher(aes + "/CBC/NoPadding", Maker.with(Spi.AES_CBC, false, keyBytes));
    rows.add(ecbOid == null ? ecb : ecb.oid(ecbOid));
    rows.add(cbcOid == null ? cbc : cbc.oid(cbcOid));
    rows.add(cipher(aes + "/ECB/PKCS5Padding", Maker.with(Spi.AES_ECB, true, keyBytes))
        .alias(aes + "/ECB/PKCS7Padding").alias(ecbNames));
    rows.add(cipher(aes + "/CBC/PKCS5Padding", Maker.with(Spi.AES_CBC, true, keyBytes))
        .alias(aes + "/CBC/PKCS7Padding"));
  }

  private static void aeads(List<Row> rows) {
    rows.add(cipher("AES/GCM/NoPadding", Maker.of(Spi.AES_GCM, 0)).alias("GCM"));
    rows.add(cipher("AES_128/GCM/NoPadding", Maker.of(Spi.AES_GCM, 16)).oid(NIST_AES + 6));
    rows.add(cipher("AES_192/GCM/NoPadding", Maker.of(Spi.AES_GCM, 24)).oid(NIST_AES + 26));
    rows.add(cipher("AES_256/GCM/NoPadding", Maker.of(Spi.AES_GCM, 32)).oid(NIST_AES + 46));
    rows.add(cipher("AES/GCM-SIV/NoPadding", Maker.of(Spi.AES_GCM_SIV, 0)));
    rows.add(cipher("AES_128/GCM-SIV/NoPadding", Maker.of(Spi.AES_GCM_SIV, 16)));
    rows.add(cipher("AES_256/GCM-SIV/NoPadding", Maker.of(Spi.AES_GCM_SIV, 32)));
    rows.add(cipher("AES_128/CCM/NoPadding", Maker.of(Spi.AES_CCM)).alias("AES/CCM/NoPadding").oid(NIST_AES + 7));
    rows.add(cipher("ChaCha20-Poly1305", Maker.of(Spi.CHACHA20_POLY1305))
        .alias("ChaCha20/Poly1305/NoPadding").oid(CHACHA20_POLY1305_OID));
    rows.add(cipher("XChaCha20-Poly1305", Maker.of(Spi.XCHACHA20_POLY1305)).alias("XChaCha20/Poly1305/NoPadding"));
  }

  private static void streamCiphers(List<Row> rows) {
    rows.add(cipher("ARC4", Maker.of(Spi.ARC4)).alias("ARCFOUR", "RC4").oid(ARC4_OID));
    rows.add(cipher("ChaCha20", Maker.of(Spi.CHACHA20)));
  }

  private static void keyWrap(List<Row> rows) {
    rows.add(cipher("AES/KW/NoPadding", Maker.with(Spi.KEY_WRAP, false, 0)).alias("AESWrap"));
    rows.add(cipher("AES_128/KW/NoPadding", Maker.with(Spi.KEY_WRAP, false, 16))
        .alias("AESWrap_128").oid(NIST_AES + 5));
    rows.add(cipher("AES_192/KW/NoPadding", Maker.with(Spi.KEY_WRAP, false, 24))
        .alias("AESWrap_192").oid(NIST_AES + 25));
    rows.add(cipher("AES_256/KW/NoPadding", Maker.with(Spi.KEY_WRAP, false, 32))
        .alias("AESWrap_256").oid(NIST_AES + 45));
    rows.add(cipher("AES/KWP/NoPadding", Maker.with(Spi.KEY_WRAP, true, 0)).alias("AESWrapPad"));
    rows.add(cipher("AES_128/KWP/NoPadding", Maker.with(Spi.KEY_WRAP, true, 16))
        .alias("AESWrapPad_128").oid(NIST_AES + 8));
    rows.add(cipher("AES_192/KWP/NoPadding", Maker.with(Spi.KEY_WRAP, true, 24))
        .alias("AESWrapPad_192").oid(NIST_AES + 28));
    rows.add(cipher("AES_256/KWP/NoPadding", Maker.with(Spi.KEY_WRAP, true, 32))
        .alias("AESWrapPad_256").oid(NIST_AES + 48));
  }

  private static void parameters(List<Row> rows) {
    // 16 bytes: CBC and CTR; 8 and 4: key wrap.
    rows.add(Row.of("AlgorithmParameters", "AES", Maker.with(Spi.IV_PARAMETERS, "AES", 16, 8, 4))
        .oid("2.16.840.1.101.3.4.1", NIST_AES + 2, NIST_AES + 22, NIST_AES + 42));
    rows.add(Row.of("AlgorithmParameters", "DESEDE", Maker.with(Spi.IV_PARAMETERS, "DESede", 8))
        .alias("TripleDES", "TDEA").oid(DES_EDE_CBC_OID));
    rows.add(Row.of("AlgorithmParameters", "ChaCha20", Maker.with(Spi.IV_PARAMETERS, "ChaCha20", 12)));
    rows.add(Row.of("AlgorithmParameters", "ChaCha20-Poly1305", Maker.with(Spi.IV_PARAMETERS, "ChaCha20-Poly1305", 12))
        .oid(CHACHA20_POLY1305_OID));
    rows.add(Row.of("AlgorithmParameters", "XChaCha20-Poly1305", Maker.with(Spi.IV_PARAMETERS, "XChaCha20-Poly1305", 24)));
    rows.add(Row.of("AlgorithmParameters", "GCM", Maker.with(Spi.GCM_PARAMETERS, "GCM"))
        .oid(NIST_AES + 6, NIST_AES + 26, NIST_AES + 46));
    rows.add(Row.of("AlgorithmParameters", "CCM", Maker.with(Spi.GCM_PARAMETERS, "CCM"))
        .oid(NIST_AES + 7, NIST_AES + 27, NIST_AES + 47));
  }

  private static void keyGenerators(List<Row> rows) {
    rows.add(Row.of("KeyGenerator", "AES", Maker.of(Spi.AES_KEY_GENERATOR)).oid("2.16.840.1.101.3.4.1"));
    rows.add(Row.of("KeyGenerator", "DESEDE", Maker.of(Spi.DES_EDE_KEY_GENERATOR))
        .alias("TripleDES", "TDEA"));
    rows.add(generator("ChaCha20", 256, 256, 256));
    rows.add(Row.of("KeyGenerator", "ARC4", Maker.with(Spi.KEY_GENERATOR, "ARC4", 128, 40, 1024))
        .alias("ARCFOUR", "RC4").oid(ARC4_OID));
    rows.add(hmacKeys("MD5", 512, 1).oid("1.3.6.1.5.5.8.1.1"));
    rows.add(hmacKeys("SHA1", 512, 1).oid(RSADSI_DIGESTS + 7, "1.3.6.1.5.5.8.1.2"));
    rows.add(hmacKeys("SHA224", 224, 40).oid(RSADSI_DIGESTS + 8));
    rows.add(hmacKeys("SHA256", 256, 40).oid(RSADSI_DIGESTS + 9, NIST_HASHES + 1));
    rows.add(hmacKeys("SHA384", 384, 40).oid(RSADSI_DIGESTS + 10));
    rows.add(hmacKeys("SHA512", 512, 40).oid(RSADSI_DIGESTS + 11));
    rows.add(hmacKeys("SHA512/256", 256, 40).oid(RSADSI_DIGESTS + 13));
    rows.add(hmacKeys("SHA3-256", 256, 40).oid(NIST_HASHES + 14));
    rows.add(hmacKeys("SHA3-384", 384, 40).oid(NIST_HASHES + 15));
    rows.add(hmacKeys("SHA3-512", 512, 40).oid(NIST_HASHES + 16));
  }

  private static Row generator(String algorithm, int defaultBits, int minBits, int maxBits) {
    return Row.of(
        "KeyGenerator", algorithm, Maker.with(Spi.KEY_GENERATOR, algorithm, defaultBits, minBits, maxBits));
  }

  private static Row hmacKeys(String digest, int defaultBits, int minBits) {
    return generator("Hmac" + digest, defaultBits, minBits, NO_MAXIMUM).alias("HMAC-" + digest, "HMAC/" + digest);
  }

  private static void keyFactories(List<Row> rows) {
    rows.add(Row.of("SecretKeyFactory", "DESEDE", Maker.of(Spi.DES_EDE_KEY_FACTORY)).alias("TripleDES", "TDEA"));
    rows.add(pbkdf2("SHA1", NativeCrypto.SHA1).oid("1.2.840.113549.1.5.12"));
    rows.add(pbkdf2("SHA224", NativeCrypto.SHA224));
    rows.add(pbkdf2("SHA256", NativeCrypto.SHA256));
    rows.add(pbkdf2("SHA384", NativeCrypto.SHA384));
    rows.add(pbkdf2("SHA512", NativeCrypto.SHA512));
    rows.add(pbkdf2("SHA512/256", NativeCrypto.SHA512_256));
    rows.add(Row.of("SecretKeyFactory", "SCRYPT", Maker.of(Spi.SCRYPT)).oid("1.3.6.1.4.1.11591.4.11"));
  }

  private static Row pbkdf2(String digest, int algorithm) {
    String name = "PBKDF2WithHmac" + digest;
    return Row.of("SecretKeyFactory", name, Maker.with(Spi.PBKDF2, name, algorithm));
  }
}
