package org.postscrypt.jars;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** Work through the standard APIs: a digest, and TLS in memory with a provider on one side and the JDK's on the other. */
final class Traffic {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final KeyStore keys;

  private Traffic(KeyStore keys) {
    this.keys = keys;
  }

  /** With a fresh key and a certificate for localhost, which both sides trust. */
  static Traffic create(Path directory) throws Exception {
    Path file = keyStore(directory);
    Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair", "-alias", "localhost", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2",
        "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-storetype", "PKCS12",
        "-storepass", new String(PASSWORD), "-keystore", file.toString())
        .redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new IOException("keytool failed");
    }
    return from(file);
  }

  /** The file that {@link #create} makes. */
  static Path keyStore(Path directory) {
    return directory.resolve("localhost.p12");
  }

  /** With a key store that {@link #create} left in {@code file}. */
  static Traffic from(Path file) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return new Traffic(keys);
  }

  /** Lets {@code provider} work; an exception if anything is wrong. */
  void run(Provider provider) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256", provider).digest("abc".getBytes(StandardCharsets.US_ASCII));
    require(HexFormat.of().formatHex(digest)
        .equals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), "SHA-256");
    SSLContext ours = context(SSLContext.getInstance("TLS", provider));
    SSLContext theirs = context(SSLContext.getInstance("TLS", "SunJSSE"));
    exchange(ours, theirs);
    exchange(theirs, ours);
  }

  private SSLContext context(SSLContext context) throws Exception {
    KeyManagerFactory key = KeyManagerFactory.getInstance("SunX509", "SunJSSE");
    key.init(keys, PASSWORD);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", "SunJSSE");
    trust.init(keys);
    context.init(key.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** A handshake with the name checked, and 100,000 bytes there and back. */
  private static void exchange(SSLContext clientContext, SSLContext serverContext) throws Exception {
    SSLEngine client = clientContext.createSSLEngine("localhost", 443);
    client.setUseClientMode(true);
    SSLParameters parameters = client.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    client.setSSLParameters(parameters);
    SSLEngine server = serverContext.createSSLEngine();
    server.setUseClientMode(false);

    byte[] data = new byte[100_000];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i * 31);
    }
    require(Arrays.equals(data, transfer(client, server, data)), "client to server");
    require(Arrays.equals(data, transfer(server, client, data)), "server to client");
    require(client.getSession().getProtocol().equals("TLSv1.3"), client.getSession().getProtocol());
    client.closeOutbound();
    server.closeOutbound();
    // Both directions: only then is everything that an engine holds given back.
    transfer(client, server, new byte[0]);
    transfer(server, client, new byte[0]);
  }

  private static byte[] transfer(SSLEngine from, SSLEngine to, byte[] data) throws Exception {
    int packet = Math.max(from.getSession().getPacketBufferSize(), to.getSession().getPacketBufferSize());
    ByteBuffer source = ByteBuffer.wrap(data);
    ByteBuffer sink = ByteBuffer.allocate(data.length + packet);
    ByteBuffer there = ByteBuffer.allocate(4 * packet);
    ByteBuffer back = ByteBuffer.allocate(4 * packet);
    for (int turn = 0; turn < 1000; turn++) {
      boolean moved = step(from, source, there, back, ByteBuffer.allocate(packet));
      moved |= step(to, ByteBuffer.allocate(0), back, there, sink);
      if (!moved && !source.hasRemaining()) {
        return Arrays.copyOf(sink.array(), sink.position());
      }
    }
    throw new IOException("no end of it: " + from.getHandshakeStatus() + ", " + to.getHandshakeStatus());
  }

  /** What one side can do now: read what is there, write what it wants to. Whether anything moved. */
  private static boolean step(SSLEngine engine, ByteBuffer source, ByteBuffer out, ByteBuffer in, ByteBuffer sink)
      throws Exception {
    boolean moved = false;
    in.flip();
    while (in.hasRemaining() && !engine.isInboundDone()) {
      SSLEngineResult result = engine.unwrap(in, sink);
      tasks(engine);
      if (result.bytesConsumed() == 0) {
        break;
      }
      moved = true;
    }
    if (engine.isInboundDone()) {
      in.position(in.limit());
    }
    in.compact();
    while (!engine.isOutboundDone() && (source.hasRemaining() || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP)) {
      SSLEngineResult result = engine.wrap(source, out);
      tasks(engine);
      if (result.bytesProduced() == 0) {
        break;
      }
      moved = true;
    }
    return moved;
  }

  private static void tasks(SSLEngine engine) {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  private static void require(boolean condition, String what) throws IOException {
    if (!condition) {
      throw new IOException("wrong: " + what);
    }
  }
}
