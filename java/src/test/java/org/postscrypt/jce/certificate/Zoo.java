package org.postscrypt.jce.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERGeneralizedTime;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.DERUniversalString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.CertificatePolicies;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.PolicyInformation;
import org.bouncycastle.asn1.x509.ReasonFlags;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.cert.X509v1CertificateBuilder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.postscrypt.PostscryptProvider;

/** Certificates and CRLs of many shapes, made by Bouncy Castle, and the factories that read them. */
final class Zoo {
  static final Provider PROVIDER = new PostscryptProvider();
  static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
  static final X500Name ISSUER = new X500Name("C=DE,O=Zoo,CN=Issuer");
  static final X500Name SUBJECT = new X500Name("C=DE,O=Zoo,CN=www.example.org");
  static final Date START = new Date(1_700_000_000_000L);
  static final Date END = new Date(4_000_000_000_000L);

  private static final Map<String, KeyPair> KEYS = new ConcurrentHashMap<>();

  private Zoo() {}

  static CertificateFactory ours() {
    return factory(PROVIDER);
  }

  static CertificateFactory jdk() {
    try {
      return CertificateFactory.getInstance("X.509", "SUN");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static CertificateFactory factory(Provider provider) {
    try {
      return CertificateFactory.getInstance("X.509", provider);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static X509Certificate certificate(CertificateFactory factory, byte[] encoding) throws Exception {
    return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoding));
  }

  static X509CRL crl(CertificateFactory factory, byte[] encoding) throws Exception {
    return (X509CRL) factory.generateCRL(new ByteArrayInputStream(encoding));
  }

  /** A key pair for a name such as EC, RSA, Ed25519; the same one each time. */
  static KeyPair keys(String name) {
    return KEYS.computeIfAbsent(name, n -> {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(n);
        if (n.equals("EC")) {
          generator.initialize(256);
        } else if (n.startsWith("RSA") || n.equals("DSA")) {
          generator.initialize(2048);
        }
        return generator.generateKeyPair();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
  }

  static PublicKey otherEcKey() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    return generator.generateKeyPair().getPublic();
  }

  static ContentSigner signer(String algorithm, PrivateKey key) {
    try {
      return new JcaContentSignerBuilder(algorithm).build(key);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static ContentSigner pssSigner(PSSParameterSpec spec) throws Exception {
    return new JcaContentSignerBuilder("RSASSA-PSS", spec).setProvider(BOUNCY_CASTLE).build(keys("RSA").getPrivate());
  }

  static ContentSigner ecSigner() {
    return signer("SHA256withECDSA", keys("EC").getPrivate());
  }

  static SubjectPublicKeyInfo info(String key) {
    return SubjectPublicKeyInfo.getInstance(keys(key).getPublic().getEncoded());
  }

  static X509v3CertificateBuilder builder(BigInteger serial, X500Name issuer, X500Name subject) {
    return new X509v3CertificateBuilder(issuer, serial, START, END, subject, info("EC"));
  }

  static X509v3CertificateBuilder builder() {
    return builder(BigInteger.valueOf(4711), ISSUER, SUBJECT);
  }

  /** A certificate with this extension alone. */
  static byte[] with(ASN1ObjectIdentifier oid, boolean critical, ASN1Encodable value) {
    try {
      return with(oid, critical, value.toASN1Primitive().getEncoded("DER"));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static byte[] with(ASN1ObjectIdentifier oid, boolean critical, byte[] value) {
    try {
      return builder().addExtension(oid, critical, value).build(ecSigner()).getEncoded();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static byte[] hex(String text) {
    byte[] bytes = new byte[text.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  static ASN1ObjectIdentifier oid(String dotted) {
    return new ASN1ObjectIdentifier(dotted);
  }

  static GeneralNames names() {
    return new GeneralNames(new GeneralName[] {
      new GeneralName(GeneralName.dNSName, "www.example.org"),
      new GeneralName(GeneralName.dNSName, "*.example.org"),
      new GeneralName(GeneralName.rfc822Name, "zoo@example.org"),
      new GeneralName(GeneralName.uniformResourceIdentifier, "https://www.example.org/a?b=c"),
      new GeneralName(GeneralName.iPAddress, "192.0.2.200"),
      new GeneralName(GeneralName.iPAddress, "2001:db8::ff00:42:8329"),
      new GeneralName(GeneralName.registeredID, "1.2.3.4.5"),
      new GeneralName(new X500Name("C=DE,O=A\\, B \\+ C,CN=\"quoted\"")),
    });
  }

  /** Certificates that the JDK understands too, by name. */
  static Map<String, byte[]> certificates() throws Exception {
    Map<String, byte[]> zoo = new LinkedHashMap<>();
    zoo.put("plain", builder().build(ecSigner()).getEncoded());
    keyKinds(zoo);
    serials(zoo);
    subjects(zoo);
    times(zoo);
    extensions(zoo);
    zoo.put("unique ids", builder().setIssuerUniqueID(new boolean[] {true, false, true, true, false})
        .setSubjectUniqueID(new boolean[] {true, true, false, false, true, false, true, false})
        .build(ecSigner()).getEncoded());
    return zoo;
  }

  private static void keyKinds(Map<String, byte[]> zoo) throws Exception {
    zoo.put("v1", new X509v1CertificateBuilder(ISSUER, BigInteger.TEN, START, END, SUBJECT, info("EC"))
        .build(ecSigner()).getEncoded());
    String[][] kinds = {
      {"RSA", "SHA256withRSA"}, {"RSA", "SHA1withRSA"}, {"RSA", "SHA384withRSA"}, {"RSA", "SHA512withRSA"},
      {"RSA", "SHA224withRSA"}, {"RSA", "MD5withRSA"}, {"EC", "SHA1withECDSA"}, {"EC", "SHA384withECDSA"},
      {"EC", "SHA512withECDSA"}, {"EC", "SHA224withECDSA"}, {"Ed25519", "Ed25519"}, {"Ed448", "Ed448"}
    };
    for (String[] kind : kinds) {
      zoo.put(kind[1], new X509v3CertificateBuilder(ISSUER, BigInteger.TEN, START, END, SUBJECT, info(kind[0]))
          .build(signer(kind[1], keys(kind[0]).getPrivate())).getEncoded());
    }
    for (String key : new String[] {"X25519", "DSA"}) {
      zoo.put(key, new X509v3CertificateBuilder(ISSUER, BigInteger.TEN, START, END, SUBJECT, info(key))
          .build(ecSigner()).getEncoded());
    }
    zoo.put("DSA signature", builder().build(signer("SHA256withDSA", keys("DSA").getPrivate())).getEncoded());
    for (int salt : new int[] {32, 20}) {
      PSSParameterSpec spec = salt == 32
          ? new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1)
          : new PSSParameterSpec("SHA-1", "MGF1", MGF1ParameterSpec.SHA1, 20, 1);
      zoo.put("PSS " + salt, new X509v3CertificateBuilder(ISSUER, BigInteger.TEN, START, END, SUBJECT, info("RSA"))
          .build(pssSigner(spec)).getEncoded());
    }
    zoo.put("PSS key", new X509v3CertificateBuilder(ISSUER, BigInteger.TEN, START, END, SUBJECT, info("RSASSA-PSS"))
        .build(ecSigner()).getEncoded());
  }

  private static void serials(Map<String, byte[]> zoo) throws Exception {
    String[] serials = {"0", "1", "127", "128", "255", "256", "-1", "-128", "-129", "18446744073709551616"};
    for (String serial : serials) {
      zoo.put("serial " + serial, builder(new BigInteger(serial), ISSUER, SUBJECT).build(ecSigner()).getEncoded());
    }
    zoo.put("serial of 160 bits",
        builder(BigInteger.ONE.shiftLeft(159).subtract(BigInteger.ONE), ISSUER, SUBJECT)
            .build(ecSigner()).getEncoded());
    zoo.put("serial of 2000 bits", builder(BigInteger.ONE.shiftLeft(2000), ISSUER, SUBJECT).build(ecSigner())
        .getEncoded());
  }

  private static void subjects(Map<String, byte[]> zoo) throws Exception {
    X500Name[] names = {
      new X500NameBuilder().addRDN(BCStyle.CN, new DERUTF8String("Grüße, 世界 😀")).build(),
      new X500NameBuilder().addRDN(BCStyle.CN, new DERBMPString("Grüße")).build(),
      new X500NameBuilder().addRDN(BCStyle.CN, new DERPrintableString("printable")).build(),
      new X500NameBuilder().addRDN(BCStyle.CN, new DERT61String("teletex")).build(),
      new X500NameBuilder().addRDN(BCStyle.CN, new DERUniversalString(new byte[] {0, 0, 0, 65}))
          .build(),
      new X500NameBuilder().addRDN(BCStyle.CN, new DERUTF8String("")).build(),
      new X500NameBuilder().addRDN(BCStyle.CN, new DERUTF8String(" lead, #trail ; <x> \"q\" \\ ")).build(),
      new X500NameBuilder().addRDN(BCStyle.EmailAddress, new DERIA5String("a@b.c")).addRDN(BCStyle.DC, "example")
          .addRDN(BCStyle.UID, "u").addRDN(BCStyle.SERIALNUMBER, "1").addRDN(BCStyle.STREET, "s").build(),
      new X500NameBuilder().addRDN(oid("1.2.3.4.5.6.7"), new DERUTF8String("unknown type")).build(),
      new X500NameBuilder().addRDN(oid("2.999.1"), new DERBitString(new byte[] {1, 2})).build(),
      new X500Name(new RDN[] {new RDN(new AttributeTypeAndValue[] {
        new AttributeTypeAndValue(BCStyle.CN, new DERUTF8String("two")),
        new AttributeTypeAndValue(BCStyle.OU, new DERUTF8String("of them"))})}),
    };
    for (int i = 0; i < names.length; i++) {
      zoo.put("subject " + i, builder(BigInteger.ONE, ISSUER, names[i]).build(ecSigner()).getEncoded());
      zoo.put("issuer " + i, builder(BigInteger.ONE, names[i], SUBJECT).build(ecSigner()).getEncoded());
    }
    zoo.put("empty subject", builder(BigInteger.ONE, ISSUER, new X500Name(new RDN[0]))
        .addExtension(Extension.subjectAlternativeName, true, names()).build(ecSigner()).getEncoded());
    zoo.put("self-issued", builder(BigInteger.ONE, SUBJECT, SUBJECT).build(ecSigner()).getEncoded());
  }

  private static void times(Map<String, byte[]> zoo) throws Exception {
    String[] times = {
      "19500101000000Z", "19700101000000Z", "19991231235959Z", "20000229120000Z", "20240229235959Z", "20491231235959Z",
      "20500101000000Z", "21000228000000Z", "24000229000000Z", "99991231235959Z", "19491231235959Z", "16000301000000Z"
    };
    for (String time : times) {
      Time start = time(time);
      for (Time end : new Time[] {new Time(END), start}) {
        zoo.put("time " + time + " to " + end.getTime(), new X509v3CertificateBuilder(
            ISSUER, BigInteger.ONE, start, end, SUBJECT, info("EC")).build(ecSigner()).getEncoded());
      }
    }
    // GeneralizedTime before 2050.
    zoo.put("generalized", new X509v3CertificateBuilder(ISSUER, BigInteger.ONE,
        Time.getInstance(new DERGeneralizedTime("20240229010203Z")),
        Time.getInstance(new DERGeneralizedTime("20250301040506Z")), SUBJECT, info("EC"))
        .build(ecSigner()).getEncoded());
  }

  private static Time time(String generalized) throws Exception {
    return new Time(new DERGeneralizedTime(generalized).getDate());
  }

  private static void extensions(Map<String, byte[]> zoo) throws Exception {
    for (int bit = 0; bit < 9; bit++) {
      int usage = bit == 8 ? KeyUsage.decipherOnly : 0x80 >> bit;
      zoo.put("key usage " + bit, with(Extension.keyUsage, true, new KeyUsage(usage)));
    }
    zoo.put("key usage all", with(Extension.keyUsage, false, new KeyUsage(0x80ff)));
    zoo.put("key usage padded", with(Extension.keyUsage, true, hex("030200a0")));
    zoo.put("ca", with(Extension.basicConstraints, true, new BasicConstraints(true)));
    zoo.put("ca 0", with(Extension.basicConstraints, true, new BasicConstraints(0)));
    zoo.put("ca 300", with(Extension.basicConstraints, false, new BasicConstraints(300)));
    zoo.put("not ca", with(Extension.basicConstraints, true, new BasicConstraints(false)));
    zoo.put("not ca, explicitly", with(Extension.basicConstraints, true, hex("3003010100")));
    zoo.put("subject names", with(Extension.subjectAlternativeName, false, names()));
    zoo.put("issuer names", with(Extension.issuerAlternativeName, false, names()));
    zoo.put("other name", with(Extension.subjectAlternativeName, true, new GeneralNames(new GeneralName(
        GeneralName.otherName, new DERSequence(new ASN1Encodable[] {
          oid("1.2.3.4.99"), new DERTaggedObject(true, 0, new DERUTF8String("user@example.org"))})))));
    zoo.put("purposes", with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
      KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth, KeyPurposeId.anyExtendedKeyUsage,
      KeyPurposeId.getInstance(oid("1.2.3.4.5"))})));
    zoo.put("subject key", with(Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(new byte[20])));
    zoo.put("authority key", with(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(new byte[20])));
    zoo.put("authority key, whole", with(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(
        new byte[20], new GeneralNames(new GeneralName(ISSUER)), BigInteger.valueOf(99))));
    zoo.put("distribution points", with(Extension.cRLDistributionPoints, false, new CRLDistPoint(
        new DistributionPoint[] {
          new DistributionPoint(new DistributionPointName(new GeneralNames(
              new GeneralName(GeneralName.uniformResourceIdentifier, "http://crl.example.org/1"))),
              new ReasonFlags(ReasonFlags.keyCompromise), new GeneralNames(new GeneralName(ISSUER)))})));
    zoo.put("policies", with(Extension.certificatePolicies, false, new CertificatePolicies(new PolicyInformation[] {
      new PolicyInformation(oid("2.23.140.1.2.1")),
      new PolicyInformation(oid("1.2.3.4"), new DERSequence(new DERSequence(new ASN1Encodable[] {
        oid("1.3.6.1.5.5.7.2.1"), new DERIA5String("http://cps.example.org")})))})));
    zoo.put("policy mappings", with(Extension.policyMappings, true, new DERSequence(new DERSequence(
        new ASN1Encodable[] {oid("1.2.3"), oid("1.2.4")}))));
    zoo.put("policy constraints", with(Extension.policyConstraints, true, hex("3006800100810105")));
    zoo.put("inhibit any policy", with(Extension.inhibitAnyPolicy, true, new ASN1Integer(3)));
    zoo.put("name constraints", with(Extension.nameConstraints, true, new NameConstraints(
        new GeneralSubtree[] {new GeneralSubtree(new GeneralName(GeneralName.dNSName, "example.org")),
          new GeneralSubtree(new GeneralName(GeneralName.iPAddress, "192.0.2.0/24"))},
        new GeneralSubtree[] {new GeneralSubtree(new GeneralName(SUBJECT))})));
    zoo.put("authority access", with(Extension.authorityInfoAccess, false, new AuthorityInformationAccess(
        AccessDescription.id_ad_ocsp, new GeneralName(GeneralName.uniformResourceIdentifier, "http://ocsp.example"))));
    zoo.put("ocsp no check", with(oid("1.3.6.1.5.5.7.48.1.5"), false, DERNull.INSTANCE));
    zoo.put("private key usage", with(Extension.privateKeyUsagePeriod, false, new DERSequence(new DERTaggedObject(
        false, 0, new DERGeneralizedTime("20240101000000Z")))));
    zoo.put("netscape", with(oid("2.16.840.1.113730.1.1"), false, new DERBitString(new byte[] {(byte) 0xa0}, 5)));
    zoo.put("unknown", with(oid("1.2.3.4.5.6"), false, new DEROctetString(new byte[300])));
    zoo.put("unknown, no DER inside", with(oid("1.2.3.4.5.6"), false, new byte[] {(byte) 0xff, 1, 2}));
    zoo.put("unknown, empty", with(oid("1.2.3.4.5.6"), false, new byte[0]));
    zoo.put("unknown critical", with(oid("2.25.329800735698586629295641978511506172918"), true, DERNull.INSTANCE));
    zoo.put("all kinds", builder()
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
        .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
        .addExtension(Extension.subjectAlternativeName, false, names())
        .addExtension(oid("1.2.3.4"), true, DERNull.INSTANCE)
        .addExtension(oid("1.2.3.5"), false, DERNull.INSTANCE)
        .build(ecSigner()).getEncoded());
  }

  /** CRLs that the JDK understands too, by name. */
  static Map<String, byte[]> crls() throws Exception {
    Map<String, byte[]> zoo = new LinkedHashMap<>();
    zoo.put("empty", crlBuilder().build(ecSigner()).getEncoded());
    zoo.put("no next update", new X509v2CRLBuilder(ISSUER, START).build(ecSigner()).getEncoded());
    zoo.put("far future", new X509v2CRLBuilder(ISSUER, START).setNextUpdate(new Date(7_000_000_000_000L))
        .build(ecSigner()).getEncoded());
    X509v2CRLBuilder many = crlBuilder();
    for (int i = 0; i < 200; i++) {
      many.addCRLEntry(BigInteger.valueOf(7919L * i), new Date(START.getTime() + 1000L * i), i % 11 == 7 ? 0 : i % 11);
    }
    zoo.put("many", many.addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(1234567)))
        .addExtension(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(new byte[20]))
        .build(ecSigner()).getEncoded());
    zoo.put("invalidity", crlBuilder().addCRLEntry(BigInteger.ONE, START, CRLReason.keyCompromise,
        new Date(START.getTime() - 86400_000L)).addCRLEntry(new BigInteger("-5"), START, 0)
        .build(ecSigner()).getEncoded());
    zoo.put("delta", crlBuilder().addExtension(Extension.deltaCRLIndicator, true, new CRLNumber(BigInteger.TEN))
        .addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(11)))
        .addCRLEntry(BigInteger.ONE, START, CRLReason.removeFromCRL).build(ecSigner()).getEncoded());
    X509v2CRLBuilder indirect = crlBuilder().addExtension(Extension.issuingDistributionPoint, true,
        new IssuingDistributionPoint(new DistributionPointName(new GeneralNames(new GeneralName(
            GeneralName.uniformResourceIdentifier, "http://crl.example"))), false, false, null, true, false));
    indirect.addCRLEntry(BigInteger.valueOf(1), START, 0);
    indirect.addCRLEntry(BigInteger.valueOf(2), START, issuedBy(new X500Name("CN=Other")));
    indirect.addCRLEntry(BigInteger.valueOf(3), START, 0);
    indirect.addCRLEntry(BigInteger.valueOf(1), START, 1);
    indirect.addCRLEntry(BigInteger.valueOf(4), START, issuedBy(ISSUER));
    indirect.addCRLEntry(BigInteger.valueOf(5), START, 0);
    zoo.put("indirect", indirect.build(ecSigner()).getEncoded());
    zoo.put("RSA", crlBuilder().addCRLEntry(BigInteger.TEN, START, 4)
        .build(signer("SHA256withRSA", keys("RSA").getPrivate())).getEncoded());
    PSSParameterSpec spec = new PSSParameterSpec("SHA-384", "MGF1", MGF1ParameterSpec.SHA384, 48, 1);
    zoo.put("PSS", crlBuilder().build(pssSigner(spec)).getEncoded());
    zoo.put("unknown entry extension", crlBuilder().addCRLEntry(BigInteger.TEN, START, new Extensions(
        new Extension(oid("1.2.3.4.5"), false, new byte[] {5, 0}))).build(ecSigner()).getEncoded());
    return zoo;
  }

  static X509v2CRLBuilder crlBuilder() {
    return new X509v2CRLBuilder(ISSUER, START).setNextUpdate(END);
  }

  private static Extensions issuedBy(X500Name name) throws Exception {
    return new Extensions(new Extension(
        Extension.certificateIssuer, true, new GeneralNames(new GeneralName(name)).getEncoded("DER")));
  }
}
