package org.conscrypt;

import java.math.BigInteger;
import java.security.PublicKey;

/** Keys and serial numbers that nobody should trust. */
public interface CertBlocklist {
  /** Whether this key is on the list. */
  boolean isPublicKeyBlockListed(PublicKey publicKey);

  /** Whether this serial number is on the list. */
  boolean isSerialNumberBlockListed(BigInteger serial);
}
