package org.postscrypt.conscryptabi;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.OtherName;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.util.CollectionStore;

/** Keys, certificates and what else both libraries are given; made once, with the JDK and Bouncy Castle. */
public final class Fixtures {
  public static final KeyPair RSA = pair("RSA", 2048);
  public static final KeyPair EC = ec();
  public static final KeyPair ED25519 = pair("Ed25519", 0);
  public static final KeyPair X25519 = pair("X25519", 0);

  public static final X500Name CA_NAME = new X500Name("CN=Test CA,O=Postscrypt,C=CH");
  public static final X500Name LEAF_NAME = new X500Name("CN=leaf.example,OU=Büro");
  public static final Date START = Date.from(Instant.parse("2026-01-02T03:04:05Z"));
  public static final Date END = Date.from(Instant.parse("2056-07-08T09:10:11Z"));

  public static final String SCT_LIST = "1.3.6.1.4.1.11129.2.4.5";
  public static final byte[] CA;
  public static final byte[] LEAF;
  /** Version 1, no extensions, unique identifiers, RSASSA-PSS. */
  public static final byte[] PLAIN;
  /** Of an algorithm that BoringSSL does not know. */
  public static final byte[] UNKNOWN_KEY;
  public static final byte[] CRL;
  public static final byte[] EMPTY_CRL;
  public static final byte[] PKCS7;
  public static final byte[] OCSP;

  static {
    try {
      ContentSigner signer = new JcaContentSignerBuilder("SHA256withRSA").build(RSA.getPrivate());
      CA = new X509v3CertificateBuilder(CA_NAME, BigInteger.valueOf(1), START, END, CA_NAME, spki(RSA))
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(3))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .build(signer).getEncoded();
      GeneralName[] names = {
        new GeneralName(GeneralName.dNSName, "leaf.example"),
        new GeneralName(GeneralName.rfc822Name, "leaf@example.org"),
        new GeneralName(GeneralName.uniformResourceIdentifier, "https://example.org/a?b"),
        new GeneralName(GeneralName.iPAddress, "192.0.2.1"),
        new GeneralName(GeneralName.iPAddress, "2001:db8::ff00:42:8329"),
        new GeneralName(GeneralName.iPAddress, new DEROctetString(new byte[] {1, 2, 3})),
        new GeneralName(GeneralName.directoryName, new X500Name("CN=Ünï\\,code,O=A+OU=B")),
        new GeneralName(GeneralName.registeredID, "1.2.3.4.5"),
        new GeneralName(GeneralName.otherName,
            new OtherName(new ASN1ObjectIdentifier("1.2.3.4"), new DERUTF8String("other"))),
      };
      LEAF = new X509v3CertificateBuilder(CA_NAME, new BigInteger("123456789abcdef0ff", 16), START, END, LEAF_NAME, spki(EC))
          .addExtension(Extension.basicConstraints, false, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.decipherOnly))
          .addExtension(Extension.extendedKeyUsage, false,
              new ExtendedKeyUsage(new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}))
          .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names))
          .addExtension(Extension.issuerAlternativeName, false,
              new GeneralNames(new GeneralName(GeneralName.dNSName, "ca.example")))
          .addExtension(new ASN1ObjectIdentifier(SCT_LIST), false, new DEROctetString(new byte[] {9, 8, 7}))
          .addExtension(new ASN1ObjectIdentifier("1.2.3.4.5.6"), true, new DERUTF8String("critical"))
          .build(signer).getEncoded();
      X509v3CertificateBuilder plain =
          new X509v3CertificateBuilder(CA_NAME, BigInteger.valueOf(-129), START, END, CA_NAME, spki(RSA));
      plain.setIssuerUniqueID(new boolean[] {true, false, true});
      plain.setSubjectUniqueID(new boolean[] {true, true, false, false, true, true, true, true, true});
      PLAIN = plain.build(new JcaContentSignerBuilder("SHA256withRSAandMGF1")
          .setProvider(new org.bouncycastle.jce.provider.BouncyCastleProvider()).build(RSA.getPrivate())).getEncoded();
      SubjectPublicKeyInfo unknown = new SubjectPublicKeyInfo(
          new org.bouncycastle.asn1.x509.AlgorithmIdentifier(new ASN1ObjectIdentifier("1.2.3.4.9")), new byte[] {1});
      UNKNOWN_KEY = new X509v3CertificateBuilder(CA_NAME, BigInteger.valueOf(7), START, END, LEAF_NAME, unknown)
          .build(signer).getEncoded();
      X509v2CRLBuilder crl = new X509v2CRLBuilder(CA_NAME, START).setNextUpdate(END);
      crl.addCRLEntry(new BigInteger("123456789abcdef0ff", 16), START, CRLReason.keyCompromise);
      crl.addCRLEntry(BigInteger.valueOf(300), END, new Extensions(new Extension[] {
        new Extension(new ASN1ObjectIdentifier("1.2.3.4.5.7"), true, new DEROctetString(new byte[] {5, 0})),
      }));
      crl.addCRLEntry(BigInteger.valueOf(5), START, 0);
      crl.addExtension(Extension.cRLNumber, false, new org.bouncycastle.asn1.x509.CRLNumber(BigInteger.TEN));
      crl.addExtension(new ASN1ObjectIdentifier("1.2.3.4.5.8"), true, new DERUTF8String("x"));
      X509CRLHolder crlHolder = crl.build(signer);
      CRL = crlHolder.getEncoded();
      EMPTY_CRL = new X509v2CRLBuilder(CA_NAME, START).build(signer).getEncoded();
      CMSSignedDataGenerator bundle = new CMSSignedDataGenerator();
      bundle.addCertificates(new CollectionStore<>(List.of(new X509CertificateHolder(CA), new X509CertificateHolder(LEAF))));
      bundle.addCRLs(new CollectionStore<>(List.of(crlHolder)));
      PKCS7 = bundle.generate(new CMSProcessableByteArray(new byte[0])).toASN1Structure().getEncoded("DER");
      var digests = new JcaDigestCalculatorProviderBuilder().build();
      var digest = digests.get(CertificateID.HASH_SHA1);
      var issuer = new X509CertificateHolder(CA);
      BasicOCSPRespBuilder ocsp = new BasicOCSPRespBuilder(new RespID(CA_NAME));
      Extensions sct = new Extensions(
          new Extension(new ASN1ObjectIdentifier(SCT_LIST), false, new DEROctetString(new byte[] {4, 2, 1, 2})));
      ocsp.addResponse(new CertificateID(digest, issuer, BigInteger.valueOf(99)), CertificateStatus.GOOD, START, END, null);
      ocsp.addResponse(new CertificateID(digest, issuer, new X509CertificateHolder(LEAF).getSerialNumber()),
          CertificateStatus.GOOD, START, END, sct);
      OCSPResp response = new OCSPRespBuilder().build(OCSPRespBuilder.SUCCESSFUL, ocsp.build(signer, null, START));
      OCSP = response.getEncoded();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Fixtures() {}

  public static String pem(String type, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
  }

  /** A SEQUENCE of these. */
  public static byte[] sequence(byte[]... elements) throws Exception {
    ASN1EncodableVector all = new ASN1EncodableVector();
    for (byte[] element : elements) {
      all.add(org.bouncycastle.asn1.ASN1Primitive.fromByteArray(element));
    }
    return new DERSequence(all).getEncoded();
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }


  private static SubjectPublicKeyInfo spki(KeyPair pair) {
    return SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded());
  }

  private static KeyPair pair(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (bits != 0) {
        generator.initialize(bits);
      }
      return generator.generateKeyPair();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair ec() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
