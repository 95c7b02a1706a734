package org.postscrypt.conscrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.RSAPrivateKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ours beside the original, which is in a class loader of its own: they speak with each other and read each other's keys. */
@Tag("facade")
class GenuineTest {
  private static final Provider OURS = Conscrypt.newProvider();
  private static ClassLoader loader;
  private static Provider genuine;

  @BeforeAll
  static void load() throws Exception {
    URL jar = Paths.get(System.getProperty("conscrypt.jar")).toUri().toURL();
    loader = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    genuine = (Provider) loader.loadClass("org.conscrypt.Conscrypt").getMethod("newProvider").invoke(null);
    assertNotSame(OURS.getClass(), genuine.getClass());
    assertEquals("Android's OpenSSL-backed security provider", genuine.getInfo());
  }

  @ParameterizedTest
  @CsvSource({"true,TLSv1.2", "true,TLSv1.3", "false,TLSv1.2", "false,TLSv1.3"})
  void handshakes(boolean oursIsClient, String protocol) throws Exception {
    SSLContext client = Pki.client(oursIsClient ? OURS : genuine);
    SSLContext server = Pki.server(oursIsClient ? genuine : OURS);
    for (int i = 0; i < 2; i++) {
      Engines e = Engines.of(client, server).speaking(protocol).handshake();
      e.exchange();
      e.drain();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void preSharedKeys(boolean oursIsClient) throws Exception {
    for (String suite : PskTest.SUITES) {
      PskTest.Alike client = new PskTest.Alike();
      PskTest.Alike server = new PskTest.Alike();
      server.hint = "hint";
      Engines e =
          Engines.of(
              PskTest.context(oursIsClient ? OURS : genuine, "TLSv1.2", client),
              PskTest.context(oursIsClient ? genuine : OURS, "TLSv1.2", server));
      e.client.setEnabledCipherSuites(new String[] {suite});
      e.handshake();
      e.exchange();
      assertEquals(suite, e.server.getSession().getCipherSuite());
      assertEquals(List.of("identity hint", "key hint bob"), client.asked);
      assertEquals(List.of("hint", "key hint bob"), server.asked);
    }
  }

  /** Of Conscrypt's server, which proves the key and then tells nobody. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void channelIds(String protocol) throws Exception {
    KeyPair pair = Pki.ecKey();
    SSLContext client = Pki.client(OURS);
    SSLContext server = Pki.server(genuine);
    Method enable = loader.loadClass("org.conscrypt.Conscrypt").getMethod("setChannelIdEnabled", SSLEngine.class, boolean.class);
    for (int i = 0; i < 3; i++) {
      Engines e = Engines.of(client, server).speaking(protocol);
      enable.invoke(null, e.server, true);
      Conscrypt.setChannelIdPrivateKey(e.client, pair.getPrivate());
      if (i == 2) {
        Conscrypt.setChannelIdPrivateKey(e.client, null);
      }
      e.handshake().exchange();
      Object engine = field(loader.loadClass("org.conscrypt.Java8EngineWrapper"), "delegate").get(e.server);
      Object ssl = field(engine.getClass(), "ssl").get(engine);
      Method id = ssl.getClass().getDeclaredMethod("getTlsChannelId");
      id.setAccessible(true);
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] point = Arrays.copyOfRange(encoded, encoded.length - 64, encoded.length);
      assertArrayEquals(i == 2 ? null : point, (byte[]) id.invoke(ssl));
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @Test
  void serviceNamesAndAliasesAreTheSame() {
    assertEquals(names(genuine), names(OURS));
  }

  private static String names(Provider provider) {
    return provider.getServices().stream()
        .flatMap(s -> provider.entrySet().stream()
            .filter(e -> e.getKey().toString().startsWith("Alg.Alias." + s.getType() + "."))
            .filter(e -> e.getValue().toString().equalsIgnoreCase(s.getAlgorithm()))
            .map(e -> e.getKey() + " = " + s.getAlgorithm()))
        .sorted()
        .distinct()
        .reduce("", (a, b) -> a + b + "\n");
  }

  private static Object read(byte[] bytes, ClassLoader from) throws IOException, ClassNotFoundException {
    InputStream in = new ByteArrayInputStream(bytes);
    try (ObjectInputStream objects =
        new ObjectInputStream(in) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
            return Class.forName(description.getName(), false, from);
          }
        }) {
      return objects.readObject();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"XDH", "EdDSA", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "SLH-DSA-SHA2-128S"})
  void serializedKeysAreTheSame(String algorithm) throws Exception {
    KeyPair theirs = KeyPairGenerator.getInstance(algorithm, genuine).generateKeyPair();
    KeyPair ours = KeyPairGenerator.getInstance(algorithm, OURS).generateKeyPair();
    for (Key key : new Key[] {theirs.getPublic(), theirs.getPrivate()}) {
      byte[] bytes = KeysTest.serialized(key);
      Key read = (Key) read(bytes, GenuineTest.class.getClassLoader());
      assertEquals(key.getClass().getName(), read.getClass().getName());
      assertArrayEquals(key.getEncoded(), read.getEncoded());
      assertEquals(HexFormat.of().formatHex(bytes), HexFormat.of().formatHex(KeysTest.serialized(read)));
    }
    for (Key key : new Key[] {ours.getPublic(), ours.getPrivate()}) {
      Key read = (Key) read(KeysTest.serialized(key), loader);
      assertArrayEquals(key.getEncoded(), read.getEncoded());
    }
  }

  /** Conscrypt has classes of its own for them, which are read as the provider's keys. */
  @ParameterizedTest
  @CsvSource({"RSA,2048,SHA256withRSA", "EC,256,SHA256withECDSA", "EC,521,SHA512withECDSA"})
  void serializedKeysAreRead(String algorithm, int bits, String signing) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, genuine);
    generator.initialize(bits);
    KeyPair theirs = generator.generateKeyPair();
    ClassLoader own = GenuineTest.class.getClassLoader();
    PublicKey publicKey = (PublicKey) read(KeysTest.serialized(theirs.getPublic()), own);
    PrivateKey privateKey = (PrivateKey) read(KeysTest.serialized(theirs.getPrivate()), own);
    assertArrayEquals(theirs.getPublic().getEncoded(), publicKey.getEncoded());
    assertArrayEquals(theirs.getPrivate().getEncoded(), privateKey.getEncoded());
    Signature signature = Signature.getInstance(signing, OURS);
    signature.initSign(privateKey);
    signature.update(new byte[50]);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(new byte[50]);
    assertEquals(true, signature.verify(signed));
  }

  /** A key without the primes. */
  @Test
  void serializedKeysOfTwoNumbersAreRead() throws Exception {
    RSAPrivateKey full =
        (RSAPrivateKey) KeyPairGenerator.getInstance("RSA", genuine).generateKeyPair().getPrivate();
    PrivateKey theirs =
        KeyFactory.getInstance("RSA", genuine)
            .generatePrivate(new RSAPrivateKeySpec(full.getModulus(), full.getPrivateExponent()));
    assertEquals("org.conscrypt.OpenSSLRSAPrivateKey", theirs.getClass().getName());
    RSAPrivateKey read = (RSAPrivateKey) read(KeysTest.serialized(theirs), GenuineTest.class.getClassLoader());
    assertEquals(full.getModulus(), read.getModulus());
    assertEquals(full.getPrivateExponent(), read.getPrivateExponent());
  }

  @Test
  void damagedSerializedKeysAreInvalid() throws Exception {
    KeyPair ec = KeyPairGenerator.getInstance("EC", genuine).generateKeyPair();
    for (Key key : new Key[] {ec.getPublic(), ec.getPrivate()}) {
      byte[] bytes = KeysTest.serialized(key);
      bytes[bytes.length - 20] ^= 1;
      bytes[bytes.length - 66] ^= 1;
      assertThrows(InvalidObjectException.class, () -> read(bytes, GenuineTest.class.getClassLoader()));
    }
  }

  @Test
  void encodingsAreTheSame() throws Exception {
    for (String algorithm : new String[] {"XDH", "EdDSA", "ML-DSA-44", "ML-KEM-768", "ML-KEM-1024", "SLH-DSA-SHA2-128S", "XWING"}) {
      KeyPair theirs = KeyPairGenerator.getInstance(algorithm, genuine).generateKeyPair();
      java.security.KeyFactory factory = java.security.KeyFactory.getInstance(algorithm, OURS);
      assertArrayEquals(theirs.getPublic().getEncoded(), factory.translateKey(theirs.getPublic()).getEncoded());
      assertArrayEquals(theirs.getPrivate().getEncoded(), factory.translateKey(theirs.getPrivate()).getEncoded());
    }
    KeyPair theirs = KeyPairGenerator.getInstance("ML-DSA-65", genuine).generateKeyPair();
    Signature signature = Signature.getInstance("ML-DSA", genuine);
    signature.initSign(theirs.getPrivate());
    byte[] signed = signature.sign();
    Signature ours = Signature.getInstance("ML-DSA", OURS);
    ours.initVerify(theirs.getPublic());
    assertEquals(true, ours.verify(signed));
  }

  @Test
  void hostnameVerifiersAgree() throws Exception {
    Object instance = loader.loadClass("org.conscrypt.OkHostnameVerifier").getField("INSTANCE").get(null);
    Object strict = loader.loadClass("org.conscrypt.OkHostnameVerifier").getMethod("strictInstance").invoke(null);
    String[] parts = {"example.com", "*.example.com", "*.com", "a.example.com", "a.b.example.com", "*", "com", "f*.com",
      "*.*.com", "127.0.0.1", "EXAMPLE.com", "example.com.", "foo.com", "a..example.com", "xn--bcher-kva.example", "_a.example.com"};
    StringBuilder differences = new StringBuilder();
    for (String name : parts) {
      X509Certificate certificate = Pki.leaf(Pki.ecKey().getPublic(), name);
      for (String host : Stream.concat(Stream.of(parts), Stream.of("", ".", "b\u00fccher.example", "a.com..")).toList()) {
        for (Object verifier : new Object[] {instance, strict}) {
          boolean theirs =
              (Boolean) verifier.getClass().getMethod("verify", String.class, X509Certificate.class).invoke(verifier, host, certificate);
          boolean ours =
              (verifier == strict ? org.conscrypt.OkHostnameVerifier.strictInstance() : org.conscrypt.OkHostnameVerifier.INSTANCE)
                  .verify(host, certificate);
          if (ours != theirs) {
            differences.append(verifier == strict ? "strict " : "").append(host).append(" by ").append(name);
            differences.append(ours ? ": ours\n" : ": theirs\n");
          }
        }
      }
    }
    assertEquals("", differences.toString());
  }
}
