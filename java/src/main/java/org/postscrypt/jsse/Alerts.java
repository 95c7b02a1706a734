package org.postscrypt.jsse;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;

/** TLS alerts (RFC 8446 section 6) and the exceptions that stand for them. */
final class Alerts {
  private Alerts() {}

  static final int NONE = -1;
  static final int UNEXPECTED_MESSAGE = 10;
  static final int HANDSHAKE_FAILURE = 40;
  static final int BAD_CERTIFICATE = 42;
  static final int UNSUPPORTED_CERTIFICATE = 43;
  static final int CERTIFICATE_REVOKED = 44;
  static final int CERTIFICATE_EXPIRED = 45;
  static final int CERTIFICATE_UNKNOWN = 46;
  static final int UNKNOWN_CA = 48;
  static final int INTERNAL_ERROR = 80;
  static final int UNRECOGNIZED_NAME = 112;
  static final int NO_APPLICATION_PROTOCOL = 120;

  /** Alerts that speak of the handshake, though some come after it. */
  private static final Set<Integer> HANDSHAKE =
      new HashSet<>(
          Arrays.asList(
              40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 60, 70, 71, 86, 100, 109, 110, 111, 112, 113, 114, 115, 116, 120,
              121));

  /** The exception for a failure with this alert: a handshake's is always the one for handshakes. */
  static SSLException exception(int alert, String message, Throwable cause, boolean inHandshake) {
    SSLException exception;
    if (inHandshake || HANDSHAKE.contains(alert)) {
      exception = new SSLHandshakeException(message);
    } else if (alert == UNEXPECTED_MESSAGE) {
      exception = new SSLProtocolException(message);
    } else {
      exception = new SSLException(message);
    }
    if (cause != null) {
      exception.initCause(cause);
    }
    return exception;
  }

  /** The alert that says best why a trust manager refused a chain. */
  static int of(Throwable refusal) {
    // Causes of causes cannot loop for ever: Throwable forbids self-causation only, hence the bound.
    Throwable cause = refusal;
    for (int depth = 0; cause != null && depth < 16; depth++, cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
        return CERTIFICATE_EXPIRED;
      }
      int alert = JsseApi.HERE.alert(cause);
      if (alert != NONE) {
        return alert;
      }
      if (cause instanceof CertPathBuilderException && cause.getCause() == null) {
        return UNKNOWN_CA;
      }
    }
    return CERTIFICATE_UNKNOWN;
  }
}
