package org.postscrypt.jce.certificate;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.junit.jupiter.api.Test;
import org.postscrypt.x509.X509;

class CertificateTest {
  @Test
  void everyGetterAnswersAsTheJdk() throws Exception {
    for (Map.Entry<String, byte[]> entry : Zoo.certificates().entrySet()) {
      X509Certificate ours = Zoo.certificate(Zoo.ours(), entry.getValue());
      X509Certificate theirs = Zoo.certificate(Zoo.jdk(), entry.getValue());
      assertTrue(ours.getClass().getName().startsWith("org.postscrypt."));
      assertAll(entry.getKey(), () -> compare(theirs, ours));
    }
  }

  @SuppressWarnings("deprecation") // getIssuerDN and getSubjectDN
  private static void compare(X509Certificate theirs, X509Certificate ours) throws Exception {
    assertEquals(theirs.getVersion(), ours.getVersion());
    assertEquals(theirs.getSerialNumber(), ours.getSerialNumber());
    assertEquals(theirs.getIssuerX500Principal(), ours.getIssuerX500Principal());
    assertArrayEquals(theirs.getIssuerX500Principal().getEncoded(), ours.getIssuerX500Principal().getEncoded());
    assertEquals(theirs.getSubjectX500Principal(), ours.getSubjectX500Principal());
    assertArrayEquals(theirs.getSubjectX500Principal().getEncoded(), ours.getSubjectX500Principal().getEncoded());
    assertEquals(ours.getSubjectX500Principal(), ours.getSubjectDN());
    assertEquals(ours.getIssuerX500Principal(), ours.getIssuerDN());
    assertEquals(theirs.getNotBefore(), ours.getNotBefore());
    assertEquals(theirs.getNotAfter(), ours.getNotAfter());
    assertArrayEquals(theirs.getPublicKey().getEncoded(), ours.getPublicKey().getEncoded());
    assertEquals("X.509", ours.getPublicKey().getFormat());
    assertArrayEquals(theirs.getIssuerUniqueID(), ours.getIssuerUniqueID());
    assertArrayEquals(theirs.getSubjectUniqueID(), ours.getSubjectUniqueID());
    assertArrayEquals(theirs.getTBSCertificate(), ours.getTBSCertificate());
    assertArrayEquals(theirs.getEncoded(), ours.getEncoded());
    assertArrayEquals(theirs.getSignature(), ours.getSignature());
    assertEquals(theirs.getSigAlgName(), ours.getSigAlgName());
    assertEquals(theirs.getSigAlgOID(), ours.getSigAlgOID());
    assertArrayEquals(theirs.getSigAlgParams(), ours.getSigAlgParams());
    assertArrayEquals(theirs.getKeyUsage(), ours.getKeyUsage());
    assertEquals(theirs.getExtendedKeyUsage(), ours.getExtendedKeyUsage());
    assertEquals(theirs.getBasicConstraints(), ours.getBasicConstraints());
    assertNames(theirs.getSubjectAlternativeNames(), ours.getSubjectAlternativeNames());
    assertNames(theirs.getIssuerAlternativeNames(), ours.getIssuerAlternativeNames());
    assertEquals(theirs.hasUnsupportedCriticalExtension(), ours.hasUnsupportedCriticalExtension());
    assertEquals(theirs.getCriticalExtensionOIDs(), ours.getCriticalExtensionOIDs());
    assertEquals(theirs.getNonCriticalExtensionOIDs(), ours.getNonCriticalExtensionOIDs());
    TreeSet<String> oids = new TreeSet<>(List.of("2.5.29.15", "2.5.29.17", "2.5.29.19", "1.2.3.4.5.6"));
    if (theirs.getCriticalExtensionOIDs() != null) {
      oids.addAll(theirs.getCriticalExtensionOIDs());
      oids.addAll(theirs.getNonCriticalExtensionOIDs());
    }
    oids.remove("1.3.6.1.5.5.7.48.1.5"); // The JDK loses OCSPNoCheck's value.
    for (String oid : oids) {
      assertArrayEquals(theirs.getExtensionValue(oid), ours.getExtensionValue(oid), oid);
    }
    assertNull(ours.getExtensionValue("2.5.29.99"));
    assertNull(ours.getExtensionValue("no such thing"));
    assertEquals(theirs.hashCode(), ours.hashCode());
    assertEquals(theirs, ours);
    assertEquals(ours, theirs);
    assertEquals("X.509", ours.getType());
    assertFalse(ours.toString().isEmpty());
  }

  @Test
  void everyCertificateThatTheJdkTrusts() throws Exception {
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init((KeyStore) null);
    X509Certificate[] roots = ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
    assertTrue(roots.length > 0);
    for (X509Certificate root : roots) {
      compare(root, Zoo.certificate(Zoo.ours(), root.getEncoded()));
    }
  }

  private static void assertNames(Collection<List<?>> expected, Collection<List<?>> actual) {
    if (expected == null) {
      assertNull(actual);
      return;
    }
    List<List<?>> a = new ArrayList<>(expected);
    List<List<?>> b = new ArrayList<>(actual);
    assertEquals(a.size(), b.size());
    for (int i = 0; i < a.size(); i++) {
      assertEquals(a.get(i).get(0), b.get(i).get(0));
      if (a.get(i).get(0).equals(GeneralName.otherName) && Runtime.version().feature() < 21) {
        continue; // Older JDKs put the value's tag on twice.
      }
      if (a.get(i).get(1) instanceof byte[]) {
        assertArrayEquals((byte[]) a.get(i).get(1), (byte[]) b.get(i).get(1));
      } else {
        assertEquals(a.get(i).get(1), b.get(i).get(1));
      }
    }
  }

  @Test
  void namesHaveTheShapeOfTheJavadoc() throws Exception {
    byte[] mapped = Zoo.with(Extension.subjectAlternativeName, false,
        Zoo.hex("3012871000000000000000000000ffffc0000201"));
    byte[] other = Zoo.hex("301ba01906032a0304a0120c1075736572406578616d706c652e6f7267");
    List<?> otherName = Zoo.certificate(Zoo.ours(), Zoo.with(Extension.subjectAlternativeName, false, other))
        .getSubjectAlternativeNames().iterator().next();
    assertEquals(0, otherName.get(0));
    assertArrayEquals(Zoo.hex("301906032a0304a0120c1075736572406578616d706c652e6f7267"), (byte[]) otherName.get(1));
    assertEquals("[[7, 0:0:0:0:0:ffff:c000:201]]",
        Zoo.certificate(Zoo.ours(), mapped).getSubjectAlternativeNames().toString());
    X509Certificate party = Zoo.certificate(Zoo.ours(),
        Zoo.with(Extension.subjectAlternativeName, false, Zoo.hex("3008a506a1040c026162")));
    List<?> name = party.getSubjectAlternativeNames().iterator().next();
    assertEquals(5, name.get(0));
    assertArrayEquals(Zoo.hex("3006a1040c026162"), (byte[]) name.get(1));
    ((byte[]) name.get(1))[0] = 0;
    assertEquals(0x30, ((byte[]) party.getSubjectAlternativeNames().iterator().next().get(1))[0]);
    X509Certificate directory = Zoo.certificate(Zoo.ours(), Zoo.with(Extension.subjectAlternativeName, false,
        new GeneralNames(new GeneralName(Zoo.SUBJECT))));
    assertEquals("[[4, CN=www.example.org,O=Zoo,C=DE]]", directory.getSubjectAlternativeNames().toString());
    assertThrows(UnsupportedOperationException.class, () -> directory.getSubjectAlternativeNames().clear());
  }

  @Test
  void whatIsHandedOutIsTheCallersOwn() throws Exception {
    byte[] encoding = Zoo.certificates().get("all kinds");
    X509Certificate certificate = Zoo.certificate(Zoo.ours(), encoding);
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(encoding, certificate.getEncoded());
      assertTrue(certificate.getKeyUsage()[0]);
      assertEquals(0x30, certificate.getTBSCertificate()[0]);
      assertEquals(4, certificate.getExtensionValue("2.5.29.15")[0]);
      certificate.getEncoded()[0] = 0;
      certificate.getKeyUsage()[0] = false;
      certificate.getTBSCertificate()[0] = 0;
      certificate.getExtensionValue("2.5.29.15")[0] = 0;
      certificate.getSignature()[0]++;
      certificate.getNotAfter().setTime(0);
      certificate.getCriticalExtensionOIDs().clear();
    }
    assertEquals(Zoo.END.getTime() / 1000, certificate.getNotAfter().getTime() / 1000);
    assertEquals(3, certificate.getCriticalExtensionOIDs().size());
    certificate.verify(Zoo.keys("EC").getPublic());
  }

  @Test
  void validity() throws Exception {
    X509Certificate certificate = Zoo.certificate(Zoo.ours(), Zoo.certificates().get("plain"));
    certificate.checkValidity();
    certificate.checkValidity(certificate.getNotBefore());
    certificate.checkValidity(certificate.getNotAfter());
    Date before = new Date(certificate.getNotBefore().getTime() - 1);
    Date after = new Date(certificate.getNotAfter().getTime() + 1);
    assertThrows(CertificateNotYetValidException.class, () -> certificate.checkValidity(before));
    assertThrows(CertificateExpiredException.class, () -> certificate.checkValidity(after));
    assertThrows(NullPointerException.class, () -> certificate.checkValidity(null));
  }

  @Test
  void verifiesWhatItsIssuerSigned() throws Exception {
    Map<String, byte[]> zoo = Zoo.certificates();
    String[][] kinds = {
      {"plain", "EC"}, {"SHA256withRSA", "RSA"}, {"SHA1withRSA", "RSA"}, {"PSS 32", "RSA"}, {"PSS 20", "RSA"},
      {"Ed25519", "Ed25519"}, {"Ed448", "Ed448"}, {"DSA signature", "DSA"}, {"SHA512withECDSA", "EC"}
    };
    for (String[] kind : kinds) {
      X509Certificate certificate = Zoo.certificate(Zoo.ours(), zoo.get(kind[0]));
      PublicKey key = Zoo.keys(kind[1]).getPublic();
      certificate.verify(key);
      certificate.verify(key, (String) null);
      certificate.verify(key, (Provider) null);
      certificate.verify(key, Zoo.BOUNCY_CASTLE);
      certificate.verify(key, Signature.getInstance(certificate.getSigAlgName()).getProvider());
      byte[] broken = zoo.get(kind[0]).clone();
      broken[broken.length - 1] ^= 1;
      X509Certificate forged = Zoo.certificate(Zoo.ours(), broken);
      assertThrows(SignatureException.class, () -> forged.verify(key));
      assertThrows(SignatureException.class, () -> forged.verify(key, Zoo.BOUNCY_CASTLE));
      assertThrows(InvalidKeyException.class, () -> certificate.verify(Zoo.keys("X25519").getPublic()));
      assertThrows(InvalidKeyException.class, () -> certificate.verify(null));
      assertThrows(NoSuchProviderException.class, () -> certificate.verify(key, "no such provider"));
      assertThrows(NoSuchAlgorithmException.class,
          () -> certificate.verify(key, java.security.Security.getProvider("SunJCE")));
    }
  }

  /** The JDK's path check asks for each certificate of each chain, by this method and with no provider. */
  @Test
  void aSignatureThatWasRightIsNotVerifiedAgain() throws Exception {
    X509Certificate certificate = Zoo.certificate(Zoo.ours(), Zoo.certificates().get("SHA512withECDSA"));
    PublicKey key = Zoo.keys("EC").getPublic();
    int[] read = {0};
    PublicKey counting =
        (PublicKey)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {java.security.interfaces.ECPublicKey.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("equals")) {
                    return self == arguments[0];
                  }
                  read[0]++;
                  return method.invoke(key, arguments);
                });
    certificate.verify(counting, (String) null);
    int once = read[0];
    assertTrue(once > 0);
    certificate.verify(counting, (String) null);
    certificate.verify(counting, "");
    certificate.verify(counting, (Provider) null);
    certificate.verify(counting);
    assertEquals(once, read[0]);
    certificate.verify(counting, Signature.getInstance("SHA512withECDSA").getProvider().getName());
    assertTrue(read[0] > once, "whoever names a provider wants that one to do it");
  }

  @Test
  void verifyThrowsDeclaredExceptionsWhateverTheProviderDoes() throws Exception {
    X509Certificate certificate = Zoo.certificate(Zoo.ours(), Zoo.certificates().get("plain"));
    Provider bad = new Provider("Bad", "1", "throws") {
      private static final long serialVersionUID = 1;
    };
    bad.put("Signature.SHA256withECDSA", Throwing.class.getName());
    PublicKey key = Zoo.keys("EC").getPublic();
    assertThrows(SignatureException.class, () -> certificate.verify(key, bad));
    PublicKey strange = new PublicKey() {
      private static final long serialVersionUID = 1;

      @Override
      public String getAlgorithm() {
        return null;
      }

      @Override
      public String getFormat() {
        return null;
      }

      @Override
      public byte[] getEncoded() {
        return null;
      }
    };
    assertThrows(InvalidKeyException.class, () -> certificate.verify(strange));
  }

  /** A provider's service that ignores its contract. */
  public static final class Throwing extends java.security.SignatureSpi {
    @Override
    protected void engineInitVerify(PublicKey key) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineInitSign(java.security.PrivateKey key) {}

    @Override
    protected void engineUpdate(byte b) {}

    @Override
    protected void engineUpdate(byte[] b, int offset, int length) {}

    @Override
    protected byte[] engineSign() {
      return null;
    }

    @Override
    protected boolean engineVerify(byte[] signature) {
      return false;
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {}

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      return null;
    }
  }

  @Test
  void unknownAlgorithms() throws Exception {
    SubjectPublicKeyInfo info = new SubjectPublicKeyInfo(
        new AlgorithmIdentifier(Zoo.oid("1.2.3.4.5.6")), new byte[] {1});
    X509Certificate unknown = Zoo.certificate(Zoo.ours(), new X509v3CertificateBuilder(
        Zoo.ISSUER, BigInteger.ONE, Zoo.START, Zoo.END, Zoo.SUBJECT, info).build(Zoo.ecSigner()).getEncoded());
    PublicKey key = unknown.getPublicKey();
    assertEquals("1.2.3.4.5.6", key.getAlgorithm());
    assertEquals("X.509", key.getFormat());
    assertArrayEquals(info.getEncoded(), key.getEncoded());
    assertEquals(key, roundTrip(key));
    assertEquals(key.hashCode(), roundTrip(key).hashCode());
    assertNotNull(key.toString());
    assertThrows(InvalidKeyException.class, () -> unknown.verify(key));
    // A point that is not on the curve.
    byte[] off = Zoo.certificates().get("plain").clone();
    byte[] point = Zoo.info("EC").getPublicKeyData().getBytes();
    int at = new String(off, "ISO-8859-1").indexOf(new String(point, "ISO-8859-1"));
    off[at + point.length - 1] ^= 1;
    X509Certificate bad = Zoo.certificate(Zoo.ours(), off);
    assertEquals("EC", bad.getPublicKey().getAlgorithm());
    assertThrows(GeneralSecurityException.class, () -> bad.verify(bad.getPublicKey()));
    assertTrue(bad.toString().contains("EC"));

    byte[] signature = Zoo.certificates().get("SHA256withRSA").clone();
    byte[] sha256 = Zoo.hex("2a864886f70d01010b");
    int[] places = new int[2];
    int found = 0;
    for (int i = 0; i + sha256.length < signature.length && found < 2; i++) {
      if (java.util.Arrays.equals(sha256, java.util.Arrays.copyOfRange(signature, i, i + sha256.length))) {
        places[found++] = i + sha256.length - 1;
      }
    }
    signature[places[0]] = 99;
    assertThrows(CertificateException.class, () -> Zoo.certificate(Zoo.ours(), signature), "inner and outer differ");
    signature[places[1]] = 99;
    X509Certificate strange = Zoo.certificate(Zoo.ours(), signature);
    assertEquals("1.2.840.113549.1.1.99", strange.getSigAlgName());
    assertThrows(NoSuchAlgorithmException.class, () -> strange.verify(Zoo.keys("RSA").getPublic()));
  }

  @Test
  void postQuantumNames() throws Exception {
    String[][] names = {
      {"2.16.840.1.101.3.4.3.17", "ML-DSA-44"}, {"2.16.840.1.101.3.4.3.18", "ML-DSA-65"},
      {"2.16.840.1.101.3.4.3.19", "ML-DSA-87"}, {"2.16.840.1.101.3.4.3.20", "SLH-DSA-SHA2-128S"},
      {"1.3.101.112", "Ed25519"}
    };
    for (String[] name : names) {
      org.bouncycastle.operator.ContentSigner fake = new org.bouncycastle.operator.ContentSigner() {
        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
          return new AlgorithmIdentifier(Zoo.oid(name[0]));
        }

        @Override
        public java.io.OutputStream getOutputStream() {
          return new ByteArrayOutputStream();
        }

        @Override
        public byte[] getSignature() {
          return new byte[100];
        }
      };
      X509Certificate certificate = Zoo.certificate(Zoo.ours(), Zoo.builder().build(fake).getEncoded());
      assertEquals(name[1], certificate.getSigAlgName());
      assertEquals(name[0], certificate.getSigAlgOID());
      assertNull(certificate.getSigAlgParams());
    }
  }

  @Test
  void serialises() throws Exception {
    for (byte[] encoding : Zoo.certificates().values()) {
      X509Certificate certificate = Zoo.certificate(Zoo.ours(), encoding);
      assertEquals(certificate, roundTrip(certificate));
    }
  }

  static Object roundTrip(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  @Test
  void sharedByThreads() throws Exception {
    List<byte[]> encodings = new ArrayList<>(Zoo.certificates().values());
    List<X509Certificate> wanted = new ArrayList<>();
    for (byte[] encoding : encodings) {
      wanted.add(Zoo.certificate(Zoo.jdk(), encoding));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        results.add(threads.submit(() -> {
          for (int round = 0; round < 5; round++) {
            for (int i = 0; i < encodings.size(); i++) {
              compare(wanted.get(i), X509.certificate(encodings.get(i)));
            }
          }
          return null;
        }));
      }
      for (Future<?> result : results) {
        result.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void equality() throws Exception {
    byte[] encoding = Zoo.certificates().get("plain");
    X509Certificate one = Zoo.certificate(Zoo.ours(), encoding);
    assertEquals(one, Zoo.certificate(Zoo.ours(), encoding));
    assertNotEquals(one, Zoo.certificate(Zoo.ours(), Zoo.certificates().get("ca")));
    assertNotEquals(one, null);
    assertNotEquals(one, "certificate");
  }
}
