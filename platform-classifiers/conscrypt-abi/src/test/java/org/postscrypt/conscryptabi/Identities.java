package org.postscrypt.conscryptabi;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.Socket;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateKey;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Who proves what in a TLS handshake: chains of one CA, and keys that can or cannot be exported. */
public final class Identities {
  public static final X509Certificate CA;
  public static final X509Certificate RSA;
  public static final X509Certificate EC;
  /** The CA. */
  public static final KeyStore TRUST;

  static {
    try {
      CA = parse(Fixtures.CA);
      RSA = issue(Fixtures.RSA, 1001);
      EC = issue(Fixtures.EC, 1002);
      TRUST = KeyStore.getInstance(KeyStore.getDefaultType());
      TRUST.load(null, null);
      TRUST.setCertificateEntry("ca", CA);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Identities() {}

  private static X509Certificate parse(byte[] encoded) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static X509Certificate issue(KeyPair pair, int serial) throws Exception {
    GeneralName[] names = {
      new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
    };
    return parse(new X509v3CertificateBuilder(Fixtures.CA_NAME, BigInteger.valueOf(serial), Fixtures.START, Fixtures.END,
        new X500Name("CN=" + pair.getPublic().getAlgorithm()), SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()))
        .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names))
        .build(new JcaContentSignerBuilder("SHA256withRSA").build(Fixtures.RSA.getPrivate())).getEncoded());
  }

  /** An RSA key that is used through the provider that it came from. */
  private record Opaque(RSAPrivateKey key) implements RSAPrivateKey {
    @Override
    public BigInteger getPrivateExponent() {
      return key.getPrivateExponent();
    }

    @Override
    public BigInteger getModulus() {
      return key.getModulus();
    }

    @Override
    public String getAlgorithm() {
      return "RSA";
    }

    @Override
    public String getFormat() {
      return null;
    }

    @Override
    public byte[] getEncoded() {
      return null;
    }
  }

  /** One identity for both sides: RSA, EC or OPAQUE. */
  public static KeyManager[] keys(String name) {
    X509Certificate leaf = name.equals("EC") ? EC : RSA;
    PrivateKey key = name.equals("EC") ? Fixtures.EC.getPrivate()
        : name.equals("RSA") ? Fixtures.RSA.getPrivate() : new Opaque((RSAPrivateKey) Fixtures.RSA.getPrivate());
    String algorithm = leaf.getPublicKey().getAlgorithm();
    return new KeyManager[] {new X509ExtendedKeyManager() {
      private String alias(String... types) {
        for (String type : types) {
          if (type.startsWith(algorithm)) {
            return name;
          }
        }
        return null;
      }

      @Override
      public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
        return alias(types);
      }

      @Override
      public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
        return alias(type);
      }

      @Override
      public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        return alias(types);
      }

      @Override
      public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        return alias(type);
      }

      @Override
      public String[] getClientAliases(String type, Principal[] issuers) {
        return new String[] {name};
      }

      @Override
      public String[] getServerAliases(String type, Principal[] issuers) {
        return new String[] {name};
      }

      @Override
      public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {leaf, CA};
      }

      @Override
      public PrivateKey getPrivateKey(String alias) {
        return key;
      }
    }};
  }
}
