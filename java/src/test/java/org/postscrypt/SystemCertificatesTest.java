package org.postscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemCertificatesTest {
  private static X509Certificate first;
  private static X509Certificate second;

  @TempDir
  Path directory;

  @BeforeAll
  static void makeCertificates() throws Exception {
    first = selfSigned("CN=First");
    second = selfSigned("CN=Second");
  }

  @Test
  void bundleWithTextBetweenAndADuplicate() throws Exception {
    Path bundle = write("bundle.pem", "# First\n" + pem(first) + "\nSecond\n"
        + pem(second).replace("\n", "\r\n") + pem(first));
    assertEquals(Set.of(first, second), certificates(SystemCertificates.load(bundle.toString())));
  }

  @Test
  void directoryWithLinksAndOtherFiles() throws Exception {
    Path file = write("first.pem", pem(first));
    Files.createSymbolicLink(directory.resolve("0123abcd.0"), file);
    Files.createSymbolicLink(directory.resolve("broken.0"), directory.resolve("nowhere"));
    Files.createDirectory(directory.resolve("java"));
    write("README", "no certificate here");
    write("second.crt", pem(second));
    assertEquals(Set.of(first, second), certificates(SystemCertificates.load(directory.toString())));
  }

  @Test
  void fileAndDirectoryTogether() throws Exception {
    Path bundle = write("bundle.pem", pem(first));
    write("second.pem", pem(second));
    assertEquals(Set.of(first, second), certificates(SystemCertificates.load(bundle + "\n" + directory)));
  }

  @Test
  void damagedOnesAreLeftOut() throws Exception {
    Path bundle = write("bundle.pem", "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n"
        + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + pem(first)
        + pem(second).substring(0, 100));
    assertEquals(Set.of(first), certificates(SystemCertificates.load(bundle.toString())));
  }

  @Test
  void trustedCertificatesOfOpenSslAreNotTakenForPlainOnes() throws Exception {
    Path bundle = write("bundle.pem", pem(first).replace(" CERTIFICATE", " TRUSTED CERTIFICATE") + pem(second));
    assertEquals(Set.of(second), certificates(SystemCertificates.load(bundle.toString())));
  }

  @Test
  void nothingReadableIsAnExceptionThatTellsWhy() throws Exception {
    Path bundle = write("bundle.pem", pem(first).substring(0, 100));
    KeyStoreException e =
        assertThrows(KeyStoreException.class, () -> SystemCertificates.load(bundle + "\n/nowhere/at/all"));
    assertTrue(e.getMessage().contains(bundle.toString()), e.getMessage());
    assertEquals(2, e.getSuppressed().length);
  }

  @Test
  void noPlaceIsAnException() {
    KeyStoreException e = assertThrows(KeyStoreException.class, () -> SystemCertificates.load(""));
    assertTrue(e.getMessage().contains("SSL_CERT_FILE"), e.getMessage());
  }

  @Test
  void theJdksTrustManagersTakeIt() throws Exception {
    Path bundle = write("bundle.pem", pem(first) + pem(second));
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(SystemCertificates.load(bundle.toString()));
    X509TrustManager manager = (X509TrustManager) factory.getTrustManagers()[0];
    assertEquals(Set.of(first, second), Set.of(manager.getAcceptedIssuers()));
  }

  @Test
  void thisSystemsAreFound() throws Exception {
    assertTrue(Postscrypt.systemTrustStore().size() > 10);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static Set<Object> certificates(KeyStore store) throws KeyStoreException {
    Set<Object> result = new HashSet<>();
    for (String alias : Collections.list(store.aliases())) {
      assertTrue(store.isCertificateEntry(alias));
      assertTrue(result.add(store.getCertificate(alias)), "once only");
    }
    return result;
  }

  private static String pem(X509Certificate certificate) throws Exception {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  private static X509Certificate selfSigned(String name) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    KeyPair pair = generator.generateKeyPair();
    X500Principal principal = new X500Principal(name);
    Date now = new Date();
    JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(principal, BigInteger.ONE, now,
        new Date(now.getTime() + 86_400_000), principal, pair.getPublic());
    return new JcaX509CertificateConverter().getCertificate(builder.build(
        new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
  }
}
