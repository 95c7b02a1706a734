package org.postscrypt.jce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.postscrypt.jce.Maker.Spi;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.service.Row;

/** The service rows of RSA, EC, X25519 and Ed25519. */
final class AsymmetricServices {
  private static final String PKCS1 = "1.2.840.113549.1.1.";
  private static final String RSA_OID = PKCS1 + 1;
  private static final String X500_RSA_OID = "2.5.8.1.1";
  private static final String EC_OID = "1.2.840.10045.2.1";
  private static final String X25519_OID = "1.3.101.110";
  private static final String ED25519_OID = "1.3.101.112";
  private static final String FORMATS = "PKCS#8|X.509";

  private AsymmetricServices() {}

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    keys(rows);
    rsaSignatures(rows);
    otherSignatures(rows);
    rows.add(usesKeys(Row.of("KeyAgreement", "ECDH", Maker.with(Spi.KEY_AGREEMENT, KeyKinds.EC)), "EC"));
    rows.add(usesKeys(Row.of("KeyAgreement", "XDH", Maker.with(Spi.KEY_AGREEMENT, KeyKinds.XDH)), null)
        .alias("X25519").oid(X25519_OID));
    ciphers(rows);
    return rows;
  }

  private static void keys(List<Row> rows) {
    keys(rows, "RSA", KeyKinds.RSA, NativeCrypto.RSA, RSA_OID, PKCS1 + 7, X500_RSA_OID);
    keys(rows, "RSASSA-PSS", KeyKinds.RSA_PSS, NativeCrypto.RSA_PSS, PKCS1 + 10);
    keys(rows, "EC", KeyKinds.EC, NativeCrypto.P256, EC_OID, "1.3.133.16.840.63.0.2");
    keys(rows, "XDH", KeyKinds.XDH, NativeCrypto.X25519, X25519_OID);
    keys(rows, "EdDSA", KeyKinds.EDDSA, NativeCrypto.ED25519, ED25519_OID);
    rows.add(Row.of("AlgorithmParameters", "EC", Maker.of(Spi.EC_PARAMETERS)).alias("EllipticCurve").oid(EC_OID));
    rows.add(Row.of("AlgorithmParameters", "RSASSA-PSS", Maker.of(Spi.PSS_PARAMETERS)).alias("PSS").oid(PKCS1 + 10));
    rows.add(Row.of("AlgorithmParameters", "OAEP", Maker.of(Spi.OAEP_PARAMETERS)).oid(PKCS1 + 7));
  }

  private static void keys(List<Row> rows, String name, KeyKinds kinds, int kind, String... oids) {
    String[] aliases = "EC".equals(name) ? new String[] {"EllipticCurve"}
        : "XDH".equals(name) ? new String[] {"X25519"}
            : "EdDSA".equals(name) ? new String[] {"Ed25519"}
                : "RSASSA-PSS".equals(name) ? new String[] {"PSS"} : new String[0];
    rows.add(Row.of("KeyFactory", name, Maker.with(Spi.KEY_FACTORY, kinds)).alias(aliases).oid(oids));
    rows.add(Row.of("KeyPairGenerator", name, Maker.with(Spi.KEY_PAIR_GENERATOR, kinds, kind))
        .alias(aliases).oid(oids));
  }

  /** The keys that the JCA may offer to this row when it looks for a provider that takes them. */
  private static Row usesKeys(Row row, String publicInterface) {
    Row described = row.attribute("SupportedKeyFormats", FORMATS);
    return publicInterface == null
        ? described
        : described.attribute("SupportedKeyClasses", "java.security.interfaces." + publicInterface + "PublicKey");
  }

  private static void rsaSignatures(List<Row> rows) {
    for (Hash hash : Hash.values()) {
      Row row = signature(
          hash.shortName + "withRSA",
          "RSA",
          Maker.with(Spi.DIGESTED_SIGNATURE, KeyKinds.RSA, NativeCrypto.SIGN_RSA_PKCS1, hash.number));
      row = row.alias(hash.shortName + "withRSAEncryption", hash.shortName + "/RSA");
      switch (hash) {
        case MD5:
          row = row.oid(PKCS1 + 4).alias(hash.oid + "with" + RSA_OID);
          break;
        case SHA1:
          row = row.alias("SHA-1/RSA").oid(PKCS1 + 5, "1.3.14.3.2.29");
          row = row.alias(hash.oid + "with" + RSA_OID, hash.oid + "with" + PKCS1 + 5);
          break;
        case SHA512_256:
          row = row.oid(PKCS1 + 16);
          break;
        default:
          int arc = hash == Hash.SHA224 ? 14 : hash == Hash.SHA256 ? 11 : hash == Hash.SHA384 ? 12 : 13;
          row = row.oid(PKCS1 + arc).alias(hash.oid + "with" + RSA_OID);
          if (hash == Hash.SHA224 || hash == Hash.SHA256) {
            row = row.alias(hash.oid + "with" + PKCS1 + arc);
          }
          break;
      }
      rows.add(row);
      if (hash != Hash.MD5) {
        rows.add(signature(hash.shortName + "withRSA/PSS", "RSA", Maker.with(Spi.PSS_SIGNATURE, hash))
            .alias(hash.shortName + "withRSAandMGF1"));
      }
    }
    rows.add(signature(
        "NONEwithRSA",
        "RSA",
        Maker.with(Spi.WHOLE_SIGNATURE, KeyKinds.RSA, NativeCrypto.SIGN_RSA_RAW, 2048)));
    rows.add(signature("RSASSA-PSS", "RSA", Maker.of(Spi.PSS_SIGNATURE)).alias("PSS").oid(PKCS1 + 10));
  }

  private static void otherSignatures(List<Row> rows) {
    String[] arcs = {null, "1", "3.1", "3.2", "3.3", "3.4", null};
    for (Hash hash : Hash.values()) {
      String arc = arcs[hash.ordinal()];
      if (arc == null) {
        continue;
      }
      Row row = ecdsa(hash, "withECDSA", NativeCrypto.SIGN_ECDSA).oid("1.2.840.10045.4." + arc);
      if (hash == Hash.SHA1) {
        row = row.alias("ECDSA", "ECDSAwithSHA1");
      } else {
        row = row.alias(hash.shortName + "/ECDSA");
      }
      rows.add(row.alias(hash.oid + "with" + EC_OID));
      rows.add(ecdsa(hash, "withECDSAinP1363Format", NativeCrypto.SIGN_ECDSA_P1363));
    }
    rows.add(signature(
        "NONEwithECDSA", "EC", Maker.with(Spi.WHOLE_SIGNATURE, KeyKinds.EC, NativeCrypto.SIGN_ECDSA, 64)));
    rows.add(signature(
        "NONEwithECDSAinP1363Format",
        "EC",
        Maker.with(Spi.WHOLE_SIGNATURE, KeyKinds.EC, NativeCrypto.SIGN_ECDSA_P1363, 64)));
    rows.add(signature(
            "EdDSA",
            null,
            Maker.with(Spi.WHOLE_SIGNATURE, KeyKinds.EDDSA, NativeCrypto.SIGN_ED25519, Integer.MAX_VALUE - 64))
        .alias("Ed25519").oid(ED25519_OID));
  }

  private static Row ecdsa(Hash hash, String suffix, int scheme) {
    return signature(
        hash.shortName + suffix, "EC", Maker.with(Spi.DIGESTED_SIGNATURE, KeyKinds.EC, scheme, hash.number));
  }

  private static Row signature(String name, String publicInterface, Row.Factory factory) {
    return usesKeys(Row.of("Signature", name, factory), publicInterface);
  }

  private static void ciphers(List<Row> rows) {
    // For Cipher.getInstance("RSA"), and transformations in other spellings.
    StringBuilder paddings = new StringBuilder("NOPADDING|PKCS1PADDING|OAEPPADDING");
    cipher(rows, "NoPadding");
    cipher(rows, "PKCS1Padding");
    cipher(rows, "OAEPPadding");
    for (Hash hash : Hash.values()) {
      String padding = "OAEPWith" + hash.standardName + "AndMGF1Padding";
      paddings.append('|').append(padding.toUpperCase(Locale.ENGLISH));
      if (hash != Hash.MD5) {
        paddings.append("|OAEPWITH").append(hash.shortName).append("ANDMGF1PADDING");
      }
      // A slash in a transformation's padding cannot be a row of its own.
      if (hash != Hash.SHA512_256) {
        cipher(rows, padding);
      }
    }
    rows.add(usesKeys(Row.of("Cipher", "RSA", Maker.with(Spi.RSA_CIPHER, "PKCS1Padding")), "RSA")
        .attribute("SupportedModes", "ECB|NONE")
        .attribute("SupportedPaddings", paddings.toString()));
  }

  private static void cipher(List<Row> rows, String padding) {
    Row row = usesKeys(Row.of("Cipher", "RSA/ECB/" + padding, Maker.with(Spi.RSA_CIPHER, padding)), "RSA")
        .alias("RSA/None/" + padding);
    if (padding.contains("SHA-1And")) {
      row = row.alias("RSA/ECB/OAEPWithSHA1AndMGF1Padding", "RSA/None/OAEPWithSHA1AndMGF1Padding");
    }
    rows.add(row);
  }
}
