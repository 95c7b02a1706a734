package org.postscrypt.jsse.support;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Certificates for tests, made afresh in each JVM, and managers over them from the JDK's own factories, which work with
 * any provider's contexts. Everything is made when first asked for; thread-safe.
 */
public final class TestPki {
  /** A host that every right server certificate names, with dots, so that clients send it as SNI. */
  public static final String HOST = "www.example.org";

  /** A host that only {@link #wrongName()} names. */
  public static final String OTHER_HOST = "www.example.net";

  private static final char[] PASSWORD = "password".toCharArray();
  private static final AtomicLong SERIAL = new AtomicLong(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Map<String, Object> MADE = new ConcurrentHashMap<>();
  private static final Map<KeyType, KeyPair> KEYS = new EnumMap<>(KeyType.class);

  private TestPki() {}

  /** A private key and its certificate chain, leaf first, without the root. */
  public record Identity(PrivateKey key, List<X509Certificate> chain) {
    /** The leaf. */
    public X509Certificate certificate() {
      return chain.get(0);
    }
  }

  private record Authority(KeyPair keys, X509Certificate certificate, KeyType type) {}

  /** The trusted root. */
  public static X509Certificate root() {
    return rootAuthority().certificate();
  }

  /** A right server: localhost, 127.0.0.1, ::1 and {@link #HOST}; issued by the root. */
  public static Identity server(KeyType type) {
    return once("server " + type, () -> leaf("CN=server", type, rootAuthority(), Names.RIGHT, -1, 365, false));
  }

  /** A right server with a key whose type is RSASSA-PSS (RFC 4055 section 1.2), not RSA. */
  public static Identity pssServer() {
    return once("pss", () -> {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSASSA-PSS");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        return leaf("CN=pss", keys, rootAuthority(), Names.RIGHT, -1, 365, false, KeyUsage.digitalSignature);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** A right server whose RSA key may decrypt too, for key exchange by RSA. */
  public static Identity encipheringServer() {
    return once("enciphering", () -> leaf("CN=enciphering", keys(KeyType.RSA), rootAuthority(), Names.RIGHT, -1, 365,
        false, KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
  }

  /** A right server in the name {@link #OTHER_HOST} only. */
  public static Identity wrongName() {
    return once("wrong", () -> leaf("CN=other", KeyType.EC, rootAuthority(), Names.OTHER, -1, 365, false));
  }

  /** Expired yesterday. */
  public static Identity expired() {
    return once("expired", () -> leaf("CN=expired", KeyType.EC, rootAuthority(), Names.RIGHT, -30, -1, false));
  }

  /** Valid from tomorrow. */
  public static Identity notYetValid() {
    return once("early", () -> leaf("CN=early", KeyType.EC, rootAuthority(), Names.RIGHT, 1, 365, false));
  }

  /** A right server, but issued by a root that nobody trusts. */
  public static Identity untrusted() {
    return once("untrusted", () -> leaf("CN=rogue", KeyType.EC, otherAuthority(), Names.RIGHT, -1, 365, false));
  }

  /** A right server issued by an intermediate, which its chain contains. */
  public static Identity serverBehindIntermediate() {
    return once("behind", () -> leaf("CN=behind", KeyType.EC, intermediate(), Names.RIGHT, -1, 365, false));
  }

  /** A right client. */
  public static Identity client(KeyType type) {
    return once("client " + type, () -> leaf("CN=client", type, rootAuthority(), Names.NONE, -1, 365, true));
  }

  /** A client whose root nobody trusts. */
  public static Identity untrustedClient() {
    return once("rogue client", () -> leaf("CN=rogue client", KeyType.EC, otherAuthority(), Names.NONE, -1, 365, true));
  }

  /** Key managers that offer {@code identities}; the JDK's, which choose by key type, issuer and signature. */
  public static KeyManager[] keyManagers(Identity... identities) {
    return keyManagers(Peer.JDK.provider(), identities);
  }

  /** As {@link #keyManagers(Identity...)}, from this provider's factory. */
  static KeyManager[] keyManagers(Provider provider, Identity... identities) {
    try {
      // JKS, for it protects entries in microseconds; the store never leaves memory.
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, null);
      for (int i = 0; i < identities.length; i++) {
        X509Certificate[] chain = identities[i].chain().toArray(new X509Certificate[0]);
        store.setKeyEntry("identity" + i, identities[i].key(), PASSWORD, chain);
      }
      KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX", provider);
      factory.init(store, PASSWORD);
      return factory.getKeyManagers();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** As {@link #keyManagers}, the only manager of it. */
  public static X509ExtendedKeyManager keyManager(Identity... identities) {
    return (X509ExtendedKeyManager) keyManagers(identities)[0];
  }

  /** Trust managers that accept what {@link #root()} has issued; the JDK's PKIX. */
  public static TrustManager[] trustManagers() {
    return once("trust", () -> trustManagers(List.of(root()))).clone();
  }

  /** As {@link #trustManagers()}, the only manager of it. */
  public static X509ExtendedTrustManager trustManager() {
    return (X509ExtendedTrustManager) trustManagers()[0];
  }

  /** Trust managers with these anchors; the JDK's PKIX. */
  public static TrustManager[] trustManagers(List<X509Certificate> anchors) {
    try {
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, null);
      for (int i = 0; i < anchors.size(); i++) {
        store.setCertificateEntry("anchor" + i, anchors.get(i));
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX", "SunJSSE");
      factory.init(store);
      return factory.getTrustManagers();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Certificates of {@code count} authorities with different names of about 30 bytes each, only for lists of accepted
   * issuers: all have one key.
   */
  public static List<X509Certificate> authorities(int count) {
    List<X509Certificate> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = String.format("CN=Authority %04d", i);
      list.add(issue(name, keys(KeyType.EC), name, keys(KeyType.EC).getPrivate(), KeyType.EC, -1, 365, b -> {}));
    }
    return list;
  }

  private static Authority rootAuthority() {
    return once("root", () -> authority("CN=Test root", KeyType.EC));
  }

  private static Authority otherAuthority() {
    return once("other root", () -> authority("CN=Nobody trusts this root", KeyType.EC));
  }

  private static Authority authority(String name, KeyType type) {
    KeyPair keys = generate(type);
    return new Authority(keys, issue(name, keys, name, keys.getPrivate(), type, -2, 3650, TestPki::asAuthority), type);
  }

  private static Authority intermediate() {
    return once("intermediate", () -> {
      Authority root = rootAuthority();
      KeyPair keys = generate(KeyType.EC);
      PrivateKey rootKey = root.keys().getPrivate();
      X509Certificate certificate = issue(
          "CN=Test intermediate", keys, nameOf(root), rootKey, root.type(), -2, 3650, TestPki::asAuthority);
      return new Authority(keys, certificate, KeyType.EC);
    });
  }

  private static Identity leaf(
      String name, KeyType type, Authority issuer, Names names, int from, int to, boolean client) {
    return leaf(name, keys(type), issuer, names, from, to, client, 
        KeyUsage.digitalSignature | (type.name().startsWith("RSA") ? KeyUsage.keyEncipherment : 0));
  }

  private static Identity leaf(
      String name, KeyPair keys, Authority issuer, Names names, int from, int to, boolean client, int usage) {
    PrivateKey issuerKey = issuer.keys().getPrivate();
    X509Certificate certificate = issue(name, keys, nameOf(issuer), issuerKey, issuer.type(), from, to, b -> {
      b.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      b.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
      b.addExtension(Extension.extendedKeyUsage, false,
          new ExtendedKeyUsage(client ? KeyPurposeId.id_kp_clientAuth : KeyPurposeId.id_kp_serverAuth));
      if (names != Names.NONE) {
        b.addExtension(Extension.subjectAlternativeName, false, names.toExtension());
      }
    });
    X509Certificate above = issuer.certificate();
    boolean underRoot = above.getIssuerX500Principal().equals(above.getSubjectX500Principal());
    return new Identity(keys.getPrivate(), underRoot ? List.of(certificate) : List.of(certificate, above));
  }

  private enum Names {
    NONE,
    RIGHT,
    OTHER;

    GeneralNames toExtension() {
      if (this == OTHER) {
        return new GeneralNames(new GeneralName(GeneralName.dNSName, OTHER_HOST));
      }
      return new GeneralNames(new GeneralName[] {
        new GeneralName(GeneralName.dNSName, "localhost"),
        new GeneralName(GeneralName.dNSName, HOST),
        new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
        new GeneralName(GeneralName.iPAddress, "::1"),
      });
    }
  }

  private interface Extensions {
    void add(JcaX509v3CertificateBuilder builder) throws Exception;
  }

  private static void asAuthority(JcaX509v3CertificateBuilder builder) throws Exception {
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
  }

  private static String nameOf(Authority authority) {
    return authority.certificate().getSubjectX500Principal().getName();
  }

  private static X509Certificate issue(
      String subject, KeyPair keys, String issuer, PrivateKey issuerKey, KeyType issuerType,
      int fromDays, int toDays, Extensions extensions) {
    try {
      Instant now = Instant.now();
      JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
          new X500Name(issuer),
          BigInteger.valueOf(SERIAL.getAndIncrement()),
          Date.from(now.plus(DAY.multipliedBy(fromDays))),
          Date.from(now.plus(DAY.multipliedBy(toDays))),
          new X500Name(subject),
          keys.getPublic());
      extensions.add(builder);
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder(issuerType.signatureAlgorithm).build(issuerKey)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Leaves of one type share one key pair: RSA keys are slow to make. */
  private static KeyPair keys(KeyType type) {
    synchronized (KEYS) {
      return KEYS.computeIfAbsent(type, TestPki::generate);
    }
  }

  private static KeyPair generate(KeyType type) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(type.keyAlgorithm);
      switch (type) {
        case RSA -> generator.initialize(2048);
        case EC -> generator.initialize(new ECGenParameterSpec("secp256r1"));
        case EC384 -> generator.initialize(new ECGenParameterSpec("secp384r1"));
        case EC521 -> generator.initialize(new ECGenParameterSpec("secp521r1"));
        case RSA4096 -> generator.initialize(4096);
        case ED25519 -> { }
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> T once(String what, Supplier<T> maker) {
    synchronized (MADE) {
      Object made = MADE.get(what);
      if (made == null) {
        made = maker.get();
        MADE.put(what, made);
      }
      @SuppressWarnings("unchecked") // one kind of object per name
      T result = (T) made;
      return result;
    }
  }
}
