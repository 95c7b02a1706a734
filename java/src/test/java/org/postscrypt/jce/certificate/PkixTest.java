package org.postscrypt.jce.certificate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.SignatureException;
import java.security.cert.CertPath;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.PKIXCertPathValidatorResult;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLSelector;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postscrypt.x509.X509;

/** The JDK's path building and checking over our objects. */
class PkixTest {
  private static final X500Name ROOT = new X500Name("CN=Root,O=Zoo");
  private static final X500Name MIDDLE = new X500Name("CN=Middle,O=Zoo");
  private static byte[][] encodings;
  private static X509Certificate root;
  private static X509Certificate middle;
  private static X509Certificate leaf;

  @BeforeAll
  static void make() throws Exception {
    byte[] rootEncoding = authority(ROOT, ROOT, 1, "RSA", "RSA", "SHA256withRSA");
    byte[] middleEncoding = authority(ROOT, MIDDLE, 0, "EC", "RSA", "SHA384withRSA");
    byte[] leafEncoding = leaf(7, null);
    encodings = new byte[][] {leafEncoding, middleEncoding, rootEncoding};
    root = X509.certificate(rootEncoding);
    middle = X509.certificate(middleEncoding);
    leaf = X509.certificate(leafEncoding);
  }

  private static byte[] authority(
      X500Name issuer, X500Name subject, int pathLength, String key, String issuerKey, String algorithm)
      throws Exception {
    return new X509v3CertificateBuilder(
            issuer, BigInteger.TEN, Zoo.START, Zoo.END, subject, Zoo.info(key))
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(pathLength))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
        .build(Zoo.signer(algorithm, Zoo.keys(issuerKey).getPrivate())).getEncoded();
  }

  private static byte[] leaf(int serial, ASN1ObjectIdentifier criticalUnknown) throws Exception {
    X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
            MIDDLE, BigInteger.valueOf(serial), Zoo.START, Zoo.END, Zoo.SUBJECT, Zoo.info("Ed25519"))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
        .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
        .addExtension(Extension.subjectAlternativeName, false,
            new GeneralNames(new GeneralName(GeneralName.dNSName, "www.example.org")));
    if (criticalUnknown != null) {
      builder.addExtension(criticalUnknown, true, DERNull.INSTANCE);
    }
    return builder.build(Zoo.signer("SHA256withECDSA", Zoo.keys("EC").getPrivate())).getEncoded();
  }

  private static X509CRL crl(X500Name issuer, String key, String algorithm, int... revoked) throws Exception {
    X509v2CRLBuilder builder = new X509v2CRLBuilder(issuer, Zoo.START).setNextUpdate(Zoo.END)
        .addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.ONE));
    for (int serial : revoked) {
      builder.addCRLEntry(BigInteger.valueOf(serial), Zoo.START, CRLReason.keyCompromise);
    }
    return Zoo.crl(Zoo.ours(), builder.build(Zoo.signer(algorithm, Zoo.keys(key).getPrivate())).getEncoded());
  }

  private static PKIXParameters parameters(X509CRL... crls) throws Exception {
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
    parameters.setRevocationEnabled(crls.length > 0);
    parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(crls))));
    return parameters;
  }

  @Test
  void aChainOfThreeAsTlsReadsIt() throws Exception {
    X509Certificate[] chain = new X509Certificate[encodings.length];
    for (int i = 0; i < chain.length; i++) {
      chain[i] = X509.certificate(encodings[i]);
      assertEquals(Zoo.certificate(Zoo.jdk(), encodings[i]), chain[i]);
      assertArrayEquals(encodings[i], chain[i].getEncoded());
    }
    for (int i = 0; i + 1 < chain.length; i++) {
      assertEquals(chain[i].getIssuerX500Principal(), chain[i + 1].getSubjectX500Principal());
      chain[i].verify(chain[i + 1].getPublicKey());
    }
    assertEquals(Integer.MAX_VALUE, Zoo.certificate(Zoo.ours(), Zoo.certificates().get("ca")).getBasicConstraints());
    assertEquals(List.of(-1, 0, 1), List.of(chain[0].getBasicConstraints(), chain[1].getBasicConstraints(),
        chain[2].getBasicConstraints()));
  }

  @Test
  void whatIsCachedIsTheSameCertificate() throws Exception {
    assertSame(X509.certificate(encodings[0]), X509.certificate(encodings[0].clone()));
    X509Certificate certificate = X509.certificate(encodings[0].clone());
    certificate.verify(middle.getPublicKey());
    certificate.verify(middle.getPublicKey());
    // Neither another key nor another encoding profits from what was found right.
    assertThrows(SignatureException.class, () -> certificate.verify(Zoo.otherEcKey()));
    assertThrows(InvalidKeyException.class, () -> certificate.verify(root.getPublicKey()));
    certificate.verify(middle.getPublicKey());
    for (int at = 1; at <= 8; at++) {
      byte[] forged = encodings[0].clone();
      forged[forged.length - at] ^= 1;
      X509Certificate other = X509.certificate(forged);
      assertArrayEquals(forged, other.getEncoded());
      assertThrows(SignatureException.class, () -> other.verify(middle.getPublicKey()));
      assertThrows(SignatureException.class, () -> other.verify(middle.getPublicKey()));
    }
    // Many more than there are slots.
    for (int serial = 100; serial < 1300; serial++) {
      byte[] encoding = encodings[0].clone();
      encoding[encoding.length - 1] = (byte) serial;
      encoding[encoding.length - 2] = (byte) (serial >> 8);
      assertArrayEquals(encoding, X509.certificate(encoding.clone()).getEncoded());
      assertArrayEquals(encoding, X509.certificate(encoding.clone()).getEncoded());
    }
    byte[] large = Zoo.with(Zoo.oid("1.2.3"), false, new byte[10_000]);
    assertNotSame(X509.certificate(large), X509.certificate(large), "large ones are not kept");
  }

  @Test
  void validator() throws Exception {
    CertPathValidator validator = CertPathValidator.getInstance("PKIX");
    CertPath path = Zoo.ours().generateCertPath(List.of(leaf, middle));
    PKIXCertPathValidatorResult result = (PKIXCertPathValidatorResult) validator.validate(path, parameters());
    assertEquals(leaf.getPublicKey(), result.getPublicKey());
    X509CRL rootCrl = crl(ROOT, "RSA", "SHA256withRSA");
    validator.validate(path, parameters(rootCrl, crl(MIDDLE, "EC", "SHA256withECDSA", 8)));
    assertEquals(CertPathValidatorException.BasicReason.REVOKED, assertThrows(CertPathValidatorException.class, () ->
        validator.validate(path, parameters(rootCrl, crl(MIDDLE, "EC", "SHA256withECDSA", 7)))).getReason());
    assertThrows(CertPathValidatorException.class, () -> validator.validate(path, parameters(rootCrl)));
    // A critical extension that nobody knows, and one that a checker of the application takes.
    CertPath unknown = Zoo.ours().generateCertPath(
        List.of(X509.certificate(leaf(9, Zoo.oid("1.2.3.4.5"))), middle));
    assertThrows(CertPathValidatorException.class, () -> validator.validate(unknown, parameters()));
    PKIXParameters late = parameters();
    late.setDate(new Date(Zoo.END.getTime() + 86_400_000L));
    assertEquals(CertPathValidatorException.BasicReason.EXPIRED,
        assertThrows(CertPathValidatorException.class, () -> validator.validate(path, late)).getReason());
    byte[] forged = encodings[0].clone();
    forged[forged.length - 1] ^= 1;
    CertPath bad = Zoo.ours().generateCertPath(List.of(X509.certificate(forged), middle));
    assertThrows(CertPathValidatorException.class, () -> validator.validate(bad, parameters()));
    CertPath swapped = Zoo.ours().generateCertPath(List.of(middle, leaf));
    assertThrows(CertPathValidatorException.class, () -> validator.validate(swapped, parameters()));
  }

  @Test
  void builder() throws Exception {
    X509CertSelector target = new X509CertSelector();
    target.addSubjectAlternativeName(GeneralName.dNSName, "www.example.org");
    target.setKeyUsage(new boolean[] {true});
    target.setExtendedKeyUsage(Set.of("1.3.6.1.5.5.7.3.1"));
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(Set.of(new TrustAnchor(root, null)), target);
    parameters.setRevocationEnabled(false);
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(middle, leaf, root))));
    PKIXCertPathBuilderResult result =
        (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
    assertEquals(List.of(leaf, middle), result.getCertPath().getCertificates());
    target.setSubject(leaf.getSubjectX500Principal());
    target.setSerialNumber(BigInteger.ZERO);
    parameters.setTargetCertConstraints(target);
    assertThrows(CertPathBuilderException.class, () -> CertPathBuilder.getInstance("PKIX").build(parameters));
  }

  @Test
  void selectors() throws Exception {
    X509CertSelector selector = new X509CertSelector();
    selector.setIssuer(leaf.getIssuerX500Principal());
    selector.setCertificate(Zoo.certificate(Zoo.jdk(), encodings[0]));
    selector.setCertificateValid(new Date());
    selector.setBasicConstraints(-2);
    assertTrue(selector.match(leaf));
    X509CRLSelector crls = new X509CRLSelector();
    crls.addIssuer(middle.getSubjectX500Principal());
    crls.setMinCRLNumber(BigInteger.ONE);
    crls.setCertificateChecking(leaf);
    crls.setDateAndTime(new Date());
    assertTrue(crls.match(crl(MIDDLE, "EC", "SHA256withECDSA")));
  }

  @Test
  void trustManagersAndKeyStores() throws Exception {
    for (String type : new String[] {"PKCS12", "JKS"}) {
      KeyStore written = KeyStore.getInstance(type);
      written.load(null, null);
      written.setCertificateEntry("root", root);
      written.setKeyEntry("leaf", Zoo.keys("Ed25519").getPrivate(), "password".toCharArray(),
          new X509Certificate[] {leaf, middle, root});
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      written.store(out, "password".toCharArray());
      KeyStore store = KeyStore.getInstance(type);
      store.load(new ByteArrayInputStream(out.toByteArray()), "password".toCharArray());
      assertEquals(root, store.getCertificate("root"));
      assertArrayEquals(new X509Certificate[] {leaf, middle, root}, store.getCertificateChain("leaf"));
      assertEquals("root", written.getCertificateAlias(root));
      // A key's own certificate counts as trusted.
      store.deleteEntry("leaf");
      written.deleteEntry("leaf");
      for (KeyStore trust : new KeyStore[] {store, written}) {
        for (String algorithm : new String[] {"PKIX", "SunX509"}) {
          TrustManagerFactory factory = TrustManagerFactory.getInstance(algorithm);
          factory.init(trust);
          X509TrustManager manager = (X509TrustManager) factory.getTrustManagers()[0];
          manager.checkServerTrusted(new X509Certificate[] {leaf, middle}, "UNKNOWN");
          manager.checkServerTrusted(new X509Certificate[] {leaf, middle, root}, "UNKNOWN");
          assertThrows(CertificateException.class,
              () -> manager.checkServerTrusted(new X509Certificate[] {leaf}, "UNKNOWN"));
          assertThrows(CertificateException.class, () -> manager.checkServerTrusted(
              new X509Certificate[] {X509.certificate(leaf(9, Zoo.oid("1.2.3.4.5"))), middle}, "UNKNOWN"));
        }
      }
    }
  }
}
