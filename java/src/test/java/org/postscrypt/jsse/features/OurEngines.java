package org.postscrypt.jsse.features;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EnginePump;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.EngineSide;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.TestPki;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/** Pairs of engines of ours, and how {@link TlsParameters} are given to them. */
final class OurEngines {
  static final byte[] DATA = "some application data".getBytes(StandardCharsets.US_ASCII);

  private OurEngines() {}

  static EngineSetup engines(Tls version) {
    return new TlsCase(new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT), version, KeyType.EC, BufferKind.DIRECT).engines();
  }

  /** Parameters with this change. */
  static Consumer<SSLEngine> with(Consumer<TlsParameters> change) {
    return engine -> {
      TlsParameters parameters = new TlsParameters();
      parameters.setUseCipherSuitesOrder(true);
      change.accept(parameters);
      engine.setSSLParameters(parameters);
    };
  }

  /** After a handshake and data both ways. */
  static EnginePump connected(EnginePump pump) throws SSLException {
    pump.handshake();
    pump.send(pump.client(), DATA);
    pump.send(pump.server(), DATA);
    return pump;
  }

  static PostscryptSession session(EngineSide side) {
    return (PostscryptSession) side.engine().getSession();
  }

  /** A context that trusts the tests' root. */
  static SSLContext newContext(KeyManager... keys) throws Exception {
    SSLContext context = Peer.POSTSCRYPT.newContext();
    context.init(keys, TestPki.trustManagers(), null);
    return context;
  }

  /** {@code size}: zero for the algorithm's own. */
  static KeyPair pair(String algorithm, int size) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (size > 0) {
      generator.initialize(size);
    }
    return generator.generateKeyPair();
  }
}
