package org.postscrypt.android;

import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.postscrypt.Postscrypt;

/** An application on what takes itself for Android: there the library comes with the application and is loaded by its name. */
public final class Application {
  private Application() {}

  /** Prints what works; an exception if anything does not. */
  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.vendor", "The Android Project");
    Provider provider = Postscrypt.newProvider();
    Security.insertProviderAt(provider, 1);
    byte[] data = "abc".getBytes("US-ASCII");
    byte[] digest = MessageDigest.getInstance("SHA-256", "Postscrypt").digest(data);
    require(digest.length == 32 && digest[0] == (byte) 0xba);

    SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "Postscrypt");
    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
    byte[] sealed = cipher.doFinal(data);
    cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
    require(Arrays.equals(data, cipher.doFinal(sealed)));

    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "Postscrypt");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    Signature signature = Signature.getInstance("SHA256withECDSA", "Postscrypt");
    signature.initSign(pair.getPrivate());
    signature.update(data);
    byte[] signed = signature.sign();
    signature.initVerify(pair.getPublic());
    signature.update(data);
    require(signature.verify(signed));

    SSLContext context = SSLContext.getInstance("TLS", "Postscrypt");
    context.init(null, null, null);
    SSLEngine engine = context.createSSLEngine("localhost", 443);
    engine.setUseClientMode(true);
    require(engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000)).bytesProduced() > 100);
    System.out.println("works");
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalStateException();
    }
  }
}
