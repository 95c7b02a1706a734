package org.postscrypt.conscrypt;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certification authority of the tests, and contexts with it. Keys and certificates come from the JDK and Bouncy Castle. */
final class Pki {
  static final char[] PASSWORD = "password".toCharArray();

  private static final KeyPair CA_KEY = ecKey();
  static final X509Certificate CA = certificate("CN=test CA", CA_KEY.getPublic(), "CN=test CA", CA_KEY.getPrivate(), true);

  private Pki() {}

  static KeyPair ecKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "SunEC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A certificate for these names: DNS, or IP addresses if they begin with a digit. */
  static X509Certificate leaf(PublicKey key, String... names) {
    return certificate("CN=leaf", key, "CN=test CA", CA_KEY.getPrivate(), false, names);
  }

  private static X509Certificate certificate(
      String subject, PublicKey key, String issuer, PrivateKey issuerKey, boolean ca, String... names) {
    try {
      long now = System.currentTimeMillis();
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              new X500Principal(issuer),
              BigInteger.valueOf(System.nanoTime()),
              new Date(now - TimeUnit.HOURS.toMillis(1)),
              new Date(now + TimeUnit.DAYS.toMillis(30)),
              new X500Principal(subject),
              key);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(ca));
      if (names.length > 0) {
        GeneralName[] general = new GeneralName[names.length];
        for (int i = 0; i < names.length; i++) {
          boolean address = Character.isDigit(names[i].charAt(0)) || names[i].indexOf(':') >= 0;
          general[i] = new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, names[i]);
        }
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(general));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").setProvider("SunEC").build(issuerKey)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** A server's or client's key with its chain for these names. */
  static KeyStore identity(String... names) throws Exception {
    KeyPair pair = ecKey();
    return identity(pair.getPrivate(), leaf(pair.getPublic(), names));
  }

  static KeyStore identity(PrivateKey key, X509Certificate leaf) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("identity", key, PASSWORD, new X509Certificate[] {leaf, CA});
    return store;
  }

  static KeyStore trust() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", CA);
    return store;
  }

  /** The provider's own trust manager for the test CA. */
  static X509TrustManager trustManager(Provider provider) throws Exception {
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX", provider);
    factory.init(trust());
    return (X509TrustManager) factory.getTrustManagers()[0];
  }

  static SSLContext context(Provider provider, String protocol, KeyStore identity, TrustManager trust) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX", provider);
    if (identity != null) {
      keys.init(identity, PASSWORD);
    }
    SSLContext context = SSLContext.getInstance(protocol, provider);
    context.init(identity == null ? null : keys.getKeyManagers(), trust == null ? null : new TrustManager[] {trust}, null);
    return context;
  }

  static SSLContext server(Provider provider) throws Exception {
    return context(provider, "TLS", identity("localhost", "127.0.0.1", "example.com", "*.example.org"), trustManager(provider));
  }

  static SSLContext client(Provider provider) throws Exception {
    return context(provider, "TLS", null, trustManager(provider));
  }
}
