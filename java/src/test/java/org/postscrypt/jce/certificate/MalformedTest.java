package org.postscrypt.jce.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CRLException;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.x509.Extension;
import org.junit.jupiter.api.Test;
import org.postscrypt.x509.X509;

class MalformedTest {
  private static final String[] RICH = {
    "plain", "all kinds", "v1", "subject names", "name constraints", "policies", "distribution points", "PSS 32",
    "authority key, whole", "unique ids", "subject 0", "subject 9", "generalized", "SHA256withRSA", "other name"
  };

  /** Parses and, if it is taken, asks everything: nothing but a CertificateException may come out. */
  private static boolean survives(byte[] encoding) {
    X509Certificate certificate;
    try {
      certificate = X509.certificate(encoding);
    } catch (CertificateException e) {
      assertNotNull(e.getMessage());
      return false;
    }
    try {
      assertTrue(certificate.toString().length() > 10);
      certificate.hashCode();
      certificate.getIssuerX500Principal().getName();
      certificate.getSubjectX500Principal().getName();
      certificate.getSubjectAlternativeNames();
      certificate.getIssuerAlternativeNames();
      certificate.getExtendedKeyUsage();
      certificate.getKeyUsage();
      certificate.getBasicConstraints();
      certificate.getIssuerUniqueID();
      certificate.getSubjectUniqueID();
      certificate.getSigAlgParams();
      certificate.getSignature();
      certificate.getSerialNumber();
      assertNotNull(certificate.getPublicKey().getEncoded());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return true;
  }

  private static boolean survivesCrl(byte[] encoding) {
    X509CRL crl;
    try {
      crl = Zoo.crl(Zoo.ours(), encoding);
    } catch (CRLException e) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    assertTrue(crl.toString().length() > 10);
    crl.getIssuerX500Principal().getName();
    if (crl.getRevokedCertificates() != null) {
      for (X509CRLEntry entry : crl.getRevokedCertificates()) {
        entry.toString();
        entry.getRevocationReason();
        entry.getCertificateIssuer();
        entry.hashCode();
      }
    }
    return true;
  }

  @Test
  void everyPrefixIsRefused() throws Exception {
    for (Map.Entry<String, byte[]> entry : Zoo.certificates().entrySet()) {
      byte[] encoding = entry.getValue();
      for (int length = 0; length < encoding.length; length++) {
        byte[] prefix = Arrays.copyOf(encoding, length);
        assertThrows(CertificateException.class, () -> X509.certificate(prefix));
      }
      assertThrows(CertificateException.class, () -> X509.certificate(Arrays.copyOf(encoding, encoding.length + 1)));
    }
    for (byte[] encoding : Zoo.crls().values()) {
      for (int length = 0; length < encoding.length; length++) {
        byte[] prefix = Arrays.copyOf(encoding, length);
        assertThrows(CRLException.class, () -> Zoo.crl(Zoo.ours(), prefix));
      }
    }
  }

  @Test
  void everyChangedByteIsRefusedOrHarmless() throws Exception {
    Map<String, byte[]> zoo = Zoo.certificates();
    for (String name : RICH) {
      byte[] encoding = zoo.get(name);
      int refused = 0;
      for (int at = 0; at < encoding.length; at++) {
        byte original = encoding[at];
        for (int change : new int[] {0x01, 0x80, 0x20, 0xff, 0x7f}) {
          encoding[at] = (byte) (original ^ change);
          refused += survives(encoding.clone()) ? 0 : 1;
        }
        encoding[at] = 0;
        survives(encoding.clone());
        encoding[at] = original;
      }
      assertTrue(refused > 100, name + ": only " + refused);
      assertTrue(survives(encoding.clone()));
    }
  }

  @Test
  void everyChangedByteOfACrlToo() throws Exception {
    for (Map.Entry<String, byte[]> entry : Zoo.crls().entrySet()) {
      byte[] encoding = entry.getValue();
      if (encoding.length > 1500) {
        continue;
      }
      for (int at = 0; at < encoding.length; at++) {
        byte original = encoding[at];
        for (int change : new int[] {0x01, 0x80, 0x20, 0xff}) {
          encoding[at] = (byte) (original ^ change);
          survivesCrl(encoding.clone());
        }
        encoding[at] = original;
      }
      assertTrue(survivesCrl(encoding), entry.getKey());
    }
  }

  @Test
  void randomDamageAndRandomBytes() throws Exception {
    Random random = new Random(5);
    byte[] encoding = Zoo.certificates().get("all kinds");
    byte[] pem = ("-----BEGIN CERTIFICATE-----\n" + java.util.Base64.getMimeEncoder().encodeToString(encoding)
        + "\n-----END CERTIFICATE-----\n").getBytes(StandardCharsets.US_ASCII);
    byte[] path = Zoo.ours().generateCertPath(List.of(X509.certificate(encoding), X509.certificate(encoding)))
        .getEncoded("PKCS7");
    for (int round = 0; round < 3000; round++) {
      byte[] damaged = encoding.clone();
      for (int i = 0; i < 1 + round % 4; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      survives(damaged);
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      survives(noise);
      survivesCrl(noise);
      try {
        byte[] text = pem.clone();
        text[random.nextInt(text.length)] = (byte) random.nextInt();
        assertNotNull(Zoo.ours().generateCertificates(new ByteArrayInputStream(text)));
      } catch (CertificateException e) {
        assertNotNull(e.getMessage());
      }
      try {
        byte[] bundle = path.clone();
        bundle[random.nextInt(bundle.length)] = (byte) random.nextInt();
        CertPath read = Zoo.ours().generateCertPath(new ByteArrayInputStream(bundle), "PKCS7");
        for (Certificate certificate : read.getCertificates()) {
          assertNotNull(certificate.toString());
        }
      } catch (CertificateException e) {
        assertNotNull(e.getMessage());
      }
    }
  }

  @Test
  void brokenExtensionsAreNotAbsent() {
    Object[][] broken = {
      {Extension.keyUsage, "0500"}, {Extension.keyUsage, "0300"}, {Extension.keyUsage, "030107"},
      {Extension.keyUsage, "030200a000"}, {Extension.keyUsage, "030205ff"}, {Extension.keyUsage, "03020800"},
      {Extension.keyUsage, "03020100"}, {Extension.keyUsage, "2305030300a0"}, {Extension.keyUsage, ""},
      {Extension.basicConstraints, "0500"}, {Extension.basicConstraints, "30030101fe"},
      {Extension.basicConstraints, "30060101ff0201ff"}, {Extension.basicConstraints, "30070101ff02020001"},
      {Extension.basicConstraints, "30090101ff020480000000"}, {Extension.basicConstraints, "300a0101ff02050080000000"},
      {Extension.basicConstraints, "30030201010101ff"}, {Extension.basicConstraints, "30050101ff0500"},
      {Extension.basicConstraints, "30800101ff0000"}, {Extension.basicConstraints, "3081030101ff"},
      {Extension.basicConstraints, "30030101ff00"}, {Extension.basicConstraints, ""},
      {Extension.subjectAlternativeName, "3000"}, {Extension.subjectAlternativeName, "30048203616200"},
      {Extension.subjectAlternativeName, "3004820261ff"}, {Extension.subjectAlternativeName, "3004a2026162"},
      {Extension.subjectAlternativeName, "300587030a0000"},
      {Extension.subjectAlternativeName, "300a87080a0000000a000000"},
      {Extension.subjectAlternativeName, "3003890161"}, {Extension.subjectAlternativeName, "3003880180"},
      {Extension.subjectAlternativeName, "3002a400"}, {Extension.subjectAlternativeName, "3004a4020500"},
      {Extension.subjectAlternativeName, "3003820000"}, {Extension.subjectAlternativeName, "3007a00506032a0304"},
      {Extension.issuerAlternativeName, "3000"}, {Extension.issuerAlternativeName, "0400"},
      {Extension.extendedKeyUsage, "3000"}, {Extension.extendedKeyUsage, "30020500"},
      {Extension.extendedKeyUsage, "300406028001"}, {Extension.extendedKeyUsage, "300406020180"},
      {Extension.extendedKeyUsage, "30020600"},
      {Extension.subjectKeyIdentifier, "0101ff"}, {Extension.subjectKeyIdentifier, "040201"},
      {Extension.authorityKeyIdentifier, "3003820101"}, {Extension.authorityKeyIdentifier, "3002a300"},
      {Extension.nameConstraints, "3000"}, {Extension.nameConstraints, "3002a000"},
      {Extension.nameConstraints, "300aa00830068704c0000200"},
      {Extension.certificatePolicies, "3000"}, {Extension.certificatePolicies, "30023000"},
      {Extension.certificatePolicies, "3007300506012a3000"},
      {Extension.policyMappings, "3000"}, {Extension.policyMappings, "3005300306012a"},
      {Extension.policyConstraints, "3000"}, {Extension.policyConstraints, "30038001ff"},
      {Extension.inhibitAnyPolicy, "0201ff"}, {Extension.inhibitAnyPolicy, "0500"},
      {Extension.cRLDistributionPoints, "3000"}, {Extension.cRLDistributionPoints, "30043002a000"},
      {Extension.authorityInfoAccess, "3000"}, {Extension.authorityInfoAccess, "3005300306012a"},
      {Extension.privateKeyUsagePeriod, "30008000"}, {Extension.privateKeyUsagePeriod, "3003800130"},
    };
    for (Object[] extension : broken) {
      for (boolean critical : new boolean[] {true, false}) {
        byte[] encoding = Zoo.with(
            (org.bouncycastle.asn1.ASN1ObjectIdentifier) extension[0], critical, Zoo.hex((String) extension[1]));
        CertificateException refusal = assertThrows(CertificateException.class,
            () -> Zoo.certificate(Zoo.ours(), encoding), extension[0] + " " + extension[1]);
        assertTrue(refusal.getMessage().contains(extension[0].toString()), refusal.getMessage());
      }
    }
  }

  /** A certificate from hexadecimal parts, null for the usual one. */
  private static byte[] certificate(String version, String serial, String notBefore, String key, String extensions) {
    String algorithm = "300a06082a8648ce3d040302";
    String name = "300c310a300806035504030c0161";
    String validity = CrlTest.element("30", (notBefore == null ? "170d3234303130313030303030305a" : notBefore)
        + "180f32303531303130313030303030305a");
    String info = key == null ? "301306072a8648ce3d020106082a8648ce3d030107" : key;
    String tbs = (version == null ? "a003020102" : version) + (serial == null ? "020101" : serial) + algorithm + name
        + validity + name + CrlTest.element("30", info + (key == null ? "03420004" + "11".repeat(64) : ""))
        + (extensions == null ? "" : extensions);
    return Zoo.hex(CrlTest.element("30", CrlTest.element("30", tbs) + algorithm + "030100"));
  }

  private static String extensions(String contents) {
    return CrlTest.element("a3", CrlTest.element("30", contents));
  }

  private static String bits(String octets) {
    return CrlTest.element("03", "00" + octets);
  }

  private static void refused(byte[] encoding, String what) {
    assertThrows(CertificateException.class, () -> Zoo.certificate(Zoo.ours(), encoding), what);
  }

  private static String time(String tag, String text) {
    StringBuilder hex = new StringBuilder();
    for (char c : text.toCharArray()) {
      hex.append(String.format("%02x", (int) c));
    }
    return CrlTest.element(tag, hex.toString());
  }

  @Test
  void structure() throws Exception {
    assertEquals(3, Zoo.certificate(Zoo.ours(), certificate(null, null, null, null, null)).getVersion());
    assertEquals(2, Zoo.certificate(Zoo.ours(), certificate("a003020101", null, null, null, null)).getVersion());
    assertEquals(1, Zoo.certificate(Zoo.ours(), certificate("", null, null, null, null)).getVersion());
    for (String version : new String[] {"a003020100", "a003020103", "a0030201ff", "a00402020002", "020102", "a000",
        "a0050201020500"}) {
      refused(certificate(version, null, null, null, null), version);
    }
    for (String serial : new String[] {"0200", "02020001", "0202ff80", "020200", "040101", "",
        "02810101", "0282000101"}) {
      refused(certificate(null, serial, null, null, null), serial);
    }
    for (String bad : new String[] {"2401010000Z", "240101000000",
        "240101000000+0000", "241301000000Z", "240001000000Z",
        "240100000000Z", "240132000000Z", "230229000000Z", "240101240000Z", "240101006000Z", "240101000060Z",
        "24010100000aZ", "240101000000z", "2401010000000Z", "", " 40101000000Z", "24010-000000Z"}) {
      refused(certificate(null, null, time("17", bad), null, null), bad);
    }
    for (String bad : new String[] {"20240101000000.5Z", "202401010000Z", "20240101000000", "20240101000000+0100",
        "20230229000000Z", "21000229000000Z", "20240101000000Z ", "240101000000Z"}) {
      refused(certificate(null, null, time("18", bad), null, null), bad);
    }
    refused(certificate(null, null, "0c0d3234303130313030303030305a", null, null), "a string is no time");
    String rsa = "300d06092a864886f70d0101010500";
    String rsaKey = rsa + bits(CrlTest.element("30", "020111020103"));
    Zoo.certificate(Zoo.ours(), certificate(null, null, null, rsaKey, null));
    for (String key : new String[] {"", "0500", rsa, rsaKey + "0500", rsa + "0300", rsa + bits(""),
        rsa + bits("0500"), rsa + bits("3006020100020103"), rsa + bits("3006020181020103"), rsa + bits("3003020111"),
        rsa + bits("300702020011020103"), rsa + bits("3006020111020103") + "00", rsa + bits("300602011102010300"),
        rsaKey.replace("0309", "0409"), rsaKey.replace("030900", "030901"), "3009" + "06072a8648ce3d0201" + bits("05"),
        "3009" + "06072a8648ce3d0201" + bits("")}) {
      refused(certificate(null, null, null, key, null), "key " + key);
    }
    String extension = "300b06032a030404040500abcd";
    Zoo.certificate(Zoo.ours(), certificate(null, null, null, null, extensions(extension)));
    Zoo.certificate(Zoo.ours(), certificate(null, null, null, null, "81020080" + "82020001" + extensions(extension)));
    String oid = "06032a0304";
    for (String extensions : new String[] {"a300", extensions(""), extensions("3000"), extensions("0500"),
        extensions(extension) + "0500", extensions(extension + extension), "a30f" + "300d" + extension + "00",
        "a3" + "10" + "300d" + extension + "00", extensions(CrlTest.element("30", oid)),
        extensions(CrlTest.element("30", oid + "0500")), extensions(CrlTest.element("30", oid + "0101010400")),
        extensions(CrlTest.element("30", oid + "0100" + "0400")), extensions(CrlTest.element("30", oid + "04000500")),
        extensions(CrlTest.element("30", oid + "0400" + "0101ff")), extensions(CrlTest.element("30", oid + "2400")),
        extensions(CrlTest.element("30", "0601ff" + "0400")), extensions(CrlTest.element("31", oid + "0400")),
        "0500", "8100", "810108", "81020801", "a1020001", "82020001" + "81020001",
        extensions(extension) + "81020001"}) {
      refused(certificate(null, null, null, null, extensions), extensions);
    }
    refused(certificate("", null, null, null, extensions(extension)), "extensions in version 1");
    refused(certificate("a003020101", null, null, null, extensions(extension)), "extensions in version 2");
    refused(certificate("", null, null, null, "81020001"), "unique id in version 1");
    X509Certificate explicit = Zoo.certificate(Zoo.ours(),
        certificate(null, null, null, null, extensions(CrlTest.element("30", oid + "010100" + "04020500"))));
    assertTrue(explicit.getNonCriticalExtensionOIDs().contains("1.2.3.4"), "an explicit FALSE");
  }

  @Test
  void nonMinimalLengthsAnywhere() throws Exception {
    // Each length of the outer structure, spelled with one octet more.
    byte[] encoding = certificate(null, null, null, null, null);
    for (int at : new int[] {1, 4}) {
      assertTrue((encoding[at] & 0xff) >= 0x81);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(encoding, 0, at);
      out.write(encoding[at] + 1);
      out.write(0);
      out.write(encoding, at + 1, encoding.length - at - 1);
      byte[] longer = out.toByteArray();
      if (at > 1) {
        longer[2]++;
      }
      refused(longer, "length at " + at);
    }
    refused(Zoo.with(Zoo.oid("2.5.29.19"), true, Zoo.hex("308100")), "inside an extension");
    assertNotNull(Zoo.certificate(Zoo.ours(), Zoo.with(Zoo.oid("1.2.3"), true, DERNull.INSTANCE)));
  }

  @Test
  void duplicates() throws Exception {
    byte[] both = Zoo.builder().addExtension(Zoo.oid("1.2.3.4"), false, DERNull.INSTANCE)
        .addExtension(Zoo.oid("1.2.3.5"), false, DERNull.INSTANCE).build(Zoo.ecSigner()).getEncoded();
    Zoo.certificate(Zoo.ours(), both);
    int at = new String(both, StandardCharsets.ISO_8859_1)
        .indexOf(new String(Zoo.hex("06032a0305"), StandardCharsets.ISO_8859_1));
    both[at + 4] = 4;
    CertificateException refusal = assertThrows(CertificateException.class, () -> X509.certificate(both));
    assertTrue(refusal.getMessage().contains("twice"));
  }

  @Test
  void names() {
    String[] bad = {
      "310a300806035504030c01ff", "310a300806035504031e0161", "3100", "31023000",
      "310b300906035504030c016100", "310a300806035504800c0161", "300a300806035504030c0161"
    };
    for (String rdn : bad) {
      String hex = hex(certificate(null, null, null, null, null));
      String usual = "300c310a300806035504030c0161";
      int subject = hex.lastIndexOf(usual);
      String name = CrlTest.element("30", rdn);
      int delta = (name.length() - usual.length()) / 2;
      byte[] encoding = Zoo.hex(hex.substring(0, subject) + name + hex.substring(subject + usual.length()));
      encoding[2] += (byte) delta;
      encoding[5] += (byte) delta;
      refused(encoding, rdn);
    }
  }

  private static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }
}
