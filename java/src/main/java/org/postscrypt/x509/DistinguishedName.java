package org.postscrypt.x509;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import javax.security.auth.x500.X500Principal;

/** A distinguished name: checked when parsed, made into an {@link X500Principal} when first asked for. Thread-safe. */
final class DistinguishedName {
  private static final int UTF8_STRING = 0x0c;
  private static final int NUMERIC_STRING = 0x12;
  private static final int PRINTABLE_STRING = 0x13;
  private static final int T61_STRING = 0x14;
  private static final int IA5_STRING = 0x16;
  private static final int VISIBLE_STRING = 0x1a;
  private static final int UNIVERSAL_STRING = 0x1c;
  private static final int BMP_STRING = 0x1e;

  /** Attribute types of this size are nothing special. */
  private static final int USUAL_OID_OCTETS = 16;

  private final Der name;
  private volatile X500Principal principal;

  /** Reads the next element, a Name. */
  DistinguishedName(Der in) throws DerException {
    name = in.next(Der.SEQUENCE);
    boolean plain = true;
    while (name.more()) {
      plain &= relative(name.next(Der.SET));
    }
    if (!plain) {
      // The platform may see it otherwise than we do: it decides now, not in a getter.
      principal();
    }
  }

  /** A RelativeDistinguishedName's contents; true if they are of the usual kinds. */
  static boolean relative(Der set) throws DerException {
    if (!set.more()) {
      throw new DerException("empty relative distinguished name");
    }
    boolean plain = true;
    while (set.more()) {
      Der attribute = set.next(Der.SEQUENCE);
      Der type = attribute.next(Der.OID);
      type.oid();
      plain &= type.length() <= USUAL_OID_OCTETS & string(attribute.next());
      attribute.finish();
    }
    return plain;
  }

  private static boolean string(Der value) throws DerException {
    switch (value.tag) {
      case UTF8_STRING:
        try {
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value.contents()));
        } catch (CharacterCodingException e) {
          throw new DerException("not UTF-8", e);
        }
        return true;
      case BMP_STRING:
        if (value.length() % 2 != 0) {
          throw new DerException("not a BMPString");
        }
        return true;
      case UNIVERSAL_STRING:
        if (value.length() % 4 != 0) {
          throw new DerException("not a UniversalString");
        }
        return false;
      case NUMERIC_STRING:
      case PRINTABLE_STRING:
      case T61_STRING:
      case IA5_STRING:
      case VISIBLE_STRING:
        return true;
      default:
        return false;
    }
  }

  private X500Principal principal() throws DerException {
    X500Principal made = principal;
    if (made == null) {
      try {
        made = new X500Principal(name.encoded());
        made.toString();
        made.getName();
      } catch (RuntimeException e) {
        throw new DerException("distinguished name: " + e.getMessage(), e);
      }
      principal = made;
    }
    return made;
  }

  /** The name. */
  X500Principal get() {
    X500Principal made = principal;
    if (made == null) {
      made = new X500Principal(name.encoded());
      principal = made;
    }
    return made;
  }

  /** Requires an attribute at least, as issuers must have (RFC 5280 section 4.1.2.4). */
  DistinguishedName required() throws DerException {
    if (isEmpty()) {
      throw new DerException("empty issuer");
    }
    return this;
  }

  boolean isEmpty() {
    return name.length() == 0;
  }

  /** True if both are the same bytes. */
  boolean sameAs(DistinguishedName other) {
    return name.sameAs(other.name);
  }
}
