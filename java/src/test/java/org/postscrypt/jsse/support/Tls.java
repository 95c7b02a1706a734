package org.postscrypt.jsse.support;

/** The protocol versions under test. */
public enum Tls {
  V12("TLSv1.2"),
  V13("TLSv1.3");

  private final String protocol;

  Tls(String protocol) {
    this.protocol = protocol;
  }

  /** The JSSE standard name. */
  public String protocol() {
    return protocol;
  }

  @Override
  public String toString() {
    return protocol;
  }
}
