package org.postscrypt.x509;

/** Bytes that are not the DER encoding of what is wanted. Callers turn it into the exception of their contract. */
final class DerException extends Exception {
  private static final long serialVersionUID = 1;

  DerException(String message) {
    super(message);
  }

  DerException(String message, Throwable cause) {
    super(message, cause);
  }
}
