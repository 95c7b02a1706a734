package org.postscrypt;

/** Where the secrets of connections are written, for debugging with a packet analyser: see {@link TlsParameters#setKeyLog}. */
public interface KeyLog {
  /**
   * Writes one line (the format of NSS, {@code SSLKEYLOGFILE}) without its end. Called by whatever thread wraps or unwraps; must be
   * quick, and safe for several threads. What it throws is logged.
   */
  void log(String line);
}
