package org.postscrypt.jsse.support;

import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * How a pair of engines is made. Without further ado: the case's protocol version, a right server certificate of the
 * case's key type, a client that trusts its root and has no certificate, peer host {@link TestPki#HOST}, tasks inline.
 */
public final class EngineSetup {
  /** The port that client engines are told. */
  public static final int PORT = 4433;

  private final TlsCase which;
  private final ContextSetup contexts;
  private TaskMode tasks = TaskMode.INLINE;
  private String host = TestPki.HOST;
  private int port = PORT;
  private Consumer<SSLEngine> client = e -> {};
  private Consumer<SSLEngine> server = e -> {};

  EngineSetup(TlsCase which) {
    this.which = which;
    this.contexts = new ContextSetup(which);
  }

  /** The server's certificate; null for none. */
  public EngineSetup serverIdentity(TestPki.Identity identity) {
    contexts.serverIdentity(identity);
    return this;
  }

  /** The client's certificate. */
  public EngineSetup clientIdentity(TestPki.Identity identity) {
    contexts.clientIdentity(identity);
    return this;
  }

  /** The server's key managers. */
  public EngineSetup serverKeys(KeyManager... managers) {
    contexts.serverKeys(managers);
    return this;
  }

  /** The client's key managers. */
  public EngineSetup clientKeys(KeyManager... managers) {
    contexts.clientKeys(managers);
    return this;
  }

  /** The client's trust managers. */
  public EngineSetup clientTrust(TrustManager... managers) {
    contexts.clientTrust(managers);
    return this;
  }

  /** The server's trust managers. */
  public EngineSetup serverTrust(TrustManager... managers) {
    contexts.serverTrust(managers);
    return this;
  }

  /** What the client is told about its peer. */
  public EngineSetup peer(String name, int number) {
    host = name;
    port = number;
    return this;
  }

  /** Where tasks run. */
  public EngineSetup tasks(TaskMode mode) {
    tasks = mode;
    return this;
  }

  /** The application protocols of both sides, in whatever way each wants to be told. */
  public EngineSetup protocols(String[] clientNames, String[] serverNames) {
    contexts.protocols(clientNames, serverNames);
    if (which.pairing().client() != Peer.NETTY) {
      client(e -> setProtocols(e, clientNames));
    }
    if (which.pairing().server() != Peer.NETTY) {
      server(e -> setProtocols(e, serverNames));
    }
    return this;
  }

  private static void setProtocols(SSLEngine engine, String... names) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(names);
    engine.setSSLParameters(parameters);
  }

  /** The client's context, for engines that share it. */
  public SSLContext clientContext() {
    return contexts.client();
  }

  /** The server's context, for engines that share it. */
  public SSLContext serverContext() {
    return contexts.server();
  }

  /** Further settings of the client, applied in order. */
  public EngineSetup client(Consumer<SSLEngine> settings) {
    client = client.andThen(settings);
    return this;
  }

  /** Further settings of the server, applied in order. */
  public EngineSetup server(Consumer<SSLEngine> settings) {
    server = server.andThen(settings);
    return this;
  }

  /** Makes the engines from new contexts. */
  public EnginePump open() {
    return open(contexts.client(), contexts.server());
  }

  /** Makes the engines from these contexts. */
  public EnginePump open(SSLContext clientContext, SSLContext serverContext) {
    SSLEngine clientEngine = clientContext.createSSLEngine(host, port);
    clientEngine.setUseClientMode(true);
    clientEngine.setEnabledProtocols(new String[] {which.tls().protocol()});
    client.accept(clientEngine);
    SSLEngine serverEngine = serverContext.createSSLEngine();
    serverEngine.setUseClientMode(false);
    serverEngine.setEnabledProtocols(new String[] {which.tls().protocol()});
    server.accept(serverEngine);
    return new EnginePump(which, clientEngine, serverEngine, tasks);
  }
}
