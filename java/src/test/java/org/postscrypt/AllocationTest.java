package org.postscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postscrypt.jce.Ours;
import org.postscrypt.jsse.support.BufferKind;
import org.postscrypt.jsse.support.EngineSetup;
import org.postscrypt.jsse.support.KeyType;
import org.postscrypt.jsse.support.Pairing;
import org.postscrypt.jsse.support.Peer;
import org.postscrypt.jsse.support.Tls;
import org.postscrypt.jsse.support.TlsCase;

/**
 * Guards against slow creep: how many bytes of the Java heap an operation may allocate. The bounds hold interpreted too, so no
 * compiler's cleverness is relied on; they are of a 64-bit JVM with compressed pointers. Whoever makes an operation allocate less lowers
 * its bound; whoever has to raise one says why.
 */
@Tag("alone")
class AllocationTest {
  private static final int ROUNDS = 200;

  /** A GCMParameterSpec with its IV, and its getIV(): the caller's and the JDK's. */
  private static final long CALLER = 24 + 32 + 32;


  private interface Work {
    void run() throws Exception;
  }

  private static Arguments allocatesAtMost(long bytes, String operation, Work work) {
    return Arguments.of(operation, bytes, work);
  }

  static List<Arguments> operations() throws Exception {
    List<Arguments> all = new ArrayList<>();
    addCiphers(all);
    addDigests(all);
    addKeys(all);
    for (Tls version : Tls.values()) {
      addRecords(all, version, true);
      addRecords(all, version, false);
      addHandshakes(all, version);
    }
    return all;
  }

  private static void addCiphers(List<Arguments> all) throws Exception {
    SecretKeySpec key = new SecretKeySpec(Ours.bytes(1, 16), "AES");
    byte[] in = new byte[1024];
    byte[] out = new byte[1040];
    byte[] iv = new byte[12];
    Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
    all.add(allocatesAtMost(CALLER, "AES-GCM, init and one step into an array", () -> {
      next(iv);
      gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
      gcm.doFinal(in, 0, in.length, out);
    }));
    all.add(allocatesAtMost(CALLER + 1056, "AES-GCM, init and one step", () -> {
      next(iv);
      gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
      gcm.doFinal(in);
    }));
    Cipher opener = Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
    next(iv);
    gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
    byte[] sealed = gcm.doFinal(in);
    opener.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, iv));
    all.add(allocatesAtMost(0, "AES-GCM, opening in one step into an array", () -> opener.doFinal(sealed, 0, sealed.length, out)));
    Cipher streaming = Cipher.getInstance("AES/GCM/NoPadding", Ours.PROVIDER);
    streaming.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
    all.add(allocatesAtMost(0, "AES-GCM, update into an array", () -> streaming.update(in, 0, in.length, out)));
    for (String mode : new String[] {"CTR", "CBC"}) {
      Cipher cipher = Cipher.getInstance("AES/" + mode + "/NoPadding", Ours.PROVIDER);
      IvParameterSpec spec = new IvParameterSpec(new byte[16]);
      cipher.init(Cipher.ENCRYPT_MODE, key, spec);
      all.add(allocatesAtMost(0, "AES-" + mode + ", one step into an array", () -> cipher.doFinal(in, 0, in.length, out)));
      all.add(allocatesAtMost(32, "AES-" + mode + ", init", () -> cipher.init(Cipher.ENCRYPT_MODE, key, spec)));
    }
  }

  private static void addDigests(List<Arguments> all) throws Exception {
    byte[] in = new byte[1024];
    byte[] out = new byte[64];
    MessageDigest digest = MessageDigest.getInstance("SHA-256", Ours.PROVIDER);
    all.add(allocatesAtMost(48, "SHA-256", () -> digest.digest(in)));
    all.add(allocatesAtMost(0, "SHA-256 into an array", () -> {
      digest.update(in);
      digest.digest(out, 0, 32);
    }));
    Mac mac = Mac.getInstance("HmacSHA256", Ours.PROVIDER);
    mac.init(new SecretKeySpec(new byte[32], "HmacSHA256"));
    all.add(allocatesAtMost(48, "HMAC-SHA-256", () -> mac.doFinal(in)));
    all.add(allocatesAtMost(48, "HMAC-SHA-256 into an array", () -> {
      mac.update(in);
      mac.doFinal(out, 0);
    }));
    SecureRandom random = SecureRandom.getInstance("SHA1PRNG", Ours.PROVIDER);
    all.add(allocatesAtMost(0, "SecureRandom, 32 bytes", () -> random.nextBytes(out)));
  }

  private static KeyPairGenerator generator(String algorithm, int bits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, Ours.PROVIDER);
    if (bits > 0) {
      generator.initialize(bits);
    }
    return generator;
  }

  private static void addSignature(List<Arguments> all, String name, KeyPair keys, long sign, long verify) throws Exception {
    byte[] message = new byte[64];
    Signature signer = Signature.getInstance(name, Ours.PROVIDER);
    signer.initSign(keys.getPrivate());
    signer.update(message);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(name, Ours.PROVIDER);
    verifier.initVerify(keys.getPublic());
    all.add(allocatesAtMost(sign, name + ", signing", () -> {
      signer.update(message);
      signer.sign();
    }));
    all.add(allocatesAtMost(verify, name + ", verifying", () -> {
      verifier.update(message);
      assertTrue(verifier.verify(signature));
    }));
  }

  private static void addKeys(List<Arguments> all) throws Exception {
    addSignature(all, "SHA256withECDSA", generator("EC", 256).generateKeyPair(), 88, 0);
    addSignature(all, "SHA256withRSA", generator("RSA", 2048).generateKeyPair(), 272, 0);
    addSignature(all, "Ed25519", generator("Ed25519", 0).generateKeyPair(), 80, 0);
    KeyPairGenerator generator = generator("X25519", 0);
    KeyPair keys = generator.generateKeyPair();
    KeyAgreement agreement = KeyAgreement.getInstance("X25519", Ours.PROVIDER);
    all.add(allocatesAtMost(72, "X25519, agreement", () -> {
      agreement.init(keys.getPrivate());
      agreement.doPhase(keys.getPublic(), true);
      agreement.generateSecret();
    }));
    all.add(allocatesAtMost(240, "X25519, key generation", generator::generateKeyPair));
  }

  /** Contexts of both sides, and what it takes to connect engines of them. */
  private static final class Ends {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private final Anyone anyone = new Anyone();
    private final SSLContext client;
    private final SSLContext server;
    private final String[] protocols;
    private final SSLEngine[] engines = new SSLEngine[2];
    private final ByteBuffer[] wires = {ByteBuffer.allocateDirect(40_000), ByteBuffer.allocateDirect(40_000)};
    private final ByteBuffer plain = ByteBuffer.allocateDirect(17_000);

    Ends(Tls version) {
      Pairing ours = new Pairing(Peer.POSTSCRYPT, Peer.POSTSCRYPT);
      EngineSetup setup = new TlsCase(ours, version, KeyType.EC, BufferKind.HEAP).engines().clientTrust(anyone);
      client = setup.clientContext();
      server = setup.serverContext();
      protocols = new String[] {version.protocol()};
    }

    /** Both engines; the client's knows its peer if it may resume. */
    void make(boolean resumable) {
      engines[0] = makeClient(resumable);
      engines[1] = server.createSSLEngine();
      engines[1].setUseClientMode(false);
      engines[1].setEnabledProtocols(protocols);
    }

    SSLEngine makeClient(boolean resumable) {
      SSLEngine engine = resumable ? client.createSSLEngine("allocation.example", 443) : client.createSSLEngine();
      engine.setUseClientMode(true);
      engine.setEnabledProtocols(protocols);
      return engine;
    }

    /** An engine is made and its hello is out. */
    void start() throws SSLException {
      SSLEngine engine = makeClient(false);
      engine.beginHandshake();
      wires[0].clear();
      engine.wrap(NOTHING, wires[0]);
      assertTrue(wires[0].position() > 100);
      engine.closeOutbound();
    }

    void connect(boolean resumable) throws SSLException {
      make(resumable);
      for (int i = 0; i < 2; i++) {
        wires[i].clear();
        engines[i].beginHandshake();
      }
      while (step(0) | step(1)) {}
      for (SSLEngine engine : engines) {
        assertEquals(HandshakeStatus.NOT_HANDSHAKING, engine.getHandshakeStatus());
      }
    }

    void handshake(boolean resumable) throws SSLException {
      int before = anyone.checks;
      connect(resumable);
      assertEquals(resumable && before > 0 ? before : before + 1, anyone.checks);
      engines[0].closeOutbound();
      engines[1].closeOutbound();
    }

    private boolean step(int side) throws SSLException {
      SSLEngine engine = engines[side];
      ByteBuffer in = wires[1 - side];
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK:
          engine.getDelegatedTask().run();
          return true;
        case NEED_WRAP:
          engine.wrap(NOTHING, wires[side]);
          return true;
        default:
          if (in.position() == 0) {
            return false;
          }
          in.flip();
          plain.clear();
          engine.unwrap(in, plain);
          in.compact();
          return true;
      }
    }
  }

  /** Counts, but checks nothing: the path check is measured elsewhere, and is the JDK's. */
  private static final class Anyone extends X509ExtendedTrustManager {
    int checks;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
      checks++;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static void addRecords(List<Arguments> all, Tls version, boolean direct) throws Exception {
    Ends ends = new Ends(version);
    ends.connect(false);
    SSLEngine from = ends.engines[0];
    SSLEngine to = ends.engines[1];
    ByteBuffer source = direct ? ByteBuffer.allocateDirect(1000) : ByteBuffer.allocate(1000);
    ByteBuffer record = direct ? ByteBuffer.allocateDirect(17000) : ByteBuffer.allocate(17000);
    ByteBuffer plain = direct ? ByteBuffer.allocateDirect(17000) : ByteBuffer.allocate(17000);
    String buffers = direct ? ", direct buffers" : ", arrays";
    all.add(allocatesAtMost(0, version + ", wrap" + buffers, () -> {
      source.clear();
      record.clear();
      from.wrap(source, record);
      assertTrue(record.position() > 1000);
    }));
    Ends others = new Ends(version);
    others.connect(false);
    SSLEngine sender = others.engines[1];
    SSLEngine receiver = others.engines[0];
    all.add(allocatesAtMost(0, version + ", wrap and unwrap" + buffers, () -> {
      source.clear();
      record.clear();
      plain.clear();
      sender.wrap(source, record);
      record.flip();
      receiver.unwrap(record, plain);
      assertTrue(plain.position() == 1000);
    }));
  }

  private static void addHandshakes(List<Arguments> all, Tls version) {
    Ends ends = new Ends(version);
    Ends resuming = new Ends(version);
    all.add(allocatesAtMost(850, version + ", start of a client's handshake", ends::start));
    all.add(allocatesAtMost(31_000, version + ", full handshake, both sides", () -> ends.handshake(false)));
    all.add(allocatesAtMost(31_500, version + ", resumed handshake, both sides", () -> resuming.handshake(true)));
  }

  private static void next(byte[] iv) {
    for (int i = 0; i < iv.length && ++iv[i] == 0; i++) {}
  }

  @ParameterizedTest(name = "{0}: {1} bytes")
  @MethodSource("operations")
  void allocatesNoMore(String operation, long most, Work work) throws Exception {
    assumeTrue(Allocated.isCounted(), "this JVM does not count what threads allocate");
    for (int i = 0; i < ROUNDS; i++) {
      work.run();
    }
    long least = Long.MAX_VALUE;
    // The least: classes that are loaded late, and caches that grow, are not what an operation allocates.
    long start = System.nanoTime();
    for (int batch = 0; batch < 3 || least > most && Allocated.isWorthALook(start); batch++) {
      long before = Allocated.soFar();
      for (int i = 0; i < ROUNDS; i++) {
        work.run();
      }
      least = Math.min(least, (Allocated.soFar() - before) / ROUNDS);
    }
    long may = most + Allocated.slack();
    assertTrue(least <= may, operation + " allocates " + least + " bytes, and may " + may);
  }
}
