package org.postscrypt.bench;

import java.math.BigInteger;
import java.net.Socket;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A server's key with a chain of two, and the trust managers of the clients. Everything comes from the JDK's own providers. */
final class Pki {
  static final String HOST = "bench.example";

  final KeyPair key;
  final X509Certificate[] chain;
  final KeyManagerFactory keyManagers;
  private final X509ExtendedTrustManager pkix;

  Pki(String keyType) throws Exception {
    KeyPair root = generate(keyType);
    key = generate(keyType);
    String algorithm = keyType.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    X500Name rootName = new X500Name("CN=bench root");
    X509Certificate rootCertificate = certificate(rootName, root, rootName, root, algorithm, true);
    chain = new X509Certificate[] {
      certificate(rootName, root, new X500Name("CN=" + HOST), key, algorithm, false), rootCertificate
    };
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("server", key.getPrivate(), new char[0], chain);
    keyManagers = KeyManagerFactory.getInstance("SunX509", "SunJSSE");
    keyManagers.init(keys, new char[0]);
    KeyStore roots = KeyStore.getInstance("PKCS12");
    roots.load(null, null);
    roots.setCertificateEntry("root", rootCertificate);
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX", "SunJSSE");
    factory.init(roots);
    pkix = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  private static KeyPair generate(String keyType) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(keyType, keyType.equals("EC") ? "SunEC" : "SunRsaSign");
    generator.initialize(keyType.equals("EC") ? 256 : 2048);
    return generator.generateKeyPair();
  }

  private static X509Certificate certificate(
      X500Name issuer, KeyPair issuerKey, X500Name subject, KeyPair subjectKey, String algorithm, boolean ca) throws Exception {
    Instant now = Instant.now();
    JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
        issuer, BigInteger.valueOf(now.toEpochMilli()), Date.from(now.minus(Duration.ofDays(1))),
        Date.from(now.plus(Duration.ofDays(30))), subject, subjectKey.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(ca));
    if (!ca) {
      builder.addExtension(
          Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(GeneralName.dNSName, HOST)));
    }
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(issuerKey.getPrivate())));
  }

  /** What a client trusts: anything, or what the JDK's PKIX check accepts. Counts the checks. */
  final class Trust extends X509ExtendedTrustManager {
    final AtomicLong checks = new AtomicLong();
    private final boolean check;

    Trust(boolean check) {
      this.check = check;
    }

    private void checkServer(X509Certificate[] presented, String authType) throws CertificateException {
      checks.incrementAndGet();
      if (check) {
        // Conscrypt's name for TLS 1.3 is not one that the JDK's manager knows.
        pkix.checkServerTrusted(presented, authType.equals("GENERIC") ? "UNKNOWN" : authType);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] presented, String authType) throws CertificateException {
      checkServer(presented, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] presented, String authType, Socket socket) throws CertificateException {
      checkServer(presented, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] presented, String authType, SSLEngine engine) throws CertificateException {
      checkServer(presented, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] presented, String authType) throws CertificateException {
      throw new CertificateException("no client is trusted");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] presented, String authType, Socket socket) throws CertificateException {
      throw new CertificateException("no client is trusted");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] presented, String authType, SSLEngine engine) throws CertificateException {
      throw new CertificateException("no client is trusted");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return pkix.getAcceptedIssuers();
    }
  }
}
