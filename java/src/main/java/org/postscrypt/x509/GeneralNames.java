package org.postscrypt.x509;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/** GeneralName and GeneralNames (RFC 5280 section 4.2.1.6). */
final class GeneralNames {
  static final int OTHER = 0;
  static final int RFC822 = 1;
  static final int DNS = 2;
  static final int X400 = 3;
  static final int DIRECTORY = 4;
  static final int EDI_PARTY = 5;
  static final int URI = 6;
  static final int IP = 7;
  static final int REGISTERED_ID = 8;

  private GeneralNames() {}

  /** Checks the names that are the contents of {@code names}: at least one. */
  static void check(Der names) throws DerException {
    if (!names.more()) {
      throw new DerException("no general name");
    }
    while (names.more()) {
      checkName(names.next(), 1);
    }
  }

  /** Checks one name; addresses have {@code perAddress} times 4 or 16 octets (2: with their mask). */
  static void checkName(Der name, int perAddress) throws DerException {
    switch (name.tag & 0xdf) {
      case 0x80 | OTHER:
        require(name, true);
        name.next(Der.OID).oid();
        Der value = name.next(Der.explicit(0));
        value.next();
        value.finish();
        name.finish();
        return;
      case 0x80 | RFC822:
      case 0x80 | DNS:
      case 0x80 | URI:
        require(name, false);
        name.ia5();
        return;
      case 0x80 | X400:
        require(name, true);
        while (name.more()) {
          name.next();
        }
        return;
      case 0x80 | DIRECTORY:
        require(name, true);
        new DistinguishedName(name);
        name.finish();
        return;
      case 0x80 | EDI_PARTY:
        require(name, true);
        party(name.optional(Der.explicit(0)));
        party(name.next(Der.explicit(1)));
        name.finish();
        return;
      case 0x80 | IP:
        require(name, false);
        if (name.length() != 4 * perAddress && name.length() != 16 * perAddress) {
          throw new DerException("IP address of " + name.length() + " octets");
        }
        return;
      case 0x80 | REGISTERED_ID:
        require(name, false);
        name.oid();
        return;
      default:
        throw new DerException(String.format("general name with tag 0x%02x", name.tag));
    }
  }

  private static void party(Der directoryString) throws DerException {
    if (directoryString != null) {
      directoryString.next();
      directoryString.finish();
    }
  }

  private static void require(Der name, boolean constructed) throws DerException {
    if ((name.tag & 0x20) != 0 != constructed) {
      throw new DerException(String.format("general name with tag 0x%02x", name.tag));
    }
  }

  /**
   * The names, which are checked, in the shape of {@code X509Certificate.getSubjectAlternativeNames}. Unmodifiable,
   * with fresh byte arrays.
   */
  static Collection<List<?>> list(Der names) throws DerException {
    List<List<?>> list = new ArrayList<>();
    while (names.more()) {
      Der name = names.next();
      int type = name.tag & 0x1f;
      list.add(Collections.unmodifiableList(Arrays.asList(type, value(type, name))));
    }
    return Collections.unmodifiableCollection(list);
  }

  private static Object value(int type, Der name) throws DerException {
    switch (type) {
      case RFC822:
      case DNS:
      case URI:
        return name.ia5();
      case DIRECTORY:
        return new DistinguishedName(name).get().getName(X500Principal.RFC2253);
      case IP:
        return address(name);
      case REGISTERED_ID:
        return name.oid();
      default:
        // The name by its own type, without the choice's tag.
        return DerWriter.element(Der.SEQUENCE, name.contents());
    }
  }

  private static String address(Der octets) {
    StringBuilder text = new StringBuilder();
    if (octets.length() == 4) {
      for (int i = 0; i < 4; i++) {
        text.append(i == 0 ? "" : ".").append(octets.octet(i));
      }
    } else {
      for (int i = 0; i < 16; i += 2) {
        text.append(i == 0 ? "" : ":").append(Integer.toHexString(octets.octet(i) << 8 | octets.octet(i + 1)));
      }
    }
    return text.toString();
  }
}
