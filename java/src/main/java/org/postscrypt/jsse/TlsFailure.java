package org.postscrypt.jsse;

import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.postscrypt.EchRejectedException;
import org.postscrypt.nat.NativeCrypto;
import org.postscrypt.nat.NativeRef;

/** Why a native connection failed. */
final class TlsFailure {
  private TlsFailure() {}

  private static final int CLOSED_IN_HANDSHAKE = 2;
  private static final int OUT_OF_MEMORY = 4;
  private static final int ECH_REJECTED = 6;

  /**
   * The exception that says so. Called under the engine's lock.
   *
   * @param cause what a delegated task failed with; null if none did
   */
  static SSLException of(NativeRef connection, Throwable cause, boolean inHandshake) {
    int failure = NativeCrypto.tlsFailure(connection.handle(), connection);
    byte[] text = NativeCrypto.tlsFailureText(connection.handle(), connection);
    int alert = (failure & 0xff) == 0xff ? Alerts.NONE : failure & 0xff;
    int kind = failure >> 8;
    String message = text == null ? "the connection failed" : new String(text, StandardCharsets.UTF_8);
    if (kind == OUT_OF_MEMORY) {
      return new SSLException(message);
    }
    if (kind == ECH_REJECTED) {
      return new EchRejectedException(message, NativeCrypto.tlsEchRetryConfigs(connection.handle(), connection));
    }
    if (cause != null) {
      String own = cause.getMessage();
      SSLException exception = new SSLHandshakeException(own == null ? message : own);
      exception.initCause(cause);
      return exception;
    }
    if (kind == CLOSED_IN_HANDSHAKE) {
      return new SSLHandshakeException(message);
    }
    return Alerts.exception(alert, message, null, inHandshake);
  }
}
