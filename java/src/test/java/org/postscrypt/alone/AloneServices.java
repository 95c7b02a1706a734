package org.postscrypt.alone;

import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Provider.Service;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.KeySpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.DESedeKeySpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.postscrypt.BoxHandshake;
import org.postscrypt.BoxOpener;
import org.postscrypt.BoxSealer;
import org.postscrypt.Hkdf;
import org.postscrypt.HpkeRecipient;
import org.postscrypt.HpkeSender;
import org.postscrypt.HpkeSuite;
import org.postscrypt.Kem;
import org.postscrypt.ScryptKeySpec;

/** Every service of the table, by its name alone, and what is no service: there and back. */
final class AloneServices {
  private static final byte[] MESSAGE = Arrays.copyOf(new byte[] {0, 1, 2, 3, 4, 5, 6, 7}, 64);
  private static final Map<String, KeyPair> PAIRS = new HashMap<>();

  private static Path directory;

  private AloneServices() {}

  public static void main(String[] arguments) throws Exception {
    Alone.removeOthers();
    directory = Path.of(arguments[0]);
    for (Service service : Security.getProviders()[0].getServices()) {
      String name = service.getType() + " " + service.getAlgorithm();
      try {
        use(service, service.getAlgorithm());
        System.out.println("works: " + name);
      } catch (Exception | LinkageError | AssertionError e) {
        System.out.println("failed: " + name + ": " + e);
        e.printStackTrace(System.out);
      }
    }
    kems();
    hpke();
    box();
    check(Hkdf.getInstance("SHA-256").extractAndExpand(null, MESSAGE, null, 42).length == 42, "too short");
    System.out.println("works: API");
    System.exit(0);
  }

  private static void kems() throws Exception {
    for (Kem kem : Kem.values()) {
      KeyPair pair = kem.generateKeyPair();
      Kem.Encapsulated made = kem.encapsulate(pair.getPublic());
      check(Arrays.equals(made.secret(), kem.decapsulate(pair.getPrivate(), made.encapsulation())), kem + " differs");
    }
  }

  private static void hpke() throws Exception {
    HpkeSuite suite = HpkeSuite.of(Kem.DHKEM_X25519, HpkeSuite.Kdf.HKDF_SHA256, HpkeSuite.Aead.AES_128_GCM);
    KeyPair pair = pair("XDH");
    try (HpkeSender sender = suite.sender(pair.getPublic(), new byte[0]);
        HpkeRecipient recipient = suite.recipient(pair.getPrivate(), sender.encapsulatedKey(), new byte[0])) {
      check(Arrays.equals(MESSAGE, recipient.open(sender.seal(MESSAGE))), "HPKE differs");
    }
  }

  private static void box() throws Exception {
    KeyPair one = pair("XDH");
    KeyPair two = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    try (BoxHandshake initiator = BoxHandshake.initiator(one.getPrivate(), two.getPublic(), new byte[0]);
        BoxHandshake responder = BoxHandshake.responder(two.getPrivate(), one.getPublic(), new byte[0])) {
      initiator.finish(responder.respond(initiator.start()));
      try (BoxSealer sealer = initiator.sealer(); BoxOpener opener = responder.opener()) {
        check(Arrays.equals(MESSAGE, opener.open(sealer.seal(MESSAGE))), "box differs");
      }
    }
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }

  /** Whose an object is that was asked for by name only. */
  private static void ours(Provider provider) {
    check(provider.getName().equals("Postscrypt"), "it is " + provider);
  }

  private static void use(Service service, String name) throws Exception {
    check(service.newInstance(null) != null, "no instance");
    switch (service.getType()) {
      case "MessageDigest" -> digest(name);
      case "Mac" -> mac(name);
      case "Cipher" -> {
        if (name.startsWith("RSA")) {
          rsa(name);
        } else {
          cipher(name);
        }
      }
      case "KeyGenerator" -> {
        KeyGenerator generator = KeyGenerator.getInstance(name);
        ours(generator.getProvider());
        check(generator.generateKey().getEncoded().length > 0, "no key");
      }
      case "SecretKeyFactory" -> secretKeys(name);
      case "KeyPairGenerator" -> check(pair(name) != null, "no keys");
      case "KeyFactory" -> keyFactory(name);
      case "Signature" -> signature(name);
      case "KeyAgreement" -> agreement(name);
      case "AlgorithmParameters" -> parameters(name);
      case "SecureRandom" -> {
        SecureRandom random = SecureRandom.getInstance(name);
        ours(random.getProvider());
        check(random.nextLong() != random.nextLong(), "not random");
      }
      case "CertificateFactory" -> certificates(name);
      case "SSLContext" -> {
        SSLContext context = SSLContext.getInstance(name);
        ours(context.getProvider());
        if (!name.equals("Default")) {
          // Default trust: the JDK's certificates, through our own factory, as the JDK's is gone.
          context.init(null, null, null);
        }
        check(context.createSSLEngine().getSupportedCipherSuites().length > 0, "no cipher suites");
      }
      case "TrustManagerFactory" -> {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(name);
        factory.init((KeyStore) null);
        check(factory.getTrustManagers().length == 1, "no manager");
      }
      case "KeyManagerFactory" -> {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(name);
        factory.init(Alone.keyStore(directory, "server-EC", "EC"), Alone.PASSWORD);
        check(factory.getKeyManagers().length == 1, "no manager");
      }
      case "KEM", "KDF" -> {
        // Types that the JDK which compiles this has not: instantiated above, more is tested where they are.
        return;
      }
      default -> throw new AssertionError("a type that this test does not know: " + service.getType());
    }
  }

  private static void digest(String name) throws Exception {
    MessageDigest digest = MessageDigest.getInstance(name);
    ours(digest.getProvider());
    byte[] one = digest.digest(MESSAGE);
    check(one.length == digest.getDigestLength() && Arrays.equals(one, digest.digest(MESSAGE)), "differs");
  }

  private static void mac(String name) throws Exception {
    Mac mac = Mac.getInstance(name);
    ours(mac.getProvider());
    mac.init(new SecretKeySpec(new byte[16], name));
    byte[] one = mac.doFinal(MESSAGE);
    check(one.length == mac.getMacLength() && Arrays.equals(one, mac.doFinal(MESSAGE)), "differs");
  }

  private static SecretKey keyOf(String transformation) {
    String algorithm = transformation.split("[/_]")[0];
    int bytes = transformation.contains("_192") ? 24
        : transformation.contains("_256") || algorithm.contains("ChaCha20") ? 32
            : algorithm.equalsIgnoreCase("DESede") ? 24 : 16;
    byte[] key = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      key[i] = (byte) (7 * i + 1);
    }
    return new SecretKeySpec(key, algorithm.contains("ChaCha20") ? "ChaCha20" : algorithm);
  }

  private static void cipher(String name) throws Exception {
    SecretKey key = keyOf(name);
    Cipher seal = Cipher.getInstance(name);
    ours(seal.getProvider());
    Cipher open = Cipher.getInstance(name);
    if (name.contains("/KW")) {
      seal.init(Cipher.WRAP_MODE, key);
      open.init(Cipher.UNWRAP_MODE, key);
      Key wrapped = new SecretKeySpec(MESSAGE, "AES");
      check(wrapped.equals(open.unwrap(seal.wrap(wrapped), "AES", Cipher.SECRET_KEY)), "differs");
      if (name.contains("/KWP")) {
        PrivateKey privateKey = pair("EC").getPrivate();
        check(privateKey.equals(open.unwrap(seal.wrap(privateKey), "EC", Cipher.PRIVATE_KEY)), "differs");
      }
      return;
    }
    seal.init(Cipher.ENCRYPT_MODE, key);
    AlgorithmParameters parameters = seal.getParameters();
    if (parameters != null) {
      ours(parameters.getProvider());
    }
    open.init(Cipher.DECRYPT_MODE, key, parameters);
    check(Arrays.equals(MESSAGE, open.doFinal(seal.doFinal(MESSAGE))), "differs");
  }

  private static void rsa(String name) throws Exception {
    Cipher cipher = Cipher.getInstance(name);
    ours(cipher.getProvider());
    cipher.init(Cipher.ENCRYPT_MODE, pair("RSA").getPublic());
    // As long as the modulus, smaller than it: also right without padding.
    byte[] message = name.contains("NoPadding") ? Arrays.copyOf(MESSAGE, 256) : Arrays.copyOf(MESSAGE, 16);
    byte[] sealed = cipher.doFinal(message);
    AlgorithmParameters parameters = cipher.getParameters();
    cipher.init(Cipher.DECRYPT_MODE, pair("RSA").getPrivate(), parameters);
    check(Arrays.equals(message, cipher.doFinal(sealed)), "differs");
  }

  private static void secretKeys(String name) throws Exception {
    KeySpec spec;
    if (name.startsWith("PBKDF2")) {
      spec = new PBEKeySpec("password".toCharArray(), new byte[8], 2, 256);
    } else if (name.equals("SCRYPT")) {
      spec = new ScryptKeySpec("password".toCharArray(), new byte[8], 16, 1, 1, 256);
    } else {
      spec = new DESedeKeySpec(keyOf("DESede").getEncoded());
    }
    SecretKeyFactory factory = SecretKeyFactory.getInstance(name);
    ours(factory.getProvider());
    check(factory.generateSecret(spec).getEncoded().length >= 24, "too short");
  }

  private static KeyPair pair(String name) throws Exception {
    KeyPair pair = PAIRS.get(name);
    if (pair == null) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(name);
      ours(generator.getProvider());
      if (name.equals("RSA") || name.equals("RSASSA-PSS")) {
        generator.initialize(2048);
      }
      pair = generator.generateKeyPair();
      PAIRS.put(name, pair);
    }
    return pair;
  }

  private static void keyFactory(String name) throws Exception {
    KeyFactory factory = KeyFactory.getInstance(name);
    ours(factory.getProvider());
    KeyPair pair = pair(name);
    check(
        pair.getPublic().equals(factory.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()))),
        "the public key differs");
    check(
        pair.getPrivate().equals(factory.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()))),
        "the private key differs");
  }

  private static void signature(String name) throws Exception {
    String keys = name.contains("ECDSA") ? "EC" : name.contains("RSA") ? "RSA" : name;
    Signature signature = Signature.getInstance(name);
    if (name.equals("RSASSA-PSS")) {
      signature.setParameter(PSSParameterSpec.DEFAULT);
    }
    signature.initSign(pair(keys).getPrivate());
    ours(signature.getProvider());
    signature.update(MESSAGE);
    byte[] made = signature.sign();
    signature.initVerify(pair(keys).getPublic());
    signature.update(MESSAGE);
    check(signature.verify(made), "does not verify");
  }

  private static void agreement(String name) throws Exception {
    String keys = name.equals("ECDH") ? "EC" : name;
    KeyPair other = KeyPairGenerator.getInstance(keys).generateKeyPair();
    KeyAgreement one = KeyAgreement.getInstance(name);
    one.init(pair(keys).getPrivate());
    one.doPhase(other.getPublic(), true);
    KeyAgreement two = KeyAgreement.getInstance(name);
    two.init(other.getPrivate());
    two.doPhase(pair(keys).getPublic(), true);
    ours(one.getProvider());
    check(Arrays.equals(one.generateSecret(), two.generateSecret()), "differs");
  }

  private static void parameters(String name) throws Exception {
    AlgorithmParameterSpec spec = switch (name) {
      case "AES" -> new IvParameterSpec(new byte[16]);
      case "DESEDE" -> new IvParameterSpec(new byte[8]);
      case "ChaCha20", "ChaCha20-Poly1305" -> new IvParameterSpec(new byte[12]);
      case "XChaCha20-Poly1305" -> new IvParameterSpec(new byte[24]);
      case "GCM" -> new GCMParameterSpec(128, new byte[12]);
      case "CCM" -> new GCMParameterSpec(128, new byte[13]);
      case "EC" -> new ECGenParameterSpec("secp256r1");
      case "RSASSA-PSS" -> new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);
      case "OAEP" -> OAEPParameterSpec.DEFAULT;
      default -> throw new AssertionError("parameters that this test does not know");
    };
    AlgorithmParameters parameters = AlgorithmParameters.getInstance(name);
    ours(parameters.getProvider());
    parameters.init(spec);
    AlgorithmParameters again = AlgorithmParameters.getInstance(name);
    again.init(parameters.getEncoded());
    check(Arrays.equals(parameters.getEncoded(), again.getEncoded()), "differs");
  }

  private static void certificates(String name) throws Exception {
    ours(CertificateFactory.getInstance(name).getProvider());
    X509Certificate root = Alone.certificate(directory.resolve("root.pem"));
    for (String type : new String[] {"EC", "RSA"}) {
      X509Certificate leaf = Alone.certificate(directory.resolve("server-" + type + ".pem"));
      leaf.verify(root.getPublicKey());
      ours(Signature.getInstance(leaf.getSigAlgName()).getProvider());
      check(leaf.getPublicKey().getAlgorithm().equals(type), "not " + type);
    }
  }
}
