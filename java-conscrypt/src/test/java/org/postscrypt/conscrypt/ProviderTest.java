package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyManagementException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.conscrypt.Conscrypt;
import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.Test;

/** The provider and its services. Runs over the original as well. */
class ProviderTest {
  @Test
  void nameAndVersion() {
    Provider provider = Conscrypt.newProvider();
    assertEquals(OpenSSLProvider.class, provider.getClass());
    assertEquals("Conscrypt", provider.getName());
    assertEquals("1.0", provider.getVersionStr());
    assertEquals("2.6.3", Conscrypt.version().major() + "." + Conscrypt.version().minor() + "." + Conscrypt.version().patch());
    assertTrue(Conscrypt.isAvailable());
    Conscrypt.checkAvailability();
    assertFalse(Conscrypt.isBoringSslFIPSBuild());
    assertTrue(Conscrypt.isConscrypt(provider));
    assertTrue(Conscrypt.isConscrypt(new OpenSSLProvider("other")));
    assertFalse(Conscrypt.isConscrypt(Security.getProvider("SUN")));
    assertEquals("other", new OpenSSLProvider("other").getName());
  }

  @Test
  void registration() throws Exception {
    Provider provider = new OpenSSLProvider();
    Security.insertProviderAt(provider, 1);
    try {
      assertSame(provider, Security.getProvider("Conscrypt"));
      assertSame(provider, Cipher.getInstance("AES/GCM/NoPadding").getProvider());
      assertSame(provider, SSLContext.getInstance("TLS").getProvider());
      assertSame(provider, TrustManagerFactory.getInstance("PKIX").getProvider());
      assertTrue(Conscrypt.isConscrypt(Conscrypt.getDefaultX509TrustManager()));
      assertTrue(Conscrypt.isConscrypt(SSLContext.getInstance("Default")));
    } finally {
      Security.removeProvider("Conscrypt");
    }
  }

  @Test
  void services() throws Exception {
    TreeSet<String> wanted = new TreeSet<>();
    for (String line : SignatureTest.lines("/services.tsv")) {
      String[] cells = line.split("\t");
      wanted.add(cells[0] + " " + cells[1]);
    }
    Provider provider = Conscrypt.newProvider();
    TreeSet<String> found = new TreeSet<>();
    for (Provider.Service service : provider.getServices()) {
      found.add(service.getType() + " " + service.getAlgorithm());
    }
    assertEquals(String.join("\n", wanted), String.join("\n", found));
    assertEquals(139, found.size());
  }

  @Test
  void everyNameOfEveryServiceServes() throws Exception {
    Provider provider = Conscrypt.newProvider();
    List<String> failures = new ArrayList<>();
    for (String line : SignatureTest.lines("/services.tsv")) {
      String[] cells = line.split("\t");
      List<String> names = new ArrayList<>(Collections.singletonList(cells[1]));
      if (cells.length > 2 && !cells[2].isEmpty()) {
        names.addAll(List.of(cells[2].split(",")));
      }
      for (String name : names) {
        Provider.Service service = provider.getService(cells[0], name);
        if (service == null) {
          failures.add("no " + cells[0] + " " + name);
        } else if (service.newInstance(null) == null) {
          failures.add("nothing made: " + cells[0] + " " + name);
        }
      }
    }
    assertEquals(Collections.emptyList(), failures);
  }

  @Test
  void builder() throws Exception {
    Provider plain = Conscrypt.newProviderBuilder().build();
    assertEquals("Conscrypt", plain.getName());
    Provider named = Conscrypt.newProviderBuilder().setName("mine").provideTrustManager(false).build();
    assertEquals("mine", named.getName());
    assertNull(named.getService("TrustManagerFactory", "PKIX"));
    assertNotNull(Conscrypt.newProviderBuilder().provideTrustManager(true).build().getService("TrustManagerFactory", "PKIX"));
    Provider old = Conscrypt.newProviderBuilder().defaultTlsProtocol("TLSv1.2").build();
    SSLContext context = SSLContext.getInstance("TLS", old);
    context.init(null, null, null);
    assertArrayEquals(new String[] {"TLSv1.2"}, context.getDefaultSSLParameters().getProtocols());
    assertArrayEquals(new String[] {"TLSv1.2"}, context.createSSLEngine().getEnabledProtocols());
    for (String wrong : new String[] {"SSLv3", "TLSv1", "TLSv1.1", "bogus"}) {
      assertThrows(
          IllegalArgumentException.class, () -> Conscrypt.newProviderBuilder().defaultTlsProtocol(wrong).build());
    }
    Conscrypt.newProviderBuilder().isTlsV1Deprecated(true).isTlsV1Enabled(false).build();
    assertThrows(
        IllegalArgumentException.class,
        () -> Conscrypt.newProviderBuilder().isTlsV1Deprecated(false).isTlsV1Enabled(false).build());
  }

  @Test
  @SuppressWarnings("deprecation")
  void deprecatedWays() {
    assertEquals("mine", Conscrypt.newProvider("mine").getName());
    assertNotNull(
        Conscrypt.newProviderBuilder().provideTrustManager().build().getService("TrustManagerFactory", "X509"));
  }

  @Test
  void contexts() throws Exception {
    Provider provider = Conscrypt.newProvider();
    SSLContext context = SSLContext.getInstance("TLS", provider);
    assertThrows(IllegalStateException.class, context::createSSLEngine);
    assertTrue(Conscrypt.isConscrypt(context));
    assertThrows(NullPointerException.class, () -> Conscrypt.isConscrypt((SSLContext) null));
    context.init(null, null, null);
    SSLContext standard = SSLContext.getInstance("Default", provider);
    assertThrows(KeyManagementException.class, () -> standard.init(null, null, null));
    assertTrue(Conscrypt.isConscrypt(standard.createSSLEngine()));
    assertNotNull(Conscrypt.newPreferredSSLContextSpi());
    assertNotSame(Conscrypt.newPreferredSSLContextSpi(), Conscrypt.newPreferredSSLContextSpi());
    context.getClientSessionContext().setSessionCacheSize(7);
    context.getServerSessionContext().setSessionTimeout(99);
    assertEquals(7, context.getClientSessionContext().getSessionCacheSize());
    assertEquals(99, context.getServerSessionContext().getSessionTimeout());
    assertFalse(context.getClientSessionContext().getIds().hasMoreElements());
    assertNull(context.getServerSessionContext().getSession(new byte[32]));
  }

  /** Whoever asks for the default context gets the same one, and the same sessions. */
  @Test
  void oneDefaultContext() throws Exception {
    Provider provider = Conscrypt.newProvider();
    SSLContext first = SSLContext.getInstance("Default", provider);
    SSLContext second = SSLContext.getInstance("Default", provider);
    assertSame(first.getClientSessionContext(), second.getClientSessionContext());
    assertSame(first.getServerSessionContext(), second.getServerSessionContext());
    assertNotSame(
        SSLContext.getInstance("TLS", provider).getClientSessionContext(), first.getClientSessionContext());
  }

  /** Without a provider the JCA takes a service and tells it mode and padding in the caller's words. */
  @Test
  void everyCipherIsFoundWithoutItsProvider() throws Exception {
    Provider provider = Conscrypt.newProvider();
    assertEquals(1, Security.insertProviderAt(provider, 1));
    try {
      int names = 0;
      for (Object entry : provider.keySet()) {
        String key = (String) entry;
        if (key.indexOf(' ') < 0 && (key.startsWith("Cipher.") || key.startsWith("Alg.Alias.Cipher."))) {
          String name = key.substring(key.indexOf("Cipher.") + "Cipher.".length());
          // Conscrypt does not find these of its own.
          if (!name.toUpperCase(Locale.ROOT).startsWith("RSA/NONE/OAEP")) {
            assertSame(provider, Cipher.getInstance(name).getProvider(), name);
            names++;
          }
        }
      }
      assertTrue(names > 40, "names: " + names);
    } finally {
      Security.removeProvider(provider.getName());
    }
  }

  @Test
  void keySizesOfCurve25519() throws Exception {
    for (String algorithm : new String[] {"XDH", "X25519", "EdDSA", "Ed25519"}) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, Conscrypt.newProvider());
      for (int bits : new int[] {0, 128, 254, 256, 448}) {
        assertThrows(IllegalArgumentException.class, () -> generator.initialize(bits), algorithm + " " + bits);
      }
      generator.initialize(255);
      assertNotNull(generator.generateKeyPair().getPrivate());
    }
  }

  /** Who knows no primes may leave them out of the specification that has room for them. */
  @Test
  void rsaSpecWithoutCrtNumbers() throws Exception {
    Provider provider = Conscrypt.newProvider();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", provider);
    generator.initialize(2048);
    KeyPair pair = generator.generateKeyPair();
    RSAPrivateCrtKey full = (RSAPrivateCrtKey) pair.getPrivate();
    PrivateKey key = KeyFactory.getInstance("RSA", provider).generatePrivate(new RSAPrivateCrtKeySpec(
        full.getModulus(), full.getPublicExponent(), full.getPrivateExponent(), null, null, null, null, null));
    Signature signature = Signature.getInstance("SHA256withRSA", provider);
    signature.initSign(key);
    byte[] signed = signature.sign();
    signature.initVerify(pair.getPublic());
    assertTrue(signature.verify(signed));
  }

  @Test
  void tripleDesWithTwoKeys() throws Exception {
    Cipher cipher = Cipher.getInstance("DESede/CBC/PKCS5Padding", Conscrypt.newProvider());
    IvParameterSpec iv = new IvParameterSpec(new byte[8]);
    byte[] two = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(two, "DESede"), iv);
    byte[] sealed = cipher.doFinal(two);
    cipher.init(
        Cipher.DECRYPT_MODE, new SecretKeySpec("0123456789abcdef01234567".getBytes(StandardCharsets.US_ASCII), "DESede"), iv);
    assertArrayEquals(two, cipher.doFinal(sealed));
  }

  /** A key of another kind may hand out the array it keeps. */
  @Test
  void othersKeysStayAsTheyAre() throws Exception {
    Provider provider = Conscrypt.newProvider();
    for (String algorithm : new String[] {"EC", "RSA", "XDH"}) {
      PrivateKey key = KeyPairGenerator.getInstance(algorithm, provider).generateKeyPair().getPrivate();
      byte[] kept = key.getEncoded();
      byte[] before = kept.clone();
      PrivateKey sharing = new PrivateKey() {
        private static final long serialVersionUID = 1L;

        @Override
        public String getAlgorithm() {
          return algorithm;
        }

        @Override
        public String getFormat() {
          return "PKCS#8";
        }

        @Override
        public byte[] getEncoded() {
          return kept;
        }
      };
      KeyFactory factory = KeyFactory.getInstance(algorithm, provider);
      assertArrayEquals(before, factory.translateKey(sharing).getEncoded(), algorithm);
      assertArrayEquals(before, kept, algorithm);
    }
  }

  /** JCA Standard Names, key types: EC_EC is an EC key that an EC key certified. */
  @Test
  void keyTypesWithTheIssuers() throws Exception {
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX", Conscrypt.newProvider());
    factory.init(Pki.identity("localhost"), Pki.PASSWORD);
    X509ExtendedKeyManager manager = (X509ExtendedKeyManager) factory.getKeyManagers()[0];
    assertArrayEquals(manager.getServerAliases("EC", null), manager.getServerAliases("EC_EC", null));
    assertEquals(manager.chooseServerAlias("EC", null, null), manager.chooseServerAlias("EC_EC", null, null));
    assertNull(manager.chooseServerAlias("EC_RSA", null, null));
  }

  @Test
  void managers() throws Exception {
    Provider provider = Conscrypt.newProvider();
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX", provider);
    keys.init(Pki.identity("localhost"), Pki.PASSWORD);
    assertEquals(1, keys.getKeyManagers().length);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", provider);
    trust.init((KeyStore) null);
    assertEquals(1, trust.getTrustManagers().length);
  }

  @Test
  void whatIsNoSignatureDoesNotVerify() throws Exception {
    Provider provider = Conscrypt.newProvider();
    for (String line : new String[] {
      "RSA NONEwithRSA", "RSA MD5withRSA", "RSA SHA1withRSA", "RSA SHA256withRSA", "RSA SHA512withRSA",
      "RSA SHA256withRSA/PSS", "EC NONEwithECDSA", "EC SHA256withECDSA", "EC SHA512withECDSA", "EdDSA EdDSA"
    }) {
      String[] names = line.split(" ");
      KeyPair pair = KeyPairGenerator.getInstance(names[0], provider).generateKeyPair();
      Signature signature = Signature.getInstance(names[1], provider);
      signature.initSign(pair.getPrivate());
      signature.update(new byte[20]);
      byte[] good = signature.sign();
      signature.initVerify(pair.getPublic());
      byte[] changed = good.clone();
      changed[good.length / 2] ^= 1;
      for (byte[] bad : new byte[][] {{}, new byte[10], changed, new byte[good.length]}) {
        signature.update(new byte[20]);
        assertFalse(signature.verify(bad), line);
      }
      byte[] longer = new byte[good.length + 1];
      signature.update(new byte[20]);
      if (names[1].equals("NONEwithRSA")) {
        assertThrows(SignatureException.class, () -> signature.verify(longer));
      } else {
        assertFalse(signature.verify(longer), line);
      }
      signature.initVerify(pair.getPublic());
      signature.update(ByteBuffer.allocateDirect(20));
      assertTrue(signature.verify(good), line + ": and the next one does");
      signature.update(new byte[20]);
      byte[] within = new byte[good.length + 7];
      System.arraycopy(good, 0, within, 3, good.length);
      assertTrue(signature.verify(within, 3, good.length), line);
    }
  }

  @Test
  void sizesOfGeneratedKeys() throws Exception {
    Provider provider = Conscrypt.newProvider();
    String[] sizes = {
      "AES 16", "ARC4 16", "ChaCha20 32", "DESEDE 24", "HmacMD5 16", "HmacSHA1 20", "HmacSHA224 28", "HmacSHA256 32",
      "HmacSHA384 48", "HmacSHA512 64"
    };
    for (String size : sizes) {
      String algorithm = size.split(" ")[0];
      KeyGenerator generator = KeyGenerator.getInstance(algorithm, provider);
      assertEquals(size, algorithm + " " + generator.generateKey().getEncoded().length);
      generator.init(new java.security.SecureRandom());
      assertEquals(size, algorithm + " " + generator.generateKey().getEncoded().length);
    }
    KeyGenerator aes = KeyGenerator.getInstance("AES", provider);
    aes.init(256);
    assertEquals(32, aes.generateKey().getEncoded().length);
    assertThrows(java.security.InvalidParameterException.class, () -> aes.init(100));
  }

  @Test
  void cryptographyAgreesWithTheJdk() throws Exception {
    Provider provider = Conscrypt.newProvider();
    SecretKey key = KeyGenerator.getInstance("AES", provider).generateKey();
    Cipher ours = Cipher.getInstance("AES/CBC/PKCS5Padding", provider);
    ours.init(Cipher.ENCRYPT_MODE, key);
    byte[] sealed = ours.doFinal(new byte[33]);
    Cipher theirs = Cipher.getInstance("AES/CBC/PKCS5Padding", "SunJCE");
    theirs.init(Cipher.DECRYPT_MODE, key, ours.getParameters().getParameterSpec(javax.crypto.spec.IvParameterSpec.class));
    assertArrayEquals(new byte[33], theirs.doFinal(sealed));
    Mac mac = Mac.getInstance("HmacSHA256", provider);
    mac.init(key);
    Mac other = Mac.getInstance("HmacSHA256", "SunJCE");
    other.init(key);
    assertArrayEquals(other.doFinal(sealed), mac.doFinal(sealed));
  }
}
