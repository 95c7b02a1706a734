package org.postscrypt.jsse;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A completed handshake. */
@Name("org.postscrypt.TLSHandshake")
@Label("TLS Handshake")
@Category({"Postscrypt", "TLS"})
@Description("A completed TLS handshake, from its first step to FINISHED")
@StackTrace(false)
final class HandshakeEvent extends Event {
  @Label("Peer Host")
  String peerHost;

  @Label("Peer Port")
  int peerPort;

  @Label("Client Mode")
  boolean clientMode;

  @Label("Protocol Version")
  String protocolVersion;

  @Label("Cipher Suite")
  String cipherSuite;

  @Label("Named Group")
  String namedGroup;

  @Label("Resumed")
  boolean resumed;

  @Label("Client Authenticated")
  boolean clientAuthenticated;

  void complete(TlsSession session, boolean client, boolean authenticated) {
    end();
    if (shouldCommit()) {
      peerHost = session.getPeerHost();
      peerPort = session.getPeerPort();
      clientMode = client;
      protocolVersion = session.getProtocol();
      cipherSuite = session.getCipherSuite();
      namedGroup = session.getNamedGroup();
      resumed = session.isResumed();
      clientAuthenticated = authenticated;
      commit();
    }
  }
}
