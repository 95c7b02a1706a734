package org.postscrypt.cli;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Signature;
import java.util.Arrays;
import java.util.Collections;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.postscrypt.PostscryptSession;
import org.postscrypt.TlsParameters;

/** Whether the loaded library computes what it should: a little of everything that can differ from one platform to the next. */
final class SelfTest {
  private static final String GROUP = "X25519MLKEM768";
  private static final byte[] MESSAGE = ascii("abc");
  /** SHA-256 of {@link #MESSAGE}, FIPS 180-4's example. */
  private static final String DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  /** AES-256-GCM, zero key and nonce, 16 zero bytes: test case 14 of the specification that was submitted to NIST. */
  private static final String SEALED = "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919";

  private final Provider provider;

  SelfTest(Provider provider) {
    this.provider = provider;
  }

  /**
   * Runs all of it, in less than a second.
   *
   * @return what was done
   * @throws GeneralSecurityException if an operation failed
   * @throws SSLException if TLS failed
   * @throws IllegalStateException if a result is wrong
   */
  String run() throws GeneralSecurityException, SSLException {
    check("SHA-256", DIGEST.equals(hex(MessageDigest.getInstance("SHA-256", provider).digest(MESSAGE))));
    aead();
    KeyPair pair = signature();
    String suite = tls(pair);
    return "SHA-256, AES-256-GCM, Ed25519, TLSv1.3 with " + GROUP + " and " + suite + ": as they should be";
  }

  private void aead() throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    SecretKeySpec key = new SecretKeySpec(new byte[32], "AES");
    GCMParameterSpec nonce = new GCMParameterSpec(128, new byte[12]);
    cipher.init(Cipher.ENCRYPT_MODE, key, nonce);
    byte[] sealed = cipher.doFinal(new byte[16]);
    check("AES-256-GCM", SEALED.equals(hex(sealed)));
    cipher.init(Cipher.DECRYPT_MODE, key, nonce);
    check("AES-256-GCM", Arrays.equals(new byte[16], cipher.doFinal(sealed)));
    sealed[3] ^= 1;
    // An exception of BoringSSL's on its way to Java.
    cipher.init(Cipher.DECRYPT_MODE, key, nonce);
    try {
      cipher.doFinal(sealed);
      check("AES-256-GCM of an altered text", false);
    } catch (AEADBadTagException expected) {
      check("AES-256-GCM of an altered text", expected.getMessage() != null);
    }
  }

  private KeyPair signature() throws GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519", provider).generateKeyPair();
    Signature signature = Signature.getInstance("Ed25519", provider);
    signature.initSign(pair.getPrivate());
    signature.update(MESSAGE);
    byte[] signed = signature.sign();
    signature.initVerify(pair.getPublic());
    signature.update(MESSAGE);
    check("Ed25519", signature.verify(signed));
    signature.initVerify(pair.getPublic());
    signature.update(MESSAGE, 1, 2);
    check("Ed25519 of another text", !signature.verify(signed));
    return pair;
  }

  /** A connection in memory, both sides ours, authenticated by a raw public key; the cipher suite. */
  private String tls(KeyPair pair) throws GeneralSecurityException, SSLException {
    SSLContext context = SSLContext.getInstance("TLSv1.3", provider);
    context.init(null, null, null);
    SSLEngine client = context.createSSLEngine();
    client.setUseClientMode(true);
    TlsParameters parameters = new TlsParameters();
    parameters.setNamedGroups(new String[] {GROUP});
    parameters.setTrustedRawPublicKeys(Collections.singleton(pair.getPublic()));
    client.setSSLParameters(parameters);
    SSLEngine server = context.createSSLEngine();
    server.setUseClientMode(false);
    parameters = new TlsParameters();
    parameters.setNamedGroups(new String[] {GROUP});
    parameters.setRawKeyPair(pair);
    server.setSSLParameters(parameters);

    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    ByteBuffer atServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer atClient = ByteBuffer.allocate(1 << 16);
    ByteBuffer request = ByteBuffer.wrap(MESSAGE);
    ByteBuffer nothing = ByteBuffer.allocate(0);
    ByteBuffer reply = null;
    for (int round = 0; round < 64 && atClient.position() < MESSAGE.length; round++) {
      step(client, request, toServer, toClient, atClient);
      step(server, reply == null ? nothing : reply, toClient, toServer, atServer);
      if (reply == null && atServer.position() == MESSAGE.length) {
        reply = (ByteBuffer) atServer.duplicate().flip();
      }
    }
    check("data over TLS", Arrays.equals(MESSAGE, Arrays.copyOf(atClient.array(), atClient.position())));
    check("TLS version", client.getSession().getProtocol().equals("TLSv1.3"));
    check("TLS group", GROUP.equals(((PostscryptSession) client.getSession()).getNamedGroup()));
    return client.getSession().getCipherSuite();
  }

  /** Whatever one side can do now: its tasks, one record out, records in. */
  private static void step(SSLEngine engine, ByteBuffer data, ByteBuffer out, ByteBuffer in, ByteBuffer received)
      throws SSLException {
    tasks(engine);
    if (engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP) {
      engine.wrap(data, out);
      tasks(engine);
    }
    in.flip();
    SSLEngineResult result;
    do {
      result = engine.unwrap(in, received);
      tasks(engine);
    } while (in.hasRemaining() && result.bytesConsumed() > 0);
    in.compact();
  }

  private static void tasks(SSLEngine engine) {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  private static void check(String what, boolean right) {
    if (!right) {
      throw new IllegalStateException(what + " gives a wrong result");
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte b : bytes) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }
}
