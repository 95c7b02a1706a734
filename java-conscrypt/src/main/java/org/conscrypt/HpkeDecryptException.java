package org.conscrypt;

import java.security.GeneralSecurityException;

/** A message that HPKE could not open: it is not the sender's next one, or was changed. */
public class HpkeDecryptException extends GeneralSecurityException {
  private static final long serialVersionUID = 5903211285098828754L;

  /** With a message. */
  public HpkeDecryptException(String message) {
    super(message);
  }
}
