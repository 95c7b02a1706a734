package org.postscrypt.jsse;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What an application has us call beside a handshake: stores of sessions, a key log. A failure there must not become that of a wrap or
 * unwrap, which has consumed and produced records by then, and whose result would be lost.
 */
final class CallerCode {
  private CallerCode() {}

  /** Runs it; what it throws is logged with what that means. */
  static void run(String failure, Runnable code) {
    try {
      code.run();
    } catch (RuntimeException e) {
      failed(failure, e);
    }
  }

  /** Logs a failure with what it means. */
  static void failed(String failure, RuntimeException e) {
    Logger.getLogger("org.postscrypt").log(Level.WARNING, failure, e);
  }
}
