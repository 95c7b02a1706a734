package org.conscrypt;

import static org.conscrypt.Check.all;
import static org.conscrypt.Check.attempt;
import static org.conscrypt.Check.bytes;

import java.io.ByteArrayInputStream;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertPath;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.postscrypt.conscryptabi.Fixtures;

/** What applications do: through the provider. */
public final class ProviderCases {
  private ProviderCases() {}

  private static final Provider PROVIDER = Conscrypt.newProvider();

  public static Object services() {
    TreeSet<String> names = new TreeSet<>();
    for (Provider.Service service : PROVIDER.getServices()) {
      names.add(service.getType() + "." + service.getAlgorithm() + "=" + service.getClassName());
    }
    return names;
  }

  public static Object digestsAndMacs() throws Exception {
    List<Object> results = new ArrayList<>();
    for (Provider.Service service : sorted("MessageDigest")) {
      MessageDigest digest = MessageDigest.getInstance(service.getAlgorithm(), PROVIDER);
      digest.update(bytes(100));
      digest.update(Check.direct(bytes(50)));
      results.add(((MessageDigest) digest.clone()).digest());
      results.add(digest.digest(bytes(3)));
    }
    for (Provider.Service service : sorted("Mac")) {
      Mac mac = Mac.getInstance(service.getAlgorithm(), PROVIDER);
      mac.init(new SecretKeySpec(bytes(16), "AES"));
      mac.update(bytes(77));
      mac.update(Check.direct(bytes(50)));
      results.add(mac.doFinal());
      results.add(mac.doFinal(bytes(5)));
    }
    return results;
  }

  private static List<Provider.Service> sorted(String type) {
    List<Provider.Service> services = new ArrayList<>();
    for (Provider.Service service : PROVIDER.getServices()) {
      if (service.getType().equals(type)) {
        services.add(service);
      }
    }
    services.sort(java.util.Comparator.comparing(Provider.Service::getAlgorithm));
    return services;
  }

  public static Object ciphers() throws Exception {
    List<Object> results = new ArrayList<>();
    String[] names = {
      "AES/CBC/PKCS5Padding", "AES/CTR/NoPadding", "AES/ECB/NoPadding", "AES/GCM/NoPadding", "ChaCha20/Poly1305/NoPadding",
      "AES/GCM-SIV/NoPadding", "DESede/CBC/NoPadding", "ARC4", "ChaCha20/NONE/NoPadding",
    };
    for (String name : names) {
      Cipher cipher = Cipher.getInstance(name, PROVIDER);
      String algorithm = name.split("/")[0];
      SecretKeySpec key = new SecretKeySpec(
          bytes(algorithm.equals("DESede") ? 24 : algorithm.startsWith("ChaCha") ? 32 : 16), algorithm);
      for (int mode : new int[] {Cipher.ENCRYPT_MODE}) {
        if (name.contains("GCM")) {
          cipher.init(mode, key, new GCMParameterSpec(128, bytes(12)));
        } else if (name.startsWith("ChaCha")) {
          cipher.init(mode, key, new IvParameterSpec(bytes(12)));
        } else if (name.contains("CBC") || name.contains("CTR")) {
          cipher.init(mode, key, new IvParameterSpec(bytes(algorithm.equals("AES") ? 16 : 8)));
        } else {
          cipher.init(mode, key);
        }
        byte[] sealed = cipher.doFinal(bytes(4096));
        results.add(sealed);
        if (cipher.getParameters() != null && cipher.getIV() != null && !name.startsWith("ChaCha")) {
          cipher.init(Cipher.DECRYPT_MODE, key, cipher.getParameters());
          results.add(cipher.doFinal(sealed).length);
          sealed[3] ^= 1;
          results.add(attempt(() -> cipher.doFinal(sealed).length));
        }
      }
    }
    return results;
  }

  public static Object signatures() throws Exception {
    List<Object> results = new ArrayList<>();
    for (Provider.Service service : sorted("Signature")) {
      String name = service.getAlgorithm();
      KeyPair pair = name.contains("RSA") && !name.contains("DSA") || name.contains("RSA/PSS") ? Fixtures.RSA
          : name.contains("ECDSA") ? Fixtures.EC : null;
      if (pair == null || name.startsWith("NONE") && pair == Fixtures.EC) {
        continue;
      }
      results.add(name);
      results.add(attempt(() -> {
        Signature signature = Signature.getInstance(name, PROVIDER);
        signature.initSign(pair.getPrivate());
        signature.update(bytes(20));
        byte[] signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(bytes(20));
        boolean right = signature.verify(signed);
        signature.update(bytes(19));
        return right + " " + signature.verify(signed);
      }));
    }
    Signature pss = Signature.getInstance("SHA256withRSA/PSS", PROVIDER);
    pss.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 7, 1));
    pss.initSign(Fixtures.RSA.getPrivate());
    pss.update(bytes(9));
    results.add(pss.sign().length);
    return results;
  }

  public static Object keyPairs() throws Exception {
    List<Object> results = new ArrayList<>();
    for (Provider.Service service : sorted("KeyPairGenerator")) {
      String name = service.getAlgorithm();
      KeyPair pair = KeyPairGenerator.getInstance(name, PROVIDER).generateKeyPair();
      KeyFactory factory = KeyFactory.getInstance(name, PROVIDER);
      results.add(name);
      results.add(attempt(() -> {
        PublicKey pub = factory.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
        PrivateKey priv = factory.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()));
        return pub.equals(pair.getPublic()) + " " + priv.equals(pair.getPrivate()) + " " + pub.hashCode() * 0
            + " " + pub.getAlgorithm() + " " + pub.getClass().getName() + " " + priv.getClass().getName();
      }));
    }
    for (String name : new String[] {"ECDH", "XDH"}) {
      String generator = name.equals("ECDH") ? "EC" : "XDH";
      KeyPair a = KeyPairGenerator.getInstance(generator, PROVIDER).generateKeyPair();
      KeyPair b = KeyPairGenerator.getInstance(generator, PROVIDER).generateKeyPair();
      KeyAgreement one = KeyAgreement.getInstance(name, PROVIDER);
      one.init(a.getPrivate());
      one.doPhase(b.getPublic(), true);
      KeyAgreement other = KeyAgreement.getInstance(name, PROVIDER);
      other.init(b.getPrivate());
      other.doPhase(a.getPublic(), true);
      results.add(java.util.Arrays.equals(one.generateSecret(), other.generateSecret()));
    }
    byte[] random = new byte[20];
    SecureRandom.getInstance("SHA1PRNG", PROVIDER).nextBytes(random);
    results.add(java.util.Arrays.equals(random, new byte[20]));
    return results;
  }

  public static Object certificates() throws Exception {
    CertificateFactory factory = CertificateFactory.getInstance("X.509", PROVIDER);
    List<Object> results = new ArrayList<>();
    String pem = Fixtures.pem("CERTIFICATE", Fixtures.CA);
    for (byte[] encoded : new byte[][] {Fixtures.CA, Fixtures.LEAF, Fixtures.PLAIN, Fixtures.ascii(pem)}) {
      X509Certificate c = (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
      results.add(c.toString());
      results.add(c.hashCode());
      results.add(c.getSubjectX500Principal());
      results.add(c.getPublicKey());
      results.add(c.getSigAlgName());
      results.add(c.getBasicConstraints());
      results.add(c.getKeyUsage());
      results.add(c.getExtendedKeyUsage());
      results.add(c.getSubjectAlternativeNames());
      results.add(c.getIssuerAlternativeNames());
      results.add(c.getNotAfter().getTime());
      results.add(c.hasUnsupportedCriticalExtension());
      results.add(attempt(() -> c.verify(Fixtures.RSA.getPublic())));
      results.add(attempt(() -> c.verify(Fixtures.EC.getPublic())));
    }
    results.add(factory.generateCertificates(new ByteArrayInputStream(Fixtures.PKCS7)).size());
    CertPath path = factory.generateCertPath(new ByteArrayInputStream(Fixtures.sequence(Fixtures.CA, Fixtures.LEAF)));
    results.add(path.getEncoded("PKCS7"));
    results.add(path.getEncoded("PkiPath"));
    X509CRL crl = (X509CRL) factory.generateCRL(new ByteArrayInputStream(Fixtures.CRL));
    results.add(crl.toString());
    X509CRLEntry entry = crl.getRevokedCertificate(java.math.BigInteger.valueOf(300));
    results.add(entry.toString());
    results.add(entry.hasUnsupportedCriticalExtension());
    results.add(crl.getRevokedCertificates().size());
    results.add(crl.isRevoked(factory.generateCertificate(new ByteArrayInputStream(Fixtures.LEAF))));
    results.add(attempt(() -> crl.verify(Fixtures.RSA.getPublic())));
    results.add(attempt(() -> crl.verify(Fixtures.EC.getPublic())));
    results.add(attempt(() -> factory.generateCertificate(new ByteArrayInputStream(bytes(30)))));
    results.add(attempt(() -> factory.generateCRL(new ByteArrayInputStream(bytes(30)))));
    results.add(attempt(() -> factory.generateCertificate(new ByteArrayInputStream(new byte[0]))));
    return results;
  }

  public static Object encryption() throws Exception {
    List<Object> results = new ArrayList<>();
    for (String name : new String[] {
      "RSA/ECB/PKCS1Padding", "RSA/ECB/NoPadding", "RSA/ECB/OAEPPadding", "RSA/ECB/OAEPWithSHA-256AndMGF1Padding",
    }) {
      Cipher cipher = Cipher.getInstance(name, PROVIDER);
      cipher.init(Cipher.ENCRYPT_MODE, Fixtures.RSA.getPublic());
      byte[] sealed = cipher.doFinal(bytes(30));
      cipher.init(Cipher.DECRYPT_MODE, Fixtures.RSA.getPrivate());
      results.add(cipher.doFinal(sealed));
      results.add(attempt(() -> cipher.doFinal(bytes(300))));
      results.add(attempt(() -> cipher.doFinal(bytes(200)).length));
    }
    return all(results.toArray());
  }
}
