package org.postscrypt.jsse.socket;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A self-signed P-256 certificate for localhost and its key. */
final class Identity {
  final KeyPair keys;
  final X509Certificate certificate;

  Identity(String name) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    keys = generator.generateKeyPair();
    X500Name subject = new X500Name("CN=" + name);
    long now = System.currentTimeMillis();
    JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(subject, BigInteger.valueOf(now),
        new Date(now - 60_000), new Date(now + 86_400_000), subject, keys.getPublic());
    builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
        new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.dNSName, "server.example"),
        new GeneralName(GeneralName.iPAddress, "127.0.0.1")}));
    certificate = new JcaX509CertificateConverter().getCertificate(
        builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  /** A context of the JDK that shows {@code own} (if not null) and trusts {@code trusted}. */
  static SSLContext context(Identity own, Identity trusted) throws Exception {
    return context(own, trusted, null);
  }

  /** As {@link #context(Identity, Identity)} with another trust manager (if not null). */
  static SSLContext context(Identity own, Identity trusted, TrustManager manager) throws Exception {
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX", "SunJSSE");
    KeyStore keyStore = KeyStore.getInstance("PKCS12");
    keyStore.load(null, null);
    if (own != null) {
      keyStore.setKeyEntry("own", own.keys.getPrivate(), new char[0], new Certificate[] {own.certificate});
    }
    keyManagers.init(keyStore, new char[0]);
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("trusted", trusted.certificate);
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX", "SunJSSE");
    trustManagers.init(trust);
    SSLContext context = SSLContext.getInstance("TLS", "SunJSSE");
    context.init(keyManagers.getKeyManagers(),
        manager == null ? trustManagers.getTrustManagers() : new TrustManager[] {manager}, null);
    return context;
  }
}
