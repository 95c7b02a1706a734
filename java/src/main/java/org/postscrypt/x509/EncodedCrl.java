package org.postscrypt.x509;

import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Principal;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.cert.CRLException;
import java.security.cert.Certificate;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * A CRL (RFC 5280 section 5.1) as a view of its encoding: all of it is checked when it is made. Entries of an
 * indirect CRL belong to the issuer that they or the nearest entry before them name. Immutable, thread-safe.
 */
final class EncodedCrl extends X509CRL {
  /** How many entries toString shows. */
  private static final int ENTRIES_SHOWN = 20;

  /** What a CRL's entry is found by. */
  private static final class Subject implements Comparable<Subject> {
    final X500Principal issuer;
    final BigInteger serial;

    /** Null: the CRL's issuer. */
    Subject(X500Principal issuer, BigInteger serial) {
      this.issuer = issuer;
      this.serial = serial;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Subject
          && serial.equals(((Subject) other).serial)
          && (issuer == null ? ((Subject) other).issuer == null : issuer.equals(((Subject) other).issuer));
    }

    @Override
    public int hashCode() {
      return serial.hashCode() + (issuer == null ? 0 : 31 * issuer.hashCode());
    }

    /** For the map alone: serial numbers made to collide cost it a comparison, not a search. */
    @Override
    public int compareTo(Subject other) {
      int order = serial.compareTo(other.serial);
      return order != 0 ? order : canonical().compareTo(other.canonical());
    }

    private String canonical() {
      return issuer == null ? "" : issuer.getName(X500Principal.CANONICAL);
    }
  }

  private final byte[] encoding;
  private final Der tbs;
  private final int version;
  private final AlgorithmIdentifier algorithm;
  private final DistinguishedName issuer;
  private final long thisUpdate;
  private final boolean hasNextUpdate;
  private final long nextUpdate;
  private final Map<Subject, EncodedCrlEntry> entries = new LinkedHashMap<>();
  private final Extensions extensions;
  private final Der signature;

  /** The CRL that these bytes are, which must not change from now on. */
  EncodedCrl(byte[] encoding) throws CRLException {
    this.encoding = encoding;
    try {
      Der crl = Der.of(encoding, Der.SEQUENCE);
      tbs = crl.next(Der.SEQUENCE);
      algorithm = new AlgorithmIdentifier(crl);
      signature = crl.next(Der.BIT_STRING);
      signature.checkBitOctets();
      crl.finish();

      Der fields = tbs.again();
      version = version(fields.optional(Der.INTEGER));
      if (!new AlgorithmIdentifier(fields).sameAs(algorithm)) {
        throw new DerException("signature algorithm inside and outside of what is signed differ");
      }
      issuer = new DistinguishedName(fields).required();
      thisUpdate = Times.next(fields);
      hasNextUpdate = fields.has(Der.UTC_TIME) || fields.has(Der.GENERALIZED_TIME);
      nextUpdate = hasNextUpdate ? Times.next(fields) : 0;
      Der revoked = fields.optional(Der.SEQUENCE);
      if (revoked != null) {
        readEntries(revoked);
      }
      Der wrapper = version >= 2 ? fields.optional(Der.explicit(0)) : null;
      fields.finish();
      if (wrapper == null) {
        extensions = null;
      } else {
        extensions = new Extensions(wrapper, Extensions.Place.CRL);
        wrapper.finish();
      }
    } catch (DerException e) {
      throw new CRLException("X.509 CRL: " + e.getMessage(), e);
    }
  }

  private static int version(Der field) throws DerException {
    if (field == null) {
      return 1;
    }
    int value = field.small();
    if (value != 1) {
      throw new DerException("version " + value);
    }
    return 2;
  }

  private void readEntries(Der revoked) throws DerException {
    DistinguishedName certificateIssuer = null;
    while (revoked.more()) {
      EncodedCrlEntry entry =
          new EncodedCrlEntry(revoked.next(Der.SEQUENCE), version >= 2, certificateIssuer, issuer);
      certificateIssuer = entry.issuer();
      entries.put(new Subject(entry.getCertificateIssuer(), entry.getSerialNumber()), entry);
    }
  }

  // --- fields ---

  @Override
  public int getVersion() {
    return version;
  }

  /** The same as {@link #getIssuerX500Principal}. */
  @Override
  public Principal getIssuerDN() {
    return getIssuerX500Principal();
  }

  @Override
  public X500Principal getIssuerX500Principal() {
    return issuer.get();
  }

  @Override
  public Date getThisUpdate() {
    return new Date(thisUpdate);
  }

  @Override
  public Date getNextUpdate() {
    return hasNextUpdate ? new Date(nextUpdate) : null;
  }

  /** The entry of a certificate that the CRL's own issuer issued. */
  @Override
  public X509CRLEntry getRevokedCertificate(BigInteger serialNumber) {
    return serialNumber == null ? null : entries.get(new Subject(null, serialNumber));
  }

  @Override
  public X509CRLEntry getRevokedCertificate(X509Certificate certificate) {
    X500Principal of = certificate.getIssuerX500Principal();
    return entries.get(new Subject(of.equals(issuer.get()) ? null : of, certificate.getSerialNumber()));
  }

  /** In the CRL's order; null if there are none. */
  @Override
  public Set<? extends X509CRLEntry> getRevokedCertificates() {
    if (entries.isEmpty()) {
      return null;
    }
    // All are different already, though two may have the same encoding and different issuers.
    return Collections.unmodifiableSet(new AbstractSet<EncodedCrlEntry>() {
      @Override
      public Iterator<EncodedCrlEntry> iterator() {
        return entries.values().iterator();
      }

      @Override
      public int size() {
        return entries.size();
      }
    });
  }

  @Override
  public boolean isRevoked(Certificate certificate) {
    return certificate instanceof X509Certificate && getRevokedCertificate((X509Certificate) certificate) != null;
  }

  @Override
  public byte[] getTBSCertList() {
    return tbs.encoded();
  }

  @Override
  public byte[] getEncoded() {
    return encoding.clone();
  }

  // --- signature ---

  @Override
  public byte[] getSignature() {
    try {
      return signature.bitOctets();
    } catch (DerException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String getSigAlgName() {
    return algorithm.signatureName();
  }

  @Override
  public String getSigAlgOID() {
    return algorithm.oid;
  }

  /** As the JDK: null if the parameters are absent or NULL. */
  @Override
  public byte[] getSigAlgParams() {
    return algorithm.encodedParameters();
  }

  private SignatureCheck check() {
    return new SignatureCheck(algorithm, getTBSCertList(), getSignature());
  }

  @Override
  public void verify(PublicKey key)
      throws CRLException, NoSuchAlgorithmException, InvalidKeyException, NoSuchProviderException,
          SignatureException {
    try {
      check().verify(key);
    } catch (InvalidAlgorithmParameterException e) {
      throw new CRLException(e);
    }
  }

  @Override
  public void verify(PublicKey key, String sigProvider)
      throws CRLException, NoSuchAlgorithmException, InvalidKeyException, NoSuchProviderException,
          SignatureException {
    try {
      check().verify(key, sigProvider);
    } catch (InvalidAlgorithmParameterException e) {
      throw new CRLException(e);
    }
  }

  @Override
  public void verify(PublicKey key, Provider sigProvider)
      throws CRLException, NoSuchAlgorithmException, InvalidKeyException, SignatureException {
    try {
      check().verify(key, sigProvider);
    } catch (InvalidAlgorithmParameterException e) {
      throw new CRLException(e);
    }
  }

  // --- extensions ---

  @Override
  public Set<String> getCriticalExtensionOIDs() {
    return Extensions.oids(extensions, true);
  }

  @Override
  public Set<String> getNonCriticalExtensionOIDs() {
    return Extensions.oids(extensions, false);
  }

  @Override
  public byte[] getExtensionValue(String oid) {
    return Extensions.value(extensions, oid);
  }

  @Override
  public boolean hasUnsupportedCriticalExtension() {
    return Extensions.unsupported(extensions);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("X.509 CRL, version ").append(version);
    text.append("\n  Issuer: ").append(getIssuerX500Principal());
    text.append("\n  This update: ").append(Times.text(thisUpdate));
    text.append("\n  Next update: ").append(hasNextUpdate ? Times.text(nextUpdate) : "none");
    text.append("\n  Signature algorithm: ").append(getSigAlgName()).append('\n');
    Extensions.describe(extensions, "  ", text);
    text.append("  Revoked certificates: ").append(entries.size()).append('\n');
    int shown = 0;
    for (EncodedCrlEntry entry : entries.values()) {
      if (shown++ == ENTRIES_SHOWN) {
        text.append("    …\n");
        break;
      }
      entry.describe(text, "    ");
    }
    Hex.append(text.append("  Signature: "), getSignature(), 64);
    return text.append('\n').toString();
  }
}
