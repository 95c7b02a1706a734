package org.postscrypt.x509;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The extensions of a certificate, a CRL or a CRL entry. Those that are known are checked when parsed, the others
 * kept as they are. Immutable, thread-safe.
 */
final class Extensions {
  /** Whose extensions: the same identifier may be known in one place and not in another. */
  enum Place {
    CERTIFICATE, CRL, CRL_ENTRY
  }

  private static final class Extension {
    final boolean critical;
    final boolean known;
    final Der value;

    Extension(boolean critical, boolean known, Der value) {
      this.critical = critical;
      this.known = known;
      this.value = value;
    }
  }

  private final Map<String, Extension> byOid = new LinkedHashMap<>();

  /** Reads the next element, an Extensions sequence. */
  Extensions(Der in, Place place) throws DerException {
    Der sequence = in.next(Der.SEQUENCE);
    if (!sequence.more()) {
      throw new DerException("extensions without an extension");
    }
    while (sequence.more()) {
      Der extension = sequence.next(Der.SEQUENCE);
      String oid = extension.next(Der.OID).oid();
      // An explicit FALSE is against DER, but common and harmless: the one default that is accepted when written out.
      Der critical = extension.optional(Der.BOOLEAN);
      boolean isCritical = critical != null && critical.bool();
      Der value = extension.next(Der.OCTET_STRING);
      extension.finish();
      boolean known;
      try {
        known = KnownExtensions.check(oid, place, value.inOctets());
      } catch (DerException e) {
        throw new DerException("extension " + oid + ": " + e.getMessage(), e);
      }
      if (byOid.put(oid, new Extension(isCritical, known, value)) != null) {
        throw new DerException("extension " + oid + " twice");
      }
    }
  }

  /** The extension's value from its start, as what the OCTET STRING encloses; null if it is absent. */
  Der get(String oid) {
    Extension extension = byOid.get(oid);
    return extension == null ? null : extension.value.inOctets();
  }

  static Der get(Extensions extensions, String oid) {
    return extensions == null ? null : extensions.get(oid);
  }

  /** As {@code X509Extension.getExtensionValue}. */
  static byte[] value(Extensions extensions, String oid) {
    Extension extension = extensions == null ? null : extensions.byOid.get(oid);
    return extension == null ? null : extension.value.encoded();
  }

  /** True if there is such an extension and it is critical. */
  static boolean isCritical(Extensions extensions, String oid) {
    Extension extension = extensions == null ? null : extensions.byOid.get(oid);
    return extension != null && extension.critical;
  }

  /** As {@code X509Extension.getCriticalExtensionOIDs} and its sister; the set is the caller's own. */
  static Set<String> oids(Extensions extensions, boolean critical) {
    if (extensions == null) {
      return null;
    }
    Set<String> oids = new LinkedHashSet<>();
    for (Map.Entry<String, Extension> entry : extensions.byOid.entrySet()) {
      if (entry.getValue().critical == critical) {
        oids.add(entry.getKey());
      }
    }
    return oids;
  }

  /** As {@code X509Extension.hasUnsupportedCriticalExtension}. */
  static boolean unsupported(Extensions extensions) {
    if (extensions != null) {
      for (Extension extension : extensions.byOid.values()) {
        if (extension.critical && !extension.known) {
          return true;
        }
      }
    }
    return false;
  }

  /** For people to read. */
  static void describe(Extensions extensions, String indent, StringBuilder text) {
    if (extensions == null) {
      return;
    }
    text.append(indent).append("Extensions:\n");
    for (Map.Entry<String, Extension> entry : extensions.byOid.entrySet()) {
      Extension extension = entry.getValue();
      String name = KnownExtensions.name(entry.getKey());
      text.append(indent).append("  ").append(entry.getKey()).append(name == null ? "" : " " + name);
      text.append(extension.critical ? ", critical: " : ": ");
      Hex.append(text, extension.value.contents(), 64).append('\n');
    }
  }
}
