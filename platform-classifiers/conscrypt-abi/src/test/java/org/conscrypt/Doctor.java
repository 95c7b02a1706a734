package org.conscrypt;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.TrustManagerFactory;
import org.postscrypt.conscryptabi.Identities;

/** Whether Conscrypt's released classes work on our library where this is started: tools/run-native, by itself and without a test framework. */
public final class Doctor {
  private Doctor() {}

  public static void main(String[] arguments) {
    System.out.println("java: " + System.getProperty("java.version") + ", " + System.getProperty("java.vendor"));
    System.out.println("system: " + System.getProperty("os.name") + ", " + System.getProperty("os.arch"));
    String problem;
    try {
      problem = check();
    } catch (Exception | LinkageError e) {
      e.printStackTrace(System.out);
      problem = e.toString();
    }
    System.out.println(problem == null ? "Postscrypt works here" : "Postscrypt does not work here: " + problem);
    System.exit(problem == null ? 0 : 1);
  }

  private static String check() throws Exception {
    Conscrypt.checkAvailability();
    try {
      // The released library does not have this one.
      NativeCrypto.SSL_marshal_ech_config((short) 1, new byte[1], "a");
      return "a key of one byte was taken";
    } catch (UnsatisfiedLinkError e) {
      return "this is Conscrypt's own library";
    } catch (IllegalArgumentException expected) {
      System.out.println("self test: our library");
    }
    Provider provider = Conscrypt.newProviderBuilder().provideTrustManager(true).build();
    byte[] digest = MessageDigest.getInstance("SHA-256", provider).digest("abc".getBytes("US-ASCII"));
    // FIPS 180-4, appendix of examples.
    byte[] known = {(byte) 0xba, 0x78, 0x16, (byte) 0xbf, (byte) 0x8f, 0x01, (byte) 0xcf, (byte) 0xea};
    if (!Arrays.equals(Arrays.copyOf(digest, 8), known)) {
      return "SHA-256 is wrong";
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
    byte[] sealed = cipher.doFinal(new byte[16]);
    // The GCM specification of McGrew and Viega, test case 2.
    if (sealed[0] != 0x03 || sealed[31] != (byte) 0xdf) {
      return "AES-GCM is wrong";
    }
    sealed[0] ^= 1;
    cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
    try {
      cipher.doFinal(sealed);
      return "AES-GCM accepts what was altered";
    } catch (AEADBadTagException expected) {
      System.out.println("self test: SHA-256, AES-GCM");
    }
    return handshake(provider);
  }

  private static String handshake(Provider provider) throws Exception {
    // Keys are made with its random numbers: the JDK's own ask Windows for what Wine does not have.
    Security.insertProviderAt(provider, 1);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", provider);
    trust.init(Identities.TRUST);
    SSLEngine[] engines = new SSLEngine[2];
    for (int i = 0; i < 2; i++) {
      SSLContext context = SSLContext.getInstance("TLSv1.3", provider);
      context.init(i == 1 ? Identities.keys("EC") : new KeyManager[0], trust.getTrustManagers(), null);
      engines[i] = context.createSSLEngine("localhost", 443);
      engines[i].setUseClientMode(i == 0);
    }
    int size = engines[0].getSession().getPacketBufferSize() * 2;
    ByteBuffer[] wires = {ByteBuffer.allocateDirect(size), ByteBuffer.allocateDirect(size)};
    ByteBuffer none = ByteBuffer.allocate(0);
    ByteBuffer plain = ByteBuffer.allocate(size);
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < 2; i++) {
        SSLEngine engine = engines[i];
        for (int task = 0; engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK && task < 100; task++) {
          engine.getDelegatedTask().run();
        }
        engine.wrap(none, wires[i]);
        wires[1 - i].flip();
        engine.unwrap(wires[1 - i], plain);
        wires[1 - i].compact();
      }
      if (engines[0].getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
          && engines[1].getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
        break;
      }
    }
    byte[] text = "over the wire".getBytes("US-ASCII");
    engines[0].wrap(ByteBuffer.wrap(text), wires[0]);
    wires[0].flip();
    for (int round = 0; round < 10 && plain.position() == 0; round++) {
      engines[1].unwrap(wires[0], plain);
    }
    if (!Arrays.equals(Arrays.copyOf(plain.array(), plain.position()), text)) {
      return "TLS: what arrived is not what was sent";
    }
    System.out.println("self test: " + engines[0].getSession().getProtocol() + ", " + engines[0].getSession().getCipherSuite());
    return null;
  }
}
