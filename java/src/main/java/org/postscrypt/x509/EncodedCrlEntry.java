package org.postscrypt.x509;

import java.math.BigInteger;
import java.security.cert.CRLReason;
import java.security.cert.X509CRLEntry;
import java.util.Date;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.postscrypt.nat.Guarded;

/** An entry of a CRL (RFC 5280 section 5.3). Immutable, thread-safe. */
final class EncodedCrlEntry extends X509CRLEntry {
  /** CRLReason's names by their numbers (RFC 5280 section 5.3.1); the type itself is absent before Android 24. */
  private static final String[] REASONS = {
    "UNSPECIFIED", "KEY_COMPROMISE", "CA_COMPROMISE", "AFFILIATION_CHANGED", "SUPERSEDED", "CESSATION_OF_OPERATION",
    "CERTIFICATE_HOLD", "UNUSED", "REMOVE_FROM_CRL", "PRIVILEGE_WITHDRAWN", "AA_COMPROMISE",
  };

  private final Der entry;
  private final Der serial;
  private final long revocationDate;
  private final Extensions extensions;
  /** Null for the CRL's own issuer. */
  private final DistinguishedName issuer;

  /** Reads an entry whose certificate is issued by {@code before} unless it says otherwise. */
  EncodedCrlEntry(Der entry, boolean mayExtend, DistinguishedName before, DistinguishedName crlIssuer)
      throws DerException {
    this.entry = entry;
    Der fields = entry.again();
    serial = fields.next(Der.INTEGER);
    serial.checkInteger();
    revocationDate = Times.next(fields);
    extensions = mayExtend && fields.more() ? new Extensions(fields, Extensions.Place.CRL_ENTRY) : null;
    fields.finish();
    Der names = Extensions.get(extensions, KnownExtensions.CERTIFICATE_ISSUER);
    issuer = names == null ? before : issuer(names.next(Der.SEQUENCE), crlIssuer);
  }

  /** The first directory name, as there should be just one. */
  private static DistinguishedName issuer(Der names, DistinguishedName crlIssuer) throws DerException {
    while (names.more()) {
      Der name = names.next();
      if (name.tag == Der.explicit(GeneralNames.DIRECTORY)) {
        DistinguishedName issuer = new DistinguishedName(name);
        return issuer.sameAs(crlIssuer) || issuer.get().equals(crlIssuer.get()) ? null : issuer;
      }
    }
    throw new DerException("certificate issuer without a directory name");
  }

  /** The certificate's issuer; null for the CRL's own. */
  DistinguishedName issuer() {
    return issuer;
  }

  @Override
  public byte[] getEncoded() {
    return entry.encoded();
  }

  @Override
  public BigInteger getSerialNumber() {
    return new BigInteger(serial.contents());
  }

  /** Null if it is the CRL's issuer. */
  @Override
  public X500Principal getCertificateIssuer() {
    return issuer == null ? null : issuer.get();
  }

  @Override
  public Date getRevocationDate() {
    return new Date(revocationDate);
  }

  @Override
  public boolean hasExtensions() {
    return extensions != null;
  }

  @Override
  @Guarded("where the type is absent, so is the method that this overrides")
  public CRLReason getRevocationReason() {
    String reason = reason();
    return reason == null ? null : CRLReason.valueOf(reason);
  }

  private String reason() {
    Der value = Extensions.get(extensions, KnownExtensions.REASON_CODE);
    try {
      return value == null ? null : REASONS[value.next(Der.ENUMERATED).small()];
    } catch (DerException e) {
      throw new IllegalStateException(e);
    }
  }

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
    return describe(new StringBuilder(), "").toString();
  }

  StringBuilder describe(StringBuilder text, String indent) {
    Hex.append(text.append(indent).append("Serial number "), serial.contents(), 64);
    text.append(", revoked on ").append(Times.text(revocationDate));
    String reason = reason();
    text.append(reason == null ? "" : ", " + reason);
    text.append(issuer == null ? "" : ", issued by " + issuer.get()).append('\n');
    Extensions.describe(extensions, indent + "  ", text);
    return text;
  }
}
