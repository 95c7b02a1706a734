package org.postscrypt.jsse;

import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.postscrypt.nat.Guarded;

/** The functions that choose an application protocol (RFC 7301), which are plain objects to those who keep them. */
@Guarded("called once a selector was set, where SSLSocket and SSLEngine have it: Java 8u251, Android 29")
final class ProtocolSelectors {
  private ProtocolSelectors() {}

  /** What an engine's selector chooses. */
  @SuppressWarnings("unchecked") // set by a method with that parameter
  static String choose(Object selector, SSLEngine engine, List<String> offered) {
    return ((BiFunction<SSLEngine, List<String>, String>) selector).apply(engine, offered);
  }

  /** Has a socket's selector choose for its engine; null for none. */
  @SuppressWarnings("unchecked") // set by a method with that parameter
  static void set(SSLEngine engine, Object selector, SSLSocket socket) {
    BiFunction<SSLSocket, List<String>, String> chooser = (BiFunction<SSLSocket, List<String>, String>) selector;
    engine.setHandshakeApplicationProtocolSelector(chooser == null ? null : (e, names) -> chooser.apply(socket, names));
  }
}
