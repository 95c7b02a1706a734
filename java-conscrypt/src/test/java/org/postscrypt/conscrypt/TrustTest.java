package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyPair;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.conscrypt.Conscrypt;
import org.conscrypt.ConscryptHostnameVerifier;
import org.conscrypt.OkHostnameVerifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trust managers and host name verifiers. Runs over the original as well. */
class TrustTest {
  private final Provider provider = Conscrypt.newProvider();

  @AfterEach
  void reset() {
    Conscrypt.setDefaultHostnameVerifier(null);
  }

  private static X509Certificate[] chain(X509Certificate leaf) {
    return new X509Certificate[] {leaf, Pki.CA};
  }

  @Test
  void chainsAreChecked() throws Exception {
    X509TrustManager manager = Pki.trustManager(provider);
    X509Certificate leaf = Pki.leaf(Pki.ecKey().getPublic(), "example.com");
    manager.checkServerTrusted(chain(leaf), "ECDHE_ECDSA");
    manager.checkClientTrusted(chain(leaf), "EC");
    manager.checkServerTrusted(new X509Certificate[] {leaf}, "UNKNOWN");
    assertArrayEquals(new X509Certificate[] {Pki.CA}, manager.getAcceptedIssuers());
    KeyPair stranger = Pki.ecKey();
    X509Certificate self =
        new org.bouncycastle.cert.jcajce.JcaX509CertificateConverter()
            .getCertificate(
                new org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder(
                        new javax.security.auth.x500.X500Principal("CN=self"),
                        java.math.BigInteger.ONE,
                        leaf.getNotBefore(),
                        leaf.getNotAfter(),
                        new javax.security.auth.x500.X500Principal("CN=self"),
                        stranger.getPublic())
                    .build(
                        new org.bouncycastle.operator.jcajce.JcaContentSignerBuilder("SHA256withECDSA")
                            .setProvider("SunEC")
                            .build(stranger.getPrivate())));
    assertThrows(
        CertificateException.class, () -> manager.checkServerTrusted(new X509Certificate[] {self}, "ECDHE_ECDSA"));
    assertThrows(
        IllegalArgumentException.class, () -> manager.checkServerTrusted(new X509Certificate[0], "ECDHE_ECDSA"));
    assertThrows(IllegalArgumentException.class, () -> manager.checkServerTrusted(chain(leaf), ""));
    assertTrue(manager instanceof X509ExtendedTrustManager);
  }

  @Test
  void verifiersAreOfTrustManagers() throws Exception {
    TrustManager manager = Pki.trustManager(provider);
    assertTrue(Conscrypt.isConscrypt(manager));
    assertNull(Conscrypt.getHostnameVerifier(manager));
    assertNull(Conscrypt.getDefaultHostnameVerifier(manager));
    ConscryptHostnameVerifier verifier = (certificates, host, session) -> true;
    Conscrypt.setHostnameVerifier(manager, verifier);
    assertSame(verifier, Conscrypt.getHostnameVerifier(manager));
    Conscrypt.setDefaultHostnameVerifier(verifier);
    assertSame(verifier, Conscrypt.getDefaultHostnameVerifier(manager));
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX", "SunJSSE");
    factory.init(Pki.trust());
    TrustManager other = factory.getTrustManagers()[0];
    assertFalse(Conscrypt.isConscrypt(other));
    assertFalse(Conscrypt.isConscrypt((TrustManager) null));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.getHostnameVerifier(other));
    assertThrows(IllegalArgumentException.class, () -> Conscrypt.setHostnameVerifier(other, verifier));
  }

  private void connect(X509TrustManager manager, String host, String algorithm) throws Exception {
    SSLContext client = Pki.context(provider, "TLS", null, manager);
    Engines e = new Engines(client.createSSLEngine(host, 443), Pki.server(provider).createSSLEngine());
    SSLParameters parameters = e.client.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(algorithm);
    e.client.setSSLParameters(parameters);
    e.handshake();
  }

  @Test
  void theBuiltInVerifierIsStrict() throws Exception {
    X509TrustManager manager = Pki.trustManager(provider);
    connect(manager, "example.com", "HTTPS");
    connect(manager, "a.example.org", "HTTPS");
    connect(manager, "127.0.0.1", "HTTPS");
    connect(manager, "example.net", "");
    for (String wrong : new String[] {"example.net", "a.b.example.org", "example.org", "127.0.0.2"}) {
      assertThrows(SSLException.class, () -> connect(manager, wrong, "HTTPS"), wrong);
    }
  }

  @Test
  void verifiersDecide() throws Exception {
    X509TrustManager manager = Pki.trustManager(provider);
    AtomicReference<String> asked = new AtomicReference<>();
    Conscrypt.setHostnameVerifier(
        manager,
        (certificates, host, session) -> {
          asked.set(host + " " + certificates.length);
          return host.equals("example.net");
        });
    connect(manager, "example.net", "HTTPS");
    assertEquals("example.net 2", asked.get());
    assertThrows(SSLException.class, () -> connect(manager, "example.com", "HTTPS"));
    asked.set(null);
    connect(manager, "example.com", null);
    assertNull(asked.get(), "not asked without endpoint identification");

    Conscrypt.setHostnameVerifier(manager, null);
    Conscrypt.setDefaultHostnameVerifier(Conscrypt.wrapHostnameVerifier((host, session) -> host.equals("default")));
    connect(manager, "default", "HTTPS");
    assertThrows(SSLException.class, () -> connect(manager, "example.com", "HTTPS"));
    Conscrypt.setHostnameVerifier(manager, OkHostnameVerifier.INSTANCE);
    connect(manager, "example.com", "HTTPS");
  }

  @ParameterizedTest
  @CsvSource({
    "example.com,example.com,true,true", "EXAMPLE.com,example.com,true,true", "example.com.,example.com,true,true",
    "example.com,EXAMPLE.COM,true,true", "example.org,example.com,false,false",
    "a.example.com,*.example.com,true,true", "a.b.example.com,*.example.com,false,false",
    "example.com,*.example.com,false,false", ".example.com,*.example.com,false,false",
    "a.example.com,a*.example.com,false,false", "aa.example.com,a*.example.com,false,false",
    "a.example.com,*.*.com,false,false", "example.com,*.com,true,false", "example.com,*,false,false",
    "a.b.c,a.*.c,false,false", "127.0.0.1,127.0.0.1,true,true", "127.0.0.1,127.0.0.2,false,false",
    "127.0.0.1,example.com,false,false", "a.example.com,*.EXAMPLE.com,true,true", "example.com,example.com.evil.com,false,false",
  })
  void names(String host, String name, boolean lenient, boolean strict) {
    X509Certificate certificate = Pki.leaf(Pki.ecKey().getPublic(), name);
    assertEquals(lenient, OkHostnameVerifier.INSTANCE.verify(host, certificate), "lenient");
    assertEquals(strict, OkHostnameVerifier.strictInstance().verify(host, certificate), "strict");
    assertEquals(strict, OkHostnameVerifier.strictInstance().verify(chain(certificate), host, null));
  }

  /** The original compares texts. */
  @Tag("facade")
  @Test
  void addressesInAnySpelling() {
    X509Certificate certificate = Pki.leaf(Pki.ecKey().getPublic(), "::1");
    assertTrue(OkHostnameVerifier.INSTANCE.verify("::1", certificate));
    assertTrue(OkHostnameVerifier.INSTANCE.verify("[::1]", certificate));
    assertFalse(OkHostnameVerifier.INSTANCE.verify("::2", certificate));
  }

  @Test
  void verifiersLookAtTheSessionWithoutAChain() throws Exception {
    SSLContext client = Pki.client(provider);
    Engines pair = Engines.of(client, Pki.server(provider)).handshake();
    X509Certificate[] none = {};
    OkHostnameVerifier verifier = OkHostnameVerifier.INSTANCE;
    assertTrue(verifier.verify(none, "example.com", pair.client.getSession()));
    assertFalse(verifier.verify(none, "example.org", pair.client.getSession()));
    assertFalse(verifier.verify(none, "example.com", pair.server.getSession()));
    assertFalse(verifier.verify(none, "example.com", client.createSSLEngine().getSession()));
  }

  @Test
  void addressesAndLists() {
    X509Certificate certificate = Pki.leaf(Pki.ecKey().getPublic(), "b.example", "10.0.0.1", "a.example", "::1");
    assertEquals(
        Arrays.asList("10.0.0.1", "0:0:0:0:0:0:0:1", "b.example", "a.example"),
        OkHostnameVerifier.allSubjectAltNames(certificate));
    assertTrue(OkHostnameVerifier.INSTANCE.verify("0:0:0:0:0:0:0:1", certificate));
    assertFalse(OkHostnameVerifier.INSTANCE.verify("::2", certificate));
    assertFalse(OkHostnameVerifier.INSTANCE.verify("leaf", Pki.leaf(Pki.ecKey().getPublic())), "no common name");
    assertFalse(OkHostnameVerifier.INSTANCE.verify("", certificate));
  }
}
