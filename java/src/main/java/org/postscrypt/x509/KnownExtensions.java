package org.postscrypt.x509;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.postscrypt.x509.Extensions.Place;

/** The syntax of the extensions that we know (RFC 5280 sections 4.2, 5.2 and 5.3). */
final class KnownExtensions {
  static final String KEY_USAGE = "2.5.29.15";
  static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
  static final String ISSUER_ALTERNATIVE_NAME = "2.5.29.18";
  static final String BASIC_CONSTRAINTS = "2.5.29.19";
  static final String CRL_NUMBER = "2.5.29.20";
  static final String REASON_CODE = "2.5.29.21";
  static final String CERTIFICATE_ISSUER = "2.5.29.29";
  static final String EXTENDED_KEY_USAGE = "2.5.29.37";

  private static final class Entry {
    final String name;
    final boolean[] places = new boolean[Place.values().length];

    Entry(String name) {
      this.name = name;
    }
  }

  private static final Map<String, Entry> TABLE;

  static {
    Map<String, Entry> table = new HashMap<>();
    Place c = Place.CERTIFICATE;
    Place l = Place.CRL;
    Place e = Place.CRL_ENTRY;
    put(table, "2.5.29.14", "SubjectKeyIdentifier", c);
    put(table, KEY_USAGE, "KeyUsage", c);
    put(table, "2.5.29.16", "PrivateKeyUsagePeriod", c);
    put(table, SUBJECT_ALTERNATIVE_NAME, "SubjectAlternativeName", c);
    put(table, ISSUER_ALTERNATIVE_NAME, "IssuerAlternativeName", c, l);
    put(table, BASIC_CONSTRAINTS, "BasicConstraints", c);
    put(table, CRL_NUMBER, "CRLNumber", l);
    put(table, REASON_CODE, "ReasonCode", e);
    put(table, "2.5.29.24", "InvalidityDate", e);
    put(table, "2.5.29.27", "DeltaCRLIndicator", l);
    put(table, "2.5.29.28", "IssuingDistributionPoint", l);
    put(table, CERTIFICATE_ISSUER, "CertificateIssuer", e);
    put(table, "2.5.29.30", "NameConstraints", c);
    put(table, "2.5.29.31", "CRLDistributionPoints", c);
    put(table, "2.5.29.32", "CertificatePolicies", c);
    put(table, "2.5.29.33", "PolicyMappings", c);
    put(table, "2.5.29.35", "AuthorityKeyIdentifier", c, l);
    put(table, "2.5.29.36", "PolicyConstraints", c);
    put(table, EXTENDED_KEY_USAGE, "ExtendedKeyUsage", c);
    put(table, "2.5.29.46", "FreshestCRL", c, l);
    put(table, "2.5.29.54", "InhibitAnyPolicy", c);
    put(table, "1.3.6.1.5.5.7.1.1", "AuthorityInfoAccess", c, l);
    put(table, "1.3.6.1.5.5.7.1.11", "SubjectInfoAccess", c);
    put(table, "1.3.6.1.5.5.7.48.1.5", "OCSPNoCheck", c);
    put(table, "2.16.840.1.113730.1.1", "NetscapeCertType", c);
    TABLE = Collections.unmodifiableMap(table);
  }

  private KnownExtensions() {}

  private static void put(Map<String, Entry> table, String oid, String name, Place... places) {
    Entry entry = new Entry(name);
    for (Place place : places) {
      entry.places[place.ordinal()] = true;
    }
    table.put(oid, entry);
  }

  /** The extension's name; null if it is not known. */
  static String name(String oid) {
    Entry entry = TABLE.get(oid);
    return entry == null ? null : entry.name;
  }

  /** Checks an extension's value; false if it is not known in this place, where it then may be anything. */
  static boolean check(String oid, Place place, Der value) throws DerException {
    Entry entry = TABLE.get(oid);
    if (entry == null || !entry.places[place.ordinal()]) {
      return false;
    }
    check(entry.name, value);
    value.finish();
    return true;
  }

  // A switch: lambdas in the table would be classes that the JVM makes for a program's first certificate.
  private static void check(String name, Der value) throws DerException {
    switch (name) {
      case "SubjectKeyIdentifier":
        value.next(Der.OCTET_STRING);
        break;
      case "KeyUsage":
        keyUsage(value);
        break;
      case "PrivateKeyUsagePeriod":
        privateKeyUsagePeriod(value);
        break;
      case "SubjectAlternativeName":
      case "IssuerAlternativeName":
      case "CertificateIssuer":
        names(value);
        break;
      case "BasicConstraints":
        basicConstraints(value);
        break;
      case "CRLNumber":
      case "DeltaCRLIndicator":
      case "InhibitAnyPolicy":
        value.next(Der.INTEGER).natural();
        break;
      case "ReasonCode":
        reason(value);
        break;
      case "InvalidityDate":
        Times.generalized(value.next(Der.GENERALIZED_TIME));
        break;
      case "IssuingDistributionPoint":
        issuingDistributionPoint(value);
        break;
      case "NameConstraints":
        nameConstraints(value);
        break;
      case "CRLDistributionPoints":
      case "FreshestCRL":
        distributionPoints(value);
        break;
      case "CertificatePolicies":
        policies(value);
        break;
      case "PolicyMappings":
        policyMappings(value);
        break;
      case "AuthorityKeyIdentifier":
        authorityKey(value);
        break;
      case "PolicyConstraints":
        policyConstraints(value);
        break;
      case "ExtendedKeyUsage":
        extendedKeyUsage(value);
        break;
      case "AuthorityInfoAccess":
      case "SubjectInfoAccess":
        access(value);
        break;
      case "OCSPNoCheck":
        nothing(value);
        break;
      case "NetscapeCertType":
        value.next(Der.BIT_STRING).bits();
        break;
      default:
        throw new AssertionError(name);
    }
  }

  private static void nothing(Der value) throws DerException {
    value.next(Der.NULL).finish();
  }

  private static void names(Der value) throws DerException {
    GeneralNames.check(value.next(Der.SEQUENCE));
  }

  private static void keyUsage(Der value) throws DerException {
    for (boolean bit : value.next(Der.BIT_STRING).bitArray()) {
      if (bit) {
        return;
      }
    }
    throw new DerException("no usage at all");
  }

  private static void basicConstraints(Der value) throws DerException {
    Der sequence = value.next(Der.SEQUENCE);
    Der authority = sequence.optional(Der.BOOLEAN);
    if (authority != null) {
      authority.bool();
    }
    Der pathLength = sequence.optional(Der.INTEGER);
    if (pathLength != null) {
      pathLength.small();
    }
    sequence.finish();
  }

  private static void extendedKeyUsage(Der value) throws DerException {
    Der purposes = nonEmpty(value);
    while (purposes.more()) {
      purposes.next(Der.OID).oid();
    }
  }

  private static void privateKeyUsagePeriod(Der value) throws DerException {
    Der period = nonEmpty(value);
    for (int i = 0; i < 2; i++) {
      Der time = period.optional(Der.implicit(i));
      if (time != null) {
        Times.generalized(time);
      }
    }
    period.finish();
  }

  private static void authorityKey(Der value) throws DerException {
    Der identifier = value.next(Der.SEQUENCE);
    identifier.optional(Der.implicit(0));
    Der issuer = identifier.optional(Der.explicit(1));
    Der serial = identifier.optional(Der.implicit(2));
    identifier.finish();
    if ((issuer == null) != (serial == null)) {
      throw new DerException("issuer and serial number come together");
    }
    if (issuer != null) {
      GeneralNames.check(issuer);
      serial.checkInteger();
    }
  }

  private static void nameConstraints(Der value) throws DerException {
    Der constraints = nonEmpty(value);
    for (int i = 0; i < 2; i++) {
      Der subtrees = constraints.optional(Der.explicit(i));
      if (subtrees == null) {
        continue;
      }
      if (!subtrees.more()) {
        throw new DerException("no subtree");
      }
      while (subtrees.more()) {
        Der subtree = subtrees.next(Der.SEQUENCE);
        GeneralNames.checkName(subtree.next(), 2);
        for (int bound = 0; bound < 2; bound++) {
          Der distance = subtree.optional(Der.implicit(bound));
          if (distance != null) {
            distance.natural();
          }
        }
        subtree.finish();
      }
    }
    constraints.finish();
  }

  private static void policies(Der value) throws DerException {
    Der policies = nonEmpty(value);
    while (policies.more()) {
      Der policy = policies.next(Der.SEQUENCE);
      policy.next(Der.OID).oid();
      if (policy.more()) {
        Der qualifiers = nonEmpty(policy);
        while (qualifiers.more()) {
          Der qualifier = qualifiers.next(Der.SEQUENCE);
          qualifier.next(Der.OID).oid();
          qualifier.next();
          qualifier.finish();
        }
      }
      policy.finish();
    }
  }

  private static void policyMappings(Der value) throws DerException {
    Der mappings = nonEmpty(value);
    while (mappings.more()) {
      Der mapping = mappings.next(Der.SEQUENCE);
      mapping.next(Der.OID).oid();
      mapping.next(Der.OID).oid();
      mapping.finish();
    }
  }

  private static void policyConstraints(Der value) throws DerException {
    Der constraints = nonEmpty(value);
    for (int i = 0; i < 2; i++) {
      Der skip = constraints.optional(Der.implicit(i));
      if (skip != null) {
        skip.natural();
      }
    }
    constraints.finish();
  }

  private static void access(Der value) throws DerException {
    Der descriptions = nonEmpty(value);
    while (descriptions.more()) {
      Der description = descriptions.next(Der.SEQUENCE);
      description.next(Der.OID).oid();
      GeneralNames.checkName(description.next(), 1);
      description.finish();
    }
  }

  private static void distributionPoints(Der value) throws DerException {
    Der points = nonEmpty(value);
    while (points.more()) {
      Der point = points.next(Der.SEQUENCE);
      distributionPointName(point.optional(Der.explicit(0)));
      Der reasons = point.optional(Der.implicit(1));
      if (reasons != null) {
        reasons.bits();
      }
      Der issuer = point.optional(Der.explicit(2));
      if (issuer != null) {
        GeneralNames.check(issuer);
      }
      point.finish();
    }
  }

  private static void distributionPointName(Der name) throws DerException {
    if (name == null) {
      return;
    }
    Der choice = name.next();
    name.finish();
    if (choice.tag == Der.explicit(0)) {
      GeneralNames.check(choice);
    } else if (choice.tag == Der.explicit(1)) {
      DistinguishedName.relative(choice);
    } else {
      throw new DerException("distribution point name");
    }
  }

  private static void issuingDistributionPoint(Der value) throws DerException {
    Der point = value.next(Der.SEQUENCE);
    distributionPointName(point.optional(Der.explicit(0)));
    for (int i = 1; i <= 5; i++) {
      Der field = point.optional(Der.implicit(i));
      if (field == null) {
        continue;
      }
      if (i == 3) {
        field.bits();
      } else {
        field.bool();
      }
    }
    point.finish();
  }

  private static void reason(Der value) throws DerException {
    int code = value.next(Der.ENUMERATED).small();
    if (code > 10 || code == 7) {
      throw new DerException("no such reason: " + code);
    }
  }

  private static Der nonEmpty(Der in) throws DerException {
    Der sequence = in.next(Der.SEQUENCE);
    if (!sequence.more()) {
      throw new DerException("empty sequence");
    }
    return sequence;
  }
}
