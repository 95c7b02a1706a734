package org.conscrypt;

import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;

/** A server's choice among the application protocols (ALPN, RFC 7301) that a client offers. */
public abstract class ApplicationProtocolSelector {
  /** For subclasses. */
  public ApplicationProtocolSelector() {}

  /** One of {@code protocols}, for an engine; null to go on without any. */
  public abstract String selectApplicationProtocol(SSLEngine engine, List<String> protocols);

  /** One of {@code protocols}, for a socket; null to go on without any. */
  public abstract String selectApplicationProtocol(SSLSocket socket, List<String> protocols);
}
