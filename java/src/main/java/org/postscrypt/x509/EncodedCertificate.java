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
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate (RFC 5280 section 4.1) as a view of its encoding: all of it is checked when it is made, values are made
 * when asked for. Immutable, thread-safe; what getters return is the caller's own or unmodifiable.
 */
final class EncodedCertificate extends X509Certificate {
  private static final long serialVersionUID = 1;

  // Transient: the superclass writes the encoding in their place.
  private final transient byte[] encoding;
  private final transient Der tbs;
  private final transient int version;
  private final transient Der serial;
  private final transient AlgorithmIdentifier algorithm;
  private final transient DistinguishedName issuer;
  private final transient long notBefore;
  private final transient long notAfter;
  private final transient DistinguishedName subject;
  private final transient SubjectKey key;
  private final transient Der issuerUniqueId;
  private final transient Der subjectUniqueId;
  private final transient Extensions extensions;
  private final transient Der signature;
  private transient int hash;

  /**
   * The key that the signature was last found right with. Path checks ask the same of the same chains over and over;
   * the answer cannot change.
   */
  private transient volatile PublicKey verifiedWith;

  /** The certificate that these bytes are, which must not change from now on. */
  EncodedCertificate(byte[] encoding) throws CertificateParsingException {
    this.encoding = encoding;
    try {
      Der certificate = Der.of(encoding, Der.SEQUENCE);
      tbs = certificate.next(Der.SEQUENCE);
      algorithm = new AlgorithmIdentifier(certificate);
      signature = certificate.next(Der.BIT_STRING);
      signature.checkBitOctets();
      certificate.finish();

      Der fields = tbs.again();
      version = version(fields.optional(Der.explicit(0)));
      serial = fields.next(Der.INTEGER);
      serial.checkInteger();
      if (!new AlgorithmIdentifier(fields).sameAs(algorithm)) {
        throw new DerException("signature algorithm inside and outside of what is signed differ");
      }
      issuer = new DistinguishedName(fields).required();
      Der validity = fields.next(Der.SEQUENCE);
      notBefore = Times.next(validity);
      notAfter = Times.next(validity);
      validity.finish();
      subject = new DistinguishedName(fields);
      key = new SubjectKey(fields);
      issuerUniqueId = version >= 2 ? uniqueId(fields.optional(Der.implicit(1))) : null;
      subjectUniqueId = version >= 2 ? uniqueId(fields.optional(Der.implicit(2))) : null;
      Der wrapper = version >= 3 ? fields.optional(Der.explicit(3)) : null;
      fields.finish();
      if (wrapper == null) {
        extensions = null;
      } else {
        extensions = new Extensions(wrapper, Extensions.Place.CERTIFICATE);
        wrapper.finish();
      }
      if (subject.isEmpty() && !Extensions.isCritical(extensions, KnownExtensions.SUBJECT_ALTERNATIVE_NAME)) {
        // RFC 5280 section 4.1.2.6.
        throw new DerException("empty subject without a critical alternative name");
      }
    } catch (DerException e) {
      CertificateParsingException failure = new CertificateParsingException("X.509 certificate: " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  private static int version(Der field) throws DerException {
    if (field == null) {
      return 1;
    }
    int value = field.next(Der.INTEGER).small();
    field.finish();
    if (value != 1 && value != 2) {
      // 0 is the default, which DER leaves out.
      throw new DerException("version " + value);
    }
    return value + 1;
  }

  private static Der uniqueId(Der field) throws DerException {
    if (field != null) {
      field.bits();
    }
    return field;
  }

  /** A checked part of this certificate, which cannot fail any more. */
  private static IllegalStateException impossible(DerException e) {
    return new IllegalStateException(e);
  }

  // --- fields ---

  @Override
  public int getVersion() {
    return version;
  }

  @Override
  public BigInteger getSerialNumber() {
    return new BigInteger(serial.contents());
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

  /** The same as {@link #getSubjectX500Principal}. */
  @Override
  public Principal getSubjectDN() {
    return getSubjectX500Principal();
  }

  @Override
  public X500Principal getSubjectX500Principal() {
    return issuer.sameAs(subject) ? issuer.get() : subject.get();
  }

  @Override
  public Date getNotBefore() {
    return new Date(notBefore);
  }

  @Override
  public Date getNotAfter() {
    return new Date(notAfter);
  }

  @Override
  public void checkValidity() throws CertificateExpiredException, CertificateNotYetValidException {
    checkValidity(System.currentTimeMillis());
  }

  @Override
  public void checkValidity(Date date) throws CertificateExpiredException, CertificateNotYetValidException {
    checkValidity(date.getTime());
  }

  private void checkValidity(long time) throws CertificateExpiredException, CertificateNotYetValidException {
    if (time < notBefore) {
      throw new CertificateNotYetValidException("NotBefore: " + Times.text(notBefore));
    }
    if (time > notAfter) {
      throw new CertificateExpiredException("NotAfter: " + Times.text(notAfter));
    }
  }

  /** The key; an opaque one, which signature algorithms refuse, if no provider takes it. */
  @Override
  public PublicKey getPublicKey() {
    return key.get();
  }

  @Override
  public boolean[] getIssuerUniqueID() {
    return bits(issuerUniqueId);
  }

  @Override
  public boolean[] getSubjectUniqueID() {
    return bits(subjectUniqueId);
  }

  private static boolean[] bits(Der field) {
    try {
      return field == null ? null : field.bitArray();
    } catch (DerException e) {
      throw impossible(e);
    }
  }

  @Override
  public byte[] getTBSCertificate() {
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
      throw impossible(e);
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
    return new SignatureCheck(algorithm, getTBSCertificate(), getSignature());
  }

  @Override
  public void verify(PublicKey key)
      throws CertificateException, NoSuchAlgorithmException, InvalidKeyException, NoSuchProviderException,
          SignatureException {
    verifyByAny(key);
  }

  private void verifyByAny(PublicKey key)
      throws CertificateException, NoSuchAlgorithmException, InvalidKeyException, SignatureException {
    PublicKey known = verifiedWith;
    if (known != null && known.equals(key)) {
      return;
    }
    try {
      check().verify(key);
    } catch (InvalidAlgorithmParameterException e) {
      throw new CertificateException(e);
    }
    verifiedWith = key;
  }

  @Override
  public void verify(PublicKey key, String sigProvider)
      throws CertificateException, NoSuchAlgorithmException, InvalidKeyException, NoSuchProviderException,
          SignatureException {
    // Any provider: the JDK's path checks ask like this, for every certificate of every chain.
    if (sigProvider == null || sigProvider.isEmpty()) {
      verifyByAny(key);
      return;
    }
    try {
      check().verify(key, sigProvider);
    } catch (InvalidAlgorithmParameterException e) {
      throw new CertificateException(e);
    }
  }

  @Override
  public void verify(PublicKey key, Provider sigProvider)
      throws CertificateException, NoSuchAlgorithmException, InvalidKeyException, SignatureException {
    if (sigProvider == null) {
      verifyByAny(key);
      return;
    }
    try {
      check().verify(key, sigProvider);
    } catch (InvalidAlgorithmParameterException e) {
      throw new CertificateException(e);
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
  public boolean[] getKeyUsage() {
    Der value = Extensions.get(extensions, KnownExtensions.KEY_USAGE);
    try {
      if (value == null) {
        return null;
      }
      boolean[] bits = value.next(Der.BIT_STRING).bitArray();
      return bits.length < 9 ? Arrays.copyOf(bits, 9) : bits;
    } catch (DerException e) {
      throw impossible(e);
    }
  }

  @Override
  public List<String> getExtendedKeyUsage() {
    Der value = Extensions.get(extensions, KnownExtensions.EXTENDED_KEY_USAGE);
    try {
      if (value == null) {
        return null;
      }
      List<String> purposes = new ArrayList<>();
      for (Der list = value.next(Der.SEQUENCE); list.more(); ) {
        purposes.add(list.next().oid());
      }
      return Collections.unmodifiableList(purposes);
    } catch (DerException e) {
      throw impossible(e);
    }
  }

  @Override
  public int getBasicConstraints() {
    Der value = Extensions.get(extensions, KnownExtensions.BASIC_CONSTRAINTS);
    try {
      if (value == null) {
        return -1;
      }
      Der constraints = value.next(Der.SEQUENCE);
      Der authority = constraints.optional(Der.BOOLEAN);
      if (authority == null || !authority.bool()) {
        return -1;
      }
      Der pathLength = constraints.optional(Der.INTEGER);
      return pathLength == null ? Integer.MAX_VALUE : pathLength.small();
    } catch (DerException e) {
      throw impossible(e);
    }
  }

  @Override
  public Collection<List<?>> getSubjectAlternativeNames() {
    return names(KnownExtensions.SUBJECT_ALTERNATIVE_NAME);
  }

  @Override
  public Collection<List<?>> getIssuerAlternativeNames() {
    return names(KnownExtensions.ISSUER_ALTERNATIVE_NAME);
  }

  private Collection<List<?>> names(String oid) {
    Der value = Extensions.get(extensions, oid);
    try {
      return value == null ? null : GeneralNames.list(value.next(Der.SEQUENCE));
    } catch (DerException e) {
      throw impossible(e);
    }
  }

  // --- as an object ---

  /** Equal to any certificate with the same encoding. */
  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (other instanceof EncodedCertificate) {
      return Arrays.equals(encoding, ((EncodedCertificate) other).encoding);
    }
    try {
      return other instanceof Certificate && Arrays.equals(encoding, ((Certificate) other).getEncoded());
    } catch (CertificateEncodingException e) {
      return false;
    }
  }

  /** True if this is the certificate that these bytes are. */
  boolean isEncodedAs(byte[] other) {
    return Arrays.equals(encoding, other);
  }

  /** The same as that of any {@link Certificate} with this encoding. */
  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = Arrays.hashCode(encoding);
      hash = h;
    }
    return h;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("X.509 certificate, version ").append(version);
    Hex.append(text.append("\n  Serial number: "), serial.contents(), 64);
    text.append("\n  Subject: ").append(getSubjectX500Principal());
    text.append("\n  Issuer: ").append(getIssuerX500Principal());
    text.append("\n  Validity: ").append(Times.text(notBefore)).append(" to ").append(Times.text(notAfter));
    text.append("\n  Public key: ").append(AlgorithmNames.key(key.oid()));
    text.append("\n  Signature algorithm: ").append(getSigAlgName()).append('\n');
    Extensions.describe(extensions, "  ", text);
    Hex.append(text.append("  Signature: "), getSignature(), 64);
    return text.append('\n').toString();
  }
}
