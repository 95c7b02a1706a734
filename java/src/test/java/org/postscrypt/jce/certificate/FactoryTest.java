package org.postscrypt.jce.certificate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.BERSequence;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FactoryTest {
  private static byte[] one;
  private static byte[] two;
  private static byte[] crl;

  @BeforeAll
  static void make() throws Exception {
    one = Zoo.certificates().get("all kinds");
    two = Zoo.certificates().get("plain");
    crl = Zoo.crls().get("many");
  }

  private static String pem(String label, byte[] encoding, String lineEnd) {
    return "-----BEGIN " + label + "-----" + lineEnd
        + Base64.getMimeEncoder(64, lineEnd.getBytes(StandardCharsets.US_ASCII)).encodeToString(encoding) + lineEnd
        + "-----END " + label + "-----" + lineEnd;
  }

  private static InputStream stream(Object... parts) {
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    for (Object part : parts) {
      byte[] bytes = part instanceof byte[] ? (byte[]) part : ((String) part).getBytes(StandardCharsets.UTF_8);
      out.write(bytes, 0, bytes.length);
    }
    return new ByteArrayInputStream(out.toByteArray());
  }

  private static List<byte[]> encodings(Collection<? extends Certificate> certificates) throws Exception {
    List<byte[]> list = new ArrayList<>();
    for (Certificate certificate : certificates) {
      list.add(certificate.getEncoded());
    }
    return list;
  }

  private static void assertCertificates(Collection<? extends Certificate> actual, byte[]... expected)
      throws Exception {
    List<byte[]> list = encodings(actual);
    assertEquals(expected.length, list.size());
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], list.get(i));
    }
  }

  @Test
  void names() throws Exception {
    assertEquals("X.509", CertificateFactory.getInstance("X509", Zoo.PROVIDER).getType().replace("X509", "X.509"));
    assertNotSame(Zoo.ours(), Zoo.ours());
    Iterator<String> encodings = Zoo.ours().getCertPathEncodings();
    assertEquals("PkiPath", encodings.next());
    assertEquals("PKCS7", encodings.next());
    assertThrows(UnsupportedOperationException.class, encodings::remove);
  }

  @Test
  void streamsOfSeveralAsTheJdkReadsThem() throws Exception {
    for (CertificateFactory factory : new CertificateFactory[] {Zoo.jdk(), Zoo.ours()}) {
      for (String end : new String[] {"\n", "\r\n", "\r"}) {
        String first = pem("CERTIFICATE", one, end);
        String second = pem("X509 CERTIFICATE", two, end);
        assertCertificates(factory.generateCertificates(stream(first, second)), one, two);
        assertCertificates(factory.generateCertificates(stream(
            "Subject: somebody\n - not a header\n", first, end, "more text", end, second, "the end")), one, two);
        InputStream in = stream("text\n", first, second, two);
        assertArrayEquals(one, factory.generateCertificate(in).getEncoded());
        assertArrayEquals(two, factory.generateCertificate(in).getEncoded());
        assertArrayEquals(two, factory.generateCertificate(in).getEncoded());
        assertEquals(-1, in.read());
        assertThrows(CertificateException.class, () -> factory.generateCertificate(in));
        InputStream exact = stream(first, first);
        int count = 0;
        for (; exact.available() > 0; count++) {
          assertArrayEquals(one, factory.generateCertificate(exact).getEncoded());
        }
        assertEquals(2, count, "no byte is left behind the last block");
      }
      assertCertificates(factory.generateCertificates(stream(one, two)), one, two);
      assertCertificates(factory.generateCertificates(stream()));
      assertThrows(CertificateException.class, () -> factory.generateCertificates(stream("nothing of the kind")));
      assertThrows(CertificateException.class, () -> factory.generateCertificate(stream()));
      assertThrows(CertificateException.class, () -> factory.generateCertificate(null));
      assertThrows(CertificateException.class, () -> factory.generateCertificates(null));
      assertThrows(CRLException.class, () -> factory.generateCRL(stream()));
      assertThrows(CRLException.class, () -> factory.generateCRL(null));
      assertThrows(CRLException.class, () -> factory.generateCRLs(null));
      assertTrue(factory.generateCRLs(stream()).isEmpty());
      assertThrows(CRLException.class, () -> factory.generateCRLs(stream("nothing of the kind")));
      assertEquals(2, factory.generateCRLs(stream(crl, pem("X509 CRL", crl, "\n"))).size());
      assertArrayEquals(one, factory.generateCertificate(stream(
          pem("CERTIFICATE", one, "\n").replaceAll("=*\n-----END", "\n-----END"))).getEncoded(), "no padding");
      String noFooter = pem("CERTIFICATE", one, "\n").replaceAll("-----END.*", "");
      String wrongFooter = pem("CERTIFICATE", one, "\n").replace("END CERT", "END THE CERT");
      String wrongText = pem("CERTIFICATE", one, "\n").replaceFirst("\nM", "\n%");
      for (String bad : new String[] {noFooter, wrongFooter, wrongText, "-----BEGIN CERTIFICATE-----", "-----"}) {
        assertThrows(CertificateException.class, () -> factory.generateCertificate(stream(bad)), bad);
        assertThrows(CRLException.class, () -> factory.generateCRL(stream(bad)), bad);
      }
    }
    // Lines of hyphens are text, not headers: more than the JDK allows.
    assertArrayEquals(one, Zoo.ours().generateCertificate(stream("-------\n-----\nx----- -----BEGIN CERTIFICATE-----\n",
        pem("CERTIFICATE", one, "\n"))).getEncoded());
  }

  @Test
  void streamsThatFail() {
    InputStream failing = new InputStream() {
      private int at;

      @Override
      public int read() throws IOException {
        if (at == 100) {
          throw new IOException("no more");
        }
        return one[at++] & 0xff;
      }
    };
    CertificateException failure =
        assertThrows(CertificateException.class, () -> Zoo.ours().generateCertificate(failing));
    assertTrue(failure.getCause() instanceof IOException);
    // A length that promises more than there is costs nothing.
    for (String promise : new String[] {"3084ffffffff", "30847fffffff", "3084ffffffff0000"}) {
      assertThrows(CertificateException.class, () -> Zoo.ours().generateCertificate(stream(Zoo.hex(promise))));
    }
    byte[] nested = Zoo.hex("3080".repeat(100_000));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertificates(stream(nested)));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath(stream(nested), "PKCS7"));
  }

  private static byte[] bundle(boolean ber) throws Exception {
    CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
    generator.addCertificate(new X509CertificateHolder(one));
    generator.addCertificate(new X509CertificateHolder(two));
    generator.addCRL(new X509CRLHolder(crl));
    byte[] encoding = generator.generate(new CMSProcessableByteArray(new byte[10]), true).getEncoded();
    if (ber) {
      assertEquals((byte) 0x80, encoding[1]);
      return encoding;
    }
    return ContentInfo.getInstance(encoding).getEncoded(ASN1Encoding.DER);
  }

  @Test
  void pkcs7Bundles() throws Exception {
    for (boolean ber : new boolean[] {false, true}) {
      byte[] bundle = bundle(ber);
      for (Object form : new Object[] {bundle, pem("PKCS7", bundle, "\n")}) {
        Collection<? extends Certificate> ours = Zoo.ours().generateCertificates(stream(form));
        assertEquals(new ArrayList<>(Zoo.jdk().generateCertificates(stream(form))), new ArrayList<>(ours));
        assertEquals(2, ours.size());
        Collection<? extends CRL> crls = Zoo.ours().generateCRLs(stream(form));
        assertEquals(1, crls.size());
        assertEquals(new ArrayList<>(Zoo.jdk().generateCRLs(stream(form))), new ArrayList<>(crls));
        CertPath path = Zoo.ours().generateCertPath(stream(form), "PKCS7");
        assertEquals(Zoo.jdk().generateCertPath(stream(form), "PKCS7").getCertificates(), path.getCertificates());
      }
      byte[] broken = bundle.clone();
      int at = new String(bundle, StandardCharsets.ISO_8859_1).indexOf(new String(two, StandardCharsets.ISO_8859_1));
      broken[at + 4] ^= 1;
      assertThrows(CertificateException.class, () -> Zoo.ours().generateCertificates(stream(broken)));
    }
  }

  @Test
  void paths() throws Exception {
    X509Certificate first = Zoo.certificate(Zoo.ours(), one);
    X509Certificate second = Zoo.certificate(Zoo.jdk(), two);
    for (List<X509Certificate> list : List.of(List.<X509Certificate>of(), List.of(first), List.of(first, second))) {
      CertPath ours = Zoo.ours().generateCertPath(list);
      CertPath theirs = Zoo.jdk().generateCertPath(list);
      assertEquals(theirs, ours);
      assertEquals(ours, theirs);
      assertEquals(theirs.hashCode(), ours.hashCode());
      assertEquals(list, ours.getCertificates());
      assertThrows(UnsupportedOperationException.class, () -> ours.getCertificates().remove(0));
      assertArrayEquals(theirs.getEncoded(), ours.getEncoded());
      assertArrayEquals(theirs.getEncoded("PkiPath"), ours.getEncoded("PkiPath"));
      assertEquals(ours, Zoo.ours().generateCertPath(stream(ours.getEncoded())));
      assertEquals(ours, Zoo.ours().generateCertPath(stream(ours.getEncoded("PKCS7")), "PKCS7"), "in the same order");
      assertEquals(ours, Zoo.jdk().generateCertPath(stream(ours.getEncoded()), "PkiPath"));
      assertEquals(list.size(), Zoo.jdk().generateCertPath(stream(ours.getEncoded("PKCS7")), "PKCS7").getCertificates()
          .size());
      assertEquals(list.size(), Zoo.ours().generateCertPath(stream(theirs.getEncoded("PKCS7")), "PKCS7")
          .getCertificates().size());
      assertEquals(ours, CertificateTest.roundTrip(ours));
      assertThrows(CertificateEncodingException.class, () -> ours.getEncoded("PEM"));
      assertThrows(CertificateEncodingException.class, () -> ours.getEncoded(null));
      assertTrue(ours.toString().contains("X.509"));
    }
    byte[] path = Zoo.ours().generateCertPath(List.of(first, second)).getEncoded();
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath(stream(path), "PKCS7"));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath(stream(path), "PEM"));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath(stream(path), null));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath((InputStream) null));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath(stream()));
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertPath(List.of(new Certificate("other") {
      private static final long serialVersionUID = 1;

      @Override
      public byte[] getEncoded() {
        return new byte[0];
      }

      @Override
      public void verify(java.security.PublicKey key) {}

      @Override
      public void verify(java.security.PublicKey key, String provider) {}

      @Override
      public String toString() {
        return "";
      }

      @Override
      public java.security.PublicKey getPublicKey() {
        return null;
      }
    })));
    // A certificate with indefinite length is not DER, wherever it comes from.
    ASN1Sequence der = ASN1Sequence.getInstance(ASN1Primitive.fromByteArray(one));
    byte[] ber = new BERSequence(der.toArray()).getEncoded(ASN1Encoding.BER);
    assertEquals((byte) 0x80, ber[1]);
    assertThrows(CertificateException.class, () -> Zoo.ours().generateCertificate(stream(ber)));
  }
}
