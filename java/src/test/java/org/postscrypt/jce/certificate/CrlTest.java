package org.postscrypt.jce.certificate;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.SignatureException;
import java.security.cert.CRLException;
import java.security.cert.CRLReason;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.junit.jupiter.api.Test;

class CrlTest {
  @Test
  void everyGetterAnswersAsTheJdk() throws Exception {
    for (Map.Entry<String, byte[]> entry : Zoo.crls().entrySet()) {
      X509CRL ours = Zoo.crl(Zoo.ours(), entry.getValue());
      X509CRL theirs = Zoo.crl(Zoo.jdk(), entry.getValue());
      assertTrue(ours.getClass().getName().startsWith("org.postscrypt."));
      assertAll(entry.getKey(), () -> compare(theirs, ours));
    }
  }

  @SuppressWarnings("deprecation") // getIssuerDN
  private static void compare(X509CRL theirs, X509CRL ours) throws Exception {
    // The JDK numbers versions from 0.
    assertEquals(2, ours.getVersion());
    assertEquals(theirs.getIssuerX500Principal(), ours.getIssuerX500Principal());
    assertEquals(ours.getIssuerX500Principal(), ours.getIssuerDN());
    assertEquals(theirs.getThisUpdate(), ours.getThisUpdate());
    assertEquals(theirs.getNextUpdate(), ours.getNextUpdate());
    assertArrayEquals(theirs.getTBSCertList(), ours.getTBSCertList());
    assertArrayEquals(theirs.getEncoded(), ours.getEncoded());
    assertArrayEquals(theirs.getSignature(), ours.getSignature());
    assertEquals(theirs.getSigAlgName(), ours.getSigAlgName());
    assertEquals(theirs.getSigAlgOID(), ours.getSigAlgOID());
    assertArrayEquals(theirs.getSigAlgParams(), ours.getSigAlgParams());
    assertEquals(theirs.getCriticalExtensionOIDs(), ours.getCriticalExtensionOIDs());
    assertEquals(theirs.getNonCriticalExtensionOIDs(), ours.getNonCriticalExtensionOIDs());
    for (String oid : new String[] {"2.5.29.20", "2.5.29.27", "2.5.29.28", "2.5.29.35"}) {
      assertArrayEquals(theirs.getExtensionValue(oid), ours.getExtensionValue(oid));
    }
    assertEquals(theirs.hasUnsupportedCriticalExtension(), ours.hasUnsupportedCriticalExtension());
    assertEquals(theirs, ours);
    assertEquals(ours, theirs);
    assertEquals(theirs.hashCode(), ours.hashCode());
    assertNotNull(ours.toString());
    assertEquals("X.509", ours.getType());
    if (theirs.getRevokedCertificates() == null) {
      assertNull(ours.getRevokedCertificates());
      return;
    }
    Map<String, X509CRLEntry> wanted = new HashMap<>();
    for (X509CRLEntry entry : theirs.getRevokedCertificates()) {
      wanted.put(entry.getSerialNumber() + " " + entry.getCertificateIssuer(), entry);
    }
    assertEquals(wanted.size(), ours.getRevokedCertificates().size());
    for (X509CRLEntry entry : ours.getRevokedCertificates()) {
      X509CRLEntry same = wanted.get(entry.getSerialNumber() + " " + entry.getCertificateIssuer());
      assertNotNull(same, "entry " + entry);
      assertArrayEquals(same.getEncoded(), entry.getEncoded());
      assertEquals(same.getRevocationDate(), entry.getRevocationDate());
      assertEquals(same.getRevocationReason(), entry.getRevocationReason());
      assertEquals(same.hasExtensions(), entry.hasExtensions());
      assertEquals(same.getCriticalExtensionOIDs(), entry.getCriticalExtensionOIDs());
      assertEquals(same.getNonCriticalExtensionOIDs(), entry.getNonCriticalExtensionOIDs());
      assertEquals(same.hasUnsupportedCriticalExtension(), entry.hasUnsupportedCriticalExtension());
      for (String oid : new String[] {"2.5.29.21", "2.5.29.24", "2.5.29.29", "1.2.3.4.5"}) {
        assertArrayEquals(same.getExtensionValue(oid), entry.getExtensionValue(oid));
      }
      X509CRLEntry bySerial = theirs.getRevokedCertificate(entry.getSerialNumber());
      assertEquals(bySerial, ours.getRevokedCertificate(entry.getSerialNumber()));
    }
    assertNull(ours.getRevokedCertificate(BigInteger.valueOf(987654321)));
    assertThrows(UnsupportedOperationException.class, () -> ours.getRevokedCertificates().clear());
  }

  private static X509Certificate certificate(String issuer, long serial) throws Exception {
    return Zoo.certificate(Zoo.ours(), Zoo.builder(BigInteger.valueOf(serial), new X500Name(issuer), Zoo.SUBJECT)
        .build(Zoo.ecSigner()).getEncoded());
  }

  @Test
  void indirectEntriesBelongToTheirIssuer() throws Exception {
    byte[] encoding = Zoo.crls().get("indirect");
    X509CRL ours = Zoo.crl(Zoo.ours(), encoding);
    X509CRL theirs = Zoo.crl(Zoo.jdk(), encoding);
    String own = Zoo.ISSUER.toString();
    for (String issuer : new String[] {own, "CN=Other", "CN=Nobody", "c=de,o=zoo,cn=ISSUER"}) {
      for (int serial = 1; serial <= 6; serial++) {
        X509Certificate certificate = certificate(issuer, serial);
        boolean revoked = issuer.equals("CN=Other") ? serial <= 3
            : !issuer.equals("CN=Nobody") && (serial == 1 || serial == 4 || serial == 5);
        String what = issuer + " " + serial;
        assertEquals(revoked, ours.isRevoked(certificate), what);
        if (!issuer.startsWith("c=")) { // The JDK's look-up compares names as they are written.
          assertEquals(theirs.isRevoked(certificate), ours.isRevoked(certificate), what);
          assertEquals(theirs.getRevokedCertificate(certificate), ours.getRevokedCertificate(certificate), what);
        }
      }
    }
    assertEquals(CRLReason.KEY_COMPROMISE,
        ours.getRevokedCertificate(certificate("CN=Other", 1)).getRevocationReason());
    assertNull(ours.getRevokedCertificate(certificate(own, 1)).getRevocationReason());
  }

  @Test
  void verifies() throws Exception {
    for (String[] kind : new String[][] {{"many", "EC"}, {"RSA", "RSA"}, {"PSS", "RSA"}}) {
      byte[] encoding = Zoo.crls().get(kind[0]);
      X509CRL crl = Zoo.crl(Zoo.ours(), encoding);
      crl.verify(Zoo.keys(kind[1]).getPublic());
      crl.verify(Zoo.keys(kind[1]).getPublic(), (String) null);
      crl.verify(Zoo.keys(kind[1]).getPublic(), (Provider) null);
      crl.verify(Zoo.keys(kind[1]).getPublic(), Zoo.BOUNCY_CASTLE);
      byte[] broken = encoding.clone();
      broken[broken.length - 1] ^= 1;
      X509CRL forged = Zoo.crl(Zoo.ours(), broken);
      assertThrows(SignatureException.class, () -> forged.verify(Zoo.keys(kind[1]).getPublic()));
      assertThrows(InvalidKeyException.class, () -> crl.verify(Zoo.keys("X25519").getPublic()));
      assertThrows(InvalidKeyException.class, () -> crl.verify(null));
      assertThrows(NoSuchProviderException.class, () -> crl.verify(Zoo.keys(kind[1]).getPublic(), "nobody"));
    }
  }

  /** SEQUENCE { version?, algorithm, issuer, thisUpdate, more } with an empty signature. */
  private static byte[] crl(String version, String more) {
    String algorithm = "300a06082a8648ce3d040302";
    String name = "300c310a300806035504030c0161";
    String tbs = version + algorithm + name + "170d3234303130313030303030305a" + more;
    return Zoo.hex(element("30", element("30", tbs) + algorithm + "030100"));
  }

  static String element(String tag, String contents) {
    int length = contents.length() / 2;
    String more = length < 128 ? "" : length < 256 ? "81" : "82";
    return tag + more + String.format(length < 256 ? "%02x" : "%04x", length) + contents;
  }

  @Test
  void versionsAndForms() throws Exception {
    X509CRL first = Zoo.crl(Zoo.ours(), crl("", ""));
    assertEquals(1, first.getVersion());
    assertNull(first.getNextUpdate());
    assertNull(first.getRevokedCertificates());
    assertNull(first.getCriticalExtensionOIDs());
    assertFalse(first.hasUnsupportedCriticalExtension());
    String entry = "020101170d3234303130313030303030305a";
    assertEquals(1, Zoo.crl(Zoo.ours(), crl("", element("30", element("30", entry)))).getRevokedCertificates().size());
    String reason = "300c300a0603551d1504030a0101";
    byte[] withReason = crl("020101", element("30", element("30", entry + reason)));
    assertEquals(CRLReason.KEY_COMPROMISE, Zoo.crl(Zoo.ours(), withReason)
        .getRevokedCertificate(BigInteger.ONE).getRevocationReason());
    String[][] bad = {
      {"020100", ""}, {"020102", ""}, {"02020001", ""}, {"", element("30", element("30", entry + reason))},
      {"", "a00e300c300a0603551d140403020101"},
      {"020101", element("30", element("30", entry + reason.replace("0a0101", "0a0107")))},
      {"020101", element("30", element("30", entry + reason.replace("0a0101", "0a010b")))},
      {"020101", element("30", element("30", entry + reason.replace("0a0101", "020101")))},
      {"020101", element("30", element("30", entry + "3000"))},
      {"020101", element("30", element("30", entry + "0500"))},
      {"020101", element("30", element("30", "0202007f" + entry.substring(6)))},
      {"020101", element("30", element("30", entry + element("30", reason.substring(4) + reason.substring(4))))},
      {"020101", "a0023000"}, {"020101", "a00e300c300a0603551d1404030201ff"}, {"020101", "0500"},
      {"020101", element("a0", element("30", "300a0603551d140403020101300a0603551d140403020102"))},
    };
    for (String[] crl : bad) {
      assertThrows(CRLException.class, () -> Zoo.crl(Zoo.ours(), crl(crl[0], crl[1])), Arrays.toString(crl));
    }
  }

  @Test
  void largeCrlsAreQuickEvenIfSerialNumbersCollide() throws Exception {
    // The hash of a BigInteger is a polynomial in 31 over its words.
    StringBuilder entries = new StringBuilder();
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      long high = 0x10000000L + i;
      long low = -31L * high & 0xffffffffL;
      entries.append("30190208").append(String.format("%08x%08x", high, low)).append("170d3234303130313030303030305a");
    }
    String body = entries.toString();
    assertEquals(new BigInteger("10000000" + String.format("%08x", -31L * 0x10000000L & 0xffffffffL), 16).hashCode(),
        new BigInteger("10000001" + String.format("%08x", -31L * 0x10000001L & 0xffffffffL), 16).hashCode());
    String revoked = "3083" + String.format("%06x", body.length() / 2) + body;
    String algorithm = "300a06082a8648ce3d040302";
    String tbs = "020101" + algorithm + "300c310a300806035504030c0161" + "170d3234303130313030303030305a" + revoked;
    String all = "3083" + String.format("%06x", tbs.length() / 2) + tbs + algorithm + "030100";
    byte[] encoding = Zoo.hex("3083" + String.format("%06x", all.length() / 2) + all);
    assertTimeout(Duration.ofSeconds(10), () -> {
      X509CRL crl = Zoo.crl(Zoo.ours(), encoding);
      assertEquals(count, crl.getRevokedCertificates().size());
      assertNotNull(crl.toString());
    });
  }

  @Test
  void datesAreTheCallersOwn() throws Exception {
    X509v2CRLBuilder builder = Zoo.crlBuilder().addCRLEntry(BigInteger.TEN, Zoo.START, 1);
    X509CRL crl = Zoo.crl(Zoo.ours(), builder.build(Zoo.ecSigner()).getEncoded());
    Date start = crl.getThisUpdate();
    for (int i = 0; i < 2; i++) {
      assertEquals(start, crl.getThisUpdate());
      assertEquals(start, crl.getRevokedCertificate(BigInteger.TEN).getRevocationDate());
      crl.getThisUpdate().setTime(0);
      crl.getNextUpdate().setTime(0);
      crl.getRevokedCertificate(BigInteger.TEN).getRevocationDate().setTime(0);
      crl.getEncoded()[0] = 0;
      crl.getTBSCertList()[0] = 0;
    }
    crl.verify(Zoo.keys("EC").getPublic());
  }
}
