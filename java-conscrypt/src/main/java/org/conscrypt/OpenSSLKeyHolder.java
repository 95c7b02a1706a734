package org.conscrypt;

/** Named by the signatures of key classes; of no use to applications. */
public interface OpenSSLKeyHolder {
  /** The key. */
  OpenSSLKey getOpenSSLKey();
}
