package org.postscrypt.jsse;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.postscrypt.nat.Guarded;

/**
 * How an engine is set up: its mode and parameters, which may be set and asked for at any time, by any thread. What is set after the
 * handshake began concerns nobody.
 */
abstract class ConfiguredEngine extends SSLEngine {
  /** The engine's one lock, for what it adds as well. */
  final ReentrantLock lock = new ReentrantLock();

  private final TlsContext context;
  private TlsConfig config;
  private boolean modeSet;
  private boolean client;
  /** A {@code BiFunction}, which not every system has: see {@link ProtocolSelectors}. Null if there is none. */
  private Object protocolSelector;

  ConfiguredEngine(TlsContext context, String peerHost, int peerPort) {
    super(peerHost, peerPort);
    this.context = context;
    this.config = context.defaults(false);
  }

  /** Whether it is too late for another mode. Called under the lock. */
  abstract boolean hasStarted();

  // --- for the engine and its tasks ---

  final TlsContext context() {
    return context;
  }

  /** Of the moment; while the engine may still be set up, under the lock. */
  final TlsConfig config() {
    return config;
  }

  final boolean isModeSet() {
    return modeSet;
  }

  final boolean isClient() {
    return client;
  }

  /** For {@link ProtocolSelectors}; null if there is none. */
  final Object protocolSelector() {
    return protocolSelector;
  }

  /** What a client sends: what was set, else the peer's host. */
  final List<?> serverNames() {
    return config.serverNamesSet() ? config.serverNames() : context.serverNames(getPeerHost());
  }

  private TlsConfig current() {
    lock.lock();
    try {
      return config;
    } finally {
      lock.unlock();
    }
  }

  /** A change of the configuration. (java.util.function.UnaryOperator is absent before Android 24.) */
  private interface Change {
    TlsConfig apply(TlsConfig config);
  }

  /** Changes the configuration under the lock. */
  private void change(Change change) {
    lock.lock();
    try {
      config = change.apply(config);
    } finally {
      lock.unlock();
    }
  }

  // --- parameters ---

  /** The peer's host: as set by {@code TlsParameters.setPeerHost}, else as the engine was made with. */
  @Override
  public String getPeerHost() {
    String host = current().peerHost();
    return host.isEmpty() ? super.getPeerHost() : host;
  }

  @Override
  public void setUseClientMode(boolean mode) {
    lock.lock();
    try {
      if (hasStarted()) {
        throw new IllegalArgumentException("Cannot change mode after SSL traffic has started");
      }
      if (mode && !client && config == context.defaults(false)) {
        config = context.defaults(true);
      } else if (!mode && client && config == context.defaults(true)) {
        config = context.defaults(false);
      } else if (mode != client && config.protocols().equals(context.defaults(client).protocols())) {
        // Only what was left at the default of the old mode becomes the new mode's.
        config = config.withProtocols(context.defaults(mode).protocols());
      }
      client = mode;
      modeSet = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean getUseClientMode() {
    lock.lock();
    try {
      return client;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return CipherSuites.supported().toArray(new String[0]);
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return current().cipherSuites().toArray(new String[0]);
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    List<String> checked = CipherSuites.checked(suites);
    change(c -> c.withCipherSuites(checked));
  }

  @Override
  public String[] getSupportedProtocols() {
    return Protocols.SUPPORTED.toArray(new String[0]);
  }

  @Override
  public String[] getEnabledProtocols() {
    return current().protocols().toArray(new String[0]);
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    List<String> checked = Protocols.checked(protocols);
    change(c -> c.withProtocols(checked));
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    change(c -> c.withClientAuth(need ? TlsConfig.CLIENT_AUTH_NEED : TlsConfig.CLIENT_AUTH_NONE));
  }

  @Override
  public boolean getNeedClientAuth() {
    return current().clientAuth() == TlsConfig.CLIENT_AUTH_NEED;
  }

  @Override
  public void setWantClientAuth(boolean want) {
    change(c -> c.withClientAuth(want ? TlsConfig.CLIENT_AUTH_WANT : TlsConfig.CLIENT_AUTH_NONE));
  }

  @Override
  public boolean getWantClientAuth() {
    return current().clientAuth() == TlsConfig.CLIENT_AUTH_WANT;
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    change(c -> c.withSessionCreation(enable));
  }

  @Override
  public boolean getEnableSessionCreation() {
    return current().sessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    lock.lock();
    try {
      return config.toParameters(client ? new ArrayList<>(serverNames()) : config.serverNames());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    Objects.requireNonNull(parameters, "parameters");
    change(c -> c.with(parameters));
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
    lock.lock();
    try {
      protocolSelector = selector;
    } finally {
      lock.unlock();
    }
  }

  @Override
  @Guarded("called where SSLEngine has it: Java 8u251, Android 29")
  @SuppressWarnings("unchecked") // set by the method before this one
  public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
    lock.lock();
    try {
      return (BiFunction<SSLEngine, List<String>, String>) protocolSelector;
    } finally {
      lock.unlock();
    }
  }
}
