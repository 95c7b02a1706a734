package org.postscrypt.bench;

import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Collections;
import java.util.concurrent.Callable;
import javax.crypto.ShortBufferException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.postscrypt.BoxHandshake;
import org.postscrypt.BoxOpener;
import org.postscrypt.BoxSealer;
import org.postscrypt.PostscryptProvider;
import org.postscrypt.TlsParameters;

/** Ways of Postscrypt to a secure channel in memory: a box, and TLS 1.3 with raw public keys, ECDSA or RSA certificates. */
final class Channels {
  static final int PACKET = 80 * 1024;

  /** Both ends of one channel. */
  interface Channel {
    /** Carries all of {@code message} from one end to the other: appended to {@code received}. */
    void carry(boolean fromClient, ByteBuffer message, ByteBuffer received) throws Exception;

    void close() throws Exception;
  }

  private Channels() {}

  /** A maker of channels; keys, certificates, contexts and buffers (which all of its channels use) are ready. */
  static Callable<Channel> of(String kind) throws Exception {
    ByteBuffer[] buffers = new ByteBuffer[3];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = ByteBuffer.allocateDirect(PACKET);
    }
    return switch (kind) {
      case "box" -> {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519", new PostscryptProvider());
        KeyPair client = generator.generateKeyPair();
        KeyPair server = generator.generateKeyPair();
        yield () -> new BoxChannel(client, server, buffers[0]);
      }
      case "tls-rpk" -> {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", new PostscryptProvider());
        generator.initialize(256);
        KeyPair client = generator.generateKeyPair();
        KeyPair server = generator.generateKeyPair();
        SSLContext context = SSLContext.getInstance("TLSv1.3", new PostscryptProvider());
        context.init(new KeyManager[0], null, null);
        TlsParameters ours = parameters();
        ours.setRawKeyPair(client);
        ours.setTrustedRawPublicKeys(Collections.singleton(server.getPublic()));
        TlsParameters theirs = parameters();
        theirs.setRawKeyPair(server);
        theirs.setTrustedRawPublicKeys(Collections.singleton(client.getPublic()));
        theirs.setNeedClientAuth(true);
        yield () -> new TlsChannel(context, ours, context, theirs, buffers);
      }
      default -> {
        Pki pki = new Pki(kind.equals("tls-ecdsa") ? "EC" : "RSA");
        SSLContext client = SSLContext.getInstance("TLSv1.3", new PostscryptProvider());
        client.init(new KeyManager[0], new TrustManager[] {pki.new Trust(true)}, null);
        SSLContext server = SSLContext.getInstance("TLSv1.3", new PostscryptProvider());
        server.init(pki.keyManagers.getKeyManagers(), null, null);
        yield () -> new TlsChannel(client, parameters(), server, parameters(), buffers);
      }
    };
  }

  private static TlsParameters parameters() {
    TlsParameters parameters = new TlsParameters();
    parameters.setProtocols(new String[] {"TLSv1.3"});
    parameters.setCipherSuites(new String[] {"TLS_AES_256_GCM_SHA384"});
    parameters.setNamedGroups(new String[] {"x25519"});
    return parameters;
  }

  private static final class BoxChannel implements Channel {
    private final ByteBuffer wire;
    private final BoxSealer[] sealers;
    private final BoxOpener[] openers;

    BoxChannel(KeyPair clientKey, KeyPair serverKey, ByteBuffer wire) throws Exception {
      this.wire = wire;
      byte[] context = new byte[0];
      try (BoxHandshake client = BoxHandshake.initiator(clientKey.getPrivate(), serverKey.getPublic(), context);
          BoxHandshake server = BoxHandshake.responder(serverKey.getPrivate(), clientKey.getPublic(), context)) {
        client.finish(server.respond(client.start()));
        sealers = new BoxSealer[] {client.sealer(), server.sealer()};
        openers = new BoxOpener[] {server.opener(), client.opener()};
      }
    }

    @Override
    public void carry(boolean fromClient, ByteBuffer message, ByteBuffer received) throws Exception {
      BoxSealer sealer = sealers[fromClient ? 0 : 1];
      BoxOpener opener = openers[fromClient ? 0 : 1];
      for (boolean over = false; !over; ) {
        wire.clear();
        over = sealer.sealRecord(message, wire, true);
        wire.flip();
        BoxOpener.Result result = opener.openRecord(wire, received);
        if (over != (result == BoxOpener.Result.LAST)) {
          throw new ShortBufferException(result.toString());
        }
      }
    }

    @Override
    public void close() {
      for (int i = 0; i < 2; i++) {
        sealers[i].close();
        openers[i].close();
      }
    }
  }

  private static final class TlsChannel implements Channel {
    private final ByteBuffer wire;
    private final SSLEngine[] ends = new SSLEngine[2];

    TlsChannel(SSLContext clients, SSLParameters ours, SSLContext servers, SSLParameters theirs, ByteBuffer[] buffers) throws Exception {
      wire = buffers[0];
      // No host and port: nothing is resumed.
      ends[0] = clients.createSSLEngine();
      ends[0].setUseClientMode(true);
      ends[0].setSSLParameters(ours);
      ends[1] = servers.createSSLEngine();
      ends[1].setUseClientMode(false);
      ends[1].setSSLParameters(theirs);
      Engines.handshake(ends[0], ends[1], new ByteBuffer[] {buffers[0], buffers[1]}, buffers[2]);
    }

    @Override
    public void carry(boolean fromClient, ByteBuffer message, ByteBuffer received) throws Exception {
      SSLEngine sender = ends[fromClient ? 0 : 1];
      SSLEngine receiver = ends[fromClient ? 1 : 0];
      while (message.hasRemaining()) {
        wire.clear();
        if (sender.wrap(message, wire).getStatus() != SSLEngineResult.Status.OK) {
          throw new SSLException("cannot send");
        }
        wire.flip();
        while (wire.hasRemaining()) {
          if (receiver.unwrap(wire, received).getStatus() != SSLEngineResult.Status.OK) {
            throw new SSLException("cannot receive");
          }
        }
      }
    }

    @Override
    public void close() throws SSLException {
      for (SSLEngine end : ends) {
        end.closeOutbound();
      }
    }
  }
}
